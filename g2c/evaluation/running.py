"""Asking a model the tasks of the suite, each as the course itself would ask.

An evaluation with code of its own between model and score would measure that code. So the course's
agent, critic, dream and loop do the asking. Every call is recorded, and the costs are read from the
recording.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from g2c.agent import Agent, make_plan
from g2c.critic.assembled.roles import Critic
from g2c.evaluation.judging import (
    Verdict,
    judge_agent,
    judge_consolidation,
    judge_critique,
    judge_instruction,
    judge_plan,
)
from g2c.evaluation.tasks import (
    AgentTask,
    ConsolidationTask,
    CritiqueTask,
    InstructionTask,
    PlanTask,
    RerankTask,
    SuiteTask,
    TickTask,
)
from g2c.evaluation.tools import make_tools
from g2c.inference import Backend, BackendError, BackendInfo, BackendUnreachableError
from g2c.inference.backend import InferenceResult, Sampling
from g2c.inference.embedded import EmbeddedBackend
from g2c.inference.recording import RecordingBackend
from g2c.loop.assembled.setup import make_agent_factory
from g2c.loop.assembled.toolbox import make_session_tools
from g2c.loop.prompt import build_tick_prompt
from g2c.loop.provided.identity import DEFAULT_CONFIG
from g2c.loop.provided.tick import TickOutput, make_loop_tools, work_on
from g2c.loop.provided.types import TickParts
from g2c.loop.provided.words import ARCHITECTURE
from g2c.memory import MemoryStore
from g2c.memory.assembled.recall import choose

MAX_STEPS = 6
MAX_NEW_TOKENS = 160
NOW = datetime(2026, 3, 10, 17, 3, tzinfo=UTC)


@dataclass(frozen=True)
class Attempt:
    """A task, what came of it, and what it cost: calls of the model, tokens that it wrote, and
    seconds that it took for them. `completion` is the last thing that it wrote."""

    family: str
    id: str
    verdict: Verdict
    calls: int
    tokens: int
    seconds: float
    completion: str


def run_suite(
    backend: Backend,
    tasks: Iterable[SuiteTask],
    on_attempt: Callable[[Attempt], None] = lambda outcome: None,
) -> tuple[Attempt, ...]:
    """Ask `backend` all tasks, in their order; `on_attempt` hears of each.

    Raises:
        BackendUnreachableError: there is nobody to be asked. Any other failure of a call is the
            model's, and its task is not solved.
    """
    outcomes = []
    for task in tasks:
        outcomes.append(run_task(backend, task))
        on_attempt(outcomes[-1])
    return tuple(outcomes)


def run_task(backend: Backend, task: SuiteTask) -> Attempt:
    """Ask `backend` one task."""
    with tempfile.TemporaryDirectory(prefix="g2c-eval-") as name:
        tape, folder = Path(name, "tape.jsonl"), Path(name, "files")
        folder.mkdir()
        if isinstance(task, InstructionTask) and isinstance(backend, EmbeddedBackend):
            backend = backend.as_chat()  # as other backends always are
        taped = RecordingBackend(backend, tape)
        try:
            verdict = _ask(taped, task, folder)
        except BackendUnreachableError:
            raise
        except BackendError as error:
            verdict = Verdict(False, False, str(error))
        lines = tape.read_text("utf-8", "surrogatepass").splitlines()[1:]
    results = [result for line in lines if (result := json.loads(line).get("result"))]
    return Attempt(
        task.family,
        task.id,
        verdict,
        calls=len(lines),
        tokens=sum(result["completion_tokens"] or 0 for result in results),
        seconds=sum(result["latency_ms"] for result in results) / 1000,
        completion=results[-1]["completion"] if results else "",
    )


def _ask(backend: Backend, task: SuiteTask, folder: Path) -> Verdict:
    match task:
        case AgentTask():
            return _ask_agent(backend, task, folder)
        case PlanTask():
            plan = make_plan(backend, make_tools(task.tools, folder), task.question)
            return judge_plan(task, plan)
        case CritiqueTask():
            critic = Critic(backend, max_new_tokens=MAX_NEW_TOKENS)
            return judge_critique(task, critic(task.question, task.draft))
        case ConsolidationTask():
            return _ask_dreamer(Unconstrained(backend) if task.free else backend, task, folder)
        case RerankTask():
            chosen = [task.notes[place] for place in choose(backend, task.question, task.notes, 1)]
            right = chosen == [task.expected]
            return Verdict(right, bool(chosen), "" if right else f"it chose {chosen}")
        case TickTask():
            return _ask_for_tick(backend, task, folder)
        case InstructionTask():
            reply = backend.complete(
                task.question, max_new_tokens=MAX_NEW_TOKENS, temperature=0.0
            ).completion
            return judge_instruction(task, reply)
    raise TypeError(f"{task!r} is no task that can be run")


def _ask_agent(backend: Backend, task: AgentTask, folder: Path) -> Verdict:
    for name, text in task.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = Agent(
        backend,
        make_tools(task.tools, folder),
        plan=False,
        max_steps=MAX_STEPS,
        max_new_tokens=MAX_NEW_TOKENS,
        temperature=0.0,
    )
    return judge_agent(task, agent.run(task.question))


def _ask_dreamer(backend: Backend, task: ConsolidationTask, folder: Path) -> Verdict:
    store = MemoryStore(folder, now=lambda: NOW)
    if task.topic:
        name, body = task.topic
        store.write_topic(name, f"what is known of the {name.lower()}", body)
    for role, said in zip(("user", "assistant"), task.question.split("\n"), strict=True):
        store.log_turn(role, said)
    result = store.maybe_dream(backend, force=True)
    return judge_consolidation(task.expected, result.plan, result.reason)


def _ask_for_tick(backend: Backend, task: TickTask, folder: Path) -> Verdict:
    output = TickOutput()
    parts = TickParts(ARCHITECTURE, DEFAULT_CONFIG, goal=task.question, state=task.state)
    tools = make_loop_tools(output)
    own = make_session_tools(("files",), folder=folder, may_write=True)
    work = work_on(build_tick_prompt(parts), tools, make_agent_factory(backend, own))
    file = folder / task.file
    written = file.is_file() and file.read_text("utf-8").strip() == task.expected
    missing = [
        *([] if written else [f"{task.file} is not written"]),
        *([] if output.body else ["no state is kept"]),
    ]
    return Verdict(not missing, not work.error, work.error or ", ".join(missing))


class Unconstrained(Backend):
    """A backend that cannot hold its output to a schema, as some are: what it writes is its own."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    @property
    def continues_prompt(self) -> bool:
        return self._backend.continues_prompt

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        # What follows the JSON has no bound of its own; a plan here takes far fewer tokens.
        bounded = replace(sampling, max_new_tokens=min(sampling.max_new_tokens, 3 * MAX_NEW_TOKENS))
        return self._backend.complete(prompt, **bounded.as_options())
