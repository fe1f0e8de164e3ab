"""Asks a model questions that are in no trace and not in `g2c eval` either:
`python -m maintain.training.validation --help`.

What is looked at between two runs of a training is no longer a measure. So the suite is asked at
the end, and this in between. A set is a row of `SETS`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# Before anything imports the exercises: what is measured is the finished course.
os.environ["G2C_REFERENCE"] = "all"

from maintain.training.kinds.told import read_raw

from g2c.agent import Agent
from g2c.course.sweep_workers import load
from g2c.critic.provided.intervals import percent, wilson
from g2c.evaluation.verdicts import holds
from g2c.inference import Backend, BackendError, BackendUnreachableError
from g2c.tools import ToolRegistry, make_calculator

MAX_STEPS = 6
MAX_NEW_TOKENS = 160


@dataclass(frozen=True)
class Question:
    """Something to ask, the row that it counts for, and what its answer has to hold."""

    row: str
    text: str
    value: str


def stories(file: Path) -> list[Question]:
    """The stories of `file` that training leaves out.

    Raises:
        OSError, ValueError: as `read_raw`.
    """
    return [
        Question(f"{raw.sums} sum{'s' if raw.sums > 1 else ''}", raw.question, raw.value)
        for raw in read_raw(file)
        if raw.is_kept_back
    ]


def ask_calculating(backend: Backend, question: Question) -> bool:
    """Whether the course's agent solves a question with the calculator, at temperature 0."""
    agent = Agent(
        backend,
        ToolRegistry([make_calculator()]),
        plan=False,
        max_steps=MAX_STEPS,
        max_new_tokens=MAX_NEW_TOKENS,
        temperature=0.0,
    )
    try:
        answer = agent.run(question.text).final_answer
    except BackendUnreachableError:
        raise
    except BackendError:
        return False  # what the model wrote could not be used
    return answer is not None and holds(answer, question.value)


@dataclass(frozen=True)
class Set:
    """Questions, read from a file, and how one is asked."""

    read: Callable[[Path], list[Question]]
    is_solved: Callable[[Backend, Question], bool]


SETS = {"stories": Set(stories, ask_calculating)}
"""Each set by the name of its option."""


def table(name: str, solved: Sequence[tuple[Question, bool]]) -> str:
    """What was solved of each row and of all, with 95 % intervals."""
    rows = sorted({question.row for question, _ in solved})
    lines = [f"{name}"]
    for row in (*rows, "all"):
        outcomes = [right for question, right in solved if row in (question.row, "all")]
        share = percent(wilson(sum(outcomes), len(outcomes)))
        lines.append(f"  {row:<10}{sum(outcomes):>4} of {len(outcomes):<4} {share}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL", help="as g2c eval takes it")
    for name in SETS:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"ask the {name} of FILE")
    parser.add_argument("-n", type=int, help="only so many of each set, the same ones each time")
    arguments = parser.parse_args()
    if arguments.n is not None and arguments.n < 1:
        parser.error("-n has to be 1 or more")
    chosen: dict[str, list[Question]] = {}
    try:
        for name, named in SETS.items():
            if file := getattr(arguments, name):
                questions = named.read(file)
                random.Random(1).shuffle(questions)
                chosen[name] = questions[: arguments.n]
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if not any(chosen.values()):
        parser.error(f"nothing to ask: name a file, as in --{next(iter(SETS))} FILE")
    for model in arguments.models:
        try:
            backend = load(model)
            for name, questions in chosen.items():
                solved = []
                for number, question in enumerate(questions, 1):
                    solved.append((question, SETS[name].is_solved(backend, question)))
                    print(f"\r{model}: {number} of {len(questions)}", end="", file=sys.stderr)
                print(file=sys.stderr)
                print(table(f"{model}, {name}", solved), flush=True)
        except BackendError as error:
            sys.exit(f"{model}: {error}")


if __name__ == "__main__":
    main()
