"""The guard: it stands between a model and its tools, and decides by your functions.

A guarded tool asks for permission before it does anything. Its result is kept as a text of the run,
so that later calls can be traced to it. The texts of one run are in a frame. A delegate's run has a
frame of its own. It begins with the asker's texts, because the question is made of them.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from g2c.agent.core.run import RunRecord
from g2c.guard.app.journal import CallJournal
from g2c.guard.app.judging import ALLOWED, ASKED, origins_of, permission_of, with_default
from g2c.guard.app.leaks import Strange
from g2c.guard.app.permissions import Answer, PermissionLog, Question
from g2c.guard.app.quoting import quoted, quoted_lines
from g2c.guard.app.rules import absent, absent_server, misfit, misfit_server, untaken
from g2c.guard.app.understood import read_by
from g2c.guard.core.permission import Permission, ProposedCall, Rule
from g2c.guard.core.provenance import RunText
from g2c.guard.permit import permit
from g2c.text import named_reason
from g2c.tools import Tool, ToolError
from g2c.tracing import traced

CHANGES = ("write_file", "remember")
"""The course's own tools that change something, each only what a person allowed."""

SENDS = ("read_page", "web_search")
"""The course's own tools that reach beyond this machine."""

PURE = ("calculator",)
"""Tools whose result follows from their arguments alone."""

UNDER_WAY = RunText(
    "the journal",
    "This very call was under way when its program ended. If it happened, say no; yes makes it "
    "again.",
)
"""Part of a question about a call that may have happened already."""

EXCERPT_CHARS = 200
MAX_KEPT = 50
"""So many texts that were read count in later runs of the same chat or loop, too."""
MAX_ASKED_CHARS = 20_000
"""The most characters of a call's arguments. A person has to see all of them."""

Ask = Callable[[Question, Sequence[RunText]], Answer | Literal["later"]]
"""Puts a question to a person, with the texts that the call repeats. `later` means that nobody
answers now."""


@dataclass
class Frame:
    """The texts that one run has read so far."""

    texts: list[RunText] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    """Questions that wait for a person."""
    done: int = 0
    """Calls with an effect that were carried out."""
    asked: int = 0
    """Questions that were put to a person."""
    told: set[Strange] = field(default_factory=set)
    """Strangers' words that its calls passed on without a question."""
    names: dict[str, str] = field(default_factory=dict)
    """The names that texts have in 25.7."""

    def keep(self, text: RunText, known_as: str) -> None:
        """Add a text that was read, `known_as` so in 25.7 ("": it has no name there)."""
        self.texts.append(text)
        if known_as:
            self.names[text.name] = known_as


class Guard:
    """Guards the tools of the agent `actor` with a person's `rules`.

    Args:
        actor: The agent's id.
        rules: What a person permitted.
        log: The questions and answers so far.
        ask: Puts a question to a person.
        now: The time, with its zone.
        journal: Records calls that send anything, before and after each; None records nothing.
        is_persons: Whether the question of a run comes from the person, and not from another
            program.
        quotes, decides: Whether the exercises for quoting and for permissions are written; without
            them, that part is left out.
        tell: Says that a rule is about nothing that is there now.
    """

    def __init__(
        self,
        actor: str,
        rules: Sequence[Rule],
        log: PermissionLog,
        ask: Ask,
        now: Callable[[], datetime],
        *,
        journal: CallJournal | None = None,
        is_persons: bool = True,
        quotes: bool = True,
        decides: bool = True,
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.actor = actor
        self.rules = tuple(rules)
        self.log = log
        self.journal = journal
        self.is_persons = is_persons
        self.quotes = quotes
        self.decides = decides
        self._ask = ask
        self._tell = tell
        self._told: set[Rule] = set()
        self._taken: set[str] = set()
        self._now = now
        self._frame: ContextVar[Frame | None] = ContextVar("frame", default=None)
        self._asker: ContextVar[Frame | None] = ContextVar("asker", default=None)
        self._own_texts: tuple[str, ...] | None = None
        self._reads = 0
        self._read: deque[tuple[RunText, str]] = deque(maxlen=MAX_KEPT)
        self._made: deque[ProposedCall] = deque(maxlen=MAX_KEPT)
        self._described: dict[str, RunText] = {}
        self._open: dict[str, ProposedCall] | None = None

    @property
    def frame(self) -> Frame:
        """The current run's frame. Outside of a run, such as in a server, nothing is kept."""
        return self._frame.get() or Frame()

    def expect(self, *own_texts: str) -> None:
        """Announce that in the next run's prompt only `own_texts` are the person's own words."""
        self._own_texts = own_texts

    def quote(self, text: str, tool: str = "") -> str:
        return quoted(text, tool) if self.quotes else text

    def begin(self, record: RunRecord) -> None:
        for rule in self.rules:
            if rule not in self._told and (says := untaken(rule, self._taken)):
                self._told.add(rule)
                self._tell(says)
        asker = self._asker.get()
        if asker:
            question = RunText(f"question {len(asker.texts)}", record.user_message)
            names = dict(asker.names)
            self._frame.set(Frame([*asker.texts, question], told=asker.told, names=names))
            return
        own_texts = self._own_texts or (record.user_message,)
        frame = Frame([*self._described.values()])
        for number, one in enumerate(record.earlier, len(own_texts) + 1):
            frame.texts.append(self._of_person(number, one.question))
            frame.texts.append(RunText(f"answer {number}", one.answer))
        frame.texts += (self._of_person(n, text) for n, text in enumerate(own_texts, 1))
        if self._own_texts:
            frame.texts.append(RunText("the rest of the prompt", record.user_message))
        if record.remembered:
            frame.texts.append(RunText("the memory", record.remembered))
        for text, known_as in self._read:
            frame.keep(text, known_as)
        self._own_texts = None
        self._frame.set(frame)

    def _of_person(self, number: int, text: str) -> RunText:
        return RunText(f"the person {number}", text, trusted=self.is_persons)

    def guarded(self, tool: Tool, *, name: str = "", sends: bool = False) -> Tool:
        """The tool, wrapped so that it runs only if permitted. `name` is its name in rules, if it
        is not one of the course's own tools. `sends` means that it reaches beyond this home, so the
        origin of its arguments matters.

        Raises:
            ValueError: a rule about it can never apply; the message has the form that would.
        """
        if not self.decides:
            return tool
        self._check_rules(tool, name or tool.name)
        called, default = name or tool.name, ASKED if name else ALLOWED
        sends, delegates = sends or called in SENDS, called == "delegate"
        effect = sends or called in CHANGES
        if name:  # a server's name and description of its tool are in every prompt
            words = tool.name.replace("_", " ")
            schema = json.dumps(tool.parameters, ensure_ascii=False)
            said = f"{tool.name} {words} {tool.description} {schema}"
            self._described[name] = RunText(f"tool {name}", said)

        def func(**arguments: Any) -> Any:
            meant = dict(tool.meant(arguments) if tool.meant else arguments)
            call = ProposedCall(self.actor, called, meant, effect)
            if delegates and self.quotes:
                arguments["question"] = quoted_lines(str(arguments.get("question", "")))
            rules, now = with_default(self.rules, default), self._now()
            frame = self.frame
            found = permission_of(
                call,
                rules,
                frame.texts,
                sends,
                now,
                tool,
                names=frame.names,
                asked=frame.asked,
                told=frame.told,
                made=self._made,
            )
            if found == "allow" and self._under_way(call):
                found = "ask"
            self._settle(call, found)
            self._found(call, happened=False)
            call_id = self.journal.record_start(call) if self.journal and sends else ""
            try:
                with self._asking(delegates):
                    output = tool.func(**arguments)
            except Exception as error:  # the model reads the error, too
                self._record_end(call_id)
                self._note(call, error)
                raise
            self._record_end(call_id)  # not after Ctrl-C: nobody knows whether it happened
            self.frame.done += effect
            if sends:
                self._made.append(call)
            self._note(call, output)
            return output

        return replace(tool, func=func)

    def check_servers(self, names: Sequence[str]) -> None:
        """Compare the rules with the full names of all tools of the session's servers. A rule about
        a server that is not among them is told.

        Raises:
            ValueError: a rule names a tool that its server does not have.
        """
        if why := next(filter(None, (misfit_server(rule, names) for rule in self.rules)), ""):
            raise ValueError(why)
        for rule in self.rules:
            if says := absent_server(rule, names):
                self._tell(says)

    def _check_rules(self, tool: Tool, name: str) -> None:
        self._taken.update(tool.parameters.get("properties", {}))
        for rule in self.rules:
            if why := misfit(rule, tool, name):
                raise ValueError(why)
            if name in CHANGES or rule in self._told:
                continue  # what it writes need not be there
            if says := absent(rule, tool, name):
                self._told.add(rule)
                self._tell(says)

    def _settle(self, call: ProposedCall, permission: Permission) -> None:
        """Return if the call may be made.

        Raises:
            ToolError: it may not; the message says what the model is to do instead.
        """
        if permission == "deny":
            raise ToolError(
                f"{call.tool} is not permitted with these arguments. Go on without it. If no rule "
                "denies it, the person can name in their own words what it is to reach."
            )
        if permission == "allow" or self._is_approved(call):
            return
        if not self.log.is_refused(call):
            self._put(call)
            if self._is_approved(call):
                return
        self._found(call, happened=True)
        raise ToolError("A person has said no to this call. Go on without it.")

    def _is_approved(self, call: ProposedCall) -> bool:
        """Whether a person said yes to the call. This uses the yes up."""
        is_covered = permit(call, (ASKED,), self.log.approvals(), self._now()) == "allow"
        return is_covered and self.log.spend(call)

    def _put(self, call: ProposedCall) -> None:
        """Ask a person about the call, and keep the answer.

        Raises:
            ToolError: nobody is there to answer now.
        """
        if len(json.dumps(call.arguments)) > MAX_ASKED_CHARS:
            raise ToolError("This call is too long to be asked about. Make a shorter one.")
        origins = self._origins(call)
        self.frame.asked += 1
        try:
            question = self.log.ask(call, tuple(excerpt(origin) for origin in origins))
        except ValueError as error:
            raise ToolError(f"This call cannot be asked about: {error}.") from None
        with traced("ask", call.tool, json.dumps(call.arguments, ensure_ascii=False)) as ending:
            answer = self._ask(question, origins)
            ending.outcome = ending.text = answer
        if answer == "later":
            self.frame.later.append(question.id)
            raise ToolError(
                f"A person has to permit this call ({question.id}), and has been asked. Go on with "
                "something else; the call can be made again once they have answered."
            )
        self.log.answer(question.id, answer)

    def _under_way(self, call: ProposedCall) -> list[str]:
        """The ids of equal calls that were under way when an earlier program ended, and of which
        nobody knows whether they happened, by your `recover_calls`."""
        if self._open is None:
            try:
                found = self.journal.unanswered(SENDS) if self.journal else []
            except Exception as error:  # a student's function may raise anything
                self._tell(f"Calls without an answer are not looked at ({named_reason(error)}).")
                found = []
            self._open = {item.call: open for item, open in found if item.action == "ask"}
        return [id for id, open in self._open.items() if open == call]

    def _found(self, call: ProposedCall, *, happened: bool) -> None:
        """Note what a person's answer says about equal calls that were under way."""
        for id in self._under_way(call):
            assert self._open and self.journal
            self.journal.record_finding(id, happened)
            self.journal.record_end(id)
            del self._open[id]

    def _record_end(self, call_id: str) -> None:
        if self.journal and call_id:
            self.journal.record_end(call_id)

    def _origins(self, call: ProposedCall) -> list[RunText]:
        names = set(origins_of(call, self.frame.texts) or ())
        found = [text for text in self.frame.texts if text.name in names]
        return found + [UNDER_WAY for _ in self._under_way(call)[:1]]

    def _note(self, call: ProposedCall, output: object) -> None:
        """Keep a tool's result as a text of the run. A result computed from a person's numbers is
        not kept: it neither supports a call nor counts against one."""
        if call.tool in PURE:
            numbers = re.sub(r"[^\w.@]+", " ", json.dumps(call.arguments))
            if not origins_of(replace(call, arguments={"numbers": numbers}), self.frame.texts):
                return
        name = f"{call.tool} {len(self.frame.texts) + 1}"
        text, known_as = RunText(name, str(output)), read_by(call)
        self.frame.keep(text, known_as)
        if self._frame.get():
            self._reads += 1  # a name of its own in each later run
            self._read.append((replace(text, name=f"{call.tool}, read {self._reads}."), known_as))

    @contextmanager
    def _asking(self, delegates: bool) -> Iterator[None]:
        """A run that begins inside this `with` is a delegate's."""
        if not delegates:
            yield
            return
        frame = self.frame
        was_asker = self._asker.set(frame)
        try:
            yield
        finally:
            self._asker.reset(was_asker)
            self._frame.set(frame)
            for text, known_as in self._read:
                if text not in frame.texts:
                    frame.keep(text, known_as)


def excerpt(text: RunText) -> str:
    """The beginning of a text, with its name, on one line."""
    return f"{text.name}: {' '.join(text.text.split())[:EXCERPT_CHARS]}"
