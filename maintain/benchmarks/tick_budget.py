"""Where in its prompt a tick should read its budget: the model's answers for each place, module 22.

python maintain/benchmarks/tick_budget.py
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.inference import Backend, EmbeddedBackend
from g2c.loop import Budget, Spent, TickParts, build_tick_prompt
from g2c.loop.app.setup import make_agent_factory
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.core.identity import DEFAULT_CONFIG
from g2c.loop.core.loop_tools import TickOutput, make_loop_tools
from g2c.loop.core.tick import work_on
from g2c.loop.core.words import ARCHITECTURE, TITLES, budget_left
from g2c.memory import MemoryStore

FACTS = (
    ("My sister lives in Bergen.", "Where does my sister live?", "Bergen"),
    ("The key is in the blue box.", "Where is the key?", "blue box"),
    ("Ann likes green tea.", "What does Ann like?", "green tea"),
    ("The meeting is on Friday at six.", "When is the meeting?", "Friday"),
    ("My dog is called Rex.", "What is my dog called?", "Rex"),
    ("The code of the door is 4711.", "What is the code of the door?", "4711"),
    ("Ben plays the violin.", "What does Ben play?", "violin"),
    ("The train leaves at nine.", "When does the train leave?", "nine"),
)
DAYS = (3, 17, 21)
"""The day is part of what recall shows, and a small model may behave differently on another."""

LEFT = budget_left(Budget(ticks=9, tokens=20_000), Spent(ticks=1, tokens=2_000))


@dataclass(frozen=True)
class Tick:
    """Whether a tick's answer was right (1) or not (0), and whether it claimed to be done."""

    is_right: int
    is_done: bool


def put(before: str) -> Callable[[str], str]:
    """Put the budget before the part of the prompt with that title."""
    return lambda prompt: prompt.replace(
        f"\n\n# {before}\n", f"\n\n# {TITLES['budget']}\n\n{LEFT}\n\n# {before}\n"
    )


PLACES: Mapping[str, Callable[[str], str]] = {
    "nowhere": lambda prompt: prompt,
    "where a loop has it": put(TITLES["recovery"]),
    "before the goal": put(TITLES["goal"]),
    "at the end": lambda prompt: f"{prompt}\n\n# {TITLES['budget']}\n\n{LEFT}",
}


def tick(model: Backend, fact: tuple[str, str, str], day: int, prompt: str, root: Path) -> Tick:
    """Run one tick whose memory has the fact, and whose goal is the question."""
    said, _, value = fact
    store = MemoryStore(root, now=lambda: datetime(2026, 4, day, 9, tzinfo=UTC))
    store.log_turn("user", said)
    own = make_session_tools(
        ("files", "recall", "remember"), folder=root, may_write=True, store=store
    )
    output = TickOutput()
    tools = make_loop_tools(output, lambda claim: "")
    work = work_on(prompt, tools, make_agent_factory(model, own))
    answer = f"{work.answer} {output.summary or ''}"
    return Tick(int(value in answer), output.summary is not None)


def main() -> None:
    """Print how many answers are right, for each place."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print_heading((__doc__ or "").partition("\n")[0])
    model = EmbeddedBackend()
    rows, right = [], dict[str, list[int]]()
    for place, puts in PLACES.items():
        ticks = []
        for day in DAYS:
            for fact in FACTS:
                parts = TickParts(ARCHITECTURE, DEFAULT_CONFIG, goal=fact[1])
                with tempfile.TemporaryDirectory() as folder:
                    prompt = puts(build_tick_prompt(parts))
                    ticks.append(tick(model, fact, day, prompt, Path(folder)))
        right[place] = [item.is_right for item in ticks]
        found = paired_bootstrap(right["nowhere"], right[place])
        change = f"{100 * found.low:+.0f} to {100 * found.high:+.0f}"
        done = sum(item.is_done for item in ticks)
        rows.append((place, f"{sum(right[place])} of {len(ticks)}", change, done))
    print_table(("the budget stands", "right", "95 %, points", "says that it is done"), rows)


if __name__ == "__main__":
    main()
