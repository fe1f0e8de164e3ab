"""The mutants of a reference: copies of its file, each with one small mistake in it."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from g2c.course.edits import with_field
from g2c.course.manifest import Exercise
from g2c.text import common_start
from maintain.author.mutation.operators import OPERATORS, Names

MAX_SHOWN_CHARS = 120
CONTEXT_CHARS = 30


@dataclass(frozen=True)
class Mutant:
    """One mutant of an exercise's reference: its id, its name for people, its source, and its line.
    The id is a digest of the change alone, so it stays the same while other lines change."""

    exercise: str
    id: str
    name: str
    source: str
    line: int

    def key(self, suite: str) -> str:
        """A digest of the mutant and of the tests' text, the key of its stored result."""
        return hashlib.sha256(f"{self.source}\0{suite}".encode()).hexdigest()[:24]


def mutants_of(exercise: Exercise, root: Path) -> list[Mutant]:
    """All mutants of the exercise's reference that can be imported, each text once."""
    file = root / exercise.solution_file
    tree = ast.parse(file.read_text("utf-8"))
    module = import_module(exercise.solution_file.removesuffix(".py").replace("/", "."))
    seen = {ast.unparse(tree)}
    counts: Counter[str] = Counter()
    mutants: list[Mutant] = []
    for digest, name, line, source in _changes(tree, vars(module)):
        if source in seen or not _runs(source):
            continue
        seen.add(source)
        counts[digest] += 1
        its_id = digest if counts[digest] == 1 else f"{digest}-{counts[digest]}"
        mutants.append(Mutant(exercise.id, its_id, name, source, line))
    return mutants


def _changes(tree: ast.Module, names: Names) -> Iterator[tuple[str, str, int, str]]:
    """For each change that an operator makes: its digest, its name, its line, and the program's
    text."""
    for parent, field, place, node in list(_places(tree)):
        before: Any = getattr(parent, field)
        is_list = isinstance(before, list)
        for operator in OPERATORS:
            for changed in operator(node, names):
                value = [*before[:place], changed, *before[place + 1 :]] if is_list else changed
                if source := with_field(tree, parent, field, value):
                    line = getattr(node, "lineno", getattr(parent, "lineno", 0))
                    what = operator.__name__
                    text = f"{what}: {_one_line(node)} -> {_one_line(changed)}"
                    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
                    yield digest, f"{what}: {_difference(node, changed)}", line, source


def _places(parent: ast.AST) -> Iterator[tuple[ast.AST, str, int, ast.AST]]:
    """Yield the nodes that may be changed: parent, field, place in the field's list, and node.
    Types are left out, and messages of errors: they are for people, and no test reads them."""
    for field, value in ast.iter_fields(parent):
        if field in ("annotation", "returns", "exc") or isinstance(parent, ast.ImportFrom):
            continue
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(node, ast.AST) and not _is_apart(parent, field, node):
                yield parent, field, place, node
                yield from _places(node)


def _is_apart(parent: ast.AST, field: str, node: ast.AST) -> bool:
    """Whether a node is not to be changed here: it is a docstring, or a text in an f-string, which
    `part` changes."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text and isinstance(parent, ast.Expr | ast.JoinedStr)


def _runs(source: str) -> bool:
    """Whether the program can be imported. If not, everybody would see the mistake."""
    try:
        exec(compile(source, "<mutant>", "exec"), {"__name__": __name__})
    except Exception:
        return False
    return True


def _difference(before: ast.AST, after: ast.AST) -> str:
    """The old and the new text, each on one line; of long texts, the part around the change."""
    old, new = _one_line(before), _one_line(after)
    start = common_start(old, new)
    end = common_start(old[start:][::-1], new[start:][::-1])
    return " -> ".join(_cut(text, start, len(text) - end) for text in (old, new))


def _cut(text: str, start: int, end: int) -> str:
    if len(text) <= MAX_SHOWN_CHARS:
        return text
    first, last = max(0, start - CONTEXT_CHARS), min(len(text), end + CONTEXT_CHARS)
    middle = text[first:last]
    if len(middle) > MAX_SHOWN_CHARS:
        middle = f"{middle[: MAX_SHOWN_CHARS // 2]}...{middle[-MAX_SHOWN_CHARS // 2 :]}"
    return f"{'...' * (first > 0)}{middle}{'...' * (last < len(text))}"


def _one_line(node: ast.AST) -> str:
    try:
        return " ".join(ast.unparse(node).split())
    except (AttributeError, ValueError):
        return type(node).__name__
