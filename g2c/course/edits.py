"""Programs with one change: a field of a node of the tree, and the text of what comes of it."""

from __future__ import annotations

import ast


def with_field(tree: ast.Module, parent: ast.AST, field: str, value: object) -> str:
    """The program in which a node's field has that value; empty if it cannot be written. The tree
    is left as it is.

    >>> tree = ast.parse("n < 1")
    >>> with_field(tree, tree.body[0].value, "ops", [ast.LtE()]), ast.unparse(tree)
    ('n <= 1', 'n < 1')
    """
    before = getattr(parent, field)
    setattr(parent, field, value)
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (AttributeError, ValueError, TypeError):
        return ""
    finally:
        setattr(parent, field, before)
