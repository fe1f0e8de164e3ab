"""Tools that refuse: one that wants its argument in another form, and one that is down.

What a tool wants stands in its description only so far. The rest it says when it is asked wrongly,
and then once is enough.
"""

from __future__ import annotations

import random

from g2c.tools import Tool, ToolError, tool
from maintain.training.kinds.made_tools import make_tool
from maintain.training.scenario import Move, Scenario
from maintain.training.vocabulary import (
    COUNTS,
    DAYS,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    file_name,
    number,
    numbers,
    pick,
    plural,
)


def _fussy(
    name: str, says: str, argument: str, about: str, wanted: str, gives: str, error: str
) -> Tool:
    """A tool that takes exactly what it wants, and says so where it gets something else."""

    def ask(value: str) -> str:
        if value != wanted:
            raise ToolError(error)
        return gives

    return make_tool(name, says, {argument: (str, about)}, ask)


def wants_form(rng: random.Random) -> Scenario:
    """The first call is what the question suggests; the tool says in which form it wants that."""
    n, day = number(rng, 2, 900), number(rng, 1, 9)
    month = rng.randrange(9)
    thing, place, who = rng.choice(THINGS), rng.choice(PLACES), rng.choice(PEOPLE)
    things = plural(thing)
    code = "".join(rng.sample("ABCDEFGHKLMNP", 3)) + str(number(rng, 100, 999))
    dated, iso = f"{day} {MONTHS[month]} 2024", f"2024-0{month + 1}-0{day}"
    name, says, argument, about, given, wanted, error, question, answer = rng.choice(
        (
            (
                "visitors_on",
                "How many visitors came on a day.",
                "day",
                "the day",
                dated,
                iso,
                f"Write the day as year-month-day: {iso}.",
                f"How many visitors came on {dated}?",
                f"{n} visitors came on {dated}.",
            ),
            (
                "find_parcel",
                "Say where a parcel is.",
                "code",
                "the parcel's code",
                code.lower(),
                code,
                f"Codes are written in capital letters: {code}.",
                f"How many km is the parcel {code.lower()} away?",
                f"The parcel is {n} km away.",
            ),
            (
                "price_list",
                "The price of a thing.",
                "item",
                "the thing",
                thing,
                things,
                f"The list has plurals only: {things}.",
                f"What is the price of the {thing}?",
                f"The price of the {thing} is {n}.",
            ),
            (
                "stock_of",
                "How many of a thing are in stock.",
                "thing",
                "the thing",
                things,
                thing,
                f"Give the thing in the singular: {thing}.",
                f"How many {things} are in stock?",
                f"There are {n} {things} in stock.",
            ),
            (
                "population",
                "How many thousand people live in a town.",
                "town",
                "the town",
                place,
                place.lower(),
                f"Towns are written in small letters here: {place.lower()}.",
                f"How many thousand people live in {place}?",
                f"{n} thousand people live in {place}.",
            ),
            (
                "phone_book",
                "The extension of a person.",
                "person",
                "the person",
                who,
                f"Ms {who}",
                f"Add the title: Ms {who}.",
                f"What is the extension of {who}?",
                f"The extension of {who} is {n}.",
            ),
            (
                "room_size",
                "The size of a room in square metres.",
                "room",
                "the room",
                str(day),
                f"R0{day}",
                f"Rooms have the form R and two digits: R0{day}.",
                f"How large is room {day}?",
                f"Room {day} has {n} square metres.",
            ),
            (
                "distance_to",
                "The distance to a town in km.",
                "place",
                "the town",
                place,
                f"{place}, {thing} street",
                f"There are two. Try {place}, {thing} street.",
                f"How far is it to {place}?",
                f"It is {n} km to {place}.",
            ),
        )
    )
    made = _fussy(name, says, argument, about, wanted, str(n), error)
    again = f"The tool wants {wanted}."
    return Scenario(
        question=question,
        moves=(
            Move(f"I need to call {name}.", name, {argument: given}, error, True),
            Move(again, name, {argument: wanted}, str(n)),
        ),
        thought=f"The tool gives {n}.",
        answer=answer,
        value=str(n),
        goal=f"ask {name}",
        steps=(f"Call {name} with {given}.", "Say what it gives."),
        tools=(made, *rng.choice(((), ("read_file",), ("calculator",)))),
    )


CODED = (
    ("{what}_of", "The {what} of a {kind}.", "What is the {what} of the {kind} {given}?"),
    ("look_up_{what}", "Look up the {what} in the {kind}s.", "Look up the {what} of {given}."),
    ("get_{what}", "{What} by {kind}.", "Which {what} has the {kind} {given}?"),
    ("{kind}_{what}", "Say the {what} for each {kind}.", "I want the {what} of {given}, a {kind}."),
)
REFUSALS = (
    "{Kind}s have codes; {given} is {code}.",
    "Give the code: {code} for {given}.",
    "{given} is not known. Did you mean {code}?",
    "Use {code} for {given}.",
    "No {kind} is named {given}. The list has: {code}.",
    "{Kind} must be a code such as {code} ({given}).",
    "Expected {code}, got {given}.",
    "Write {code} and not {given}.",
    "{kind} {given} has moved to {code}.",
)


def wants_code(rng: random.Random) -> Scenario:
    """A tool that knows what it is asked for under a code, which it says; beside it may stand an
    argument that was right."""
    kind = rng.choice(("line", "room", "plot", "lamp", "desk", "depot", "day", "team", "route"))
    what, n = rng.choice(COUNTS), number(rng, 2, 900)
    given = rng.choice((rng.choice(PLACES), rng.choice(PEOPLE), rng.choice(DAYS)))
    letters, digit = "".join(rng.sample("ABCDEFGHKLMNPRSTUVW", 2)), number(rng, 2, 90)
    letter = letters[0]
    code = rng.choice((f"{letter}{digit}", f"{letters}-{digit}", letters, f"{digit}{letter}",
                       f"{given[:2].upper()}{digit}", given[:3].lower(), f"#{digit}"))  # fmt: skip
    words = {"what": what, "What": what.capitalize(), "kind": kind, "Kind": kind.capitalize(),
             "given": given, "code": code}  # fmt: skip
    name, says, question = (part.format(**words) for part in rng.choice(CODED))
    error = rng.choice(REFUSALS).format(**words)
    beside = {rng.choice(("owner", "town_hall", "by")): rng.choice(PEOPLE)}
    beside = beside if rng.random() < 0.5 else {}
    if beside:
        question = f"{question} Ask for {next(iter(beside.values()))}."

    def ask(*values: str) -> str:
        if values[-1] != code:
            raise ToolError(error)
        return str(n)

    takes = {**{argument: (str, "") for argument in beside}, kind: (str, f"the {kind}")}
    made = make_tool(name, says, takes, ask)
    return Scenario(
        question=question,
        moves=(
            Move(f"I need to call {name}.", name, {**beside, kind: given}, error, True),
            Move(f"The tool wants {code}.", name, {**beside, kind: code}, str(n)),
        ),
        thought=f"The tool gives {n}.",
        answer=rng.choice((f"The {what} is {n}.", f"It is {n}.")),
        value=str(n),
        goal=f"ask {name}",
        steps=(f"Call {name} with {given}.", "Say what it gives."),
        tools=(made, *rng.choice(((), ("read_file",), ("calculator",)))),
    )


def wants_other(rng: random.Random) -> Scenario:
    """One of two arguments is not right, and the tool says which would be."""
    n, wrong, right = number(rng, 2, 900), *numbers(rng, 2, 1, 90)
    place, who = rng.choice(PLACES), rng.choice(PEOPLE)
    name, says, first, second, whose, question, error, answer = rng.choice(
        (
            ("tram_stops", "How many stops a tram has.", "town", "line", place,
             "How many stops has tram {wrong} of {place}?",
             "{place} has no tram {wrong}. There is: {right}.", "Tram {right} has {n} stops."),
            ("page_words", "How many words a page of a book has.", "author", "page", who,
             "How many words are on page {wrong} of the book by {who}?",
             "Page {wrong} is empty; try page {right}.", "Page {right} has {n} words."),
            ("meter", "What a meter shows.", "owner", "number", who,
             "What does meter {wrong} of {who} show?",
             "{who} has meter {right}, not {wrong}.", "Meter {right} shows {n}."),
            ("radio_level", "How loud a transmitter is.", "station", "channel", place,
             "How loud is the radio of {place} on channel {wrong}?",
             "{place} sends on channel {right}.", "The radio of {place} has level {n}."),
            ("house_size", "The size of a house in square metres.", "street", "house", place,
             "How large is house {wrong} in {place} street?",
             "No house {wrong}; the only one is {right}.", "House {right} has {n} square metres."),
            ("tram_seats", "How many seats a tram has.", "town", "line", place,
             "How many seats has the tram in {place}? I take line {wrong}.",
             "Line {wrong} does not run. Line {right} does.", "The tram has {n} seats."),
            ("well_depth", "How deep a well is.", "village", "well", place,
             "How deep is the well of {place}? It has the number {wrong}.",
             "Well {wrong} is dry; {place} uses well {right}.", "The well is {n} metres deep."),
            ("bay_weight", "What lies in a bay, in kilos.", "owner", "bay", who,
             "{who} rents bay {wrong}. How many kilos are in it?",
             "{who} rents bay {right}.", "There are {n} kilos in it."),
            ("track_length", "How long a track is.", "artist", "track", who,
             "I hear track {wrong} by {who}. How many seconds does it last?",
             "{who} has no track {wrong}, but track {right}.", "It lasts {n} seconds."),
            ("seat_price", "The price of a row of seats.", "theatre", "row", place,
             "What does a seat in row {wrong} of the theatre in {place} cost?",
             "Row {wrong} is sold out. Row {right} is free.", "A seat in row {right} costs {n}."),
        )
    )  # fmt: skip
    words = {"n": n, "wrong": wrong, "right": right, "place": place, "who": who}
    error = error.format(**words)

    def ask(whose: str, number: int) -> str:
        if number != right:
            raise ToolError(error)
        return str(n)

    made = make_tool(name, says, {first: (str, ""), second: (int, "")}, ask)
    return Scenario(
        question=question.format(**words),
        moves=(
            Move(f"I need to call {name}.", name, {first: whose, second: wrong}, error, True),
            Move(f"The tool wants {right}.", name, {first: whose, second: right}, str(n)),
        ),
        thought=f"The tool gives {n}.",
        answer=rng.choice((answer.format(**words), f"It is {n}.")),
        value=str(n),
        goal=f"ask {name}",
        steps=(f"Call {name} for {whose}.", "Say what it gives."),
        tools=(made, *rng.choice(((), ("read_file",), ("calculator",)))),
    )


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
    spare = _fussy(backup, f"The {what} of yesterday.", "town", about, place, str(n), "Unknown.")
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
