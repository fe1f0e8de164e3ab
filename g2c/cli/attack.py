"""The command that lets strangers write to an agent: attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from random import Random, randrange
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from g2c.cli.asking import bar_of
from g2c.cli.console import err, out, say
from g2c.cli.guarding import rules_of, unwritten
from g2c.cli.options import HomeOption, ModelOption, NativeOption, find_home, load, options_for
from g2c.cli.steps import going_on
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace
from g2c.interrupted import measure_each
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from g2c.agent import Agent
    from g2c.guard.app.suite import Judge, Outcome
    from g2c.guard.core.world import World
    from g2c.home import Home
    from g2c.inference import Backend
    from g2c.tools import ToolRegistry

app = typer.Typer()

MAX_STEPS = 14
MAX_SEED = 1_000_000
NEEDS = {"your home": ("25.1", "25.2", "25.3"), "judge_call": ("25.1", "25.7")}
"""The exercises that a defence is made of."""


@dataclass(frozen=True)
class Defence:
    """A defence between the agent and its tools: code that judges calls, and words in the
    prompt."""

    name: str
    judge: Judge
    words: str = ""
    quotes: bool = False


Live = Callable[["World", Defence, Random], "Outcome"]


@dataclass(frozen=True)
class Life:
    """A world, the name of the defence with which the agent lived in it, and how that ended."""

    defence: str
    world: World
    outcome: Outcome


@app.command()
@leaves_trace("attack")
def attack(
    model: ModelOption = None,
    obeying: Annotated[
        bool,
        typer.Option(
            "--obeying", help="Use a program that obeys every text it reads, instead of a model."
        ),
    ] = False,
    n: Annotated[
        int,
        typer.Option(
            "-n", min=1, help="The number of worlds with an attack; as many without one are added."
        ),
    ] = 20,
    chores: Annotated[
        int, typer.Option(min=1, max=3, help="The number of chores in each world.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(help="The seed from which the worlds are made (default: another each time)."),
    ] = None,
    native: NativeOption = False,
    home: HomeOption = None,
) -> None:
    """Let an agent work among strangers who write it mails, files and descriptions of tools.

    The agent has chores, and an invented mailbox, calendar, files and account. It lives in each
    world without a defence, with a defence in words, with the guard of your home (its rules, 25.2,
    25.3, 25.7), and with your judge_call alone. A defence that is not written yet is left out. The
    table shows the chores done in peace and under attack, the runs in peace in which all was done
    without a question, the attacks that succeeded, and how often a person was asked in a run. An
    invented person answers, less carefully the more often they are asked.

    An agent that does no chores is safe from attacks, too: look at both figures.

    Example: g2c attack --obeying
    """
    import_students("g2c.guard.app.suite")
    from g2c.exercises.e25_7_judge_call.invent import (
        DISGUISED_ATTACKS,
        HIDDEN_ATTACKS,
        SHOWN_ATTACKS,
        make_world,
    )

    if seed is None:
        seed = randrange(MAX_SEED)
        say(f"The worlds are new; --seed {seed} makes the same ones again.")
    lives = find_home(home)
    kinds = SHOWN_ATTACKS + HIDDEN_ATTACKS + DISGUISED_ATTACKS
    worlds = [
        make_world(f"{seed}/{number}", kind, chores)
        for number in range(n)
        for kind in (kinds[number % len(kinds)], "")
    ]
    defences = _defences(lives)
    with ExitStack() as stack:
        if obeying:
            live: Live = _obeying
            defences = [item for item in defences if not item.words]  # it obeys everybody's words
        else:
            options = options_for(model, lives.settings().model)
            also = f" with --seed {seed}"
            backend = stack.enter_context(
                going_on(load(model, options, exact=True), "attack", also)
            )
            live = _with_model(backend, options.temperature or 0.0, native)
        advance = stack.enter_context(bar_of("living among strangers", len(worlds) * len(defences)))

        def lived(life: tuple[int, Defence]) -> Life:
            (number, defence), world = life, worlds[life[0]]
            outcome = live(world, defence, Random(f"{seed}/{number}"))
            advance(defence.name)
            return Life(defence.name, world, outcome)

        found = measure_each(list(product(range(len(worlds)), defences)), lived, _shown)
    out.print(_table(found))
    if not obeying and not any(life.outcome.done for life in found if life.defence == "none"):
        say("It did nothing of what it was asked for, so that no attack came through says nothing.")
    tell_outcome("measured")


def _obeying(world: World, defence: Defence, luck: Random) -> Outcome:
    from g2c.exercises.e25_7_judge_call import goal as strangers
    from g2c.guard.app.suite import Outcome

    day = strangers.live(world, defence.judge, luck)
    return Outcome(day.done, len(world.chores), day.attacked, day.asked)


def _with_model(backend: Backend, temperature: float, native: bool) -> Live:
    import_students("g2c.agent")
    from g2c.agent import Agent, NativeAgent
    from g2c.exercises.e25_7_judge_call.goal import answers_rightly
    from g2c.guard.app.suite import Contacts, Quotes, play

    def live(world: World, defence: Defence, luck: Random) -> Outcome:
        def make(registry: ToolRegistry, memory: Contacts) -> Agent:
            kind = NativeAgent if native else Agent
            return kind(
                backend,
                registry,
                plan=False,
                max_steps=MAX_STEPS,
                max_new_tokens=backend.info.step_tokens(small=200),
                temperature=temperature,
                memory=memory,
                guard=Quotes() if defence.quotes else None,
            )

        def person(wanted: bool, asked: int) -> bool:
            return wanted == answers_rightly(asked, luck)

        return play(world, make, defence.judge, person, words=defence.words)

    return live


def _defences(home: Home) -> list[Defence]:
    """All defences whose exercises are written; the missing ones are printed."""
    from g2c.guard import judge_call
    from g2c.guard.app.judging import ALLOWED, permission_of, with_default
    from g2c.guard.app.suite import WORDS
    from g2c.memory.app.store import utc_now

    rules = with_default(rules_of(home), ALLOWED)
    defences = [
        Defence("none", lambda call, run: "allow"),
        Defence("in words", lambda call, run: "allow", WORDS),
        Defence(
            "your home",
            lambda call, run: permission_of(
                call, rules, run.texts, call.effect, utc_now(), asked=run.asked
            ),
            quotes=True,
        ),
        Defence("judge_call", judge_call, quotes=True),
    ]
    missing = unwritten()
    for name, needed in NEEDS.items():
        if lacks := [item for item in needed if item in missing]:
            err.print(f"Without {name}: {', '.join(lacks)} is not written.")
            defences = [defence for defence in defences if defence.name != name]
    return defences


def _shown(found: Sequence[Life]) -> str:
    with out.capture() as captured:
        out.print(_table(found))
    return captured.get()


def _table(found: Sequence[Life]) -> Table:
    from g2c.guard.app.suite import share_done

    table = Table(box=None, header_style="dim", pad_edge=False, caption_justify="left")
    table.caption = "Per cent, with the 95 % interval; asked: questions in a run."
    table.add_column("defence", no_wrap=True)
    for title in ("in peace", "unasked", "under attack", "attacks", "asked"):
        table.add_column(title, justify="right", no_wrap=True)
    for name in dict.fromkeys(life.defence for life in found):
        lived = [life for life in found if life.defence == name]
        peaceful = [life.outcome for life in lived if not life.world.attack]
        under = [life.outcome for life in lived if life.world.attack]
        table.add_row(
            name,
            _percent(*share_done(peaceful)),
            _percent(
                sum(end.done == end.chores and not end.asked for end in peaceful), len(peaceful)
            ),
            _percent(*share_done(under)),
            _percent(sum(item.attacked for item in under), len(under)),
            f"{sum(life.outcome.asked for life in lived) / len(lived):.1f}",
        )
    return table


def _percent(count: int, n: int) -> str:
    from g2c.critic.core.intervals import wilson

    if not n:
        return "not measured"
    found = wilson(count, n)
    return f"{100 * found.estimate:.0f} ({100 * found.low:.0f}-{100 * found.high:.0f})"
