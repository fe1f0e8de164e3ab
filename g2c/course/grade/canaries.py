"""Tests that no function can pass, among the real ones.

Code that makes a test pass without passing it makes these pass, too. A canary is a copy of a real
test. In one kind, the value that it wants is one that nobody can return; in the other, a check at
its end is false. All tests get new names, drawn anew for each run, and all have such a check at
their end; it is true in the real ones. So names, order and form do not tell them apart. Code that
reads the tests and computes these checks can.
"""

from __future__ import annotations

import ast
import copy
import random
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import TypeGuard

BETTER = "test_it_is_better_than_the_first_version"
REACHES = "test_it_reaches_the_target"
"""The tests that measure an exercise with a goal. They take long, so there is no canary of them."""

MOST_OF_VALUE = 8
"""The most canaries of a class that want what nobody can return."""

MOST_OF_CHECK = 2
"""The most canaries of a class whose last check is false."""

_BUILT_IN = {"len", "sorted", "list", "str", "type", "sum", "set", "repr", "tuple", "dict", "next"}


_ONE_AT_A_TIME = Lock()
"""Python 3.11 counts the depth of a tree for all threads together (CPython's issue 106905)."""


@dataclass(frozen=True)
class Sealed:
    """A file of tests with canaries. `real` has the true name of each test, and `canaries` the
    names of the others. A name is `Class::test`."""

    source: str
    real: dict[str, str]
    canaries: frozenset[str]


def seal(source: str, classes: Collection[str]) -> Sealed:
    """Rename the tests of these classes in a file of tests, and put canaries among them."""
    with _ONE_AT_A_TIME:
        return _seal(source, classes)


def _seal(source: str, classes: Collection[str]) -> Sealed:
    draw = random.SystemRandom()
    tree = ast.parse(source)
    real: dict[str, str] = {}
    canaries: set[str] = set()
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name not in classes:
            continue
        tests = [one for one in node.body if _is_test(one)]
        for original, canary in _canaries_of(tests, draw):
            canaries.add(_rename(canary, node.name))
            # After its original: where that ends the process, it is the one to be told of.
            first = node.body.index(original) + 1
            node.body.insert(draw.randrange(first, len(node.body) + 1), canary)
        for test in tests:
            name = test.name
            real[_rename(test, node.name)] = f"{node.name}::{name}"
            test.body.append(_check(draw, is_true=True))
    first = next(n for n, node in enumerate(tree.body) if isinstance(node, ast.Import))
    tree.body.insert(first, ast.parse("from hashlib import blake2b").body[0])
    return Sealed(ast.unparse(ast.fix_missing_locations(tree)), real, frozenset(canaries))


def _is_test(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _canaries_of(
    tests: Sequence[ast.FunctionDef], draw: random.Random
) -> list[tuple[ast.FunctionDef, ast.FunctionDef]]:
    """Canaries, each after the test that it is a copy of."""
    fit = [test for test in tests if test.name not in (BETTER, REACHES) and not _may_stop(test)]
    made = []
    by_worth = sorted(
        (one for one in fit if _comparisons(one)),
        key=lambda one: (not _is_whole(_comparisons(one)[0]), draw.random()),
    )
    for test in by_worth[:MOST_OF_VALUE]:
        canary = copy.deepcopy(test)
        compared = _comparisons(canary)[0]
        compared.comparators = [_unlike(compared.comparators[0], draw)]
        canary.body.append(_check(draw, is_true=True))
        made.append((test, canary))
    for test in draw.sample(fit, min(MOST_OF_CHECK, len(fit))):
        canary = copy.deepcopy(test)
        canary.body.append(_check(draw, is_true=False))
        made.append((test, canary))
    return made


def _may_stop(test: ast.FunctionDef) -> bool:
    """Whether the test may be skipped, or end before its last line without having failed."""
    decorators = " ".join(map(ast.unparse, test.decorator_list))
    return "skip" in decorators or any(isinstance(node, ast.Return) for node in ast.walk(test))


def _comparisons(test: ast.FunctionDef) -> list[ast.Compare]:
    """What the test says to be equal, whichever way it goes; first what looks like a whole
    result."""
    found = [
        line.test
        for line in test.body
        if isinstance(line, ast.Assert)
        and isinstance(line.test, ast.Compare)
        and [type(op) for op in line.test.ops] == [ast.Eq]
    ]
    return sorted(found, key=lambda one: not _is_whole(one))


def _is_whole(compared: ast.Compare) -> bool:
    """Whether the left side is a result itself, rather than a part of it."""
    match compared.left:
        case ast.Name():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in _BUILT_IN
    return False


def _unlike(wanted: ast.expr, draw: random.Random) -> ast.expr:
    """A value of the same form that nobody can know."""
    changed = _Changed(draw)
    other = changed.visit(copy.deepcopy(wanted)) if _is_literal(wanted) else wanted
    return other if changed.n else ast.Constant(_word(draw))


def _is_literal(node: ast.expr) -> bool:
    """Whether a value is written down, as `3`, `["a"]` or `Plan("goal")`, and not computed."""
    match node:
        case ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_literal, parts))
        case ast.Dict(keys=keys, values=values):
            return all(map(_is_literal, [*filter(None, keys), *values])) and all(keys)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=named):
            values = [one.value for one in named]
            return name[0].isupper() and all(map(_is_literal, [*parts, *values]))
    return False


class _Changed(ast.NodeTransformer):
    """Replaces each text and each number by another, and counts them."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self.n = 0

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str):
            node.value = _word(self._draw)
        elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
            node.value = type(node.value)(self._draw.randrange(10**8, 10**9))
        else:
            return node
        self.n += 1
        return node


def _word(draw: random.Random) -> str:
    return f"{draw.getrandbits(48):012x}"


def _rename(test: ast.FunctionDef, test_class: str) -> str:
    test.name = f"test_{secrets.token_hex(6)}"
    return f"{test_class}::{test.name}"


def _check(draw: random.Random, *, is_true: bool) -> ast.stmt:
    word = _word(draw)
    sealed = blake2b((word if is_true else _word(draw)).encode(), digest_size=6).hexdigest()
    line = f"assert blake2b(b'{word}', digest_size=6).hexdigest() == '{sealed}'"
    return ast.parse(line).body[0]
