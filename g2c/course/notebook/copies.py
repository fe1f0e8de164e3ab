"""A student's working copies of the notebooks.

`notebooks/` has the shipped notebooks, which nothing changes. `work/` has a person's work, so a
copy is made once, kept even if it is broken, and moved away only on request.
"""

import json
import shutil
import sys
import textwrap
from datetime import datetime
from pathlib import Path

from g2c.files import read_bytes, read_text
from g2c.json_files import replace_json
from g2c.paths import project_root
from g2c.text import short_reason
from g2c.written import REMEDY, written


def find_notebook(module: str) -> Path:
    """The pristine notebook of a module, such as `19`.

    Raises:
        ValueError: there is none; the message lists the existing ones.
    """
    files = sorted((project_root() / "notebooks").glob("*-*.ipynb"))
    notebooks = {file.name.partition("-")[0]: file for file in files}
    if module not in notebooks:
        raise ValueError(
            f"There is no notebook for module {module!r}; there is one for: "
            f"{', '.join(notebooks) or 'none'}."
        )
    return notebooks[module]


def working_copy(module: str) -> Path:
    """The student's copy of a module's notebook. If there is none, it is made, without outputs.

    Raises:
        ValueError: there is no such notebook, or the copy cannot be read as one. The copy is left
            as it is; the message says what to do.
    """
    pristine = find_notebook(module)
    copy = _copy_of(pristine)
    if not copy.exists():
        notebook = json.loads(read_text(pristine))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
        replace_json(copy, notebook, indent=1)
    elif problem := _problem_with(copy):
        raise ValueError(
            f"{copy} is not a notebook that can be opened ({problem}). It is kept as it is: mend "
            f"it, or move it to archive/ and begin again with: g2c notebook {module} --fresh"
        )
    return copy


def archive_copy(module: str, now: datetime) -> Path | None:
    """Move the student's copy to `archive/`, with `now` in its name; None if there is no copy.

    Raises:
        ValueError: there is no such notebook.
    """
    copy = _copy_of(find_notebook(module))
    if not copy.exists():
        return None
    stem = f"{copy.stem}-{now:%Y%m%d-%H%M%S}"
    folder = project_root() / "archive"
    folder.mkdir(parents=True, exist_ok=True)
    kept, count = folder / f"{stem}.ipynb", 1
    while kept.exists():
        count += 1
        kept = folder / f"{stem}-{count}.ipynb"
    shutil.move(copy, kept)  # work/ may be a link to another disk
    return kept


def jupyterlab_command(notebook: Path, *, alone: bool = False) -> list[str]:
    """The command that opens `notebook` in JupyterLab, with this Python as its kernel; `alone` is a
    longer one, for which no file in the course's folder is a module that JupyterLab might use."""
    # Without root_dir, the notebook's own folder would be the root, and its links to the lesson
    # would break.
    folder = str(project_root().resolve())
    notebook = Path(folder, notebook.relative_to(project_root()))  # work/ may be a link
    at_once = "--ServerApp.answer_yes=True"  # Ctrl-C ends it without a question
    program = ["-c", _ALONE.format(folder)] if alone else ["-m", "jupyterlab"]
    options = [f"--ServerApp.root_dir={folder}", at_once, str(notebook)]
    return [sys.executable, "-P", *program, *options]


_ALONE = """
import os, runpy, sys
sys.path = [place for place in sys.path if os.path.realpath(place) != {0!r}]
runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)
"""


def _copy_of(pristine: Path) -> Path:
    return project_root() / "work" / pristine.name


def _problem_with(file: Path) -> str:
    """Why a file is not a notebook, in a few words; empty if it is one."""
    import nbformat

    try:
        found = written(read_bytes(file))
        if found.trouble:
            return f"it {found.trouble}. {REMEDY}"
        data = json.loads(read_text(file))  # Jupyter refuses a byte order mark, too
        if not isinstance(data, dict) or data.get("nbformat") != 4:
            return "it is JSON, and not a notebook of format 4"
        nbformat.validate(data)
    except Exception as error:  # nbformat fails in many ways on other files
        return textwrap.shorten(short_reason(error), 100) or type(error).__name__
    return ""
