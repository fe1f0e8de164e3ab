"""From traces to what a model trains on: token ids, and which of them are its own.

The idea to take away: a model learns ids, not letters. A text cut into other ids in training than
at run time is another text, so a trace is cut where llama.cpp will cut it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True)
class Trace:
    """One call of a model, or a run of several: texts in order, and whether it wrote them."""

    kind: str
    segments: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Example:
    """A trace in token ids; `learned` has an entry an id, true for what the model is to write."""

    kind: str
    ids: tuple[int, ...]
    learned: tuple[bool, ...]


def read_traces(path: Path) -> list[Trace]:
    """The traces of a JSONL file: `{"kind": ..., "segments": [[text, learn], ...]}` a line.

    Raises:
        ValueError: a line is no trace, or has nothing to learn; says which.
    """
    traces = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            segments = tuple((str(text), bool(learn)) for text, learn in data["segments"] if text)
            traces.append(Trace(data["kind"], segments))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number} is no trace: {error!r}") from None
        if not any(learn for _, learn in segments):
            raise ValueError(f"{path}, line {number} has nothing to learn")
    return traces


def tokenize(trace: Trace, tokenizer: Tokenizer) -> Example:
    """Cut a trace into the ids that llama.cpp will see.

    A text is cut anew wherever the model begins to write, as there a prompt ended and was cut by
    itself. It is not cut where the model ends: the next prompt holds what it wrote and what
    follows as one text, and is cut as one. A token that lies across such an end is not learned.
    Marks such as `<|im_end|>` are one token anywhere, since llama.cpp reads them so in prompts.
    """
    ids: list[int] = []
    learned: list[bool] = []
    for text, own in _pieces(trace.segments):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        ids += encoding.ids
        learned += [end <= own for _, end in encoding.offsets]
    return Example(trace.kind, tuple(ids), tuple(learned))


def plan_batches(
    examples: Sequence[Example], epochs: float, batch_tokens: int, seed: int
) -> list[list[Example]]:
    """All batches of a training run, each with at least `batch_tokens` tokens but the last.

    Every pass over the examples has an order of its own. All follows from the arguments, so a run
    that was cut off finds the batches that it had not come to.
    """
    shuffled = random.Random(seed)
    wanted = round(epochs * len(examples))
    order: list[Example] = []
    while len(order) < wanted:
        order += shuffled.sample(examples, len(examples))
    plan: list[list[Example]] = []
    room = 0
    for example in order[:wanted]:
        if room <= 0:
            plan.append([])
            room = batch_tokens
        plan[-1].append(example)
        room -= len(example.ids)
    return plan


def by_length(examples: Sequence[Example], most_tokens: int) -> list[list[Example]]:
    """Group examples so that, filled up to its longest, no group has more than `most_tokens`.

    A longer example is a group of its own.
    """
    groups: list[list[Example]] = []
    for example in sorted(examples, key=lambda one: len(one.ids)):
        if groups and (len(groups[-1]) + 1) * len(example.ids) <= most_tokens:
            groups[-1].append(example)
        else:
            groups.append([example])
    return groups


def _pieces(segments: Sequence[tuple[str, bool]]) -> Iterator[tuple[str, int]]:
    """Texts that are cut as one: what the model wrote and what follows, and where the former ends.

    >>> list(_pieces([("Q:", False), (" 4", True), ("\\nQ:", False), (" 5", True)]))
    [('Q:', 0), (' 4\\nQ:', 2), (' 5', 2)]
    """
    text, own, given = "", 0, True
    for part, learn in segments:
        if learn and given and text:
            yield text, own
            text, own = "", 0
        text += part
        if learn:
            own = len(text)
        given = not learn
    if text:
        yield text, own
