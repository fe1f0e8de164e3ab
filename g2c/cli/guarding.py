"""The guard of a command: its rules, and how it asks a person."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import typer
from rich.markup import escape

from g2c.broken import broken_files
from g2c.cli.confirm import answer_to, confirm
from g2c.cli.console import err, out, show, tell_aside
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.paths import home_options
from g2c.text import named_reason, one_line
from g2c.visible import visible

if TYPE_CHECKING:
    from rich.status import Status

    from g2c.agent.core.conversation import Exchange
    from g2c.agent.core.scratchpad import BaseScratchpad
    from g2c.guard.app.guard import Ask, Guard
    from g2c.guard.app.permissions import Answer, PermissionLog, Question
    from g2c.guard.core.permission import Rule
    from g2c.guard.core.provenance import RunText
    from g2c.home import Home
    from g2c.inference import Backend
    from g2c.loop.core.folder import LoopFiles
    from g2c.loop.core.inbox import Message
    from g2c.loop.core.types import LoopState

DECIDES = ("25.2", "25.3")
"""The exercises that the guard needs; without them nothing is asked or denied."""

SHOWN_CHARS = 400
SHORT_CHARS = 80
POLL_S = 0.5
PERSON = "a person"
"""The `waits_for` of a loop that has asked a person."""


def make_guard(home: Home, actor: str, ask: Ask, *, is_persons: bool = True) -> Guard | None:
    """The guard of that home's agent; None if module 25 is not written, or cannot be imported.
    `is_persons`: whether a run's question comes from a person.

    Raises:
        ValueError: `agent.toml` has rules, and the exercises that follow them are not written.
    """
    rules = rules_of(home)
    lacks = unwritten()
    quotes, decides = "25.1" not in lacks, lacks.isdisjoint(DECIDES)
    if rules and not decides:
        missing = ", ".join(sorted(lacks.intersection(DECIDES)))
        raise ValueError(
            f"agent.toml has [[rules]], and nobody would follow them: without {missing} there is "
            "no guard. Write that, or take the rules out."
        )
    if not quotes and not decides:
        return None
    import_students("g2c.guard.app.guard")
    from g2c.guard.app.guard import Guard
    from g2c.guard.app.journal import CallJournal
    from g2c.memory.app.store import utc_now

    return Guard(
        actor,
        rules,
        log_of(home),
        ask,
        utc_now,
        journal=None if "25.5" in lacks else CallJournal(home.calls),
        is_persons=is_persons,
        quotes=quotes,
        decides=decides,
        tell=tell_aside,
    )


def rules_of(home: Home) -> list[Rule]:
    """The rules in that home's `agent.toml`.

    Raises:
        ValueError: one of them can never apply, or `agent.toml` cannot be read.
    """
    import_students("g2c.guard.app.rules")
    from g2c.guard.app.rules import never_applies
    from g2c.guard.core.permission import Rule

    rules = [Rule(**rule) for rule in home.settings().rules]  # type: ignore[arg-type]
    if found := next(filter(None, map(never_applies, rules)), ""):
        raise ValueError(found)
    return rules


def open_calls(guard: Guard) -> list[Exchange]:
    """The text for the agent about calls that a crash left without an answer. A person is asked
    whether they happened; if nobody is at the terminal, they stay open."""
    from g2c.agent.core.conversation import Exchange
    from g2c.guard.app.guard import SENDS

    exchanges: list[Exchange] = []
    if guard.journal is None:
        return exchanges
    try:
        unanswered = guard.journal.unanswered(SENDS)
        for host in sorted(set(guard.journal.elsewhere().values())):
            tell_aside(f"A call may be under way on {host}; for a day, it is left to it.")
    except Exception as error:  # a student's function may raise anything
        tell_aside(f"{guard.journal.file} was not looked at ({named_reason(error)}).")
        return exchanges
    for recovery, call in unanswered:
        shown = f"{call.tool} {json.dumps(dict(call.arguments), ensure_ascii=False)}"
        action = recovery.action
        if action == "ask":
            who = escape(call.actor)
            out.print(f"[yellow]A call of {who} was under way when its program ended:[/]")
            out.print(escape(visible(shown)), soft_wrap=True)
            if not sys.stdin.isatty():
                tell_aside("Nobody knows whether it happened; a chat at a terminal asks you.")
                continue
            # Without a default: a call that did not happen is made again.
            asked = f"Did this call of {call.tool} happen?"
            happened = answer_to(asked, {"yes": True, "no": False})
            guard.journal.record_finding(recovery.call, happened)
            action = "tell" if happened else "repeat"
        guard.journal.record_end(recovery.call)
        came = "was carried out, and what it gave is lost" if action == "tell" else "did not happen"
        if call.tool not in SENDS:
            exchanges.append(Exchange("Was a call under way?", f"The call {shown} {came}."))
    return exchanges


def actor_of(files: LoopFiles) -> str:
    """The name of a loop's agent in rules and questions."""
    return f"loop {files.root.name}"


def waiting_in(home: Home, actor: str | None = None) -> list[Question]:
    """The unanswered questions in that home, or only those of one actor."""
    return [item for item in log_of(home).waiting() if actor in (None, item.call.actor)]


def log_of(home: Home) -> PermissionLog:
    """The permission log of that home."""
    from g2c.guard.app.permissions import PermissionLog
    from g2c.memory.app.store import utc_now

    return PermissionLog(home.permissions, utc_now)


def within(backend: Backend, max_new_tokens: int) -> Callable[[str], BaseScratchpad] | None:
    """A factory of scratchpads that fit into the model's context, by 25.4; None if that is not
    written, or the size of the context is unknown."""
    n_ctx = backend.info.extra.get("n_ctx")
    if not isinstance(n_ctx, int) or "25.4" in unwritten():
        return None
    from g2c.guard.app.window import WindowScratchpad
    from g2c.swarm.app.reader import tokens_in

    budget = max(n_ctx - max_new_tokens, 1)
    return lambda head: WindowScratchpad(head, budget, tokens_in)


def unwritten() -> set[str]:
    """The exercises of module 25 that have no body, or whose file cannot be read."""
    import_students("g2c.guard")
    for module, why in broken_files().items():
        if module.startswith("g2c.guard."):
            tell_aside(f"Nothing is guarded: {why}")
            return {"25.1", *DECIDES}
    references = requested_references()
    return {
        exercise.id
        for exercise in load_exercises()
        if exercise.module == "25"
        and is_stub(exercise)
        and not is_requested(exercise.id, references)
    }


def ask_here(home: Home, thinking: Status) -> Ask:
    """Asks at the terminal. If nobody can answer, the question stays in the outbox."""

    def ask(question: Question, origins: Sequence[RunText]) -> Answer | Literal["later"]:
        if not sys.stdin.isatty():
            return ask_later(home)(question, origins)
        thinking.stop()
        try:
            return _ask(question, origins)
        finally:
            thinking.start()

    return ask


def ask_later(home: Home) -> Ask:
    """Leaves the question in the home's outbox, and prints how to answer it."""

    def ask(question: Question, origins: Sequence[RunText]) -> Literal["later"]:
        at = home_options(home.root)
        answers = ", ".join(f"--{item} {question.id}" for item in ("yes", "always", "no"))
        tell_aside(f"It asks: {in_words(question)} g2c loop tell{at} with {answers} answers it.")
        return "later"

    return ask


def waiter(
    guard: Guard, files: LoopFiles, on_wait: Callable[[str], None]
) -> Callable[[LoopState, Sequence[Message]], None]:
    """The loop's step before a tick: tell the guard which words of the prompt are a person's. After
    a tick that could only ask, wait for the answers."""

    def before_tick(state: LoopState, messages: Sequence[Message]) -> None:
        asked = set(guard.frame.later)
        if asked and not guard.frame.done:
            on_wait(PERSON)
            while any(item.id in asked for item in guard.log.waiting()):
                if files.stop.exists():
                    raise KeyboardInterrupt
                time.sleep(POLL_S)
            on_wait("agent")
        guard.expect(state.goal, *(message.text for message in messages))

    return before_tick


def in_words(question: Question) -> str:
    """The question on one line."""
    call = question.call
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    more = len(arguments) - SHOWN_CHARS
    cut = f" … and {more:,} more characters, which g2c loop tell shows" if more > 0 else ""
    shown = f"may {call.actor} call {call.tool} {arguments[:SHOWN_CHARS]}{cut}?"
    return one_line(visible(shown))


def show_question(question: Question) -> None:
    """Show the question, with all arguments, and the texts that the call repeats."""
    call = question.call
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    if len(arguments) > SHORT_CHARS:
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False, indent=1)
    show("Asks", visible(f"{question.id}: may {call.actor} call {call.tool}?"), "yellow")
    show("With", visible(arguments), "yellow")
    for why in question.why:
        show("Because of", visible(why), "yellow")


ANSWERS: dict[str, Answer] = {"yes": "yes", "always": "always", "n": "no", "no": "no", "": "no"}


def _ask(question: Question, origins: Sequence[RunText]) -> Answer:
    from g2c.guard.app.guard import excerpt

    show_question(replace(question, why=tuple(map(excerpt, origins))))
    try:
        may = f"May it call {question.call.tool}? With yes once, with always this very call always."
        return answer_to(may, ANSWERS)
    except typer.Abort:  # the end of the input
        return "no"


def accept_change(name: str, difference: str) -> bool:
    """Show how a tool has changed, and ask whether it may be used."""
    err.print(f"[yellow]{escape(visible(name))} is not what it was when you began to use it:[/]")
    err.print(escape(visible(difference)), soft_wrap=True)
    if not sys.stdin.isatty():
        tell_aside("It is left out; a chat at a terminal asks you whether it may be used.")
        return False
    return confirm(f"Use {visible(name)} as it is now?", err)
