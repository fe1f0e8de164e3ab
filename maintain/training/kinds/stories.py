"""Stories that people wrote, worked out in one expression or in a sum a step.

The person's own sentences are the thoughts. What a sum is for comes before it is written.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from maintain.training.kinds.reasons import fill, last_question, reason
from maintain.training.kinds.retold import retell
from maintain.training.kinds.told import NUMBER, Told, Version, read_stories
from maintain.training.scenario import Move, Scenario, read, work_out
from maintain.training.vocabulary import file_name, pick

SHARE = 26
"""The kind's weight in the mixture, about a fifteenth of all."""

LONGEST_ANSWER = 80
_TOLD = re.compile(r"(?:First|Next|Add|Subtract|Multiply|Divide|Find|Calculate|To )\b")
"""How sentences begin that tell somebody what to do; these are no answers."""
LONGEST = 600
"""Letters of a question; longer stories are left out."""


def make_story_kind(file: Path) -> Callable[[random.Random], Scenario]:
    """What sets up a run over one of the stories in `file`.

    Raises:
        OSError: there is no such file.
        ValueError: it has a line in another format, or no story that can be used.
    """
    stories = [story for story in read_stories(file) if len(story.question) <= LONGEST]
    if not stories:
        raise ValueError(f"{file} has no story with plain sums of up to three marks")
    return lambda rng: story(stories, rng)


def story(stories: list[Told], rng: random.Random) -> Scenario:
    """One of the stories, asked for or in a file, and its sums."""
    while True:
        told = rng.choice(stories)
        version = retell(told, rng)
        if version is not None:
            return _scenario(version, rng)


def _scenario(version: Version, rng: random.Random) -> Scenario:
    ask = last_question(version.question)
    body = version.question.removesuffix(ask).strip()
    question, files, moves = version.question, {}, []
    is_read = rng.random() < 1 / 3
    if is_read:
        file = file_name(rng)
        # All numbers are to be found in one place.
        in_file = not body or NUMBER.search(ask) is not None or rng.random() < 0.5
        files = {file: version.question if in_file else body}
        question = _ask_for(rng, file, "" if in_file else ask)
        moves = [read(file, files[file].split()[-1])]
    says = "The file says" if is_read else "The story says"
    in_one = len(version.results) == 1 or rng.random() < 0.5
    moves += _in_one(version, ask, says) if in_one else _in_steps(version, ask, says)
    value = version.results[-1]
    answer = fill(version.meanings[-1], value)
    if value not in answer or len(answer) > LONGEST_ANSWER or _TOLD.match(answer):
        answer = f"The result is {value}."
    others = (
        ((), (), ("list_files",))
        if is_read
        else ((), (), ("read_file",), ("list_files", "read_file"))
    )
    steps = ("Find the numbers and what is asked.", "Calculate it.", "Give the result.")
    return Scenario(
        question=question,
        moves=tuple(moves),
        thought=f"The result is {value}.",
        answer=answer,
        value=value,
        goal="find the number that the story asks for",
        steps=(*(f"Read {name}." for name in files), *steps),
        tools=("calculator", *(("read_file",) if is_read else ()), *rng.choice(others)),
        files=files,
    )


def _in_one(version: Version, ask: str, says: str) -> list[Move]:
    """One call, of all sums in one."""
    *earlier, _ = zip(version.meanings, version.expressions, strict=True)
    last = version.meanings[-1]
    # What other sums come to is not known yet.
    is_ahead = set(NUMBER.findall(last)) & set(version.results[:-1])
    wanted = ask if is_ahead or not last else fill(last, "?")
    before = ""
    if len(earlier) == 1:
        before = fill(earlier[0][0], earlier[0][1])
    thought = reason(version.question, version.composed, wanted, says=says, before=before)
    return [work_out(version.composed, thought)]


def _in_steps(version: Version, ask: str, says: str) -> list[Move]:
    """A call for each sum."""
    moves: list[Move] = []
    before = ""
    parts = zip(version.meanings, version.expressions, version.results, strict=True)
    for meaning, expression, result in parts:
        wanted = fill(meaning, "?") or ask
        thought = reason(version.question, expression, wanted, says=says, before=before)
        moves.append(work_out(expression, thought))
        before = fill(meaning, result)
    return moves


def _ask_for(rng: random.Random, file: str, ask: str) -> str:
    """A question about a story in a file, of which `ask` is the last sentence or empty."""
    if not ask:
        return pick(
            rng,
            "Read {file} and answer the question in it.",
            "There is a story in {file}. Solve it.",
            "Solve the problem that {file} tells.",
            "{file} asks for a number. Which one is it?",
            "Work through the story in {file} for me.",
            "What is the answer to the riddle in {file}?",
            "Find out what {file} wants to know.",
            "My homework is in {file}. What do I write?",
            file=file,
        )
    small = ask[0].lower() + ask[1:]
    return pick(
        rng,
        "Read {file} and tell me: {small}",
        "Read {file}. {ask}",
        "{ask} The story is in {file}.",
        "The story in {file} has all numbers. {ask}",
        "After what {file} tells: {small}",
        "{ask} Take what you need from {file}.",
        file=file,
        ask=ask,
        small=small,
    )
