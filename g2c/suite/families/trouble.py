"""Families with an obstacle: planted errors, tools never seen, nothing to find."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from g2c.suite.draw import Draw
from g2c.suite.families.blanks import ALL, READ, READ_AND_CALCULATE, fill
from g2c.suite.families.steps import fact, read
from g2c.suite.tasks import AgentTask, Call
from g2c.suite.tools import OWN, WEEKDAYS
from g2c.suite.vocabulary import both, given_number
from g2c.tools import ToolCall, ToolRegistry, dispatch_tool_call

# Questions for which no tool is needed, and their answers. Common knowledge needs common words, so
# these are here and not in the vocabulary.
NO_TOOL = (
    ("Say hello to {person}.", "{person}"),
    ("{person} has a {thing}. Who has it?", "{person}"),
    ("My {thing} is {colour}. Which colour is it?", "{colour}"),
    ("Which colour has fresh snow?", "white"),
    ("Which animal says meow?", "cat"),
    ("Does {other} begin with the letter {other[0]}?", "yes"),
)
MORE_NO_TOOL = (
    ("Wish {person} a good journey.", "{person}"),
    ("{other} lent {person} a {thing}. Who lent it?", "{other}"),
    ("I painted the {thing} {colour}. Of which colour is it now?", "{colour}"),
    ("Which colour has coal?", "black"),
    ("Which animal purrs?", "cat"),
    ("Is {place[0]} the first letter of {place}?", "yes"),
    ("Which month follows May?", "June"),
)


def recovery(draw: Draw) -> Iterator[AgentTask]:
    """A first call that fails, with an error that says what to do: a slightly wrong file name, a
    folder instead of a file, arguments that the tool does not take."""
    facts = draw.table(*both("facts"))
    for number in range(12):
        tools = READ if number < 6 else ALL
        found = fact(draw, facts[number % len(facts)], tools)
        (name,) = found.files
        asked = _misnamed(name, number)
        others = {"notes.md": "Nothing of note.\n"} if number >= 6 else {}
        yield replace(
            found,
            question=found.question.replace(name, asked),
            files={**found.files, **others},
            solution=(read(asked), read(name)),
        )
    for number, folder in enumerate(draw.table(*both("folders"))):
        found = fact(draw, facts[number % len(facts)], ALL)
        (name,) = found.files
        yield replace(
            found,
            question=found.question.replace(name, folder),
            files={f"{folder}/{name}": found.files[name]},
            solution=(read(folder), read(f"{folder}/{name}")),
        )
    places = draw.words(*both("places"))
    (question,) = draw.table(*both("buoys"))
    for place in draw.sample(places, 6):
        first = ("ask_buoy", {"place": place, "channel": 1})
        words = _result(first).split()
        second = ("ask_buoy", {"place": place, "channel": int(words[-1].rstrip("."))})
        yield _by_tool(question.format(place=place), first, second)
    (question,) = draw.table(*both("rivers"))
    for place, day in zip(draw.sample(places, 6), WEEKDAYS, strict=False):
        first = ("river_level", {"town": place, "day": day})
        second = ("river_level", {"town": place, "day": f"D{WEEKDAYS.index(day) + 1}"})
        yield _by_tool(question.format(place=place, day=day), first, second)


def unseen_tool(draw: Draw) -> Iterator[AgentTask]:
    """Three questions for each of eight tools that are in no training text."""
    garments = draw.table(*both("garments"))
    months = draw.table(("February", "August", "November"), ("March", "June", "October"))
    questions = [
        draw.table((one,), (another,))[0]
        for one, another in zip(*both("unseen_tools"), strict=True)
    ]
    for number in range(3):
        beside = ((), ("calculator",), ("list_files", "read_file"))[number]
        words = fill(draw)
        hour, size, length = (given_number(draw, *of) for of in ((10, 20), (30, 60), (10, 90)))
        hours = draw.randrange(2, 10)
        place, person, thing = words["place"], words["person"], words["thing"]
        garment, month = garments[number], months[number]
        arguments: Mapping[str, Mapping[str, str | int]] = {
            "tide_height": {"port": place, "hour": hour},
            "parking_fee": {"town": place, "hours": hours},
            "yarn_needed": {"garment": garment, "size": size},
            "locker_code": {"owner": person},
            "shift_letters": {"word": thing, "by": hours},
            "next_ferry": {"harbour": place, "after": hour},
            "furlongs_to_metres": {"furlongs": length},
            "beehive_yield": {"beekeeper": person, "month": month},
        }
        blanks = {**words, "hour": hour, "hours": hours, "size": size, "length": length}
        for tool, question in questions:
            asked = question.format(**blanks, garment=garment, month=month)
            task = _by_tool(asked, (tool, arguments[tool]))
            yield replace(task, tools=(tool, *beside))


def _by_tool(question: str, *calls: Call) -> AgentTask:
    tools = (calls[0][0], "calculator")
    return AgentTask(question, _result(calls[-1]), tools, solution=calls)


def _result(call: Call) -> str:
    name, arguments = call
    return dispatch_tool_call(ToolRegistry([OWN[name]]), ToolCall(name, arguments)).output


def _misnamed(file: str, number: int) -> str:
    stem = file.removesuffix(".txt")
    return (f"{stem}s.txt", f"{stem}.md", f"old_{stem}.txt", f"{stem}_list.txt")[number % 4]


def no_tool(draw: Draw) -> Iterator[AgentTask]:
    """Questions whose answer is in the question itself or common knowledge: tools are at hand and
    not needed."""
    for tools in (("calculator",), ALL):
        words = fill(draw)
        for question, expected in draw.table(NO_TOOL, MORE_NO_TOOL):
            yield AgentTask(question.format(**words), expected.format(**words), tools)


def give_up(draw: Draw) -> Iterator[AgentTask]:
    """Questions about what the file does not say. An honest answer says that."""
    things = draw.words(*both("things"))
    ((line, question),) = draw.table(*both("give_up"))
    for number in range(10):
        words = fill(draw)
        asked = draw.choice([thing for thing in things if thing != words["thing"]])
        told, file = words["colour"], words["file"]
        yield AgentTask(
            question.format(asked=asked, **words),
            "",
            READ if number < 5 else READ_AND_CALCULATE,
            {file: line.format(**words) + "\n"},
            (read(file),),
            tuple(colour for colour in draw.words(*both("colours")) if colour != told),
        )
