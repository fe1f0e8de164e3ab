"""Small slips: programs with one wrong sign, number, call or line.

A person could have made each of them. `python -m maintain.author mutate` also makes odder ones.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from g2c.course.edits import with_field

Node = TypeVar("Node", bound=ast.AST)

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LEFT_OUT = {"sorted", "list", "abs", "round", "int", "str", "reversed"}


def slips_of(source: str) -> list[str]:
    """All programs that differ from `source` by one slip, each once."""
    tree = ast.parse(source)
    found = dict.fromkeys(_written(tree))
    found.pop(ast.unparse(tree), None)
    return [text for text in found if text and _is_whole(text)]


def _written(tree: ast.Module) -> Iterator[str]:
    for parent in list(ast.walk(tree)):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                for place, node in enumerate(value):
                    for new in _instead(node):
                        yield with_field(
                            tree, parent, field, [*value[:place], *new, *value[place + 1 :]]
                        )
            elif isinstance(value, ast.AST):
                for new in _instead(value):
                    if new:
                        yield with_field(tree, parent, field, new[0])


def _instead(node: Any) -> Iterator[Sequence[ast.AST]]:
    """The replacements for a node; a statement may be removed, or replaced by its body."""
    match node:
        case ast.Compare(_, [op], _):
            yield from ([_with(node, ops=[other()])] for other in _COMPARISONS.get(type(op), ()))
        case ast.BinOp(left, op, _):
            yield from ([_with(node, op=other())] for other in _ARITHMETIC.get(type(op), ()))
            yield [left]
        case ast.BoolOp(op, values):
            yield [_with(node, op=ast.And() if isinstance(op, ast.Or) else ast.Or())]
            yield from ([value] for value in values if len(values) == 2)
        case ast.UnaryOp(_, operand):
            yield [operand]
        case ast.Constant(bool()):
            yield [ast.Constant(not node.value)]
        case ast.Constant(int() | float() as number):
            yield [ast.Constant(number + 1)]
            yield [ast.Constant(number - 1)]
        case ast.Call(ast.Name(name), [argument]) if name in _LEFT_OUT:
            yield [argument]
        case ast.Call(ast.Name(name)) if name in _FUNCTIONS:
            yield [_with(node, func=ast.Name(_FUNCTIONS[name], ast.Load()))]
        case ast.Call(ast.Attribute(value, "lower" | "strip" | "copy")):
            yield [value]
        case ast.Slice(_, upper) if upper is not None and not isinstance(upper, ast.Constant):
            yield [_with(node, upper=ast.BinOp(upper, ast.Sub(), ast.Constant(1)))]
        case ast.If(_, body, []):
            yield []
            yield body
        case ast.If(_, body, [*_]):
            yield [_with(node, orelse=[])]
        case ast.Assign() | ast.AugAssign() | ast.Return():
            yield []


def _with(node: Node, **fields: object) -> Node:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_whole(source: str) -> bool:
    try:
        compile(source, "<slip>", "exec")
    except SyntaxError:
        return False
    return True
