"""The text of a page, and the parts of a reference that a text contains."""

import ast
import json
import re
from pathlib import Path

from checkout import ROOT

from g2c.course.manifest import Exercise


def reference_code(exercise: Exercise) -> list[str]:
    """The lines of code in the reference's file, with helpers and patterns, without imports."""
    lines = (ROOT / exercise.solution_file).read_text("utf-8").splitlines()
    code = []
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.Assign | ast.FunctionDef):
            code += lines[node.lineno - 1 : node.end_lineno]
    return code


def code_in(text: str, exercise: Exercise) -> list[str]:
    """The lines of the reference that stand in `text`, however they are laid out there.

    Lines of 15 characters or fewer, such as `return None`, give nothing away.
    """
    squeezed = "".join(text.split())
    return [
        line.strip()
        for line in reference_code(exercise)
        if len(line.strip()) > 15 and "".join(line.split()) in squeezed
    ]


def stored_text(notebook: str, cell: str) -> str:
    """The stored output, as text, of the shipped notebook's cell with that id or that code."""
    cells = json.loads((ROOT / f"notebooks/{notebook}.ipynb").read_text("utf-8"))["cells"]
    code = [item for item in cells if item["cell_type"] == "code"]
    [found] = [item for item in code if item["id"] == cell] or [
        item for item in code if cell in "".join(item["source"])
    ]
    return "".join(
        "".join(output.get("text") or (*output["data"].get("text/plain", ()), "\n"))
        for output in found["outputs"]
    )


def numbers(pattern: str, text: str) -> list[int]:
    """The whole numbers that the pattern's group finds, with or without commas."""
    return [int(match.replace(",", "")) for match in re.findall(pattern, text)]


def prose_of(page: Path) -> str:
    """A page's Markdown without its code."""
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
