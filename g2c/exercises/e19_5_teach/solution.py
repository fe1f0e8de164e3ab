"""19.5: the worked examples do the teaching, and most of all their thoughts.

The hard step is to make one argument of town and day. If the examples take it in their thoughts,
the model does so, too, and its call is a copy. `python maintain/benchmarks/tool_texts.py` prints
what each part is worth.
"""

from __future__ import annotations

from collections.abc import Callable

from g2c.agent.core.tool_text import Parameter, ToolText
from g2c.tools import ToolExample

ASKED = (
    ("How many visitors did the park in Bari have on Friday?", "park", "Bari", "Friday"),
    ("On Monday, how many people came to the gallery in Corfu?", "gallery", "Corfu", "Monday"),
    ("Tell me how busy the market was in Piran on Sunday.", "market", "Piran", "Sunday"),
    ("For Tuesday I need the guests of the pool. The town is Senj.", "pool", "Senj", "Tuesday"),
)


def teach(function: Callable[..., str]) -> ToolText:
    return ToolText(
        "count_visitors",
        "Say how many people visited a place in a town on a day.",
        (
            Parameter("town_and_day", "k", "the town, a slash, and the day, such as Bari/Friday"),
            Parameter("place", "v", "the kind of place, such as zoo"),
        ),
        tuple(_example(function, *asked) for asked in ASKED),
    )


def _example(
    function: Callable[..., str], question: str, place: str, town: str, day: str
) -> ToolExample:
    count = function(k=f"{town}/{day}", v=place)
    return ToolExample(
        question,
        f"I need {town}/{day} and {place}.",
        {"town_and_day": f"{town}/{day}", "place": place},
        count,
        f"{count} people visited the {place} in {town} on {day}.",
    )
