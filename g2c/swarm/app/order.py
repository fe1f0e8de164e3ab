"""The order of a swarm: what it was asked to do, stored in its folder."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from g2c.inference.model_options import ModelOptions, read_options
from g2c.json_files import read_object, record_from, replace_json
from g2c.swarm.app.folder import SwarmFiles
from g2c.swarm.core.reading import CONTEXT, Asked


@dataclass(frozen=True)
class Order:
    """A swarm looks for `about` in `folder`, with so many `workers`, one `model`, and a budget of
    `tokens` in all. `memory` is the folder of its memory. With a `scheduler`, the workers are those
    of its cluster and use the reference's functions. The model reads `reads_well` tokens at once
    well. `options` are those of `ModelOptions`."""

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

    def __post_init__(self) -> None:
        read_options(self.options)
        if min(self.workers, self.tokens, self.reads_well) < 1:
            raise ValueError("A swarm has at least one worker, and a token to spend.")

    @property
    def model_options(self) -> ModelOptions:
        return read_options(self.options)

    @property
    def sought(self) -> str:
        """The subject of the answer, such as "the telephone of the keeper of the mill" for a linked
        question."""
        return self.then.replace("{}", self.about) or self.about


def keep_order(files: SwarmFiles, order: Order) -> None:
    """Store the order."""
    replace_json(files.order, asdict(order))


def read_order(files: SwarmFiles) -> Order:
    """The order of the swarm in `files`.

    Raises:
        ValueError: there is none, or its file cannot be read.
    """
    if not files.order.exists():
        begin = f"g2c swarm start{files.options} begins one."
        raise ValueError(f"There is no swarm in {files.root}; {begin}")
    order = record_from(read_object(files.order), Order)
    if order is None:
        raise ValueError(
            f"{files.order} cannot be read; delete {files.root}, and g2c swarm start begins anew."
        )
    return order
