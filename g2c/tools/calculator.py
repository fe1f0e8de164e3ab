"""Arithmetic for a model that cannot count: `make_calculator`.

The text is parsed, never evaluated: what is not a number, an operator or one of five functions has
no meaning here. A safe interpreter lists what it allows, and it works out how big a result would be
before it computes it.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools.tool import Tool, ToolError, ToolExample

_MAX_LENGTH = 500
_MAX_DEPTH = 100
_MAX_BITS = 1024  # about 308 digits, where floats end as well

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., int | float]] = {
    "abs": abs,
    "max": lambda *values: max(values),
    "min": lambda *values: min(values),
    "round": round,
    "sqrt": math.sqrt,
}
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("×·⋅∙∗", "*"),  # noqa: RUF001
        **dict.fromkeys("÷∕⁄", "/"),  # noqa: RUF001
        **dict.fromkeys("−–—", "-"),  # noqa: RUF001
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
        "²": "**2",
        "³": "**3",
        **{chr(ord(sign) + 0xFEE0): sign for sign in "0123456789+-*/().%"},  # of full width
    }
)
_PERCENT = re.compile(r"\d\s*%\s*([^\s\d(.+-]|$)")
_GRAMMAR = f"Use numbers, + - * / // % (remainder) **, parentheses and {', '.join(_FUNCTIONS)}."


def make_calculator() -> Tool:
    """Return the tool `calculator`, which works out the text in `expression`.

    Whole results are written without a point, others to 15 significant digits. This leaves out what
    binary fractions add: `0.1 + 0.2` is `0.3`. Text of more than 500 characters, more than 100
    operations inside each other, and numbers of more than 1024 bits are refused before they cost
    time.

    >>> calculate = make_calculator().func
    >>> calculate("21 * 2"), calculate("10 / 4"), calculate("2 ** 64 % 10")
    ('42', '2.5', '6')
    >>> calculate("9 ** 9 ** 9")
    Traceback (most recent call last):
    g2c.tools.tool.ToolError: The result is too large; numbers here have at most 308 digits.
    """
    return Tool(
        name="calculator",
        description="Work out an arithmetic expression.",
        parameters=object_schema(
            expression=text_schema(about="numbers with + - * / // % ** and parentheses")
        ),
        func=_calculate,
        example=_example("12 * 11", "132"),
        more_examples=(_example("90 / 6 - 2", "13"), _example("(2 + 5) * 250", "1750")),
    )


def _example(expression: str, value: str) -> ToolExample:
    return ToolExample(
        question=f"What is {expression}?",
        thought=f"I need to calculate {expression}.",
        arguments={"expression": expression},
        observation=value,
        answer=f"{expression} is {value}.",
        conclusion=f"The result is {value}.",
    )


def _calculate(expression: str) -> str:
    text = " ".join(expression.translate(_SIGNS).split()).removesuffix("=")
    if len(text) > _MAX_LENGTH:
        raise ToolError(f"The expression is longer than {_MAX_LENGTH} characters; split it up.")
    try:
        return _as_text(_value(ast.parse(text, mode="eval").body, 0))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        if _PERCENT.search(text):
            raise ToolError("% is the remainder here; write 20% of 50 as 0.2 * 50.") from error
        raise ToolError(f"{expression[:80]!r} is not arithmetic. {_GRAMMAR}") from error
    except ZeroDivisionError as error:
        raise ToolError("Division by zero has no result.") from error
    except OverflowError as error:
        raise _too_large() from error


def _value(node: ast.expr, depth: int) -> int | float:
    if depth > _MAX_DEPTH:
        raise ToolError(f"Over {_MAX_DEPTH} operations inside each other; split the expression up.")
    depth += 1
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            result = value
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            result = _UNARY[type(op)](_value(operand, depth))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            result = _power(_value(left, depth), _value(right, depth))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            result = _BINARY[type(op)](_value(left, depth), _value(right, depth))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            result = _apply(name, [_value(arg, depth) for arg in args])
        case ast.BinOp(op=ast.BitXor()):
            raise ToolError("^ is not an operator here; write ** for a power, as in 2 ** 10.")
        case ast.Tuple():
            raise ToolError("Write numbers without commas: 1234, not 1,234.")
        case _:
            raise ToolError(f"{ast.unparse(node)[:80]!r} is not arithmetic. {_GRAMMAR}")
    return _bounded(result)


def _bounded(value: int | float) -> int | float:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise _too_large()
    if isinstance(value, float) and not math.isfinite(value):
        raise _too_large()
    return value


def _power(base: int | float, exponent: int | float) -> int | float:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and exponent * math.log2(abs(base)) > _MAX_BITS:
        raise _too_large()
    result = base**exponent
    if isinstance(result, complex):
        raise ToolError("A negative number has no real root; only whole powers of it work.")
    return result


def _apply(name: str, args: list[int | float]) -> int | float:
    if name == "round" and len(args) == 2 and abs(args[1]) > _MAX_BITS:
        raise ToolError("round takes a number of digits of at most 1024, as in round(3.14159, 2).")
    try:
        return _FUNCTIONS[name](*args)
    except (TypeError, ValueError) as error:
        values = ", ".join(map(_as_text, args))
        raise ToolError(f"{name}({values}) does not work: {error}.") from error


def _too_large() -> ToolError:
    return ToolError("The result is too large; numbers here have at most 308 digits.")


def _as_text(value: int | float) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    return str(value) if isinstance(value, int) else f"{value:.15g}"
