"""Programs with one change to a field of a node of the syntax tree."""

import ast


def with_field(tree: ast.Module, parent: ast.AST, field: str, value: object) -> str:
    """The program's text with that value in a node's field; empty if it has none. The tree does not
    change.

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
