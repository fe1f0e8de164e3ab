"""Families in which something is in the way: planted errors, tools never seen, nothing to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from g2c.evaluation.families.filling import ALL, READ, READ_AND_CALCULATE, fill
from g2c.evaluation.families.steps import fact, read
from g2c.evaluation.tasks import AgentTask, Call
from g2c.evaluation.tools import OWN, WEEKDAYS
from g2c.evaluation.vocabulary import COLOURS, FOLDERS, GARMENTS, PLACES, THINGS, given_number
from g2c.tools import ToolCall, ToolRegistry, dispatch_tool_call


def recovery(random: Random) -> Iterator[AgentTask]:
    """A first call that fails, with an error that says what to do: a file of a slightly other
    name, a folder in place of a file, arguments that the tool does not take."""
    for number in range(12):
        tools = READ if number < 6 else ALL
        found = fact(random, "recovery", number, tools)
        (name,) = found.files
        asked = _misnamed(name, number)
        others = {"notes.md": "Nothing of note.\n"} if number >= 6 else {}
        yield replace(
            found,
            question=found.question.replace(name, asked),
            files={**found.files, **others},
            solution=(read(asked), read(name)),
        )
    for number in range(6):
        found = fact(random, "recovery", number, ALL)
        (name,) = found.files
        folder = FOLDERS[number]
        yield replace(
            found,
            question=found.question.replace(name, folder),
            files={f"{folder}/{name}": found.files[name]},
            solution=(read(folder), read(f"{folder}/{name}")),
        )
    for place in random.sample(PLACES, 6):
        first = ("ask_buoy", {"place": place, "channel": 1})
        words = _result(first).split()
        second = ("ask_buoy", {"place": place, "channel": int(words[-1].rstrip("."))})
        question = f"How high are the waves off {place}? Its buoy is on channel 1."
        yield _by_tool("recovery", question, first, second)
    for place, day in zip(random.sample(PLACES, 6), WEEKDAYS, strict=False):
        first = ("river_level", {"town": place, "day": day})
        second = ("river_level", {"town": place, "day": f"D{WEEKDAYS.index(day) + 1}"})
        yield _by_tool("recovery", f"Which level has the river in {place} on {day}?", first, second)


def unseen_tool(random: Random) -> Iterator[AgentTask]:
    """Three questions for each of eight tools that are in no training text."""
    for number in range(3):
        beside = ((), ("calculator",), ("list_files", "read_file"))[number]
        words = fill(random)
        place, person = words["place"], words["person"]
        hour, size, length = (given_number(random, *of) for of in ((10, 20), (30, 60), (10, 90)))
        hours = random.randrange(2, 10)
        garment = GARMENTS[number]
        month = ("February", "August", "November")[number]
        asked: tuple[tuple[str, str, dict[str, str | int]], ...] = (
            (
                f"How high is the water in the port of {place} at {hour} o'clock?",
                "tide_height",
                {"port": place, "hour": hour},
            ),
            (
                f"{person} parks in {place} for {hours} hours. What is the fee?",
                "parking_fee",
                {"town": place, "hours": hours},
            ),
            (
                f"How much yarn goes into a {garment} of size {size}?",
                "yarn_needed",
                {"garment": garment, "size": size},
            ),
            (f"Which code opens the locker of {person}?", "locker_code", {"owner": person}),
            (
                f"Shift each letter of {words['thing']} on by {hours}. What does that spell?",
                "shift_letters",
                {"word": words["thing"], "by": hours},
            ),
            (
                f"It is {hour} o'clock. When does the next ferry leave {place}?",
                "next_ferry",
                {"harbour": place, "after": hour},
            ),
            (
                f"How many metres are {length} furlongs?",
                "furlongs_to_metres",
                {"furlongs": length},
            ),
            (
                f"How many jars of honey had {person} in {month}?",
                "beehive_yield",
                {"beekeeper": person, "month": month},
            ),
        )
        for question, tool, arguments in asked:
            task = _by_tool("unseen_tool", question, (tool, arguments))
            yield replace(task, tools=(tool, *beside))


def _by_tool(family: str, question: str, *calls: Call) -> AgentTask:
    tools = (calls[0][0], "calculator")
    return AgentTask(family, "", question, _result(calls[-1]), tools, solution=calls)


def _result(call: Call) -> str:
    name, arguments = call
    return dispatch_tool_call(ToolRegistry([OWN[name]]), ToolCall(name, arguments)).output


def _misnamed(file: str, number: int) -> str:
    stem = file.removesuffix(".txt")
    return (f"{stem}s.txt", f"{stem}.md", f"old_{stem}.txt", f"{stem}_list.txt")[number % 4]


def no_tool(random: Random) -> Iterator[AgentTask]:
    """What the question itself says, or everybody knows: tools are at hand and not needed."""
    for tools in (("calculator",), ALL):
        words = fill(random)
        for question, expected in (
            (f"Say hello to {words['person']}.", words["person"]),
            (f"{words['person']} has a {words['thing']}. Who has it?", words["person"]),
            (f"My {words['thing']} is {words['colour']}. Which colour is it?", words["colour"]),
            ("Which colour has fresh snow?", "white"),
            ("Which animal says meow?", "cat"),
            (f"Does {words['other']} begin with the letter {words['other'][0]}?", "yes"),
        ):
            yield AgentTask("no_tool", "", question, expected, tools)


def give_up(random: Random) -> Iterator[AgentTask]:
    """Questions about what the file does not say. An honest answer says that."""
    for number in range(10):
        words = fill(random)
        asked = random.choice([thing for thing in THINGS if thing != words["thing"]])
        told, file = words["colour"], words["file"]
        yield AgentTask(
            "give_up",
            "",
            f"By what {file} tells, which colour has the {asked}?",
            "",
            READ if number < 5 else READ_AND_CALCULATE,
            {file: "The {thing} of {person} is {colour}.\n".format(**words)},
            (read(file),),
            tuple(colour for colour in COLOURS if colour != told),
        )
