"""For the student's tests: one test over several cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def each(values: Iterable[Any], name: str = "") -> Callable[[Callable[..., None]], Any]:
    """Run a test method once for each value, as one test, so that its counts stay readable.

    With a `name`, a failure notes under that name which value it was.
    """

    def decorate(test: Callable[..., None]) -> Any:
        def run_all(self: Any) -> None:
            for value in values:
                try:
                    test(self, value)
                except BaseException as error:
                    if name:
                        error.add_note(f"This was with {name} = {value!r:.200}")
                    raise

        run_all.__name__, run_all.__doc__ = test.__name__, test.__doc__
        return run_all

    return decorate
