"""What a person is told of an error: one sentence, and the lines of the student's own files."""

from __future__ import annotations

import re
import traceback
from importlib import import_module
from pathlib import Path

from g2c.broken import BrokenFile
from g2c.course.manifest import Exercise, load_exercises
from g2c.paths import project_root


def import_students(module: str) -> None:
    """Import `module`, such as `g2c.agent`. A broken file of an exercise is no hindrance; another
    one may be.

    Raises:
        ValueError: the import failed; the message names the file and the line.
    """
    try:
        import_module(module)
    except Exception as error:
        raise ValueError(import_trouble(error)) from error


def import_trouble(error: BaseException) -> str:
    """Why a file could not be imported, and its line."""
    if isinstance(error, SyntaxError) and error.filename:
        place, line = f"{relative(error.filename)}, line {error.lineno}: ", error.text or ""
        message = error.msg
    else:
        frames = traceback.extract_tb(error.__traceback__)
        frame = next((frame for frame in reversed(frames) if is_students(frame.filename)), None)
        place = f"{relative(frame.filename)}, line {frame.lineno}: " if frame else ""
        line = frame.line or "" if frame else ""
        message = str(error)
    return f"{place}{type(error).__name__}: {message}\n    {line.strip()}".rstrip()


def stub_that_raised(error: NotImplementedError) -> Exercise | None:
    """The exercise whose stub raised this error; None if no stub did."""
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    target = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
    return next((e for e in load_exercises() if e.target == target), None)


def without_body(error: BaseException) -> str:
    """A sentence where an exercise was called that has no body: it is not started, or its file
    cannot be imported. Else the empty text."""
    if isinstance(error, NotImplementedError) and (exercise := stub_that_raised(error)):
        return not_started(exercise)
    return str(error) if isinstance(error, BrokenFile) else ""


def broken_exercise(message: str) -> Exercise | None:
    """The exercise of which `message` says that its file cannot be imported."""
    beginning = re.match(r"(g2c/\w+/\w+\.py)(, line \d+)?: ", message)
    return next((e for e in load_exercises() if beginning and e.file == beginning[1]), None)


def not_started(exercise: Exercise) -> str:
    """What a person reads where an exercise has no body yet."""
    return f"{exercise.id} {exercise.name}: not started. {exercise.lesson}"


def in_short(error: BaseException) -> str:
    """The error, and the student's own lines that it came through."""
    own = [
        (relative(frame.filename), frame.lineno or 0, frame.name, frame.line)
        for frame in traceback.extract_tb(error.__traceback__)
        if is_students(frame.filename)
    ]
    lines = [_message(error), *traceback.format_list(own), *notes_of(error)]
    return "\n".join(line.rstrip() for line in lines)


def notes_of(error: BaseException) -> list[str]:
    """The notes that were added to an error."""
    return list(getattr(error, "__notes__", ()))


def _message(error: BaseException) -> str:
    if type(error).__name__ == "BdbQuit":
        return "breakpoint() finds nobody to talk to in a test; use print, or pytest --pdb."
    if isinstance(error, OSError) and "reading from stdin" in str(error):
        return "input() finds nobody to ask in a test."
    return f"{type(error).__name__}: {error}".rstrip(": ")


def is_from_students(error: BaseException) -> bool:
    """Whether an exercise was running, or had called what was running, when the error arose."""
    own = {str(project_root() / exercise.file) for exercise in load_exercises()}
    return any(frame.filename in own for frame in traceback.extract_tb(error.__traceback__))


def is_students(file: str) -> bool:
    """Whether a student should see this file in a traceback: a file of the package, except for
    `g2c/course`, which only runs the exercises."""
    package = project_root() / "g2c"
    path = Path(file)
    return path.is_relative_to(package) and not path.is_relative_to(package / "course")


def relative(file: str) -> str:
    """A file's path as a student knows it, from the project's folder on."""
    path, root = Path(file), project_root()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
