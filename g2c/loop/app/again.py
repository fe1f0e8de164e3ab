"""A tool whose failed calls are made again as your `try_again` (22.9) says.

Until it is written, nothing is made again. Nor is a call whose error does not say how it failed.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from random import Random
from typing import Any

from g2c.loop.core.failures import MAX_TRIES, Effect, Failure
from g2c.loop.try_again import try_again
from g2c.tools import Tool, ToolError
from g2c.wanted import check_wanted

PATIENCE_S = 30.0
"""Seconds that a session waits for one call, with all its tries."""


def again(
    tool: Tool,
    patience: float = PATIENCE_S,
    *,
    sleep: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    random: Random | None = None,
) -> Tool:
    """The tool, with its failed calls made again within `patience` seconds. The last error
    propagates."""
    random = random or Random()

    def call(**arguments: Any) -> Any:
        began, failures = clock(), list[Failure]()
        while True:
            try:
                return tool.func(**arguments)
            except ToolError as error:
                after = clock() - began
                failures.append(Failure(error.kind, after, error.retry_after))
                wait = _wait(failures, tool.effect, patience - after, random)
                if wait is None:
                    raise
            sleep(wait)
            check_wanted()

    return replace(tool, func=call)


def _wait(failures: Sequence[Failure], effect: Effect, left: float, random: Random) -> float | None:
    """The answer of `try_again`, if it keeps its limits; otherwise None."""
    if failures[-1].kind == "refused" or len(failures) >= MAX_TRIES or left <= 0:
        return None
    try:
        wait: float | None = try_again(failures, effect, left, random)
    except NotImplementedError:
        return None
    is_wait = isinstance(wait, int | float) and isfinite(wait) and 0 <= wait < left
    return wait if is_wait else None
