"""One function of a module, with what it uses and without the rest.

The idea to take away: what a function needs is what it names, and what that names in turn. So who
asks for one solution is not told the next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def excerpt(source: str, name: str) -> str:
    """The part of a module's source that its function `name` needs, as it is laid out there.

    Besides the function, that is the module's docstring, and the imports, constants, functions and
    classes that it uses, itself or by way of another. A comment goes with what stands below it.

    >>> print(excerpt("import os, re\\n\\nHERE = os.curdir\\n\\ndef f(): return HERE\\n", "f"))
    import os
    <BLANKLINE>
    HERE = os.curdir
    <BLANKLINE>
    def f(): return HERE
    <BLANKLINE>
    """
    statements = ast.parse(source).body
    needed = {"annotations", name}  # the first is the import from __future__
    while more := {
        used for node in statements if needed.intersection(_made(node)) for used in _used(node)
    }.difference(needed):
        needed |= more
    lines = source.splitlines(keepends=True)
    shown, end, gap = [], 0, 0
    for node in statements:
        text = "".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        # The widest gap since the last statement that is shown, so that groups stay apart.
        gap = max(gap, len(text) - len(text.lstrip("\n")))
        if needed.intersection(_made(node)) or not [*_made(node)]:
            whole = set(_made(node)) <= needed
            shown.append("\n" * gap + (text.lstrip("\n") if whole else _only(node, needed)))
            gap = 0
    return "".join(shown)


def _made(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of the module gives a meaning to."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from map(_name, node.names)
        case ast.FunctionDef() | ast.ClassDef():
            yield node.name
        case ast.If():
            for inner in node.body:
                yield from _made(inner)
        case _:
            yield from (found.id for found in _names(node) if isinstance(found.ctx, ast.Store))


def _name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _used(node: ast.stmt) -> Iterator[str]:
    yield from (found.id for found in _names(node) if isinstance(found.ctx, ast.Load))


def _names(node: ast.stmt) -> Iterator[ast.Name]:
    yield from (found for found in ast.walk(node) if isinstance(found, ast.Name))


def _only(node: ast.stmt, needed: set[str]) -> str:
    """Of imports, also inside an `if`, those that are needed; of the rest, all."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import | ast.ImportFrom):
            inner.names = [alias for alias in inner.names if _name(alias) in needed]
        elif isinstance(inner, ast.If):
            inner.body = [one for one in inner.body if needed.intersection(_made(one))]
    return ast.unparse(node) + "\n"
