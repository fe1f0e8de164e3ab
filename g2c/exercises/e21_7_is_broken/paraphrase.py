"""Rewrites a program without changing what it does: other names, reversed conditions, a comment."""

import ast
from random import Random

_NAMES = (
    "value",
    "item",
    "entry",
    "part",
    "piece",
    "current",
    "number",
    "result",
    "found",
    "kept",
    "total",
    "count",
    "left",
    "right",
    "first",
    "last",
    "step",
    "rest",
    "head",
    "tail",
    "data",
    "row",
    "field",
    "token",
    "unit",
)
_NOTES = (
    "Follow the task step by step.",
    "Return what the task asks for.",
    "Written to be read.",
    "See the examples.",
)
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def rewritten(source: str, draw: Random) -> str:
    """A program that does what `source` does."""
    tree = ast.parse(source)
    tree = ast.fix_missing_locations(_Turned(draw).visit(tree))
    _rename(tree, draw)
    if draw.random() < 0.5:
        function = [node for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
        function.body.insert(0, ast.Expr(ast.Constant(draw.choice(_NOTES))))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Turned(ast.NodeTransformer):
    def __init__(self, draw: Random) -> None:
        self.draw = draw

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in _TURNED and self.draw.random() < 0.5:
            return ast.Compare(node.comparators[0], [_TURNED[type(node.ops[0])]()], [node.left])
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        has_else = node.orelse and not isinstance(node.orelse[0], ast.If)
        if has_else and self.draw.random() < 0.5:
            return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)
        return node


def _rename(tree: ast.Module, draw: Random) -> None:
    """Other names for what a program assigns; parameters and functions keep theirs."""
    nodes = list(ast.walk(tree))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    kept = {node.arg for node in nodes if isinstance(node, ast.arg)}
    kept |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own = {
        node.id: ""
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    free = [name for name in _NAMES if name not in used | kept]
    names = dict(
        zip((name for name in own if name not in kept), draw.sample(free, len(free)), strict=False)
    )
    for node in nodes:
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
