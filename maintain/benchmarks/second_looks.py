"""What a loop's reviewer, its judge and its evolution find and cost, on a real model.

python maintain/benchmarks/second_looks.py > docs/second-looks.md
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from g2c.inference import Backend, EmbeddedBackend, RecordingBackend
from g2c.loop import Budget
from g2c.loop.app.setup import LoopSettings, make_runner
from g2c.loop.core.identity import DEFAULT_CONFIG, read_config

FILES = {"bread.txt": "rye", "milk.txt": "oat", "tea.txt": "green", "jam.txt": "plum"}
LOOPS = 8
BUDGET = Budget(ticks=10)
ASKED_BY = {"judge": "review", "agent": "claim", "evolution": "evolution"}
"""The purpose of a call to the judge, by what the loop waits for during the call."""


@dataclass(frozen=True)
class Call:
    """A call to the judge: its purpose, its tokens read and written, and its seconds."""

    what: str
    tokens: int
    seconds: float


@dataclass(frozen=True)
class Looked:
    """A loop: its goal, its status, how many files are right, its messages, and its calls."""

    goal: str
    status: str
    ticks: int
    right: int
    said: tuple[str, ...]
    calls: tuple[Call, ...]


def goal_of(number: int) -> dict[str, str]:
    """Two files that a loop is to write, and their texts."""
    names = sorted(FILES)
    first, second = number % 4, (number + 1 + number // 4) % 4
    return {names[place]: FILES[names[place]] for place in (first, second)}


def look(model: Backend, number: int, root: Path) -> Looked:
    """Run one loop with the reviewer, the judge and the evolution on."""
    wanted = goal_of(number)
    goal = " ".join(f"Write {name}. It is to say: {text}." for name, text in wanted.items())
    log, whom, calls = RecordingBackend(model), "agent", list[Call]()
    said: list[str] = []

    def waits_for(next_one: str) -> None:
        nonlocal whom
        for call in log.calls[len(calls) :]:
            tokens = (call.result.prompt_tokens or 0) + (call.result.completion_tokens or 0)
            seconds = call.result.latency_ms / 1000
            calls.append(Call(ASKED_BY.get(whom, "claim"), tokens, seconds))
        whom = next_one

    runner = make_runner(
        root, LoopSettings(checkpoint=2), model, log, on_wait=waits_for, tell=said.append
    )
    state = runner.run(goal, BUDGET)
    waits_for("nobody")
    for line in read_config(runner.files.agent).knowledge.splitlines():
        said.append(f"knowledge.md has the line: {line}")
    for line in read_config(runner.files.agent).recovery.splitlines():
        if line not in DEFAULT_CONFIG.recovery:
            said.append(f"recovery.md has the new line: {line}")
    right = sum(
        text in file.read_text("utf-8")
        for name, text in wanted.items()
        if (file := runner.work / name).exists()
    )
    return Looked(goal, state.status, state.tick, right, tuple(said), tuple(calls))


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, default=LOOPS, help="how many loops; default: 8")
    model, looked = EmbeddedBackend(), []
    print("# Three second looks, on the model in the package\n")
    print("What `python maintain/benchmarks/second_looks.py` printed. Each loop writes two files.")
    print("After two ticks a reviewer looks at it, a judge looks at what it claims, and at its end")
    print("the model proposes what to learn. What is proposed has to stand in what happened.\n")
    for number in range(parser.parse_args().loops):
        with tempfile.TemporaryDirectory() as folder:
            one = look(model, number, Path(folder))
        looked.append(one)
        print(f"- {one.goal} *{one.status}* after {one.ticks} ticks; {one.right} of 2 are right.")
    print("\nWhat a person was told, and how often:\n")
    said = Counter(" ".join(sentence.split()) for item in looked for sentence in item.said)
    for sentence, count in said.most_common():
        print(f"- ({count}) {sentence}")
    print(
        f"\n{sum(item.right == 2 for item in looked)} of {len(looked)} loops did their work;",
        end=" ",
    )
    done = [item for item in looked if item.status == "done"]
    print(f"{len(done)} ended as done, {sum(item.right == 2 for item in done)} of them rightly.\n")
    print("| | calls | tokens a call | seconds a call |\n|---|---|---|---|")
    for what in ASKED_BY.values():
        calls = [call for item in looked for call in item.calls if call.what == what]
        if calls:
            tokens, seconds = mean(c.tokens for c in calls), mean(c.seconds for c in calls)
            print(f"| {what} | {len(calls)} | {tokens:,.0f} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
