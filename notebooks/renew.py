"""Run the notebooks with the reference, on the small model, and keep what they show.

    python notebooks/renew.py [--replay] [19-agent ...]

For whoever changes a notebook, or something that it shows. Most outputs are the same each time, and
the course's tests compare them; cells tagged `nbval-ignore-output` show times or dates. What the
model said, there and in the lessons' snippets, is recorded in `tests/course/answers/`; the tests
replay it (`recorded_engine.py`). So does `--replay`: where only the looks of an
output have changed, nobody has to ask the model again. What each call took is kept in its cell's
metadata, for the line that says how far a cell is (`g2c/course/notebook/progress.py`).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat

from g2c.course.notebook.progress import CALLS

FOLDER = Path(__file__).resolve().parent
ANSWERS = FOLDER.parent / "tests/course/answers"


LAST_CELL = """
import json
from g2c.course.notebook.progress import measured_seconds
print(json.dumps(measured_seconds()))
"""


def renew(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(LAST_CELL))
    nbclient.NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,  # where they are split is chance
        resources={"metadata": {"path": FOLDER}},
    ).execute()
    took = json.loads(notebook.cells.pop().outputs[0].text)
    for cell in notebook.cells:
        cell.metadata.pop(CALLS, None)
        if seconds := took.get(cell.source.strip()):
            cell.metadata[CALLS] = " ".join(f"{second:.1f}" for second in seconds)
    notebook.metadata["language_info"] = {"name": "python"}  # without this machine's versions
    nbformat.write(notebook, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Run notebooks, and keep what they show.")
    parser.add_argument("notebooks", nargs="*", help="such as 19-agent; if left out, all")
    parser.add_argument("--replay", action="store_true", help="on what the model said before")
    wanted = parser.parse_args()
    os.environ.update(G2C_REFERENCE="all", G2C_BACKEND="embedded")
    variable = "G2C_REPLAY" if wanted.replay else "G2C_RECORD"
    for path in sorted(FOLDER.glob("*.ipynb")):
        if path.stem not in (wanted.notebooks or [path.stem]):
            continue
        answers = ANSWERS / f"{path.stem}.jsonl"
        if not wanted.replay:
            answers.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as home:
            os.environ["G2C_ROOT"] = home  # where its runs go
            os.environ[variable] = str(answers)
            renew(path)
    if not wanted.replay:
        del os.environ[variable]
        lessons = FOLDER.parent / "tests/course/docs/test_docs.py"
        command = [sys.executable, "-m", "pytest", "-q", lessons]
        sys.exit(subprocess.run(command, env=os.environ | {"RENEW_ANSWERS": "1"}).returncode)
