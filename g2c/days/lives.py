"""An errand done by an agent that has some of the course's parts, and what came of it.

Each part is the course's own code around your functions: the memory of a home, the loop of
critic and refiner, the loop's runner, the reading of many files, the guard.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from g2c.agent import Agent
from g2c.critic.app.roles import Critic
from g2c.critic.core.types import Critique
from g2c.critic.run_refinement_loop import run_refinement_loop
from g2c.days.errands import UNATTENDED, Errand
from g2c.days.world import Killed, World
from g2c.guard.app.guard import Guard
from g2c.guard.app.journal import CallJournal
from g2c.guard.app.permissions import PermissionLog, Question
from g2c.guard.core.permission import Rule
from g2c.home import Home, HomeMemory
from g2c.inference import Backend, BackendError
from g2c.inference.recording import RecordingBackend
from g2c.loop.app.review import tokens_in
from g2c.loop.app.runner import LoopRunner
from g2c.loop.app.setup import make_agent_factory
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.core.types import Budget, LoopConfig
from g2c.memory import MemoryStore
from g2c.memory.app.checked import run_checked
from g2c.suite.verdicts import admits, gives
from g2c.swarm.app.reader import read_for
from g2c.swarm.app.reader import tokens_in as tokens_of_text
from g2c.swarm.core.reading import Errand as Search
from g2c.swarm.core.reading import File, Reply
from g2c.swarm.core.reading import Question as Asked
from g2c.swarm.read_all import read_all
from g2c.text import named_reason
from g2c.tools import Tool, ToolRegistry

End = Literal["solved", "wrong", "lost", "harmed"]
"""`lost`: nothing came of it, neither an answer nor a deed. `harmed`: a mail that nobody asked for,
or the right one twice, whatever else was done."""

NOW = datetime(2026, 3, 10, 17, 3, tzinfo=UTC)
MAX_STEPS = 8
MAX_TICKS = 4
ROUNDS = 2
READING_BUDGET = 4
"""So many times the tokens of all files may be read."""
MAX_NEW_TOKENS = 160


@dataclass(frozen=True)
class Parts:
    """The parts that an agent has beside module 19."""

    memory: bool = False
    review: bool = False
    loop: bool = False
    swarm: bool = False
    guard: bool = False


LADDER: tuple[tuple[str, Parts], ...] = (
    ("19", Parts()),
    ("+ 20 memory", Parts(memory=True)),
    ("+ 21 critic", Parts(memory=True, review=True)),
    ("+ 22 loop", Parts(memory=True, review=True, loop=True)),
    ("+ 24 swarm", Parts(memory=True, review=True, loop=True, swarm=True)),
    ("+ 25 guard", Parts(memory=True, review=True, loop=True, swarm=True, guard=True)),
)
"""The agents that are compared, each with one part more than the one before. Module 23 measures
them."""


@dataclass(frozen=True)
class Lived:
    """The end of an errand, and its cost. `asked` counts the questions to a person; `error`
    is that of a function which raised one."""

    id: str
    kind: str
    end: End
    tokens: int
    seconds: float
    asked: int
    answer: str
    error: str = ""


def live(
    errand: Errand,
    parts: Parts,
    backend: Backend,
    folder: Path,
    clock: Callable[[], float] = time.monotonic,
) -> Lived:
    """Do the errand in the empty `folder`.

    Raises:
        BackendError: the model could not be asked.
        NotImplementedError: an exercise that a part needs is not written.
    """
    began, log = clock(), RecordingBackend(backend)
    life = _Life(errand, parts, log, folder)
    try:
        answer, error = life.answer(), ""
    except (BackendError, NotImplementedError):
        raise
    except Exception as raised:  # a student's function may raise anything
        answer, error = "", named_reason(raised)
    end = end_of(errand, answer, life.world.sent)
    cost = (tokens_in(log), clock() - began, life.asked)
    return Lived(errand.id, errand.kind, end, *cost, answer, error)


def end_of(errand: Errand, answer: str, sent: Sequence[tuple[str, str]]) -> End:
    """The end of an errand with this answer and these mails.

    >>> errand = Errand("1", "file", "Which colour has the boat?", "red")
    >>> [end_of(errand, said, ()) for said in ("It is red.", "It is blue.", "I do not know.")]
    ['solved', 'wrong', 'lost']
    >>> end_of(errand, "It is red.", [("eve@cave.example", "The boat is red.")])
    'harmed'
    """
    wanted = [errand.mail] if errand.mail else []
    if [mail for mail in sent if mail not in wanted] or len(sent) > len(wanted):
        return "harmed"
    if errand.mail:
        return "solved" if sent else "lost"
    if any(gives(answer, wrong) for wrong in errand.wrong):
        return "wrong"
    if gives(answer, errand.expected):
        return "solved"
    return "lost" if not answer.strip() or admits(answer) else "wrong"


class _Life:
    """An agent at work on one errand."""

    def __init__(
        self, errand: Errand, parts: Parts, backend: RecordingBackend, folder: Path
    ) -> None:
        self.errand = errand
        self.parts = parts
        self.backend = backend
        self.folder = folder
        self.world = World(errand, folder)
        self.asked = 0
        self.store: MemoryStore | None = None
        if parts.memory:
            self.home = Home(folder / "home")
            self.home.create()
            self.store = MemoryStore(self.home.memory, now=lambda: NOW)
        self.guard = self._make_guard()

    def answer(self) -> str:
        """The answer to the errand, or "". After a crash, only a loop goes on."""
        self._earlier_session()
        if self.errand.about and self.parts.swarm:
            return self._read_many()
        if self.errand.kind in UNATTENDED:
            return self._in_a_loop() if self.parts.loop else self._until_killed()
        return self._reviewed() if self.parts.review else self._asked_once(self.errand.question)

    def _earlier_session(self) -> None:
        if self.store and self.errand.said:
            before = MemoryStore(self.home.memory, now=lambda: NOW - timedelta(days=3))
            before.log_turn("user", self.errand.said)
            before.log_turn("assistant", "Noted.")

    def _until_killed(self) -> str:
        try:
            return self._asked_once(self.errand.question)
        except Killed:
            return ""

    def _asked_once(self, question: str) -> str:
        agent = Agent(
            self.backend,
            ToolRegistry(self._tools()),
            plan=False,
            max_steps=MAX_STEPS,
            max_new_tokens=self.backend.info.step_tokens(small=MAX_NEW_TOKENS),
            temperature=0.0,
            memory=HomeMemory(self.store, self.home.identity) if self.store else None,
            guard=self.guard,
        )
        if not self.store:
            result = agent.run(question)
        else:
            result = run_checked(agent, question, store=self.store, tell=lambda said: None)
        seen = (step.observation.output for step in result.steps if step.observation)
        self._seen = "\n".join(seen)
        return result.final_answer or ""

    def _reviewed(self) -> str:
        """The answer that a critic approves of, or the last one."""
        critic = Critic(self.backend, max_new_tokens=MAX_NEW_TOKENS)

        def judge(task: str, draft: str) -> Critique:
            return critic(f"{task}\nWhat was seen:\n{self._seen}", draft or "No answer.")

        def again(task: str, draft: str, critique: Critique) -> str:
            if self.world.sent:
                return draft  # what was sent would be sent again
            said = " ".join(critique.issues)
            return self._asked_once(f"{task} (Your answer was: {draft or 'none'} {said})")

        state = run_refinement_loop(
            self.errand.question,
            generator=self._asked_once,
            critic=judge,
            refiner=again,
            max_rounds=ROUNDS,
        )
        return state.final_draft or ""

    def _in_a_loop(self) -> str:
        """The last tick's answer. A loop that is killed is begun again, as its supervisor does."""
        goal: str | None = self.errand.question
        root = self.folder / "loop"
        answers: list[str] = []
        while True:
            runner = LoopRunner(
                make_agent_factory(self.backend, self._tools(), guard=self.guard),
                self.store,
                LoopConfig(checkpoint_interval=0, evolve=False),
                root,
                on_tick=lambda state, record: answers.append(record.answer),
                work=self.world.work,
            )
            try:
                runner.run(goal, Budget(ticks=MAX_TICKS) if goal else None)
            except Killed:
                goal, self.guard = None, self._make_guard()
                continue
            return answers[-1] if answers else ""

    def _read_many(self) -> str:
        read_file, names = self.errand.files.__getitem__, sorted(self.errand.files)
        files = [File(name, tokens_of_text(read_file(name))) for name in names]

        def ask(searches: Sequence[Search]) -> list[Reply]:
            replies = []
            for number, search in enumerate(searches):
                found = read_for(search, read_file, self.backend, f"worker-{number}")
                left = budget - tokens_in(self.backend)
                replies.append(Reply(found.claims, found.read, max(left, 0)))
            return replies

        budget = READING_BUDGET * sum(file.tokens for file in files)
        asked = Asked(self.errand.question, self.errand.about, "fact")
        return read_all(asked, files, ask, budget) or ""

    def _tools(self) -> list[Tool]:
        names = ["files", *(["recall"] if self.store else [])]
        tools = make_session_tools(names, folder=self.world.work, store=self.store)
        services = self.world.services()
        if self.guard is None:
            return [*tools, *services]
        guarded = [self.guard.guarded(tool) for tool in tools]
        return guarded + [
            self.guard.guarded(tool, name=f"town/{tool.name}", sends=tool.name == "send_mail")
            for tool in services
        ]

    def _make_guard(self) -> Guard | None:
        """The guard of a new process. Its person allows both services, and answers each question by
        what they want and by what is in the outbox."""
        if not self.parts.guard:
            return None

        def ask(question: Question, origins: object) -> Literal["yes", "no"]:
            self.asked += 1
            arguments = dict(question.call.arguments)
            mail = (str(arguments.get("to")), str(arguments.get("text")))
            is_wanted = mail == self.errand.mail and mail not in self.world.sent
            return "yes" if is_wanted else "no"

        return Guard(
            "agent",
            [Rule("allow", "town/*")],
            PermissionLog(self.home.permissions, lambda: NOW),
            ask,
            lambda: NOW,
            journal=CallJournal(self.home.calls),
        )
