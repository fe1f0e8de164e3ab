"""Sums as trees, of which each number knows where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Constant:
    """A number that is what it is."""

    text: str


@dataclass(frozen=True)
class FromQuestion:
    """The number at a place among those of the question."""

    place: int


@dataclass(frozen=True)
class FromSum:
    """The result of an earlier sum."""

    place: int


@dataclass(frozen=True)
class Sum:
    """Two parts and the sign between them: + - * or /."""

    sign: str
    left: Node
    right: Node


Node = Constant | FromQuestion | FromSum | Sum


def leaves(node: Node) -> Iterator[Constant | FromQuestion | FromSum]:
    """The numbers of a sum, from left to right."""
    if isinstance(node, Sum):
        yield from leaves(node.left)
        yield from leaves(node.right)
    else:
        yield node


def signs(node: Node) -> Iterator[str]:
    """The signs of a sum, in the order in which they are worked out."""
    if isinstance(node, Sum):
        yield from signs(node.left)
        yield from signs(node.right)
        yield node.sign


def simple(node: Node) -> Node:
    """The same sum without detours: a half of 48 is 48 / 2, and 30 * .01 is 30 / 100.

    >>> write(simple(Sum("*", Sum("/", Constant("1"), Constant("2")), FromQuestion(0))), ["48"], [])
    '48 / 2'
    """
    if not isinstance(node, Sum):
        return node
    match Sum(node.sign, simple(node.left), simple(node.right)):
        case Sum("*", Constant("1"), part) | Sum("*" | "/", part, Constant("1")):
            return part
        case Sum("*", Sum("/", Constant("1"), low), part) | Sum(
            "*", part, Sum("/", Constant("1"), low)
        ):
            return Sum("/", part, low)
        case Sum("*", part, Constant("0.01")) | Sum("*", Constant("0.01"), part):
            return Sum("/", part, Constant("100"))
        case plain:
            return plain


def value_of(
    node: Node, numbers: Sequence[Fraction | None], results: Sequence[Fraction]
) -> Fraction:
    """What a sum comes to, with the question's numbers and the results before it.

    Raises:
        ZeroDivisionError: it divides by zero.
    """
    match node:
        case Constant(text):
            return Fraction(text)
        case FromQuestion(place):
            number = numbers[place]
            assert number is not None
            return number
        case FromSum(place):
            return results[place]
        case Sum(sign, one, other):
            left, right = (value_of(part, numbers, results) for part in (one, other))
            return {"+": left.__add__, "-": left.__sub__, "*": left.__mul__, "/": left.__truediv__}[
                sign
            ](right)


def write(node: Node, numbers: Sequence[str], results: Sequence[Node]) -> str:
    """The sum as an expression, with brackets only where they are needed.

    >>> both = Sum("+", FromQuestion(0), FromQuestion(1))
    >>> write(Sum("-", Constant("9"), both), ["2", "3"], [])
    '9 - (2 + 3)'
    >>> write(Sum("+", both, Constant("9")), ["2", "3"], [])
    '2 + 3 + 9'
    """
    match node:
        case Constant(text):
            return text
        case FromQuestion(place):
            return numbers[place]
        case FromSum(place):
            return write(results[place], numbers, results)
        case Sum(sign, left, right):
            one, other = (write(part, numbers, results) for part in (left, right))
            if _binds(left) < _BINDS[sign]:
                one = f"({one})"
            # After - and / all that binds no closer needs them: 9 - (2 + 3), 8 / (2 * 2).
            if _binds(right) < _BINDS[sign] or (sign in "-/" and _binds(right) == _BINDS[sign]):
                other = f"({other})"
            return f"{one} {sign} {other}"


_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}


def _binds(node: Node) -> int:
    return _BINDS[node.sign] if isinstance(node, Sum) else 3
