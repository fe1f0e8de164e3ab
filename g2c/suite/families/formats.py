"""The course's other protocols: plans, critiques, consolidations, choices among notes, ticks; and
plain instructions, which ask whether a model can still talk."""

from collections.abc import Iterator

from g2c.suite.draw import Draw
from g2c.suite.families.blanks import ALL, fill
from g2c.suite.families.steps import read_compute, two_files
from g2c.suite.tasks import (
    ConsolidationTask,
    CritiqueTask,
    InstructionTask,
    PlanTask,
    RerankTask,
    TickTask,
)
from g2c.suite.vocabulary import both


def plans(draw: Draw) -> Iterator[PlanTask]:
    """Plans for questions with a file in them, which the plan must name."""
    asked = [*read_compute(draw)][:8] + [*two_files(draw)][8:12]
    for task in asked:
        yield PlanTask(task.question, next(iter(task.files)), ALL)


def critiques(draw: Draw) -> Iterator[CritiqueTask]:
    """Six tasks, each with a draft to approve and one to send back."""
    for form in draw.table(*both("drafts")):
        words = fill(draw)
        task, good, bad = (text.format(**words) for text in form)
        yield CritiqueTask(task, "APPROVE", good)
        yield CritiqueTask(task, "REVISE", bad)


def consolidations(draw: Draw) -> Iterator[ConsolidationTask]:
    """Facts that somebody said of themselves; every second task changes a known one. Half are asked
    as a dream asks, half without the dream's schema."""
    told = draw.table(*both("told"))
    for number in range(12):
        words = fill(draw)
        said, answered, expected = told[number // 2 % 3]
        before = "- {person} owns a {thing}.".format(**words)
        turns = f"I am {words['person']}. {said.format(**words)}\n{answered}"
        yield ConsolidationTask(
            turns,
            expected.format(**words),
            (words["thing"].capitalize(), before) if number % 2 else None,
            free=number >= 6,
        )


def rerank(draw: Draw) -> Iterator[RerankTask]:
    """Four notes; one of them answers the question."""
    ((note, beside, question),) = draw.table(*both("notes"))
    for number in range(6):
        words, others = fill(draw), [fill(draw) for _ in range(3)]
        answer = note.format(**words)
        notes = [beside.format(**other) for other in others]
        notes.insert(number % 4, answer)
        yield RerankTask(question.format(**words), answer, tuple(notes))


def ticks(draw: Draw) -> Iterator[TickTask]:
    """A first tick with one file to write; a later one, whose state says which file is next."""
    (goal,) = draw.table(*both("goals"))
    ((goal_half_done, state),) = draw.table(*both("goals_half_done"))
    for number in range(6):
        words = fill(draw)
        text, before = "{person} has the {thing}.".format(**words), "{a} {goods}".format(**words)
        blanks = words | {"text": text, "before": before}
        first = number < 3
        yield TickTask(
            (goal if first else goal_half_done).format(**blanks),
            text,
            words["file"],
            "" if first else state.format(**blanks),
        )


def instructions(draw: Draw) -> Iterator[InstructionTask]:
    """Instructions for a conversational model."""
    for question, check, expected in draw.table(*both("instructions")):
        words = fill(draw)
        blanks = words | {"upper": words["thing"].upper()}
        yield InstructionTask(question.format(**blanks), expected.format(**blanks), check)
