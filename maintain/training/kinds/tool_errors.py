"""Tools that refuse: one that wants its argument in another form, and one that is down.

A tool's description tells only a part of what it wants. Its error tells the rest, and one error is
enough.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from g2c.tools import ToolError, tool
from maintain.training.kinds.made_tools import make_tool
from maintain.training.scenario import Move, Scenario
from maintain.training.vocabulary import (
    COUNTS,
    DAYS,
    MONTHS,
    PEOPLE,
    PLACES,
    fields,
    file_name,
    number,
    numbers,
    pick,
    plural,
    table,
)

ROWS = table("tool_errors")


def _asked_again(
    rng: random.Random,
    tool: tuple[str, str, Mapping[str, str]],
    given: Mapping[str, str | int],
    wanted: Mapping[str, str | int],
    error: str,
    asked: tuple[str, str, int],
) -> Scenario:
    """The tool (its name, description and arguments) accepts `wanted`, and refuses `given` with
    `error`. `asked` has the question, the answer and the number in it."""
    (name, says, about), (question, answer, n) = tool, asked

    def ask(*values: str | int) -> str:
        if values != tuple(wanted.values()):
            raise ToolError(error)
        return str(n)

    spec = {argument: (type(wanted[argument]), said) for argument, said in about.items()}
    right = next(value for argument, value in wanted.items() if value != given[argument])
    return Scenario(
        question=question,
        moves=(
            Move(f"I need to call {name}.", name, given, error, True),
            Move(f"The tool wants {right}.", name, wanted, str(n)),
        ),
        thought=f"The tool gives {n}.",
        answer=answer,
        value=str(n),
        goal=f"ask {name}",
        steps=(f"Call {name}.", "Say what it gives."),
        tools=(
            make_tool(name, says, spec, ask),
            *rng.choice(((), ("read_file",), ("calculator",))),
        ),
    )


def wants_form(rng: random.Random) -> Scenario:
    """The first call is what the question suggests. The error names the form that is wanted."""
    words, day, month = fields(rng), number(rng, 1, 9), rng.randrange(9)
    code = "".join(rng.sample("ABCDEFGHKLMNP", 3)) + str(number(rng, 100, 999))
    words |= {
        "day": day,
        "dated": f"{day} {MONTHS[month]} 2024",
        "iso": f"2024-0{month + 1}-0{day}",
        "things": plural(str(words["thing"])),
        "code": code,
        "small_code": code.lower(),
        "small_place": str(words["place"]).lower(),
    }
    row = (part.format(**words) for part in rng.choice(ROWS["form"]))
    name, says, argument, about, given, wanted, error, question, answer = row
    asked = (question, answer, int(words["n"]))
    tool = (name, says, {argument: about})
    return _asked_again(rng, tool, {argument: given}, {argument: wanted}, error, asked)


def wants_code(rng: random.Random) -> Scenario:
    """A tool that wants a code instead of a name, and gives the code in its error. Another argument
    may be right already."""
    kind = rng.choice(("line", "room", "plot", "lamp", "desk", "depot", "day", "team", "route"))
    what, n = rng.choice(COUNTS), number(rng, 2, 900)
    given = rng.choice((rng.choice(PLACES), rng.choice(PEOPLE), rng.choice(DAYS)))
    letters, digit = "".join(rng.sample("ABCDEFGHKLMNPRSTUVW", 2)), number(rng, 2, 90)
    letter = letters[0]
    code = rng.choice((f"{letter}{digit}", f"{letters}-{digit}", letters, f"{digit}{letter}",
                       f"{given[:2].upper()}{digit}", given[:3].lower(), f"#{digit}"))  # fmt: skip
    words = {"what": what, "What": what.capitalize(), "kind": kind, "Kind": kind.capitalize(),
             "given": given, "code": code}  # fmt: skip
    name, says, question = (part.format(**words) for part in rng.choice(ROWS["code"]))
    ((error,), beside) = rng.choice(ROWS["refusal"]), {}
    if rng.random() < 0.5:
        beside = {rng.choice(("owner", "town_hall", "by")): rng.choice(PEOPLE)}
        question = f"{question} Ask for {next(iter(beside.values()))}."
    tool = (name, says, {**dict.fromkeys(beside, ""), kind: f"the {kind}"})
    asked = (question, rng.choice((f"The {what} is {n}.", f"It is {n}.")), n)
    error = error.format(**words)
    return _asked_again(rng, tool, {**beside, kind: given}, {**beside, kind: code}, error, asked)


def wants_other(rng: random.Random) -> Scenario:
    """One of two arguments is wrong, and the tool's error has the right one."""
    n, wrong, right = number(rng, 2, 900), *numbers(rng, 2, 1, 90)
    words = fields(rng) | {"n": n, "wrong": wrong, "right": right}
    row = (part.format(**words) for part in rng.choice(ROWS["other"]))
    name, says, first, second, whose, question, error, answer = row
    tool, asked = (name, says, {first: "", second: ""}), (rng.choice((answer, f"It is {n}.")))
    given, wanted = {first: whose, second: wrong}, {first: whose, second: right}
    return _asked_again(rng, tool, given, wanted, error, (question, asked, n))


def is_down(rng: random.Random) -> Scenario:
    """A tool that does not work today, and a file or a second tool that has the same."""
    n, place, file = number(rng, 2, 900), rng.choice(PLACES), file_name(rng)
    what = rng.choice(("snow depth", "fuel price", "room rate", "bus fare", "entry fee", "toll"))
    name = what.replace(" ", "_")
    about = rng.choice(("the town", "the place"))

    def broken(town: str) -> str:
        raise error

    in_file = rng.random() < 0.5
    backup = f"backup_{name}"
    hint = f"read {file}" if in_file else f"use {backup}"
    error = rng.choice((ToolError, RuntimeError, ConnectionError))(
        rng.choice((f"The service is down; {hint}.", f"Not available today: {hint} instead."))
    )
    dead = tool(name=name, description=f"The {what} in a town.")(broken)
    spare = make_tool(backup, f"The {what} of yesterday.", {"town": (str, about)}, lambda town: n)
    if in_file:
        second = Move(
            f"{name} does not work. I need to read {file}.", "read_file", {"path": file}, str(n)
        )
    else:
        thought = f"{name} does not work. I need to call {backup}."
        second = Move(thought, backup, {"town": place}, str(n))
    return Scenario(
        question=pick(
            rng,
            "What is the {what} in {place}?",
            "Tell me the {what} in {place}.",
            "How high is the {what} in {place}?",
            what=what,
            place=place,
        ),
        moves=(Move(f"I need to call {name}.", name, {"town": place}, hint, True), second),
        thought=f"The {what} is {n}.",
        answer=f"The {what} in {place} is {n}.",
        value=str(n),
        goal=f"know the {what} in {place}",
        steps=(f"Ask {name}.", "Say what it gives."),
        tools=(dead, *(("read_file",) if in_file else (spare, "read_file"))),
        files={file: f"{what} in {place}: {n}"},
    )
