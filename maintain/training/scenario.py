"""An agent's run as it should go, and how it becomes a trace: by running it.

Questions are worded in many ways, but thoughts in one way only, that of the prompt's examples. A
model could only guess which of five phrases comes next, and while it learns to guess phrases, it
learns more slowly which tool to call.

Only thoughts and calls are written here. Everything else comes from the agent, its tools and a
folder of real files, so errors and observations are real.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from g2c.agent import Agent, NativeAgent
from g2c.agent.provided.result import AgentRunResult
from g2c.inference.scripted import ScriptedBackend
from g2c.inference.structured.constrained import plain_messages
from g2c.tools import Tool, ToolRegistry, make_calculator, make_list_files, make_read_file
from maintain.training.chat import render
from maintain.training.record import END, Completion, Trace, segments_of

_CALCULATOR = make_calculator()


@dataclass(frozen=True)
class Move:
    """A thought and a call. `fails` is whether its observation is an error; the observation must
    contain `gives`. A mistake of the model's is not `learned`: it is there to recover from. Without
    a tool only the thought is written, and it is no step."""

    thought: str
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    gives: str = ""
    fails: bool = False
    learned: bool = True

    @property
    def completion(self) -> Completion:
        if not self.tool:
            return Completion(f" {self.thought}{END}", learn=False)
        arguments = json.dumps(self.arguments, ensure_ascii=False)
        call = f"Action: {self.tool}\nAction Input: {arguments}\nObservation:"
        return Completion(f" {self.thought}\n{call}", self.learned)


@dataclass(frozen=True)
class Scenario:
    """A question, the moves that lead to its answer, and the plan of somebody who knows them.

    The answer must contain `value`. `tools` are names of the course's tools, or tools.
    """

    question: str
    moves: tuple[Move, ...]
    thought: str
    answer: str
    value: str
    goal: str
    steps: tuple[str, ...]
    tools: tuple[str | Tool, ...]
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def given(self) -> tuple[str, ...]:
        return (self.question, *self.files, *self.files.values())

    @property
    def plan_text(self) -> str:
        """The plan as a model continues `Goal:`."""
        lines = [f"{number}. {step}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([f" {self.goal}", *lines])


def calculate(expression: str) -> str:
    """The result of the course's calculator."""
    return str(_CALCULATOR.func(expression))


def read(file: str, gives: str = "", **options: Any) -> Move:
    """The move that reads a file."""
    return Move(f"I need to read {file}.", "read_file", {"path": file}, gives, **options)


def read_next(first: str, said: str, file: str, gives: str) -> Move:
    """The move that reads the second file, after a thought about the first one."""
    thought = f"{first} says {said}. I need to read {file}."
    return Move(thought, "read_file", {"path": file}, gives)


def work_out(expression: str, before: str = "") -> Move:
    """The move that calculates, after a thought about what is known."""
    thought = f"{before} I need to calculate {expression}.".strip()
    return Move(thought, "calculator", {"expression": expression}, calculate(expression))


def check_run(kind: str, moves: Sequence[Move], answer: str, result: AgentRunResult) -> None:
    """Raise AssertionError unless a run has the planned observations and the planned answer."""
    if result.final_answer != answer:
        raise AssertionError(f"{kind} went another way: {result.to_markdown()}")
    for move, step in zip(moves, result.steps, strict=False):
        seen = step.observation
        if move.tool and (not seen or move.fails != seen.is_error or move.gives not in seen.output):
            raise AssertionError(f"{kind}: {move} gave {seen}")


def completions_of(moves: Sequence[Move], thought: str, answer: str) -> list[Completion]:
    """What the model writes in a run of these moves that ends in this answer."""
    last = Completion(f" {thought}\nFinal Answer: {answer}{END}")
    return [*(move.completion for move in moves), last]


def play(kind: str, scenario: Scenario, rng: random.Random) -> Trace:
    """Play the scenario, with or without a plan, and return the run."""
    return _play(kind, scenario, rng, planned=rng.random() < 0.3)


def play_plan(kind: str, scenario: Scenario, rng: random.Random) -> Trace:
    """Play the scenario, and return the call that asked for the plan."""
    return _play(kind, scenario, rng, planned=True, keep_plan=True)


def _play(
    kind: str, scenario: Scenario, rng: random.Random, *, planned: bool, keep_plan: bool = False
) -> Trace:
    moves = completions_of(scenario.moves, scenario.thought, scenario.answer)
    plan = [Completion(scenario.plan_text + END)] if planned else []
    backend = ScriptedBackend(one.script for one in (*plan, *moves))
    with _tools_of(scenario, rng) as registry:
        agent = Agent(backend, registry, plan=planned, temperature=0.0)
        result = agent.run(scenario.question)
    check_run(kind, scenario.moves, scenario.answer, result)
    if backend.queued:
        raise AssertionError(f"{kind} ended before all was said: {result.to_markdown()}")
    if result.plan and (result.plan.goal, result.plan.steps) != (scenario.goal, scenario.steps):
        raise AssertionError(f"{kind}: the plan reads as {result.plan}")
    calls = backend.history
    if keep_plan:
        segments = segments_of(calls[:1], plan)
        return Trace(kind, scenario.question, scenario.goal, scenario.given, segments)
    segments = segments_of(calls[len(plan) :], moves)
    return Trace(kind, scenario.question, scenario.value, scenario.given, segments)


def play_native(kind: str, scenario: Scenario, rng: random.Random) -> Trace:
    """Play the scenario with structured tool calls, as the small model does: the conversation is in
    its chat template, and each turn is one line of JSON."""
    calls = [{"tool": move.tool, "arguments": move.arguments} for move in scenario.moves]
    completions = [
        Completion(json.dumps(call) + END, move.learned)
        for call, move in zip(calls, scenario.moves, strict=True)
    ]
    completions.append(Completion(json.dumps({"answer": scenario.answer}) + END))
    chats = [
        {"tool_calls": [{"name": move.tool, "arguments": move.arguments}]}
        for move in scenario.moves
    ]
    backend = ScriptedBackend(chats=[*chats, {"content": scenario.answer}])
    with _tools_of(scenario, rng) as registry:
        result = NativeAgent(backend, registry, plan=False, temperature=0.0).run(scenario.question)
    check_run(kind, scenario.moves, scenario.answer, result)
    prompts = [
        replace(call, prompt=render(plain_messages(call.messages, call.tools)))
        for call in backend.history
    ]
    segments = segments_of(prompts, completions)
    return Trace(kind, scenario.question, scenario.value, scenario.given, segments)


@contextmanager
def _tools_of(scenario: Scenario, rng: random.Random) -> Iterator[ToolRegistry]:
    """The scenario's tools in random order, over a folder with its files, which is deleted at the
    end. In three of ten runs the course's own tools have their worked examples."""
    with TemporaryDirectory() as folder:
        for name, text in scenario.files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        own = {
            "calculator": _CALCULATOR,
            "read_file": make_read_file(folder),
            "list_files": make_list_files(folder),
        }
        if rng.random() < 0.7:
            own = {name: tool.without_examples() for name, tool in own.items()}
        made = [own[tool] if isinstance(tool, str) else tool for tool in scenario.tools]
        rng.shuffle(made)
        yield ToolRegistry(made)
