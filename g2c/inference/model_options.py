"""A person's settings for a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from g2c.inference.backend import known

_DURATION = re.compile(r"0|-?(\d+(\.\d+)?(ms|s|m|h))+")


@dataclass(frozen=True)
class ModelOptions:
    """The options of a model. None leaves an option to the backend.

    `num_ctx` is the context window in tokens, `keep_alive` how long a server keeps the model loaded
    ("30m"; "-1m" is for ever), `think` whether a model that can think does so. A backend ignores an
    option that it does not have. `temperature` is for chats and loops.

    Raises:
        ValueError: a value is not valid for its option.

    >>> ModelOptions(seed=3).over(ModelOptions(seed=1, think=True))
    ModelOptions(num_ctx=None, keep_alive=None, think=True, temperature=None, seed=3)
    >>> ModelOptions(keep_alive="1h30m").known()
    {'keep_alive': '1h30m'}
    >>> ModelOptions(num_ctx="8k")
    Traceback (most recent call last):
    ValueError: num_ctx must be a whole number of at least 1, got '8k'
    """

    num_ctx: int | None = None
    keep_alive: str | None = None
    think: bool | None = None
    temperature: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        is_number = isinstance(self.temperature, int | float) and self.temperature is not True
        kinds = {
            "num_ctx": (_is_int(self.num_ctx, 1), "a whole number of at least 1"),
            "keep_alive": (
                isinstance(self.keep_alive, str) and bool(_DURATION.fullmatch(self.keep_alive)),
                'a time such as "30m"',
            ),
            "think": (isinstance(self.think, bool), "true or false"),
            "temperature": (is_number and 0 <= (self.temperature or 0) < 100, "a number from 0 on"),
            "seed": (_is_int(self.seed, 0), "a whole number from 0 on"),
        }
        for name, (is_right, kind) in kinds.items():
            value = getattr(self, name)
            if value is not None and not is_right:
                raise ValueError(f"{name} must be {kind}, got {value!r:.200}")

    def over(self, other: ModelOptions) -> ModelOptions:
        """These options; where one is None, that of `other`."""
        return ModelOptions(**asdict(other) | self.known())

    def known(self) -> dict[str, Any]:
        """The options that are not None, by name."""
        return known(asdict(self))


def _is_int(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**31


NO_OPTIONS = ModelOptions()


def read_options(data: Mapping[str, Any]) -> ModelOptions:
    """The options that a person wrote.

    Raises:
        ValueError: there is no such option, or a value is not valid for it.
    """
    known = asdict(ModelOptions())
    if strange := sorted(data.keys() - known.keys()):
        raise ValueError(f"there is no {strange[0]!r} of a model; there are {', '.join(known)}")
    return ModelOptions(**data)
