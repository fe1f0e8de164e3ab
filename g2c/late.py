"""Names of a package whose modules are imported when somebody uses them, and not before."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def imported_when_used(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of `package`. `modules` maps each name to the module that defines it.

    >>> imported_when_used("g2c.tools", {"make_calculator": "calculator"})("make_calculator")
    <function make_calculator at ...>
    """

    def get(name: str) -> Any:
        if name in modules:
            return getattr(import_module(f"{package}.{modules[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
