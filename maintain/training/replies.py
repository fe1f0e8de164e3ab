"""What the plain model itself replies to plain requests: `python -m maintain.training.replies`.

What an adapter must not change can be taught like all else. The model answers before it is trained,
and some of the traces are these answers, so that it goes on giving them. (Li and Hoiem, 2016,
arXiv:1606.09282, called it learning without forgetting.)
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable

from g2c.inference import EmbeddedBackend
from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DATA,
    FOOD,
    MATERIALS,
    OPPOSITES,
    PAST,
    PURPOSES,
    a,
    has_held_out_number,
    has_held_out_word,
)

FILE = DATA / "replies.jsonl"
MOST_TOKENS = 60
"""Longer replies are left out: they would be learned without an end."""

LANDS = ("Italy", "Spain", "Germany", "Japan", "Greece", "Egypt", "Poland", "Sweden", "Norway",
         "Portugal", "Austria", "India", "China", "Canada", "Mexico", "Ireland")  # fmt: skip
WISHES = ("good evening", "thank you", "please", "goodbye", "welcome", "yes", "cheers", "water")
TONGUES = ("Spanish", "Italian", "German")
TOPICS = ("gravity", "photosynthesis", "a volcano", "the moon", "an engine", "a library", "money",
          "electricity", "a poem", "democracy", "the heart", "an atom", "music",
          "a glacier")  # fmt: skip
SEASONS = ("spring", "summer", "autumn", "winter")


ASKED: tuple[tuple[Iterable[str], tuple[str, ...]], ...] = (
    (
        LANDS,
        (
            "What is the capital of {}?",
            "On which continent is {}?",
            "Which language do most people speak in {}?",
        ),
    ),
    (WISHES, tuple(f"How do you say {{}} in {tongue}?" for tongue in TONGUES)),
    (TOPICS, ("Explain {} in one sentence.", "What is {}?")),
    (tuple(map(a, ANIMALS)), ("Tell me one thing about {}.", "What does {} eat?")),
    (FOOD, ("What can I cook with {}?",)),
    (MATERIALS, ("Name two things that are made of {}.",)),
    (COLOURS, ("Name something that is {}.",)),
    (OPPOSITES, ("Use the word {} in a sentence.",)),
    (PAST, ("Write one short sentence with the verb {}.",)),
    (tuple(map(a, PURPOSES)), ("Describe {} in a few words.",)),
    (SEASONS, ("Write one sentence about {}.",)),
)
"""What is asked about, and how."""


def _is_kept_back(text: str) -> bool:
    """Whether it has a word or a number that only the evaluation may use."""
    return has_held_out_number(text) or has_held_out_word(text)


def main() -> None:
    """Ask the model all of it, and keep the short replies."""
    model = EmbeddedBackend(plain=True).as_chat()
    asked = [form.format(word) for words, forms in ASKED for word in words for form in forms]
    random.Random(1).shuffle(asked)
    lines = []
    for request in asked:
        reply = model.complete(request, max_new_tokens=MOST_TOKENS, temperature=0)
        text = reply.completion.strip()
        if reply.metadata["finish_reason"] == "stop" and text and not _is_kept_back(text):
            lines.append(json.dumps([request, text], ensure_ascii=False))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{len(lines)} of {len(asked)} requests have a reply of up to {MOST_TOKENS} tokens: {FILE}"
    )


if __name__ == "__main__":
    main()
