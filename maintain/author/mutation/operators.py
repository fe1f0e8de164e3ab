"""The mutations: small functions from a node of a program to nodes that may replace it.

Each imitates a mistake that somebody could make in that place. A function yields the new nodes, and
never changes the given one. `OPERATORS` names them all.
"""

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from maintain.author.mutation.patterns import changed_patterns

Names = Mapping[str, object]
"""The names of the imported module, with their values."""

Node = TypeVar("Node", bound=ast.AST)
Value = TypeVar("Value")

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.FloorDiv),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
}
METHODS = {
    "strip": ("lstrip", "rstrip"),
    "lstrip": ("rstrip", "strip"),
    "rstrip": ("lstrip", "strip"),
    "lower": ("upper",),
    "partition": ("rpartition",),
    "rpartition": ("partition",),
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "removesuffix": ("removeprefix", "rstrip"),
    "removeprefix": ("removesuffix", "lstrip"),
    "fullmatch": ("match", "search"),
    "search": ("match", "fullmatch"),
    "match": ("search", "fullmatch"),
    "append": ("appendleft",),
    "appendleft": ("append",),
    "values": ("keys",),
}
FUNCTIONS = {
    "any": ("all",),
    "all": ("any",),
    "min": ("max",),
    "max": ("min",),
    "sorted": ("list",),
    "takewhile": ("filter",),
    "int": ("float",),
}
_PATTERN_FUNCTIONS = {"compile", "sub", "search", "match", "fullmatch", "findall", "finditer"}


def comparison(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """Another operator; in a chain, one part alone."""
    if not isinstance(node, ast.Compare):
        return
    for place, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield _with(node, ops=ops)
    if len(node.ops) > 1:
        yield _with(node, ops=node.ops[:-1], comparators=node.comparators[:-1])
        yield ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])


def arithmetic(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """Another operator, or one operand alone."""
    if isinstance(node, ast.BinOp):
        yield from (_with(node, op=other()) for other in ARITHMETIC.get(type(node.op), ()))
        yield node.left
        yield node.right
    if isinstance(node, ast.AugAssign):
        yield from (_with(node, op=other()) for other in ARITHMETIC.get(type(node.op), ()))
        yield ast.Assign([node.target], node.value, lineno=0)


def logic(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """`or` for `and`, one operand less, a `not` or a minus forgotten."""
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        for place in range(len(node.values)):
            rest = _without(node.values, place)
            yield rest[0] if len(rest) == 1 else _with(node, values=rest)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def condition(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A condition that always holds, or never, or is turned around."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        for test in _conditions(node.test):
            if not (isinstance(node, ast.While) and _is_true(test)):
                yield _with(node, test=test)
    if isinstance(node, ast.comprehension):
        for place, given in enumerate(node.ifs):
            for test in _conditions(given):
                yield _with(node, ifs=[*node.ifs[:place], test, *node.ifs[place + 1 :]])


def constant(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A neighbouring number; another text, or none."""
    match node:
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(str() as value) if value:
            yield ast.Constant("")
            yield ast.Constant(f"XX{value}XX")
            if not any(map(str.isalnum, value)) and 1 < len(value) < 5:
                yield from (
                    ast.Constant(value[:place] + value[place + 1 :]) for place in range(len(value))
                )
        case ast.Constant("" | b""):
            yield ast.Constant("XX" if node.value == "" else b"XX")
        case ast.Constant(bytes() as value):
            yield ast.Constant(b"")
            yield ast.Constant(b"XX" + value + b"XX")
        case ast.Name(name, ast.Load()) if name.isupper() and type(names.get(name)) in (int, float):
            for op in (ast.Add(), ast.Sub()):
                yield ast.BinOp(ast.Name(name, ast.Load()), op, ast.Constant(1))


def statement(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A statement forgotten."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    kinds = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return | ast.Raise | ast.For
    if isinstance(node, kinds) and not is_text:
        yield ast.Pass()
    if isinstance(node, ast.If) and node.orelse:
        yield _with(node, orelse=[])


def result(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """None where there is a result; another kind of error."""
    if isinstance(node, ast.Return) and node.value and not _is_none(node.value):
        yield ast.Return(ast.Constant(None))
    if isinstance(node, ast.Yield) and node.value:
        yield ast.Yield(ast.Constant(None))
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield ast.Raise(_with(node.exc, func=ast.Name("Exception", ast.Load())))


def loop(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A loop that runs once, or backwards; `break` for `continue`."""
    if isinstance(node, ast.For | ast.While):
        yield _with(node, body=[*node.body, ast.Break()])
    if isinstance(node, ast.For | ast.comprehension):
        turned = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        back = ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield _with(node, iter=ast.Subscript(turned, back, ast.Load()))
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Continue):
        yield ast.Break()


def call(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """An argument forgotten, two exchanged, the call forgotten, or a name for a similar one."""
    if not isinstance(node, ast.Call):
        return
    for place in range(len(node.args)):
        yield _with(node, args=_without(node.args, place))
    for place in range(len(node.args) - 1):
        first, second = node.args[place : place + 2]
        yield _with(node, args=[*node.args[:place], second, first, *node.args[place + 2 :]])
    for place in range(len(node.keywords)):
        yield _with(node, keywords=_without(node.keywords, place))
    function = node.func
    if isinstance(function, ast.Attribute):
        yield function.value
        for other in METHODS.get(function.attr, ()):
            yield _with(node, func=_with(function, attr=other))
        if function.attr in ("strip", "split", "lstrip", "rstrip") and not node.args:
            yield _with(node, args=[ast.Constant(" ")])
    if isinstance(function, ast.Name):
        if len(node.args) == 1:
            yield node.args[0]
        for other in FUNCTIONS.get(function.id, ()):
            yield _with(node, func=ast.Name(other, ast.Load()))


def pattern(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A regular expression that accepts a little more, or a little less."""
    match node:
        case ast.Call(
            ast.Attribute(ast.Name("re"), function), [ast.Constant(str() as text), *rest]
        ) if function in _PATTERN_FUNCTIONS:
            for changed in changed_patterns(text):
                yield _with(node, args=[ast.Constant(changed), *rest])


def part(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A bound of a slice forgotten, or one off; an element of a literal forgotten."""
    if isinstance(node, ast.Slice):
        for field in ("lower", "upper", "step"):
            value = getattr(node, field)
            if value is not None:
                yield _with(node, **{field: None})
            if value is not None and field != "step" and not isinstance(value, ast.Constant):
                for op in (ast.Add(), ast.Sub()):
                    yield _with(node, **{field: ast.BinOp(value, op, ast.Constant(1))})
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and _is_read(node) and len(node.elts) > 1:
        for place in range(len(node.elts)):
            yield _with(node, elts=_without(node.elts, place))
    if isinstance(node, ast.Dict):
        for place in range(len(node.keys)):
            yield ast.Dict(_without(node.keys, place), _without(node.values, place))
    if isinstance(node, ast.JoinedStr):
        for place in range(len(node.values)):
            yield _with(node, values=_without(node.values, place))


def protection(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """A `try` or a `with` forgotten; a handler for fewer errors, or for all."""
    if isinstance(node, ast.Try):
        yield ast.If(ast.Constant(True), node.body, [])
    if isinstance(node, ast.ExceptHandler) and node.type:
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else []
        for place in range(len(kinds)):
            yield _with(node, type=ast.Tuple(_without(kinds, place), ast.Load()))
        yield _with(node, type=ast.Name("Exception", ast.Load()))
    if isinstance(node, ast.With) and not any(item.optional_vars for item in node.items):
        yield ast.If(ast.Constant(True), node.body, [])


OPERATORS: tuple[Callable[[ast.AST, Names], Iterator[ast.AST]], ...] = (
    comparison,
    arithmetic,
    logic,
    condition,
    constant,
    statement,
    result,
    loop,
    call,
    pattern,
    part,
    protection,
)


def _with(node: Node, **fields: object) -> Node:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _without(values: list[Value], place: int) -> list[Value]:
    return values[:place] + values[place + 1 :]


def _conditions(test: ast.expr) -> Iterator[ast.expr]:
    """The condition turned around, one that is always true, and one that is never true. A name that
    the condition assigns is still assigned."""
    yield ast.UnaryOp(ast.Not(), test)
    assigns = any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(test))
    for value in (True, False):
        always: ast.expr = ast.Constant(value)
        if assigns:
            always = ast.BoolOp(ast.Or() if value else ast.And(), [test, ast.Constant(value)])
        yield always


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_read(node: ast.List | ast.Tuple | ast.Set) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
