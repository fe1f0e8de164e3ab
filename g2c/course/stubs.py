"""Stubs: an exercise as it is shipped, with a signature, a contract, and an error in place of the
body. `stubs.toml` has the shipped text of each, so that it can be restored whatever happened to the
file. `python -m maintain.author.stubs` writes it.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import re
import textwrap
import tomllib
from datetime import datetime
from functools import cache
from pathlib import Path

from g2c.course.manifest import Exercise
from g2c.files import replace_bytes
from g2c.paths import project_root
from g2c.written import Written, code_written, line_end, lines_of, with_plain_ends

STUBS = Path(__file__).with_name("stubs.toml")


def is_stub(exercise: Exercise) -> bool:
    """Whether the function is as shipped, letter for letter, in a file that Python can read."""
    try:
        found = _read(_file(exercise))
        own = with_plain_ends(parts_of(found.text, exercise)[1])
    except (OSError, ValueError):
        return False
    return not found.trouble and own == shipped_text(exercise)


def line_of(exercise: Exercise) -> int:
    """The line of the exercise's file that its function starts on; 1 if it is not found."""
    try:
        return find_function(_read(_file(exercise)).text, exercise)[0] + 1
    except (OSError, ValueError):
        return 1


def reset(exercise: Exercise, now: datetime) -> Path:
    """Restore the stub, and nothing else; return the archived copy of the whole file. A file in
    another encoding becomes UTF-8.

    Raises:
        ValueError: the function is a stub already, or no longer in the file.
    """
    file = _file(exercise)
    if not file.exists():
        raise ValueError(
            f"{exercise.file} is not there; git checkout {exercise.file} brings it, or g2c update "
            "in a folder that g2c init made."
        )
    if is_stub(exercise):
        raise ValueError(f"{exercise.name} is as shipped already; nothing was changed.")
    data = _with_function(exercise, shipped_text(exercise))
    archive = _archive(exercise, now)
    replace_bytes(file.resolve(), data)  # a link stays a link
    return archive


def undo_reset(exercise: Exercise, now: datetime) -> Path:
    """Restore the function from the newest archived copy, and return that copy. The current file is
    archived, unless the function is a stub.

    Raises:
        ValueError: nothing was archived, or the copy lacks the function.
    """
    copies = _copies(exercise)
    if not copies:
        raise ValueError(f"archive/ has no copy of {exercise.name}; nothing was reset here.")
    data = _with_function(exercise, text_of(exercise, copies[-1]))
    if not is_stub(exercise):
        _archive(exercise, now)
    replace_bytes(_file(exercise).resolve(), data)
    return copies[-1]


def text_of(exercise: Exercise, file: Path) -> str:
    """The text of the exercise's function in `file`, from its decorator on.

    Raises:
        ValueError: it is not there.
    """
    return with_plain_ends(parts_of(_read(file).text, exercise)[1])


def _archive(exercise: Exercise, now: datetime) -> Path:
    """A copy of the file, byte for byte. Its name is the last one, whatever clock named others: the
    newest copy is found by its name."""
    file, copies = _file(exercise), _copies(exercise)
    newest = f"{exercise.id}-{file.stem}-{now:%Y%m%d-%H%M%S.%f}"
    if copies and copies[-1].stem >= newest:
        newest = f"{copies[-1].stem}1"
    archive = project_root() / "archive" / f"{newest}.py"
    replace_bytes(archive, file.read_bytes())
    return archive


def _copies(exercise: Exercise) -> list[Path]:
    """The archived copies of the exercise's file, the newest last."""
    found = (project_root() / "archive").glob(f"{exercise.id}-{_file(exercise).stem}-*.py")
    return sorted(found, key=lambda copy: copy.stem)


def _read(file: Path) -> Written:
    return code_written(file.read_bytes())


def _with_function(exercise: Exercise, function: str) -> bytes:
    """The exercise's file with its function replaced by `function`; the line ends stay."""
    found = _read(_file(exercise))
    before, old, after = parts_of(found.text, exercise)
    end = line_end(old) or line_end(found.text) or "\n"  # the file's last line may have none
    return found.encoded(before + function.replace("\n", end) + after)


def parts_of(text: str, exercise: Exercise) -> tuple[str, str, str]:
    """The text before the exercise's function, the function, and the text after it.

    Raises:
        ValueError: it is not there.
    """
    start, end = find_function(text, exercise)
    lines = lines_of(text)
    return "".join(lines[:start]), "".join(lines[start:end]), "".join(lines[end:])


@cache
def _shipped() -> dict[str, str]:
    return tomllib.loads(STUBS.read_text("utf-8"))


def shipped_text(exercise: Exercise) -> str:
    """The shipped text of the function, from its decorator on, with its indentation in the file."""
    return _shipped()[exercise.id]


def shipped_file(exercise: Exercise) -> str:
    """The whole text of the exercise's file with the function as it is shipped.

    Raises:
        ValueError: the function is not in the file any more.
    """
    return with_plain_ends(code_written(_with_function(exercise, shipped_text(exercise))).text)


def find_function(text: str, exercise: Exercise) -> tuple[int, int]:
    """The range of lines with the exercise's function in `text`: the first, and the one after the
    last.

    Raises:
        ValueError: it is not there.
    """
    lines = lines_of(text)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two: nested too deep
        return _find_in_broken(lines, exercise)
    body: list[ast.stmt] = tree.body
    node: ast.stmt | None = None
    for name in exercise.name.split("."):
        # If there are several, the last counts, as it does for Python.
        node = next((n for n in reversed(body) if getattr(n, "name", None) == name), None)
        body = getattr(node, "body", [])
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(_missing(exercise))
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    indent = _indent(lines[first])
    end = _end(lines, max(node.end_lineno or first, _end_of_strays(tree, node)), indent, "#")
    return first, _after_remains(lines, end, indent) if _fault(text) else end


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _end_of_strays(tree: ast.Module, function: ast.FunctionDef) -> int:
    """The end of the code that uses one of the names set in the function, below it and before the
    next definition: lines of its body that lost their indentation, and are code. 0 if there are
    none. Code that calls the function, to try it, is none of it, nor is what runs in a program
    alone."""
    line = function.lineno
    others = [one for one in tree.body if not one.lineno <= line <= (one.end_lineno or line)]
    known = (dir(builtins), {function.name}, *map(_names_set_in, others))
    own = _names_set_in(function).difference(*known)
    below = itertools.dropwhile(lambda one: one.lineno < line, others)
    strays = (
        one.end_lineno or 0
        for one in itertools.takewhile(lambda one: not _is_next(one), below)
        if any(isinstance(node, ast.Name) and node.id in own for node in ast.walk(one))
    )
    return max(strays, default=0)


def _is_next(statement: ast.stmt) -> bool:
    """Whether something begins here that was never a line of the function above."""
    is_main = isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
    return is_main or isinstance(statement, _DEFINITIONS)


def _names_set_in(statement: ast.stmt) -> set[str]:
    names = set()
    for node in ast.walk(statement):
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()) | ast.ExceptHandler(_, str(name)):
                names.add(name)
            case ast.alias(name, None) | ast.alias(_, str(name)):
                names.add(name.partition(".")[0])
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                names.add(name)
    return names


def _find_in_broken(lines: list[str], exercise: Exercise) -> tuple[int, int]:
    """Like `find_function`, but by indentation alone, for a text that does not parse."""
    mark = f'@exercise("{exercise.id}")'
    start = next((i for i, line in enumerate(lines) if line.strip() == mark), None)
    if start is None:
        raise ValueError(_missing(exercise))
    indent = _indent(lines[start])
    return start, _after_remains(lines, _end(lines, start + 2, indent), indent)


def _after_remains(lines: list[str], end: int, indent: int) -> int:
    """The line after the rest of a body that lost its indentation: the adjoining lines, and all up
    to the last that Python cannot parse. A definition is never part of it."""
    definitions = (
        n
        for n in range(end, len(lines))
        if _indent(lines[n]) <= indent and re.match(r"\s*(async |def |class |@)", lines[n])
    )
    last = next(definitions, len(lines))
    while end < last:
        if lines[end].strip():
            end += 1
        elif fault := _fault(textwrap.dedent("".join(lines[end:last]))):
            end = min(end + fault, last)
        else:
            break
    return end


def _fault(text: str) -> int:
    """The line at which Python cannot parse a text; 0 if it can."""
    try:
        compile(text, "", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, MemoryError, RecursionError):  # the last two: nested too deep
        return 1
    return 0


def _end(lines: list[str], end: int, indent: int, beginning: str = "") -> int:
    """The line after a block that extends at least to `end`. It continues while lines begin with
    `beginning`, and are indented deeper than `indent` or close a bracket."""
    for number in range(end, len(lines)):
        text = lines[number].strip()
        belongs = _indent(lines[number]) > indent or text[:1] in (")", "]", "}")
        if text and not (belongs and text.startswith(beginning)):
            break
        if text:
            end = number + 1
    return end


def _indent(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip(" \t\f"))]
    return len(blank.rpartition("\f")[2])  # Python begins to count anew at a form feed


def _missing(exercise: Exercise) -> str:
    return (
        f"{exercise.file} has no {exercise.name} any more. Its shipped text is in "
        f'{STUBS.relative_to(project_root())} below "{exercise.id}"; copy it to its place.'
    )


def _file(exercise: Exercise) -> Path:
    return project_root() / exercise.file
