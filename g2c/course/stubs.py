"""Stubs: an exercise as it is shipped, with a signature, a contract, and an error in place of the
body. `stub.py` in the exercise's folder is the whole file, so that it can be restored whatever
happened to the student's.
"""

import ast
from datetime import datetime
from pathlib import Path

from g2c.broken import no_function
from g2c.course.manifest import FOLDER, Exercise
from g2c.files import read_bytes, read_text, replace_bytes
from g2c.paths import project_root
from g2c.written import code_written, line_end, lines_of, with_plain_ends


def stub_of(exercise: Exercise) -> str:
    """The text of the exercise's file as it is shipped."""
    return read_text(FOLDER / exercise.slug / "stub.py")


def is_stub(exercise: Exercise) -> bool:
    """Whether the function is as shipped, letter for letter, in a file that Python can read."""
    try:
        return is_unwritten(exercise, read_bytes(_file(exercise)))
    except OSError:
        return False


def is_unwritten(exercise: Exercise, data: bytes) -> bool:
    """Whether a file with this content has the exercise's function as it is shipped."""
    found = code_written(data)
    try:
        own = function_in(with_plain_ends(found.text), exercise)
    except ValueError:
        return False
    return not found.trouble and own == function_in(stub_of(exercise), exercise)


def line_of(exercise: Exercise) -> int:
    """The line of the exercise's file that its function starts on; 1 if it is not found."""
    try:
        lines = lines_of(code_written(read_bytes(_file(exercise))).text)
    except OSError:
        return 1
    starts = (f'@exercise("{exercise.id}")', f"def {exercise.function}(")
    return next((n for n, line in enumerate(lines, 1) if line.lstrip().startswith(starts)), 1)


def reset(exercise: Exercise, now: datetime) -> Path | None:
    """Put the shipped file in the place of the student's, with its line ends; return the archived
    copy of the student's. It is None where there was none.

    Raises:
        ValueError: the file is as shipped already.
    """
    file = _file(exercise)
    mine = read_bytes(file) if file.is_file() else b""
    if _is_as_shipped(exercise, mine):
        raise ValueError(f"{exercise.file} is as shipped already; nothing was changed.")
    archive = _archive(exercise, mine, now) if mine else None
    end = line_end(code_written(mine).text) or "\n"
    stub = stub_of(exercise).replace("\n", end)
    replace_bytes(file.resolve(), stub.encode())  # a link stays a link
    return archive


def undo_reset(exercise: Exercise, now: datetime) -> Path:
    """Put the newest archived copy back, and return its path. The current file is archived, unless
    it is as shipped.

    Raises:
        ValueError: nothing was archived.
    """
    copies = _copies(exercise)
    if not copies:
        raise ValueError(f"archive/ has no copy of {exercise.function}; nothing was reset here.")
    file = _file(exercise)
    if file.is_file() and not _is_as_shipped(exercise, mine := read_bytes(file)):
        _archive(exercise, mine, now)
    replace_bytes(file.resolve(), read_bytes(copies[-1]))
    return copies[-1]


def function_in(text: str, exercise: Exercise) -> str:
    """The text of the exercise's function, from its decorator on, in the text of a file.

    Raises:
        ValueError: it is not there, or Python cannot read the text.
    """
    return parts_of(text, exercise)[1]


def parts_of(text: str, exercise: Exercise) -> tuple[str, str, str]:
    """The text before the exercise's function, the function, and the text after it.

    Raises:
        ValueError: it is not there, or Python cannot read the text.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # nested too deep
        raise ValueError(f"{exercise.file} cannot be read: {error}") from None
    # If there are several, the last counts, as it does for Python.
    own = (node for node in reversed(body) if getattr(node, "name", "") == exercise.function)
    node = next(own, None)
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(no_function(exercise.file, exercise.function, exercise.id))
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    lines = lines_of(text)
    end = node.end_lineno
    return "".join(lines[:start]), "".join(lines[start:end]), "".join(lines[end:])


def _is_as_shipped(exercise: Exercise, data: bytes) -> bool:
    found = code_written(data)
    return not found.trouble and with_plain_ends(found.text) == stub_of(exercise)


def _archive(exercise: Exercise, data: bytes, now: datetime) -> Path:
    """A copy of the file, byte for byte. Its time is the last one, whatever clock named others: the
    newest copy is found by it."""
    copies, when = _copies(exercise), f"{now:%Y%m%d-%H%M%S.%f}"
    if copies and _when(copies[-1]) >= when:
        when = f"{_when(copies[-1])}1"
    archive = project_root() / "archive" / f"{exercise.id}-{exercise.function}-{when}.py"
    replace_bytes(archive, data)
    return archive


def _copies(exercise: Exercise) -> list[Path]:
    """The archived copies of the exercise's file, whatever it was called then, the newest last."""
    return sorted((project_root() / "archive").glob(f"{exercise.id}-*-*-*.py"), key=_when)


def _when(copy: Path) -> str:
    return "-".join(copy.stem.split("-")[-2:])


def _file(exercise: Exercise) -> Path:
    return project_root() / exercise.file
