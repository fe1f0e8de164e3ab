"""Run the notebooks with the reference, on the small model, and keep what they show.

    python notebooks/renew.py [19-agent ...]

For whoever changes a notebook, or something that it shows. Most outputs are the same each time, and
the course's tests compare them; cells tagged `nbval-ignore-output` show times or dates. What the
model said, there and in the lessons' snippets, is kept beside the tests, which have it say that
again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parent
SAID = FOLDER.parent / "tests/course/said"


def renew(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,  # where they are split is chance
        resources={"metadata": {"path": FOLDER}},
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # without this machine's versions
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ.update(G2C_REFERENCE="all", G2C_BACKEND="embedded")
    os.environ.update(SAID_LIVE="1", PYTHONPATH=str(SAID))
    for path in sorted(FOLDER.glob("*.ipynb")):
        if path.stem not in (sys.argv[1:] or [path.stem]):
            continue
        said = SAID / f"{path.stem}.jsonl"
        said.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as home:
            os.environ["G2C_ROOT"] = home  # where its runs go
            os.environ["SAID_FILE"] = str(said)
            renew(path)
    del os.environ["PYTHONPATH"]
    lessons = SAID.with_name("test_docs.py")
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-q", lessons]).returncode)
