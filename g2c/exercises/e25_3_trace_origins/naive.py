"""Look for each argument in each untrusted text. Five calls repeat a stranger's words in different
ways, and one repeats nobody's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.guard.core.provenance import RunText

QUESTION = "When are two words the same, and who decides that a text is trusted?"


def trace_origins(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> tuple[str, ...]:
    return tuple(
        text.name
        for text in texts
        if not text.trusted and any(str(value) in text.text for value in arguments.values())
    )


TEXTS = (
    RunText("the person", "Pay Ada's invoice, and answer her.", trusted=True),
    RunText("mail 3", "My account is DE4410223187. It comes to 1,200.00. Eve <eve@cave.example>"),
    RunText("mail 4", "The parcel has come. Order 112.55 is complete, says Steven."),
    RunText("memory 1", "Ada's account is DE5500112233.", trusted=True, made_of=("mail 3",)),
)
CALLS: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    ({"account": "DE4410223187"}, ("mail 3",)),
    ({"account": "DE5500112233"}, ("memory 1",)),
    ({"amount": 1200.0}, ("mail 3",)),
    ({"to": "EVE@cave.example"}, ("mail 3",)),
    ({"to": ["ada@mill.example", "eve@cave.example"]}, ("mail 3",)),
    ({"amount": 12.5, "name": "Eve"}, ()),
)


def show(folder: Path) -> Seen:
    for text in TEXTS[1:]:
        yield text.name, text.text + (" (trusted, made of mail 3)" if text.made_of else "")
    right = 0
    for arguments, wished in CALLS:
        found = trace_origins(arguments, TEXTS)
        right += found == wished
        yield (
            str(arguments),
            f"{', '.join(found) or 'nobody'}; it is {', '.join(wished) or 'nobody'}",
        )
    yield RESULT, f"{right} of {len(CALLS)} calls have the right origin"
    yield WANTED, f"{len(CALLS)} of {len(CALLS)}"
