"""Asking a model one task, as the course itself would ask.

An evaluation with its own code between model and score would measure that code. So it uses the
course's agent, critic, dream and loop.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from g2c.agent import Agent, AgentRunResult, NativeAgent, make_plan
from g2c.critic.app.roles import Critic
from g2c.files import read_text
from g2c.inference import Backend, BackendInfo
from g2c.inference.backend import InferenceResult, Sampling
from g2c.inference.recording import RecordingBackend
from g2c.loop.app.setup import make_agent_factory
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.build_tick_prompt import build_tick_prompt
from g2c.loop.core.identity import DEFAULT_CONFIG
from g2c.loop.core.inbox import Message, with_messages
from g2c.loop.core.loop_tools import TickOutput, make_loop_tools
from g2c.loop.core.tick import work_on
from g2c.loop.core.types import TickParts
from g2c.loop.core.words import ARCHITECTURE
from g2c.memory import MemoryStore
from g2c.memory.app.recall import choose
from g2c.suite.call_verdicts import judge_call
from g2c.suite.critics import ask_for_check
from g2c.suite.homes import ask_home
from g2c.suite.settings import Settings
from g2c.suite.tasks import (
    AgentTask,
    CallTask,
    CheckTask,
    ConsolidationTask,
    CritiqueTask,
    HomeTask,
    InstructionTask,
    MessageTask,
    OutsideTask,
    PlanTask,
    RerankTask,
    SuiteTask,
    TickTask,
)
from g2c.suite.tools import make_tools, shown, write_files
from g2c.suite.verdicts import (
    Verdict,
    holds,
    judge_agent,
    judge_consolidation,
    judge_critique,
    judge_instruction,
    judge_outside,
    judge_plan,
)
from g2c.tools import Tool, ToolRegistry

USUAL = Settings()
MAX_NEW_TOKENS = 160
NOW = datetime(2026, 3, 10, 17, 3, tzinfo=UTC)


def ask(
    backend: RecordingBackend, task: SuiteTask, folder: Path, settings: Settings = USUAL
) -> Verdict:
    """Ask `backend` one task, with the empty `folder` for its files, and judge what it did.

    Raises:
        BackendError: the model could not be asked.
    """
    match task:
        case HomeTask():
            return ask_home(backend, task, folder, NOW, settings.max_steps, _tokens(backend))
        case CallTask():
            return _ask_for_call(backend, task, settings)
        case CheckTask():
            return ask_for_check(backend, task, folder)
        case OutsideTask():
            tools = shown(make_tools(task.tools, folder, task.made), task)
            return judge_outside(task, _run_agent(backend, task, tools, folder, settings))
        case AgentTask():
            tools = shown(make_tools(task.tools, folder), task)
            return judge_agent(task, _run_agent(backend, task, tools, folder, settings))
        case PlanTask():
            tools = settings.described(make_tools(task.tools, folder))
            plan = make_plan(backend, ToolRegistry(tools), task.question)
            return judge_plan(task, plan)
        case CritiqueTask():
            critic = Critic(backend, max_new_tokens=_tokens(backend))
            return judge_critique(task, critic(task.question, task.draft))
        case ConsolidationTask():
            return _ask_dreamer(Unconstrained(backend) if task.free else backend, task, folder)
        case RerankTask():
            chosen = [task.notes[place] for place in choose(backend, task.question, task.notes, 1)]
            right = chosen == [task.expected]
            return Verdict(right, bool(chosen), "" if right else f"it chose {chosen}")
        case TickTask():
            return _ask_for_tick(backend, task, folder, settings)
        case InstructionTask():
            reply = backend.complete(
                task.question, max_new_tokens=_tokens(backend), temperature=0.0
            ).completion
            return judge_instruction(task, reply)
    raise TypeError(f"{task!r} is not a task that can be run")


def _tokens(backend: Backend) -> int:
    return backend.info.step_tokens(small=MAX_NEW_TOKENS)


def _run_agent(
    backend: Backend, task: AgentTask, tools: Iterable[Tool], folder: Path, settings: Settings
) -> AgentRunResult:
    write_files(task.files, folder)
    agent = Agent(
        backend,
        ToolRegistry(settings.described(tools)),
        plan=False,
        max_steps=settings.max_steps,
        max_new_tokens=_tokens(backend),
        temperature=0.0,
    )
    return agent.run(task.question)


def _ask_for_call(backend: Backend, task: CallTask, settings: Settings) -> Verdict:
    kind = Agent if task.channel == "text" else NativeAgent
    tools = (Tool(**function, func=lambda **given: "Done.") for function in task.functions)
    agent = kind(
        backend,
        ToolRegistry(settings.described(tools)),
        plan=False,
        max_steps=1,
        max_new_tokens=_tokens(backend),
        temperature=0.0,
    )
    return judge_call(task, agent.run(task.question).steps[0])


def _ask_dreamer(backend: Backend, task: ConsolidationTask, folder: Path) -> Verdict:
    store = MemoryStore(folder, now=lambda: NOW)
    if task.topic:
        name, body = task.topic
        store.write_topic(name, f"what is known of the {name.lower()}", body)
    for role, said in zip(("user", "assistant"), task.question.split("\n"), strict=True):
        store.log_turn(role, said)
    result = store.maybe_dream(backend, force=True)
    return judge_consolidation(task.expected, result.proposed, result.reason)


def _ask_for_tick(backend: Backend, task: TickTask, folder: Path, settings: Settings) -> Verdict:
    output = TickOutput()
    parts = TickParts(ARCHITECTURE, DEFAULT_CONFIG, goal=task.question, state=task.state)
    tools = settings.described(shown(make_loop_tools(output), task))
    files = make_session_tools(("files",), folder=folder, may_write=True)
    own = settings.described(shown(files, task))
    message, answer = (task.message, task.answer) if isinstance(task, MessageTask) else ("", "")
    prompt = with_messages(build_tick_prompt(parts), [Message("1", message)] if message else [])
    work = work_on(prompt, tools, make_agent_factory(backend, own, max_steps=settings.max_steps))
    file = folder / task.file
    written = file.is_file() and read_text(file).strip() == task.expected
    missing = [
        *([] if written else [f"{task.file} is not written"]),
        *([] if output.body else ["no state is kept"]),
        *([] if not answer or holds(work.answer, answer) else ["the message is not answered"]),
    ]
    return Verdict(not missing, not work.error, work.error or ", ".join(missing))


class Unconstrained(Backend):
    """A backend that cannot constrain its output to a schema, as some are."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    @property
    def continues_prompt(self) -> bool:
        return self._backend.continues_prompt

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        # Text after the JSON would have no bound; a plan here takes far fewer tokens.
        bounded = replace(sampling, max_new_tokens=min(sampling.max_new_tokens, 3 * MAX_NEW_TOKENS))
        return self._backend.complete(prompt, **bounded.as_options())
