"""Ask the model in the box the same question five times, and let the answers vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from g2c.agent import Agent
from g2c.course.breaks import Seen, last_rows
from g2c.inference import EmbeddedBackend
from g2c.tools import ToolRegistry, make_calculator

QUESTION = "Which of the five answers agree, and after how many of them could you have stopped?"


def settle(answers: Sequence[str | None], most: int) -> str | None:
    if len(answers) < most:
        return None
    ((answer, _),) = Counter(answers).most_common(1)
    return answer


ASKED = "The walk to the lake takes 528 minutes, the way back 52. How many minutes both ways?"
SAMPLES = 5


def show(folder: Path) -> Seen:
    yield "question", ASKED
    tools = ToolRegistry([make_calculator()])
    answers: list[str | None] = []
    model = EmbeddedBackend()
    for seed in range(SAMPLES):
        drawn = model.with_seed(seed)
        agent = Agent(drawn, tools, plan=False, temperature=1.0, max_steps=4, max_new_tokens=80)
        answers.append(agent.run(ASKED).final_answer)
        yield f"sample {seed + 1}", answers[-1] or "no answer"
    given = settle(answers, SAMPLES)
    votes = answers.count(given)
    wanted = "the number on which most samples agree, as soon as no other can win"
    yield from last_rows(
        votes <= SAMPLES / 2, f"{given!r}, with votes: {votes} of {SAMPLES}", wanted
    )
