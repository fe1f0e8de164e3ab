"""The tools that write and open notes: `remember` and `read_topic`. `recall` finds them.

A model gives a name and never a path, so no name leads out of the memory. The tools only add to a
topic.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from g2c.files import open_file
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.memory.app.evidence import ground_lines
from g2c.memory.app.naming import said_name
from g2c.memory.app.store import MemoryStore
from g2c.memory.core.plan import MAX_TURNS
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import shown_text
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import MemoryStoreError, Turn
from g2c.text import one_line, printable
from g2c.tools import Tool, ToolError, ToolExample

MAX_NAME_CHARS = 80
MAX_TEXT_CHARS = 4_000
MAX_SHOWN_CHARS = 4_000
LINES_BEFORE = 2
"""Characters shown before the line that a pointer names."""

_LINE = re.compile(r"\.md:(\d{1,9})$")
DAY = re.compile(r"(?:transcripts/)?(\d{4}-\d\d-\d\d)\.jsonl(?::(\d{1,9}))?")


def make_remember_tool(store: MemoryStore, *, checked: bool = False) -> Tool:
    """Make the tool `remember`, which adds a text to a topic of `store`, or begins the topic.

    The old text stays. A text that the topic has already is not added again. If `checked`, each
    line must follow from the last `MAX_TURNS` turns; for one that does not, what was said is kept.
    The topic is then named with words of what is kept, unless the person named one that is there.

    >>> from tempfile import mkdtemp
    >>> from g2c.memory import MemoryStore
    >>> tool = make_remember_tool(MemoryStore(mkdtemp()))
    >>> tool.parameters["required"]
    ['name', 'text']
    """

    def remember(name: str, text: str) -> str:
        name, text = one_line(printable(name)), printable(text).strip()
        if not name or len(name) > MAX_NAME_CHARS:
            raise ToolError(f"Give the topic a name of 1 to {MAX_NAME_CHARS} characters.")
        if not text or len(text) > MAX_TEXT_CHARS:
            raise ToolError(f"Give a text of 1 to {MAX_TEXT_CHARS:,} characters.")
        turns = store.transcripts.tail(MAX_TURNS) if checked else []
        kept = ground_lines(text, turns) if checked else [text]
        if not kept:
            raise ToolError("Nobody said that. Keep what was said, in the words in which it was.")
        if checked and not (store.topics.path_of(name).exists() and _is_about(name, kept, turns)):
            name = said_name(name, "\n".join(kept), (turn.content for turn in turns))
        try:
            topic, is_new = store.add_to_topic(name, "\n".join(kept))
        except MemoryStoreError as error:
            raise ToolError(str(error)) from error
        how = "It is kept" if is_new else "It was known already,"
        if checked and not set(kept) <= set(text.split("\n")):
            how = f"That was not said like this. Kept is: {' '.join(kept)} It is"
        return f"{how} in topics/{topic.slug}.md."

    return Tool(
        name="remember",
        meant=_meant_topic(store),
        description="Keep something for later sessions. It is added to the topic of that name.",
        parameters=object_schema(
            name=text_schema(about="the topic, in one to four words"),
            text=text_schema(about="what to keep, in whole sentences"),
        ),
        func=remember,
        example=_REMEMBERED[0],
        more_examples=_REMEMBERED[1:],
    )


def _is_about(name: str, kept: Sequence[str], turns: Sequence[Turn]) -> bool:
    """Whether a word of the topic's name is in what is kept, or in what the person said last."""
    last = next((turn.content for turn in reversed(turns) if turn.role == "user"), "")
    return not set(extract_terms(name)).isdisjoint(extract_terms(" ".join([*kept, last])))


def make_read_topic_tool(store: MemoryStore) -> Tool:
    """Make the tool `read_topic`, which opens what a pointer of the index or of `recall` names.

    It takes a topic's name or slug, `topics/house.md` or `house.md:9`, and a day's transcript,
    `transcripts/2026-04-21.jsonl:12`. It shows at most `MAX_SHOWN_CHARS` characters, from a little
    above that line. Nothing outside the memory is opened.
    """

    def read_topic(name: str) -> str:
        name = one_line(name)
        if found := DAY.fullmatch(name):
            return _read_day(store, found[1], int(found[2] or 1))
        line = int(found[1]) if (found := _LINE.search(name)) else 1
        file = _inside(store, store.topics.find(name))
        if not file.is_file():
            try:
                store.read_topic(name[:200])  # its error lists the topics
            except MemoryStoreError as error:
                raise ToolError(_cut(str(error))) from error
        above = max(line - 1 - LINES_BEFORE, 0)
        return (
            _cut("\n".join(shown_text(file).split("\n")[above : above + 500]))
            or f"{name} has no line {line}."
        )

    return Tool(
        name="read_topic",
        meant=_meant_topic(store),
        description="Read what your memory keeps about a topic.",
        parameters=object_schema(name=text_schema(about="the topic's name or file")),
        func=read_topic,
        example=_READ[0],
        more_examples=_READ[1:],
    )


def _meant_topic(store: MemoryStore) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """For `Tool.meant`: a topic's slug, or a day's transcript, however it is named."""

    def meant(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        name = one_line(printable(str(arguments.get("name", ""))))
        if found := DAY.fullmatch(name):
            return {**arguments, "name": f"transcripts/{found[1]}.jsonl"}
        return {**arguments, "name": store.topics.find(name).stem}

    return meant


def _read_day(store: MemoryStore, day: str, line: int) -> str:
    try:
        file = _inside(store, store.transcripts.path_of(date.fromisoformat(day)))
        above = max(line - 1 - LINES_BEFORE, 0)
        with open_file(file, "rb") as lines:
            turns = [turn_of(each) for each in islice(lines, above, above + 100)]
    except (ValueError, FileNotFoundError, IsADirectoryError):
        raise ToolError(f"There is no transcript of {day}.") from None
    said = [f"{turn.role}: {one_line(turn.content[:MAX_SHOWN_CHARS])}" for turn in turns if turn]
    return _cut("\n".join(said)) or f"The transcript of {day} has no line {line}."


def _inside(store: MemoryStore, file: Path) -> Path:
    """The file, unless it is a link that leads out of the memory."""
    if not file.resolve().is_relative_to(store.root.resolve()):
        raise ToolError(f"{file.name} is not in the memory.")
    return file


def _cut(text: str) -> str:
    text = printable(text).strip()
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}\n[cut here]"


def _remembered(question: str, name: str, text: str) -> ToolExample:
    return ToolExample(
        question=question,
        thought="I need to keep this.",
        arguments={"name": name, "text": text},
        observation=f"It is kept in topics/{name.lower()}.md.",
        answer="I will remember it.",
        conclusion="It is kept.",
    )


def _read(question: str, name: str, observation: str, answer: str) -> ToolExample:
    return ToolExample(
        question=question,
        thought=f"My memory has a topic about the {name}.",
        arguments={"name": name},
        observation=observation,
        answer=answer,
    )


_REMEMBERED = (
    _remembered("Remember that the door is green.", "House", "The door is green."),
    _remembered("Ada has a new red car. Keep that.", "Ada", "Ada has a new red car."),
    _remembered("Note that we meet on Friday.", "Meeting", "We meet on Friday."),
)
_READ = (
    _read("What do you know about the house?", "house", "The door is green.", "Its door is green."),
    _read("Tell me about the party.", "party", "It is at six.", "The party is at six."),
    _read("What is in your notes on the car?", "car", "Ada drives it.", "Ada drives the car."),
)
