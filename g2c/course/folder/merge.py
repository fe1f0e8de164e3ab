"""A student's body inside a newer stub.

A function's head is its decorator, its signature and its docstring. The head is the course's,
unless somebody has edited it; the body is the student's. Around the function are imports, and
whatever a student has added.
"""

import ast
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from g2c.course.manifest import Exercise
from g2c.course.stubs import function_in, parts_of
from g2c.written import lines_of


@dataclass(frozen=True)
class Merged:
    """A merged file. `now_takes` is the newer signature, if it differs from the student's."""

    text: str
    now_takes: str = ""


def without_function(text: str, exercise: Exercise) -> str:
    """The file without the exercise's function.

    Raises:
        ValueError: the function is not in the file.
    """
    before, _, after = parts_of(text, exercise)
    return before + after


def heads_of(text: str, exercise: Exercise) -> list[str]:
    """The head of the exercise's function in the file, with and without its docstring.

    Raises:
        ValueError, SyntaxError: the function is not there, or head and body cannot be separated.
    """
    function = function_in(text, exercise)
    head = _split(function)[0]
    docstring = _function(function).body[0].lineno - 1
    return [head, "".join(lines_of(head)[:docstring])]


def merge(
    mine: str, theirs: str, exercise: Exercise, is_as_before: Callable[[str], bool]
) -> Merged | None:
    """The newer file `theirs` with the body of the function in `mine`.

    `is_as_before` says whether a text around the function, or a head, is the older course's. The
    result is None if both sides have changed the text around the function, if somebody has edited
    the head, or if head and body cannot be separated.
    """
    try:
        before, own, after = parts_of(mine, exercise)
        new_before, stub, new_after = parts_of(theirs, exercise)
        own_head, body = _split(own)
        head = _split(stub)[0]
        took, takes = _signature(own), _signature(stub)
    except (ValueError, SyntaxError):
        return None
    if own_head != head and not is_as_before(own_head):
        return None
    if is_as_before(before + after) or (before, after) == (new_before, new_after):
        before, after = new_before, new_after
    elif not is_as_before(new_before + new_after):
        return None
    return Merged(before + head + body + after, "" if takes == took else takes)


def _split(function: str) -> tuple[str, str]:
    """The head of a function, and its body."""
    first = _function(function).body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = lines_of(function)
    end = (first.end_lineno or 0) if is_docstring else first.lineno - 1
    # Without a docstring, comments above the first statement belong to the body.
    while not is_docstring and lines[end - 1].lstrip()[:1] in ("#", ""):
        end -= 1
    if not lines[end:] or not (is_docstring or lines[end - 1].rstrip().endswith(":")):
        raise ValueError("the body has no line of its own")
    return "".join(lines[:end]), "".join(lines[end:])


def _function(text: str) -> ast.FunctionDef:
    function = ast.parse(textwrap.dedent(text)).body[0]
    if not isinstance(function, ast.FunctionDef):
        raise ValueError("it is not a function")
    return function


def _signature(function: str) -> str:
    return ast.unparse(_function(function).args)
