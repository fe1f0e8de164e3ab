"""The course's other protocols: plans, critiques, consolidations, choices among notes, ticks; and
plain instructions, which ask whether a model can still talk."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from g2c.evaluation.families.filling import ALL, fill
from g2c.evaluation.families.steps import read_compute, two_files
from g2c.evaluation.tasks import (
    ConsolidationTask,
    CritiqueTask,
    InstructionTask,
    PlanTask,
    RerankTask,
    TickTask,
)
from g2c.evaluation.vocabulary import DRAFTS, INSTRUCTIONS


def plans(random: Random) -> Iterator[PlanTask]:
    """Plans for questions with a file in them, which the plan must name."""
    asked = [*read_compute(random)][:8] + [*two_files(random)][8:12]
    for task in asked:
        yield PlanTask("plans", "", task.question, next(iter(task.files)), ALL)


def critiques(random: Random) -> Iterator[CritiqueTask]:
    """Six tasks, each with a draft to approve and one to send back."""
    for task, good, bad in DRAFTS:
        yield CritiqueTask("critiques", "", task, "APPROVE", good)
        yield CritiqueTask("critiques", "", task, "REVISE", bad)


def consolidations(random: Random) -> Iterator[ConsolidationTask]:
    """What somebody said of themselves; every second one changes what was known before. Half are
    asked as a dream asks, half without the schema that a dream holds the model to."""
    for number in range(12):
        words = fill(random)
        said, answered, expected = (
            ("My {thing} is {colour} now.", "Noted.", "{colour}"),
            ("I moved to {place} with my {thing}.", "A fine town.", "{place}"),
            ("{other} takes care of my {thing}.", "Good to know.", "{other}"),
        )[number // 2 % 3]
        before = "- {person} owns a {thing}.".format(**words)
        turns = f"I am {words['person']}. {said.format(**words)}\n{answered}"
        yield ConsolidationTask(
            "consolidations",
            "",
            turns,
            expected.format(**words),
            (words["thing"].capitalize(), before) if number % 2 else None,
            free=number >= 6,
        )


def rerank(random: Random) -> Iterator[RerankTask]:
    """Four notes, of which one answers the question."""
    for number in range(6):
        words, others = fill(random), [fill(random) for _ in range(3)]
        answer = "The {thing} of {person} was made in {place}.".format(**words)
        notes = ["{other} counted {a} {goods} in {place}.".format(**one) for one in others]
        notes.insert(number % 4, answer)
        question = "Which town does the {thing} of {person} come from?".format(**words)
        yield RerankTask("rerank", "", question, answer, tuple(notes))


def ticks(random: Random) -> Iterator[TickTask]:
    """A first tick with one file to write; a later one, whose state says which file is next."""
    for number in range(6):
        words = fill(random)
        text, before = "{person} has the {thing}.".format(**words), "{a} {goods}".format(**words)
        file, other = words["file"], words["other_file"]
        if number < 3:
            goal, state = f"See to it that {file} says: {text}", ""
        else:
            goal = f"See to it that {other} says: {before}\nand that {file} says: {text}"
            state = f"Done: {other} is written.\nNext: write {file}."
        yield TickTask("ticks", "", goal, text, file, state)


def instructions(random: Random) -> Iterator[InstructionTask]:
    """What a model for conversations is asked."""
    for question, check, expected in INSTRUCTIONS:
        words = fill(random)
        blanks = words | {"upper": words["thing"].upper()}
        yield InstructionTask(
            "instructions", "", question.format(**blanks), expected.format(**blanks), check
        )
