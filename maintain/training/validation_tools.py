"""Calls of tools that no trace has: `python -m maintain.training.validation_tools embedded -n 60`.

One in eight functions of the tables is never trained on. This asks a model for calls of them and
says whether each is wholly right, by text and by structured calls. Unlike `g2c eval` it is there to
be looked at while the training is being changed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

os.environ.setdefault("G2C_REFERENCE", "all")

from g2c.agent import Agent, NativeAgent
from g2c.course.sweep_workers import load
from g2c.evaluation.call_verdicts import is_same
from g2c.inference import Backend, BackendError
from g2c.tools import Tool, ToolRegistry
from maintain.training.kinds.shape_tables import load_functions
from maintain.training.kinds.shapes import make_offer, make_request, other_tools

Channel = Literal["text", "native"]
Verdict = Literal["right", "missing", "wrong value", "extra", "wrong tool", "no call", "unreadable"]


@dataclass(frozen=True)
class CallTask:
    """A request, the tools at hand, and the call that it asks for. An argument that equals its
    default (in `defaults`) may be given or left out."""

    question: str
    tools: tuple[Tool, ...]
    name: str
    arguments: Mapping[str, Any]
    defaults: Mapping[str, Any]


def tool_calls(rng: random.Random, n: int) -> list[CallTask]:
    """`n` tasks over the reserved functions, each of which comes equally often."""
    functions = [one for one in load_functions() if one.reserved]
    tasks = []
    for number in range(n):
        offer = make_offer(rng, functions[number % len(functions)])
        request = make_request(rng, offer)
        others = other_tools(rng, offer.function, rng.choice((0, 0, 1, 2, 3)), near=True)
        tools = [offer.tool, *(tool for tool in others if tool.name != offer.tool.name)]
        rng.shuffle(tools)
        tasks.append(
            CallTask(
                request.question, tuple(tools), offer.tool.name, request.arguments, offer.defaults
            )
        )
    return tasks


def first_call(backend: Backend, task: CallTask, channel: Channel) -> tuple[str, Any]:
    """The name and the arguments of the first call that a model makes for the task; an empty name
    with what it wrote instead, None if that cannot be read.

    Raises:
        BackendError: the model could not be asked.
    """
    make = Agent if channel == "text" else NativeAgent
    agent = make(backend, ToolRegistry(task.tools), plan=False, max_steps=1, temperature=0.0)
    step = agent.run(task.question).steps[0]
    if step.action is None:
        return "", step.final_answer
    return step.action.tool, step.action.arguments


def judge(task: CallTask, name: str, arguments: Any) -> Verdict:
    """What is wrong with a call, the worst first; `first_call` says what its arguments are.

    >>> task = CallTask("Twice 4?", (), "double", {"n": 4}, {"unit": "m"})
    >>> judge(task, "double", {"n": 4.0, "unit": "m"}), judge(task, "double", {})
    ('right', 'missing')
    """
    if not name:
        return "unreadable" if arguments is None else "no call"
    if name != task.name:
        return "wrong tool"
    defaults = task.defaults
    given = {
        key: value for key, value in arguments.items() if not is_same(value, defaults.get(key))
    }
    wanted = {
        key: value for key, value in task.arguments.items() if not is_same(value, defaults.get(key))
    }
    if wanted.keys() - given.keys():
        return "missing"
    if given.keys() - wanted.keys():
        return "extra"
    return "right" if is_same(given, wanted) else "wrong value"


def measure(backend: Backend, tasks: list[CallTask], channel: Channel, show: bool) -> Counter[str]:
    """How many calls of a model are right, and how many have which fault. A model whose reply
    breaks off is unreadable. `show` prints the calls that are not right."""
    verdicts = Counter[str]()
    for task in tasks:
        try:
            name, arguments = first_call(backend, task, channel)
        except BackendError as error:
            name, arguments = "", None
            if show:
                print(error)
        verdict = judge(task, name, arguments)
        verdicts[verdict] += 1
        if show and verdict != "right":
            print(f"{channel}, {verdict}: {task.question}\n  wanted {task.name} {task.arguments}")
            print(f"  called {name} {arguments}")
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL", help="as g2c eval takes it")
    parser.add_argument("-n", type=int, default=60, help="calls for each channel (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides the tasks (%(default)s)")
    parser.add_argument("--show", action="store_true", help="print the calls that are not right")
    arguments = parser.parse_args()
    tasks = tool_calls(random.Random(arguments.seed), arguments.n)
    for spec in arguments.models:
        try:
            backend = load(spec)
        except BackendError as error:
            sys.exit(f"{spec}: {error}")
        for channel in ("text", "native"):
            started = time.perf_counter()
            counts = measure(backend, tasks, channel, arguments.show)
            seconds = (time.perf_counter() - started) / len(tasks)
            faults = ", ".join(f"{n} {what}" for what, n in counts.most_common() if what != "right")
            print(
                f"{spec} by {channel}: {counts['right']} of {len(tasks)} right; {faults}; "
                f"{seconds:.1f} s each",
                flush=True,
            )


if __name__ == "__main__":
    main()
