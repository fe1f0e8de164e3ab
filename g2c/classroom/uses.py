"""The modules and names in an exercise's code that no exercise needs, from its syntax tree.

It lists places for a person to look at. It proves nothing: there are honest reasons to import
`sys`, and code that hides what it uses is not found.
"""

import ast
from collections.abc import Iterator
from functools import cache

from g2c.course.manifest import load_exercises

# fmt: off
MODULES = frozenset({
    "_pytest", "_thread", "atexit", "builtins", "code", "codeop", "ctypes", "dis",
    "faulthandler", "gc", "http", "importlib", "inspect", "io", "marshal", "mmap",
    "multiprocessing", "os", "pathlib", "pickle", "pkgutil", "pluggy", "pty", "pytest",
    "resource", "runpy", "shutil", "signal", "site", "socket", "subprocess", "sys", "sysconfig",
    "tempfile", "threading", "traceback", "types", "unittest", "urllib", "weakref", "zipimport",
})
# fmt: on
PACKAGES = ("g2c.exercises", "g2c.course", "g2c.exercise")
# fmt: off
CALLS = frozenset({
    "__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "locals", "open",
    "setattr", "delattr", "vars",
})
# fmt: on
# fmt: off
ATTRIBUTES = frozenset({
    "__bases__", "__builtins__", "__class__", "__closure__", "__code__", "__defaults__",
    "__dict__", "__globals__", "__loader__", "__mro__", "__spec__", "__subclasses__",
    "_getframe", "cr_frame", "f_back", "f_builtins", "f_globals", "f_locals", "gi_frame",
    "modules", "tb_frame",
})
# fmt: on
# fmt: off
METHODS = frozenset({
    "__eq__", "__ne__", "__hash__", "__del__", "__getattribute__", "__instancecheck__",
})
# fmt: on


def uses_of(source: str) -> set[tuple[int, str]]:
    """The lines of a file and what each uses, such as `(3, "import sys")`.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the source is not Python.

    >>> sorted(uses_of("import sys\\nimport json\\nsys._getframe()"))
    [(1, 'import sys'), (3, '._getframe')]
    """
    return set(_uses(ast.parse(source)))


def _uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if _is_listed(alias.name):
                        yield node.lineno, f"import {alias.name}"
            case ast.ImportFrom(level=0, module=str(module), names=names):
                inner = (f"{module}.{alias.name}" for alias in names)
                # What a package gives of its exercises is a function, and not the file.
                for name in (
                    module,
                    *(module for module in inner if module not in _exercise_modules()),
                ):
                    if _is_listed(name):
                        yield node.lineno, f"import {name}"
                        break
            case ast.ImportFrom(level=level, module=module) if level:
                yield node.lineno, f"import {'.' * level}{module or ''}"
            case ast.Name(id=name) if name in CALLS:
                yield node.lineno, f"{name}()"
            case ast.Attribute(attr=name) if name in ATTRIBUTES:
                yield node.lineno, f".{name}"
            case ast.FunctionDef(name=name) if name in METHODS:
                yield node.lineno, f"def {name}"
            case ast.Name(id=name, ctx=ast.Store()) if name in METHODS:
                yield node.lineno, f"{name} ="
            case ast.Attribute(attr=name, ctx=ast.Store()) if name in METHODS:
                yield node.lineno, f".{name} ="
            case ast.keyword(arg=str(name)) if name in METHODS:
                yield node.value.lineno, f"{name} ="
            case ast.Constant(value=str(name)) if name in METHODS:
                yield node.lineno, f"the name of {name} in a text"
            case ast.Call(func=ast.Name(id="type"), args=[_, _, _]):
                yield node.lineno, "a class made by type()"
            case ast.Constant(value=str(text)) if any(package in text for package in PACKAGES):
                yield node.lineno, "the name of a package of the course in a text"


@cache
def _exercise_modules() -> frozenset[str]:
    return frozenset(
        exercise.file.removesuffix(".py").replace("/", ".") for exercise in load_exercises()
    )


def _is_listed(module: str) -> bool:
    if module in _exercise_modules():
        return True  # names beside the exercise belong to the file itself
    is_course = any(f"{module}.".startswith(f"{package}.") for package in PACKAGES[:2])
    return is_course or module.partition(".")[0] in MODULES
