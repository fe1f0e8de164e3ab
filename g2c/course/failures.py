"""What a student reads of an error: the sentence, and the lines of the student's own files."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from g2c.paths import project_root


def in_short(error: BaseException) -> str:
    """Why a test failed: its own message, or an exception with the lines that it came through."""
    # After a test's own message comes pytest's analysis of the expression.
    message = str(error).partition("\nassert ")[0]
    if isinstance(error, AssertionError | pytest.fail.Exception) and message:
        lines = [message]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        own = [
            (relative(frame.filename), frame.lineno or 0, frame.name, frame.line)
            for frame in frames
            if is_students(frame.filename)
        ]
        lines = [_said(error), *traceback.format_list(own)]
    return "\n".join([*(line.rstrip() for line in lines), *getattr(error, "__notes__", ())])


def _said(error: BaseException) -> str:
    if type(error).__name__ == "BdbQuit":
        return "breakpoint() finds nobody to talk to in a test; use print, or pytest --pdb."
    if isinstance(error, OSError) and "reading from stdin" in str(error):
        return "input() finds nobody to ask in a test."
    return f"{type(error).__name__}: {error}".rstrip(": ")


def import_trouble(error: BaseException) -> str:
    """Why a file could not be imported, and its line."""
    if isinstance(error, SyntaxError) and error.filename:
        place, line = f"{relative(error.filename)}, line {error.lineno}: ", error.text or ""
        said = error.msg
    else:
        frames = traceback.extract_tb(error.__traceback__)
        frame = next((frame for frame in reversed(frames) if is_students(frame.filename)), None)
        place = f"{relative(frame.filename)}, line {frame.lineno}: " if frame else ""
        line = frame.line or "" if frame else ""
        said = str(error)
    return f"{place}{type(error).__name__}: {said}\n    {line.strip()}".rstrip()


def is_students(file: str) -> bool:
    """Whether a file of the package is one that a student reads in a traceback: none of the
    machinery that runs exercises is."""
    package = project_root() / "g2c"
    path = Path(file)
    return path.is_relative_to(package) and not path.is_relative_to(package / "course")


def relative(file: str) -> str:
    """A file's path as a student knows it, from the project's folder on."""
    path, root = Path(file), project_root()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
