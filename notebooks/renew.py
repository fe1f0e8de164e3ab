"""Run the notebooks with the reference, on the small model, and keep what they show.

    python notebooks/renew.py

For whoever changes a notebook, or something that it shows. Most outputs are the same each time, and
the course's tests compare them; cells tagged `nbval-ignore-output` show times or dates.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parent


def renew(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        resources={"metadata": {"path": FOLDER}},
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # without this machine's versions
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ.update(G2C_REFERENCE="all", G2C_BACKEND="embedded")
    for path in sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as home:
            os.environ["G2C_ROOT"] = home  # where its runs go
            renew(path)
