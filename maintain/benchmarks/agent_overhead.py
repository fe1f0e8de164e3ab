"""The time of an agent's step without its model: the backend answers at once."""

import argparse
import gc
import json
import math
import os
import re
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _peers import PEERS, Prepare, Run, add, made
from _report import in_turns, print_heading, print_table

from g2c.agent import Agent, NativeAgent
from g2c.inference import Backend, BackendInfo, ChatResult, InferenceResult
from g2c.tools import ToolRegistry, tool

SIZES = (8, 128)
SAMPLE_S = 0.005  # a sample is as many runs as take at least this long
REGISTRY = ToolRegistry([tool(add)])
ACTION = re.compile(r"Action: (\w+)\nAction Input: (.*)")


class AtOnce(Backend):
    """Gives prepared answers and stores nothing, so that only the agent is measured."""

    def __init__(self, answers: Iterable[Any]) -> None:
        self._answers = iter(answers)

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("at once", "none")

    def complete(self, prompt: str, **_: Any) -> InferenceResult:
        return InferenceResult(prompt, next(self._answers), 0, 0, 0.0, "at once")

    def chat_with_tools(self, messages: Any, tools: Any, **_: Any) -> ChatResult:
        content, calls = next(self._answers)
        return ChatResult(content, calls, 0, 0, 0.0, "at once")


def g2c_agent(n: int) -> Run:
    texts = scripted_texts(n)
    return lambda: Agent(AtOnce(texts), REGISTRY, plan=False, max_steps=n + 1).run("Add")


def g2c_native(n: int) -> Run:
    calls = ({"name": "add", "arguments": {"a": i, "b": 1}, "call_id": "call"} for i in range(n))
    turns = [*(("", (call,)) for call in calls), ("done", ())]
    return lambda: NativeAgent(AtOnce(turns), REGISTRY, plan=False, max_steps=n + 1).run("Add")


def bare_loop(n: int) -> Run:
    """The least that does the same work: ask, find the call, make it, log it, go on."""
    texts = scripted_texts(n)

    def run() -> object:
        backend = AtOnce(texts)
        prompt = "Question: Add\n\nThought:"
        with Path(os.devnull).open("w") as log:
            while action := ACTION.search(text := backend.complete(prompt).completion):
                result = add(**json.loads(action[2]))
                prompt = f"{prompt}{text}Observation: {result}\n\nThought:"
                log.write(json.dumps({"completion": text, "observation": result}) + "\n")
                log.flush()
        return prompt

    return run


def scripted_texts(n: int) -> list[str]:
    act = ' I need it.\nAction: add\nAction Input: {"a": %d, "b": 1}\n'
    return [*(act % i for i in range(n)), " I can answer.\nFinal Answer: done"]


OURS: dict[str, Prepare] = {
    "a bare loop that logs": bare_loop,
    "g2c Agent": g2c_agent,
    "g2c NativeAgent": g2c_native,
}


def measure(prepare: Prepare, n: int) -> Callable[[], float]:
    """A function that takes one sample: milliseconds a step of a run with `n` tool calls."""
    run = prepare(n)
    made.clear()
    run()  # also does what is done once, such as compiling a schema
    if len(made) != n:
        raise RuntimeError(f"a run that should make {n} tool calls made {len(made)}")
    started = time.perf_counter()
    run()
    runs = math.ceil(SAMPLE_S / (time.perf_counter() - started))

    def sample() -> float:
        made.clear()
        gc.collect()
        started = time.perf_counter()
        for _ in range(runs):
            run()
        return (time.perf_counter() - started) * 1000 / runs / (n + 1)

    return sample


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="of each agent (%(default)s)")
    rounds = parser.parse_args().rounds
    print_heading(
        "Milliseconds a step over a model that answers at once, for runs of 8 and of 128 calls of "
        "a tool that adds two numbers, and an answer; a step is one call to the model. Everybody "
        f"takes turns, {rounds} rounds; the least is nearest to a quiet machine. Growth is the "
        "median over the rounds of what a step costs at 128, in steps at 8."
    )
    contestants = dict(OURS)
    for name, load in PEERS.items():
        try:
            contestants[name] = load()
        except ImportError as error:
            print(f"{name} is skipped: {error}")
    samples = in_turns(
        rounds,
        {(name, n): measure(prepare, n) for name, prepare in contestants.items() for n in SIZES},
    )
    rows = []
    for name in contestants:
        small, large = (samples[name, n] for n in SIZES)
        growth = statistics.median(b / a for a, b in zip(small, large, strict=True))
        times = [f"{f(ms):.3f}" for ms in (small, large) for f in (statistics.median, min)]
        rows.append([name, *times, f"{growth:.2f}"])
    print_table(["", "at 8: median", "least", "at 128: median", "least", "growth"], rows)


if __name__ == "__main__":
    main()
