"""Errors as a student reads them: one sentence, and the lines of the student's own files."""

import traceback
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

from g2c.broken import BrokenFile, limit_of_tests
from g2c.course.manifest import Exercise, load_exercises
from g2c.paths import project_root
from g2c.text import named_reason

SHOWN_CALLS = 5
"""The calls that are shown of each end of a long traceback."""


@dataclass(frozen=True)
class NoBody:
    """Why a function could not run: its `exercise` is not started, or its file is broken, which
    means that it cannot be imported. `says` is a sentence for a person. If a student added the
    broken file, it belongs to no exercise."""

    kind: Literal["not started", "broken"]
    exercise: Exercise | None
    says: str


def import_students(module: str) -> None:
    """Import `module`, such as `g2c.agent`. A broken file of an exercise does not stop the import;
    another broken file may.

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
    name = f"{frame.f_globals.get('__name__')}", frame.f_code.co_qualname
    own = (
        exercise
        for exercise in load_exercises()
        if (exercise.import_name, exercise.function) == name
    )
    return next(own, None)


def no_body(error: BaseException) -> NoBody | None:
    """Why the called function could not run; None if `error` is of another kind."""
    if isinstance(error, NotImplementedError) and (stub := stub_that_raised(error)):
        return NoBody("not started", stub, f"{stub.id} {stub.function}: not started. {stub.lesson}")
    if isinstance(error, BrokenFile):
        file = relative(error.path or "")
        its = next((exercise for exercise in load_exercises() if exercise.file == file), None)
        return NoBody("broken", its, str(error))
    return None


def in_short(error: BaseException) -> str:
    """The error, and the student's own lines in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)  # a thousand of one file, in a recursion
    files = {
        file: relative(file) for file in {frame.filename for frame in frames} if is_students(file)
    }
    own = [
        (files[frame.filename], frame.lineno or 0, frame.name, frame.line)
        for frame in frames
        if frame.filename in files
    ]
    calls = traceback.format_list(own)
    if len(calls) > 2 * SHOWN_CALLS:
        between = f"  ... {len(calls) - 2 * SHOWN_CALLS} more calls ..."
        calls = [*calls[:SHOWN_CALLS], between, *calls[-SHOWN_CALLS:]]
    lines = [_message(error), *calls, *notes_of(error)]
    return "\n".join(line.rstrip() for line in lines)


def notes_of(error: BaseException) -> list[str]:
    """The notes that were added to an error."""
    return list(getattr(error, "__notes__", ()))


def _message(error: BaseException) -> str:
    return limit_of_tests(error) or named_reason(error).rstrip(": ")


def is_from_students(error: BaseException) -> bool:
    """Whether an exercise's function was on the call stack when the error arose."""
    own = {str(project_root() / exercise.file) for exercise in load_exercises()}
    return any(frame.filename in own for frame in traceback.extract_tb(error.__traceback__))


def is_students(file: str) -> bool:
    """Whether a student should see this file in a traceback: a file of the package, except for
    those that only run the exercises."""
    package = project_root() / "g2c"
    path = Path(file)
    behind = (package / room for room in ("course", "classroom", "cli"))
    return path.is_relative_to(package) and not any(map(path.is_relative_to, behind))


def relative(file: str) -> str:
    """A file's path as a student knows it, from the project's folder on."""
    path, root = Path(file), project_root()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
