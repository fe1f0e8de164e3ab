"""What a swarm was asked to do, as its folder keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from g2c.files import replace_text
from g2c.inference.model_options import ModelOptions, read_options
from g2c.swarm.assembled.folder import SwarmFiles, read_json
from g2c.swarm.provided.reading import CONTEXT, Asked


@dataclass(frozen=True)
class Order:
    """What a swarm is to do: what is looked for in which folder, by how many workers with which
    model, for how many tokens in all. `memory` is the folder of what they remember. With a
    `scheduler` they are those of its cluster, and their functions are the reference's. The model
    reads `reads_well` tokens at once well, and works with those `options`, of `ModelOptions`."""

    about: str
    kind: Asked
    folder: str
    workers: int
    tokens: int
    model: str | None
    memory: str
    scheduler: str | None = None
    then: str = ""
    reads_well: int = CONTEXT
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def model_options(self) -> ModelOptions:
        return read_options(self.options)

    @property
    def sought(self) -> str:
        """What the answer is, such as "the telephone of the keeper of the mill" if it is linked."""
        return self.then.replace("{}", self.about) or self.about


def keep_order(files: SwarmFiles, order: Order) -> None:
    """Keep what is to be done."""
    replace_text(files.order, json.dumps(asdict(order), ensure_ascii=False) + "\n")


def read_order(files: SwarmFiles) -> Order:
    """What is to be done by the swarm in `files`.

    Raises:
        ValueError: there is none, or its file cannot be read.
    """
    if not files.order.exists():
        raise ValueError(f"There is no swarm in {files.root}; g2c swarm start begins one.")
    try:
        order = Order(**read_json(files.order))
        is_sound = _is_sound(order)
    except (TypeError, AttributeError, ValueError):
        is_sound = False
    if not is_sound:
        raise ValueError(
            f"{files.order} cannot be read; delete {files.root}, and g2c swarm start begins anew."
        )
    return order


def _is_sound(order: Order) -> bool:
    texts = (order.about, order.kind, order.folder, order.memory, order.then)
    maybe = (order.model, order.scheduler)
    read_options(order.options)
    return (
        all(isinstance(one, str) for one in texts)
        and all(one is None or isinstance(one, str) for one in maybe)
        and order.kind in get_args(Asked)
        and all(
            type(one) is int and one >= 1 for one in (order.workers, order.tokens, order.reads_well)
        )
    )
