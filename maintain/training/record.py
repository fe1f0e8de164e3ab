"""What a model is trained on: a text in pieces. It learns the pieces that it writes.

The pieces come from the calls that the course's own code made to a scripted backend. Prompts
written by hand may differ from those that the program sends; recorded ones cannot.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from g2c.inference.scripted import Call

END = "<|im_end|>"
"""What the model writes at the end of its text."""


@dataclass(frozen=True)
class Completion:
    """What the model writes in one call: `text` up to the end of generation, with the first words
    of a stop string or `END`. `learn` is false if the model should not imitate it."""

    text: str
    learn: bool = True

    @property
    def script(self) -> str:
        """The same for a scripted backend, which stops by itself."""
        return self.text.removesuffix(END)


@dataclass(frozen=True)
class Trace:
    """One text to train on. `segments` are its pieces in order, each with whether it is learned.
    `answer` is the right answer to `question`. `given` are all texts that this project made up for
    the model to read: the question, files, drafts, notes."""

    kind: str
    question: str
    answer: str
    given: tuple[str, ...]
    segments: tuple[tuple[str, bool], ...]

    @property
    def text(self) -> str:
        """All that the model sees, and writes."""
        return "".join(text for text, _ in self.segments)

    @property
    def tokens(self) -> int:
        """The approximate number of tokens."""
        return round(len(self.text) / 3.5)

    def to_json(self) -> str:
        """The trace as a line of the file."""
        return json.dumps(vars(self), ensure_ascii=False)


def segments_of(
    calls: Sequence[Call], completions: Sequence[Completion]
) -> tuple[tuple[str, bool], ...]:
    """The pieces of one text, from the prompts of `calls` and the completion of each.

    If a prompt does not begin with everything before it, the text begins anew: the program has
    rewritten what the model wrote, so the model sees another text from then on.

    Raises:
        ValueError: there are more calls than completions, or fewer.
    """
    pieces: list[tuple[str, bool]] = []
    for call, words in zip(calls, completions, strict=True):
        before = "".join(text for text, _ in pieces)
        if not call.prompt.startswith(before):
            pieces, before = [], ""
        pieces += [(call.prompt[len(before) :], False), (words.text, words.learn)]
    return tuple(pieces)
