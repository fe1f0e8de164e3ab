"""The course that a student's process sees: a pristine copy, and the files that differ.

The pristine copy is made once in each grader, with compiled files. A student's process gets its own
copy of each file that differs or that it may write; a sandbox shows it the others, read-only.
"""

import atexit
import compileall
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock

from g2c.classroom.confinement import COURSE
from g2c.course.manifest import load_exercises
from g2c.tools.limits import remove_tree

_ONE_AT_A_TIME = Lock()
_made: list[Path] = []


def pristine_course() -> Path:
    """The copy, which nobody may change: what the student's tests need of this course, without
    other good solutions, and without first versions. Only a measured exercise keeps its first
    version, with which its tests compare, and which earns nothing.

    It is deleted when this process ends.
    """
    with _ONE_AT_A_TIME:
        if not _made or not _made[0].is_dir():
            folder = Path(tempfile.mkdtemp()).resolve()
            atexit.register(remove_tree, folder)
            _copy_course(folder)
            _made[:] = [folder]
        return _made[0]


def _copy_course(to: Path) -> None:
    # Files compiled by another Python are useless here, and only cost copying.
    compileall.compile_dir(COURSE / "g2c", quiet=2)
    tag = f".{sys.implementation.cache_tag}.pyc"

    def not_copied(folder: str, names: list[str]) -> list[str]:
        if Path(folder).name == "__pycache__":
            sources = {path.stem for path in Path(folder).parent.glob("*.py")}
            return [name for name in names if name.removesuffix(tag) not in sources]
        return [name for name in names if name in ("alternatives", "caught.toml")]

    shutil.copytree(COURSE / "g2c", to / "g2c", ignore=not_copied)
    for exercise in load_exercises():
        hidden = ("picture", "wrong") if exercise.has_goal else ("picture", "wrong", "naive")
        for name in hidden:
            _remove(to / exercise.folder / f"{name}.py")
    shutil.copyfile(COURSE / "pyproject.toml", to / "pyproject.toml")
    (to / "tests").mkdir()
    (to / "notebooks").mkdir()
    for file in (*COURSE.glob("tests/*.py"), *COURSE.glob("notebooks/*.ipynb")):
        shutil.copyfile(file, to / file.relative_to(COURSE))


def copy_course(
    to: Path, files: Mapping[str, bytes], without: Iterable[str], *, whole: bool
) -> tuple[tuple[Path, Path], ...]:
    """Make a copy in `to` that has `files` in place of the course's own, and not those named in
    `without`.

    Returns:
        The folders that are to be shown to the process, each with the place where: none if the
        copy is `whole`. Otherwise only what differs is in `to`, and the rest is pristine.
    """
    pristine = pristine_course()
    without = list(without)
    if whole:
        shutil.copytree(pristine / "g2c", to / "g2c", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(pristine / "tests", to / "tests")  # with pytest's compiled files
        shutil.copyfile(pristine / "pyproject.toml", to / "pyproject.toml")
        shown: list[tuple[Path, Path]] = []
    else:
        changed = _folders_of([*files, *without])
        for name in [Path("tests"), *changed]:
            shutil.copytree(pristine / name, to / name, copy_function=_link)
        _link(pristine / "pyproject.toml", to / "pyproject.toml")
        (to / "g2c").mkdir(exist_ok=True)
        shown = [(pristine / "g2c", to / "g2c"), *((to / name, to / name) for name in changed)]
    for file in [*files, *without]:
        _remove(to / file)
    for file, content in files.items():
        (to / file).write_bytes(content)
    return tuple(shown)


def _folders_of(names: Iterable[str]) -> list[Path]:
    """The folders of these files, without those that are in another one."""
    folders = {Path(name).parent for name in names}
    return sorted(folder for folder in folders if folders.isdisjoint(folder.parents))


def _link(source: str | Path, to: str | Path) -> None:
    """Link or copy the file; a link may be replaced, but not written."""
    try:
        os.link(source, to)
    except OSError:  # a file system without links
        shutil.copy2(source, to)


def _remove(file: Path) -> None:
    """Remove a file and its compiled form."""
    file.unlink(missing_ok=True)
    compiled = f"{file.stem}.{sys.implementation.cache_tag}.pyc"
    (file.parent / "__pycache__" / compiled).unlink(missing_ok=True)
