"""Tests that no function can pass, among the real ones.

Code that makes a test pass without passing it makes these pass, too. A canary is a copy of a real
test. In one kind, the expected value is another one of the same shape, which no function can know;
in the other, a check at the end is false. All tests get new names, drawn anew for each grader, and
all have such a check at their end, and one around the value; they are true in the real ones. So
names, order, form and values do not tell them apart. Code that reads the tests and computes these
checks can.
"""

import ast
import pickle
import random
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeGuard, TypeVar

from g2c.classroom.tampering.shapes import Kind, seal_of

BETTER = "test_it_is_better_than_the_first_version"
REACHES = "test_it_reaches_the_target"
"""The tests that measure an exercise with a goal. They take long, so they have no canaries."""

MAX_OF_VALUE = 8
"""The most canaries of a class that expect an unknowable value."""

MAX_OF_OTHERS = 3
"""The most canaries of a class that expect another test's value."""

MAX_OF_CHECK = 2
"""The most canaries of a class whose last check is false."""

_IMPORTS = """
from hashlib import blake2b
from g2c.classroom.tampering.shapes import as_wanted as _as_wanted
"""

_BUILT_IN = {"len", "sorted", "list", "str", "type", "sum", "set", "repr", "tuple", "dict", "next"}


_COMPUTED = (ast.Call, ast.Name, ast.JoinedStr, ast.Attribute, ast.Lambda, ast.comprehension)
"""Names whose values may be known only at that place."""

N = TypeVar("N", bound=ast.AST)


@dataclass(frozen=True)
class Sealed:
    """A file of tests with canaries. `real` maps each real test to its true name, and `canaries`
    has the names of the others. `twins` are canaries that a wrong function may pass, each with the
    test that then fails. A name is `Class::test`."""

    source: str
    real: dict[str, str]
    canaries: frozenset[str]
    twins: Mapping[str, str]

    def passed(self, names: Collection[str]) -> set[str]:
        """The canaries that no function passes if it passes these tests."""
        found = self.canaries & set(names)
        return {test for test in found if self.twins.get(test, test) in names}


def seal(source: str, classes: Collection[str], elsewhere: Collection[str] = ()) -> Sealed:
    """Rename the tests of these classes in a test file, and put canaries among them. The classes
    `elsewhere` are measured outside, so their tests do nothing."""
    draw = random.SystemRandom()
    written: list[str] = []
    real: dict[str, str] = {}
    canaries: set[str] = set()
    twins: dict[str, str] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef) or node.name not in classes:
            if isinstance(node, ast.Import) and _IMPORTS not in written:
                written.append(_IMPORTS)
            written.append(ast.unparse(node))
            continue
        tests = [statement for statement in node.body if _is_test(statement)]
        others = [wanted for test in tests for wanted in _plain_values(test)]
        made = _canaries_of(tests, draw, others)
        for test in tests:
            name = test.name
            if node.name in elsewhere and name in (BETTER, REACHES):
                test.body = [ast.Pass()]
            _seal_test(test, "itself", draw, others)
            real[_rename(test, node.name)] = f"{node.name}::{name}"
        for canary in made:
            name = _rename(canary.copy, node.name)
            canaries.add(name)
            if canary.is_twin:
                twins[name] = f"{node.name}::{canary.original.name}"
            # After its original: if that ends the process, the original is reported.
            after = node.body.index(canary.original) + 1
            node.body.insert(draw.randrange(after, len(node.body) + 1), canary.copy)
        written.append(ast.unparse(node))
    return Sealed("\n".join(written), real, frozenset(canaries), twins)


def _copy_of(node: N) -> N:
    """`copy.deepcopy` takes twenty times as long."""
    copied: N = pickle.loads(pickle.dumps(node))
    return copied


def _is_test(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


@dataclass(frozen=True)
class _Canary:
    """A canary, its original test, and whether a wrong function may pass it."""

    original: ast.FunctionDef
    copy: ast.FunctionDef
    is_twin: bool


def _canaries_of(
    tests: Sequence[ast.FunctionDef], draw: random.Random, others: Sequence[ast.expr]
) -> list[_Canary]:
    fit = [test for test in tests if test.name not in (BETTER, REACHES) and not _may_stop(test)]
    by_worth = sorted(
        (test for test in fit if _comparisons(test)),
        key=lambda test: (not _is_whole(_comparisons(test)[0]), draw.random()),
    )
    chosen: list[tuple[ast.FunctionDef, Kind]] = []
    chosen += [(test, "unlike") for test in by_worth[:MAX_OF_VALUE]]
    # A value may differ from all others in only one part, so every test has such a canary.
    chosen += [(test, "near") for test in by_worth]
    chosen += [(test, "others") for test in by_worth[:MAX_OF_OTHERS]]
    made = []
    for test, kind in chosen:
        canary = _copy_of(test)
        _seal_test(canary, kind, draw, others)
        made.append(_Canary(test, canary, kind != "unlike"))
    for test in draw.sample(fit, min(MAX_OF_CHECK, len(fit))):
        canary = _copy_of(test)
        _seal_test(canary, "itself", draw, others, is_checked=False)
        made.append(_Canary(test, canary, False))
    return made


def _may_stop(test: ast.FunctionDef) -> bool:
    """Whether the test may be skipped, or end before its last line without having failed."""
    decorators = " ".join(map(ast.unparse, test.decorator_list))
    return "skip" in decorators or any(isinstance(node, ast.Return) for node in ast.walk(test))


def _comparisons(test: ast.FunctionDef) -> list[ast.Compare]:
    """The equality checks of the test, in either direction; those on a whole result first."""
    found = [
        line.test
        for line in test.body
        if isinstance(line, ast.Assert)
        and isinstance(line.test, ast.Compare)
        and [type(op) for op in line.test.ops] == [ast.Eq]
    ]
    return sorted(found, key=lambda comparison: not _is_whole(comparison))


def _is_whole(compared: ast.Compare) -> bool:
    """Whether the left side is a result itself, rather than a part of it."""
    match compared.left:
        case ast.Name():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in _BUILT_IN
    return False


def _rename(test: ast.FunctionDef, test_class: str) -> str:
    test.name = f"test_{secrets.token_hex(6)}"
    return f"{test_class}::{test.name}"


def _plain_values(test: ast.FunctionDef) -> list[ast.expr]:
    """The value that a test expects, if it means the same anywhere."""
    wanted = [compared.comparators[0] for compared in _comparisons(test)[:1]]
    return [
        assertion
        for assertion in wanted
        if not any(isinstance(n, _COMPUTED) for n in ast.walk(assertion))
    ]


def _seal_test(
    test: ast.FunctionDef,
    kind: Kind,
    draw: random.Random,
    others: Sequence[ast.expr],
    *,
    is_checked: bool = True,
) -> None:
    """Make a test expect a value of that kind, and add a true or a false check at its end."""
    for compared in _comparisons(test)[:1]:
        value = compared.comparators[0]
        word = _word(draw)
        other = _copy_of(draw.choice(others)) if others else ast.Constant(_word(draw))
        sealed = ast.Constant(seal_of(word, kind))
        name = ast.Name("_as_wanted", ast.Load())
        compared.comparators = [ast.Call(name, [value, ast.Constant(word), sealed, other], [])]
    word = _word(draw)
    sealed_as = blake2b(word if is_checked else _word(draw), digest_size=6).hexdigest()
    line = f"assert blake2b({word!r}, digest_size=6).hexdigest() == '{sealed_as}'"
    test.body.append(ast.parse(line).body[0])


def _word(draw: random.Random) -> bytes:
    return f"{draw.getrandbits(48):012x}".encode()
