"""From traces to training data: token ids, and which of them the model writes itself.

A model learns ids, not letters. A text that training cuts into other ids than llama.cpp is another
text for the model. So a trace is cut where llama.cpp will cut it.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


FEW = 8
"""A start that fewer traces share does not become a set."""
ALIKE = 64
"""How many of a set are sorted by length together; not all, so that a batch has various kinds."""


@dataclass(frozen=True)
class TrainingText:
    """One call of a model, or a run of several: texts in order, each with whether it wrote them."""

    kind: str
    segments: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Example:
    """A trace in token ids. `learned` has an entry for each: true if the model is to write it."""

    kind: str
    ids: tuple[int, ...]
    learned: tuple[bool, ...]


def read_traces(path: Path) -> list[TrainingText]:
    """The traces of a JSONL file: `{"kind": ..., "segments": [[text, learn], ...]}` a line.

    Raises:
        ValueError: a line, named in the message, is no trace or has nothing to learn.
    """
    traces = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            segments = tuple((str(text), bool(learn)) for text, learn in data["segments"] if text)
            traces.append(TrainingText(data["kind"], segments))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number} is no trace: {error!r}") from None
        if not any(learn for _, learn in segments):
            raise ValueError(f"{path}, line {number} has nothing to learn")
    return traces


def tokenize(trace: TrainingText, tokenizer: Tokenizer) -> Example:
    """Cut a trace into the ids that llama.cpp will see.

    A new cut begins where the model begins to write, since the prompt before was cut by itself.
    Where the model stops, no new cut begins: the next prompt has its text and what follows, cut as
    one. A token across such an end is not learned. Marks such as `<|im_end|>` are one token
    everywhere, as llama.cpp reads them in prompts.
    """
    ids: list[int] = []
    learned: list[bool] = []
    for text, own in _pieces(trace.segments):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        ids += encoding.ids
        learned += [end <= own for _, end in encoding.offsets]
    return Example(trace.kind, tuple(ids), tuple(learned))


def by_start(pairs: Sequence[tuple[TrainingText, Example]]) -> list[list[Example]]:
    """Group the examples into sets that share a start of whole paragraphs. Those whose start is
    rare form one set.

    Most of a prompt is instructions, tools and worked examples, which hundreds of traces share. In
    training, the start of a group is read once.
    """
    starts = [_starts(trace) for trace, _ in pairs]
    count = Counter(start for those in starts for start in those)
    sets: dict[str, list[Example]] = defaultdict(list)
    for those, (_, example) in zip(starts, pairs, strict=True):
        shared = [start for start in those if count[start] >= FEW]
        sets[shared[-1] if shared else ""].append(example)
    return list(sets.values())


def plan_batches(
    sets: Sequence[Sequence[Example]], epochs: float, batch_traces: int, row_tokens: int, seed: int
) -> list[list[list[Example]]]:
    """All batches of a training run. A batch consists of groups, each from one set and of about one
    length; all batches but the last have at least `batch_traces` examples.

    Every pass over the examples has its own order. Everything follows from the arguments, so an
    interrupted run finds the batches that are left.
    """
    shuffled = random.Random(seed)
    wanted = round(epochs * sum(map(len, sets)))
    plan: list[list[list[Example]]] = []
    room = 0
    while wanted > 0:
        groups = []
        for one in sets:
            order = shuffled.sample(one, len(one))
            for first in range(0, len(order), ALIKE):
                groups += by_length(order[first : first + ALIKE], row_tokens)
        shuffled.shuffle(groups)
        for group in groups:
            if wanted <= 0:
                break
            if room <= 0:
                plan.append([])
                room = batch_traces
            plan[-1].append(group)
            room -= len(group)
            wanted -= len(group)
    return plan


def by_length(examples: Sequence[Example], row_tokens: int) -> list[list[Example]]:
    """Group examples so that no group, padded to its longest, has more than `row_tokens` after its
    shared start.

    A longer example is its own group.
    """
    start = shared_start(examples)
    groups: list[list[Example]] = []
    for example in sorted(examples, key=lambda one: len(one.ids)):
        if groups and (len(groups[-1]) + 1) * (len(example.ids) - start) <= row_tokens:
            groups[-1].append(example)
        else:
            groups.append([example])
    return groups


def shared_start(examples: Sequence[Example]) -> int:
    """How many first tokens are the same in all, before any learned one; 0 for one example."""
    if len(examples) < 2:
        return 0
    columns = zip(*(example.ids for example in examples), strict=False)
    alike = sum(1 for _ in takewhile(lambda ids: len(set(ids)) == 1, columns))
    # The model predicts a learned token at the token before it.
    return max(0, min([alike, *(example.learned.index(True) - 1 for example in examples)]))


def _starts(trace: TrainingText) -> list[str]:
    """The given text up to each of its blank lines.

    >>> _starts(TrainingText("k", (("A.\\n\\nB.\\n\\nC:", False), (" D.", True))))
    ['A.\\n\\n', 'A.\\n\\nB.\\n\\n']
    """
    text, learned = trace.segments[0]
    return [] if learned else [text[: gap.end()] for gap in re.finditer("\n\n", text)]


def _pieces(segments: Sequence[tuple[str, bool]]) -> Iterator[tuple[str, int]]:
    """Texts that are cut as one: the model's and what follows, with the length of the model's.

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
