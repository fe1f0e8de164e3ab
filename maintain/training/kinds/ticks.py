"""Ticks of a loop: do the next step, write down the state of the work, answer, forget.

The next tick knows only the state, so each of these runs ends with a state that has what is done
and what comes next.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from g2c.agent import Agent
from g2c.home.home import Home
from g2c.inference.scripted import ScriptedBackend
from g2c.loop.assembled.runner import LoopRunner
from g2c.loop.assembled.setup import make_agent_factory
from g2c.loop.assembled.toolbox import make_session_tools
from g2c.loop.provided.inbox import leave
from g2c.loop.provided.tick import AgentFactory
from g2c.loop.provided.types import Budget, LoopConfig
from g2c.tools import Tool, ToolRegistry
from maintain.training.kinds.facts import alike_facts, make_fact
from maintain.training.kinds.sessions import Note, memory_of
from maintain.training.kinds.shown import make_clerk
from maintain.training.record import Completion, Trace, segments_of
from maintain.training.scenario import Move, completions_of, read
from maintain.training.vocabulary import (
    COUNTS,
    GOODS,
    PEOPLE,
    fields,
    file_names,
    number,
    phrases,
    pick,
    table,
)

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Tick:
    """The moves of a tick, and its answer."""

    moves: tuple[Move, ...]
    answer: str
    thought: str = "The tick is done."

    @property
    def completions(self) -> list[Completion]:
        return completions_of(self.moves, self.thought, self.answer)


@dataclass(frozen=True)
class Day:
    """A goal, the files at the beginning, and the ticks. `messages` and arriving files come before
    the tick at that place. The first `least` - 1 ticks become no trace. The memory has the notes
    `known`."""

    goal: str
    files: Mapping[str, str]
    ticks: Sequence[Tick]
    messages: Mapping[int, str] = field(default_factory=dict)
    arrives: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    least: int = 1
    known: Sequence[Note] = ()


def write(file: str, text: str, before: str = "") -> Move:
    """The move that writes a file, after a thought about what is known."""
    return Move(
        f"{before} I need to write {file}.".strip(), "write_file", {"path": file, "text": text}
    )


def keep(done: Sequence[str], todo: str) -> Move:
    """The move that writes into the state what is done and what comes next."""
    state = f"Done: {', '.join(done)}. Next: {todo}."
    return Move("I keep the state.", "update_state", {"text": state})


def finish(files: Sequence[str], texts: Sequence[str]) -> Tick:
    """The last tick: check that all files are there, and declare the goal reached."""
    looks = [
        Move(f"I check {file}.", "read_file", {"path": file}, text)
        for file, text in zip(files, texts, strict=True)
    ]
    names = " and ".join(files)
    summary = f"{names} {'is' if len(files) == 1 else 'are'} written and checked."
    finish = Move("All is there, so the goal is reached.", "finish", {"summary": summary})
    keep = Move("I keep the state.", "update_state", {"text": f"Done: all. {summary}"})
    return Tick((*looks, keep, finish), summary)


WISHES = phrases("ticks.wishes")


def _write_goal(rng: random.Random) -> tuple[str, dict[str, str], list[Tick]]:
    """Write one file or two with the text in the goal."""
    files = file_names(rng, rng.randint(1, 2))
    texts = [
        rng.choice(
            (
                make_fact(rng).sentence,
                rng.choice(PEOPLE),
                f"{number(rng, 2, 90)} {rng.choice(GOODS)}",
            )
        )
        for _ in files
    ]
    first = rng.choice(WISHES)
    second = rng.choice((first, rng.choice(WISHES), "{file}: {text}", "{file}, with: {text}"))
    goal = rng.choice((" and ", ". Then ", "\nand ", "; ", ", and ")).join(
        wish.format(text=text, file=file)
        for wish, text, file in zip((first, second), texts, files, strict=False)
    )
    goal = goal[0].upper() + goal[1:]
    ticks = []
    for place, (file, text) in enumerate(zip(files, texts, strict=True)):
        todo = f"write {files[1]}" if place + 1 < len(files) else f"check {' and '.join(files)}"
        ticks.append(
            Tick((write(file, text), keep(files[: place + 1], todo)), f"{file} is written.")
        )
    return goal, {}, [*ticks, finish(files, texts)]


def _copy_goal(rng: random.Random) -> tuple[str, dict[str, str], list[Tick]]:
    """Copy the text of one file into another."""
    source, target = file_names(rng, 2)
    field, value = rng.choice(COUNTS), str(number(rng, 2, 900))
    goal = pick(rng, *phrases("ticks.copy_goal"), s=source, t=target, f=field)
    work = Tick(
        (
            Move(f"I need to read {source}.", "read_file", {"path": source}, value),
            Move(
                f"The {field} is {value}. I need to write {target}.",
                "write_file",
                {"path": target, "text": value},
            ),
            keep([target], f"check {target}"),
        ),
        f"{target} is written.",
    )
    return goal, {source: f"{field}: {value}"}, [work, finish([target], [value])]


def _count_day(rng: random.Random) -> Day:
    """Write one number in each tick."""
    (file,), last = file_names(rng, 1), rng.randint(3, 5)
    goal = pick(rng, "Count from 1 to {n} in {f}, one number a tick.",
                "In {f} there shall be 1, in the next tick 2, and so on until {n}.",
                "Count up in {f}. Each tick writes the next number; stop at {n}.",
                "Write 1 to {f}, then in each tick one more, up to {n}.",
                f=file, n=last)  # fmt: skip
    ticks = [Tick((write(file, "1"), keep(["1"], "write 2")), f"{file} says 1.")]
    for n in range(2, last + 1):
        todo = f"write {n + 1}" if n < last else f"check {file}"
        said = f"The state says: Next: write {n}."
        ticks.append(Tick((write(file, str(n), said), keep([str(n)], todo)), f"{file} says {n}."))
    return Day(goal, {}, [*ticks, finish([file], [str(last)])])


def _collect_day(rng: random.Random) -> Day:
    """Collect a line of each file, one file in each tick."""
    one, two, target = file_names(rng, 3)
    first, second = (make_fact(rng).sentence for _ in range(2))
    goal = pick(rng, "Collect in {t} what {a} and {b} say, a line each.",
                "Take the line of {a}, then that of {b}, and put both into {t}.",
                "{t} shall have two lines: that of {a} and that of {b}. One file a tick.",
                "Bring together in {t}: first {a}, then {b}.", a=one, b=two, t=target)  # fmt: skip
    both = f"{first}\n{second}"
    ticks = [
        Tick(
            (read(one, first), write(target, first, f"{one} says: {first}"), keep([one], two)),
            f"{target} has the line of {one}.",
        ),
        Tick(
            (
                Move(f"The state says: Next: {two}. I need to read {two}.", "read_file",
                     {"path": two}, second),
                read(target, first),
                write(target, both, f"{target} says: {first} {two} says: {second}"),
                keep([one, two], f"check {target}"),
            ),
            f"{target} has the line of {two}.",
        ),
    ]  # fmt: skip
    return Day(goal, {one: first, two: second}, [*ticks, finish([target], [second])])


def _wait_day(rng: random.Random) -> Day:
    """Wait for a file that does not exist yet."""
    source, target = file_names(rng, 2)
    text = make_fact(rng).sentence
    goal = pick(rng, "As soon as {s} is there, copy it to {t}.",
                "Wait for {s}. When it comes, write what it says to {t}.",
                "Somebody will bring {s}; {t} shall then say the same.",
                s=source, t=target)  # fmt: skip
    blocked = f"Blocked: there is no {source}. Next: look for {source} again."
    look = Tick(
        (
            read(source, fails=True),
            Move(f"It is not there. I wait for {source}.", "update_state", {"text": blocked}),
        ),
        f"There is no {source} yet.",
    )
    work = Tick(
        (
            Move(f"The state says: Next: look for {source} again. I need to read {source}.",
                 "read_file", {"path": source}, text),
            write(target, text, f"{source} says: {text}"),
            keep([target], f"check {target}"),
        ),
        f"{target} is written.",
    )  # fmt: skip
    return Day(goal, {}, [look, work, finish([target], [text])], arrives={1: {source: text}})


KNOWN = table("chats")["known"]
"""A note of users about themselves, how a goal refers to it, and the file's text. The goal shares a
word with the note, or the memory would not find it."""


def known_day(rng: random.Random, later: str = "") -> Day:
    """A goal without the text to write, and a memory that has it. If the goal also names a `later`
    file, the day ends before that file is written."""
    file, other = file_names(rng, 2)
    later = later or rng.choice(("", other, other))
    goal, says, text, known = (_of_a_fact if rng.random() < 0.45 else _of_a_person)(rng, file)
    if later:
        goal += rng.choice((" Then write {}.", " After that, write {}.")).format(later)
    if file == later or not _is_recalled(says, known, goal):
        return known_day(rng, later)
    todo = f"write {later}" if later else f"check {file}"
    moves = (write(file, text, f"My memory says: {says}"), keep([file], todo))
    work = Tick(moves, f"{file} is written.")
    ticks = [work] if later else [work, finish([file], [text])]
    return Day(goal, {}, ticks, known=known)


def _of_a_person(rng: random.Random, file: str) -> tuple[str, str, str, tuple[Note, ...]]:
    """A goal about a person, what they once said, the part of it to write, and the memory."""
    who, other = rng.sample(PEOPLE, 2)
    words = fields(rng) | {"who": who, "other": other, "n": number(rng, 2, 90)}
    (says, what, text), (aside, _, _) = (
        tuple(part.format(**words) for part in row) for row in rng.sample(KNOWN, 2)
    )
    known = (Note(f"My name is {who}.", "Name"), Note(says, "Note"))
    if rng.random() < 0.5:
        known = (Note(aside, "Aside"), *known)
    goal = pick(rng, "Write to {f} {w}.", "{f} is to say {w}.", "Note in {f} {w}.",
                "Put into {f} {w}.", "I want to read in {f} {w}.", "Make {f}, which says {w}.",
                "Find out {w}, and write it to {f}.", "Save as {f} {w}.",
                f=file, w=what)  # fmt: skip
    return goal, says, text, known


def _of_a_fact(rng: random.Random, file: str) -> tuple[str, str, str, tuple[Note, ...]]:
    """A goal with a question, the sentence that answers it, the text to write, and the memory."""
    fact, (one, other) = make_fact(rng), alike_facts(rng, 2)
    said = (("Note", fact), ("One", one), ("Other", other))
    known = tuple(Note(about.sentence, name) for name, about in said)
    goal = pick(rng, "Find the answer to this, and write it to {f}: {q}", "Answer in {f}: {q}",
                "{q} The answer goes into {f}.", "{f} is to answer this: {q}",
                "Write to {f}: {w}", "Look this up; {f} shall say it: {q}",
                f=file, w=fact.asked, q=fact.question)  # fmt: skip
    return goal, fact.sentence, fact.value, known


def _is_recalled(says: str, notes: Sequence[Note], goal: str) -> bool:
    """Whether the prompt of a tick with this goal has the note `says`."""
    with TemporaryDirectory() as folder:
        found = memory_of(notes, Home(Path(folder))).recall(goal, LoopConfig().recall_k)
    return says in {hit.excerpt for hit in found}


DAYS_WORK = (_count_day, _collect_day, *[_wait_day] * 2, *[known_day] * 6)
"""Goals of several ticks, in which each tick follows the state from the tick before."""


def tick(rng: random.Random) -> Trace:
    """One tick of a loop, after earlier ticks of the same kind."""
    if rng.random() < 0.3:
        return _clerks_tick(rng)
    if rng.random() < 0.45:
        return play_day("tick", rng.choice(DAYS_WORK)(rng), rng)
    makers = (*[_write_goal] * 4, _copy_goal, _copy_goal)
    return play_day("tick", Day(*rng.choice(makers)(rng)), rng)


def play_day(kind: str, day: Day, rng: random.Random) -> Trace:
    """Run the loop up to one of its ticks, and return that tick."""
    goal, files, ticks = day.goal, day.files, day.ticks
    count = rng.randint(day.least, len(ticks))
    completions = [words for one in ticks[:count] for words in one.completions]
    backend = ScriptedBackend(words.script for words in completions)
    with TemporaryDirectory() as folder:
        work = Path(folder, "work")
        work.mkdir()
        for name, text in files.items():
            (work / name).write_text(text, encoding="utf-8")
        own = make_session_tools(("files",), folder=work, may_write=True)
        _run(make_agent_factory(backend, own), goal, count, Path(folder), day)
    if backend.queued:
        raise AssertionError(f"{goal}: {backend.queued} were not said")
    size = len(ticks[count - 1].completions)
    segments = segments_of(backend.history[-size:], completions[-size:])
    given = (
        goal,
        *files,
        *files.values(),
        *day.messages.values(),
        *(note.text for note in day.known),
    )
    return Trace(kind, goal, ticks[count - 1].answer, given, segments)


def _clerks_tick(rng: random.Random) -> Trace:
    """A tick of an agent with one tool that has worked examples and writes the state itself."""
    clerk, count = make_clerk(rng), rng.choice((1, 2, 2, 3))
    *names, after = rng.sample(clerk.words, count + 1)
    goal = clerk.goal + clerk.began.format(names[0])
    examples = [
        clerk.example(f"# Goal\n\n{clerk.goal}\n\n# Your state\n\n{clerk.state.format(name)}", name)
        for name in rng.sample(clerk.words, 3)
    ]
    done = [clerk.example(goal, name) for name in names]
    completions = [
        words
        for one in done
        for words in completions_of(
            [Move(one.thought, clerk.tool.name, one.arguments)], one.conclusion, one.answer
        )
    ]
    backend = ScriptedBackend(words.script for words in completions)
    upcoming = iter([*names[1:], after])

    def make_agent(tools: Sequence[Tool]) -> Agent:
        update_state = next(one.func for one in tools if one.name == "update_state")

        def work(**given: str) -> str:
            update_state(text=clerk.state.format(next(upcoming)))
            return clerk.done.format(given[clerk.argument])

        own = replace(clerk.tool, func=work, example=examples[0], more_examples=tuple(examples[1:]))
        return Agent(backend, ToolRegistry([own]), plan=False, temperature=0.0)

    with TemporaryDirectory() as folder:
        _run(make_agent, goal, count, Path(folder))
    if backend.queued:
        raise AssertionError(f"{goal}: {backend.queued} were not said")
    segments = segments_of(backend.history[-2:], completions[-2:])
    return Trace("tick", goal, done[-1].answer, (goal, *names), segments)


def _run(
    factory: AgentFactory, goal: str, count: int, folder: Path, day: Day | None = None
) -> None:
    """Run a loop for the given number of ticks, with clocks that stand still. The day's messages
    and files come before their tick."""
    work = folder / "work"
    work.mkdir(exist_ok=True)

    def bring(tick: int) -> None:
        if day and tick in day.messages:
            leave(runner.files.inbox, day.messages[tick], NOON)
        for name, text in (day.arrives if day else {}).get(tick, {}).items():
            (work / name).write_text(text, encoding="utf-8")

    store = memory_of(day.known, Home(folder / "home")) if day and day.known else None
    config = LoopConfig(recall=store is not None, evolve=False)
    runner = LoopRunner(factory, store, config, folder / "loop", work=work, now=lambda: NOON,
                        clock=lambda: 0.0, on_tick=lambda state, _: bring(state.tick))  # fmt: skip
    bring(0)
    state = runner.run(goal, Budget(ticks=count))
    if state.tick != count:
        raise AssertionError(f"{goal}: {state}")
