"""The written answers in a notebook: the Markdown cells that begin with `### Answer 3`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

PLACEHOLDER = "*Write here.*"
"""What stands where somebody has yet to write."""

_HEADING = re.compile(r"### Answer (\d+)")


def written(text: str) -> str:
    """What somebody wrote in place of the placeholder, or beside it.

    >>> written("*Write here.*\\n"), written(" It stopped. ")
    ('', 'It stopped.')
    """
    return text.replace(PLACEHOLDER, "").strip()


def read_answers(notebook: Path) -> dict[int, str]:
    """The answers by their numbers, in the notebook's order; one not yet written is empty.

    Cells of one number are one answer.

    Raises:
        ValueError: the file is no notebook.
        OSError: it cannot be read.
    """
    answers: dict[int, list[str]] = defaultdict(list)
    try:
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
            first, _, rest = "".join(cell["source"]).partition("\n")
            if cell["cell_type"] == "markdown" and (found := _HEADING.fullmatch(first.strip())):
                answers[int(found[1])].append(written(rest))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{notebook} is no notebook ({type(error).__name__}: {error}).") from error
    return {number: "\n\n".join(filter(None, parts)) for number, parts in answers.items()}
