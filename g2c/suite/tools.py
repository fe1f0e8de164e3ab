"""The tools that only the evaluation has, and how a task's tools are made.

Their results are made up and depend only on the arguments, so no model can know them and every run
gets the same. A model has only the description, so these tasks test how well it reads one.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from g2c.suite.tasks import SuiteTask
from g2c.tools import (
    Tool,
    ToolError,
    ToolRegistry,
    make_calculator,
    make_list_files,
    make_read_file,
    tool,
)


@tool
def tide_height(port: str, hour: int) -> str:
    """Say how high the water stands in a port, in centimetres.

    Args:
        port: the port's name
        hour: the hour of the day, 0 to 23
    """
    return str(_number(port, 90) + 7 * hour)


@tool
def parking_fee(town: str, hours: int) -> str:
    """Say what parking in a town costs, in coins.

    Args:
        town: the town's name
        hours: how long one parks
    """
    return str(5 + _number(town, 9) * hours)


@tool
def yarn_needed(garment: str, size: int) -> str:
    """Say how many metres of yarn it takes to knit a garment.

    Args:
        garment: what is knitted
        size: its size
    """
    return str(_number(garment, 300) + 4 * size)


@tool
def locker_code(owner: str) -> str:
    """Look up the code of somebody's locker.

    Args:
        owner: the person's name
    """
    return str(1000 + _number(owner, 9000))


@tool
def shift_letters(word: str, by: int) -> str:
    """Replace each letter of a word by one further on in the alphabet.

    Args:
        word: the word
        by: how many letters further on
    """
    return "".join(chr((ord(letter) - 97 + by) % 26 + 97) for letter in word.lower())


@tool
def next_ferry(harbour: str, after: int) -> str:
    """Say when the next ferry leaves a harbour, as hour and minutes.

    Args:
        harbour: the harbour's name
        after: the hour from which on one waits
    """
    return f"{(after + 1) % 24}:{10 + _number(harbour, 50)}"


@tool
def furlongs_to_metres(furlongs: int) -> str:
    """Convert a length in furlongs to metres.

    Args:
        furlongs: the length
    """
    return str(furlongs * 201)


@tool
def beehive_yield(beekeeper: str, month: str) -> str:
    """Say how many jars of honey a beekeeper filled in a month.

    Args:
        beekeeper: the person's name
        month: the month's name
    """
    return str(20 + _number(beekeeper + month, 400))


@tool
def ask_buoy(place: str, channel: int) -> str:
    """Ask a buoy at sea for the height of the waves, in centimetres.

    Args:
        place: where the buoy is
        channel: the radio channel
    """
    if channel != _number(place, 5) + 2:
        raise ToolError(
            f"Channel {channel} is silent. {place} answers on channel {_number(place, 5) + 2}."
        )
    return str(30 + _number(place, 300))


@tool
def river_level(town: str, day: str) -> str:
    """Say how high the river stands in a town on a day, in centimetres.

    Args:
        town: the town's name
        day: the day
    """
    codes = {name.lower(): f"D{n}" for n, name in enumerate(WEEKDAYS, 1)}
    if day.upper() not in codes.values():
        known = f"write {day} as {codes[day.lower()]}" if day.lower() in codes else "use D1 to D7"
        raise ToolError(f"There is no day {day!r:.40}; {known}.")
    return str(100 + _number(town + day.upper(), 500))


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
OWN = {
    item.name: item
    for item in (
        *(tide_height, parking_fee, yarn_needed, locker_code, shift_letters, next_ferry),
        *(furlongs_to_metres, beehive_yield, ask_buoy, river_level),
    )
}
"""The tools that only the evaluation has, by their names."""


def make_tools(
    names: Iterable[str], folder: Path, definitions: Iterable[Mapping[str, Any]] = ()
) -> ToolRegistry:
    """The tools of these names, in this order; the course's own see the files in `folder`. The
    tools of `definitions` follow, each with one result for all calls.

    Raises:
        ToolError: one cannot be made, or two have one name.
    """

    def make(name: str) -> Tool:
        match name:
            case "calculator":
                return make_calculator()
            case "read_file":
                return make_read_file(folder)
            case "list_files":
                return make_list_files(folder)
        return OWN[name]

    return ToolRegistry([*map(make, names), *map(_make_up, definitions)])


def _make_up(definition: Mapping[str, Any]) -> Tool:
    parts = dict(definition)
    result = parts.pop("result")
    return Tool(**parts, func=lambda **given: result)


def shown(tools: Iterable[Tool], task: SuiteTask) -> list[Tool]:
    """The tools for the prompt of a task: with their worked examples or without."""
    return [tool if task.examples else tool.without_examples() for tool in tools]


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write a task's files into `folder`."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def _number(text: str, below: int) -> int:
    """A number that looks random and is always the same for the same text."""
    value = 7
    for letter in text.strip().lower():
        value = (31 * value + ord(letter)) % 1_000_003
    return value % below
