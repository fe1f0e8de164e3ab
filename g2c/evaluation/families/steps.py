"""Families of one step, and of two or three: calculate, read, read and then calculate."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from g2c.evaluation.families.filling import (
    ALL,
    CALCULATOR,
    READ,
    READ_AND_CALCULATE,
    calculate,
    fill,
)
from g2c.evaluation.tasks import AgentTask, Call
from g2c.evaluation.vocabulary import (
    ARITHMETIC,
    FACTS,
    READ_COMPUTE,
    TWO_FILES,
    WORD_PROBLEMS,
    given_number,
)


def read(file: str) -> Call:
    """A call that reads `file`."""
    return "read_file", {"path": file}


def arithmetic(random: Random) -> Iterator[AgentTask]:
    """Ten expressions, ten in words, ten of two operations, each with other tools beside."""
    for level, tools in zip(ARITHMETIC, (CALCULATOR, READ_AND_CALCULATE, ALL), strict=True):
        for number in range(10):
            yield _calculation("arithmetic", random, *level[number % len(level)], tools)


def word_problem(random: Random) -> Iterator[AgentTask]:
    """Stories of one operation or two."""
    for tools in (CALCULATOR, ALL):
        for question, expression in WORD_PROBLEMS:
            yield _calculation("word_problem", random, question, expression, tools)


def _calculation(
    family: str, random: Random, question: str, expression: str, tools: tuple[str, ...]
) -> AgentTask:
    words = fill(random)
    call = {"expression": expression.format(**words)}
    return AgentTask(
        family,
        "",
        question.format(**words),
        calculate(**call),
        tools,
        solution=(("calculator", call),),
    )


def read_file(random: Random) -> Iterator[AgentTask]:
    """A file of one line; of four lines, of which three say the same of others; among others."""
    for level, tools in enumerate((READ, READ, ALL)):
        for number in range(10):
            yield fact(random, "read_file", number, tools, lines=4 if level else 1)


def fact(
    random: Random, family: str, number: int, tools: tuple[str, ...], *, lines: int = 1
) -> AgentTask:
    """A question about one of the lines of a file; the other lines would be wrong answers."""
    line, question, answer = FACTS[number % len(FACTS)]
    filled = [fill(random)]
    while len(filled) < lines:
        more = fill(random)
        if all(more[blank] != one[blank] for one in filled for blank in _SEEN):
            filled.append(more)
    words = random.choice(filled)
    file = words["file"]
    expected = answer.format(**words)
    return AgentTask(
        family,
        "",
        question.format(**words),
        expected,
        tools,
        {file: "\n".join(line.format(**one) for one in filled) + "\n"},
        (read(file),),
        tuple(answer.format(**one) for one in filled if one is not words),
    )


_SEEN = ("thing", "goods", "colour", "person", "place", "a")


def read_compute(random: Random) -> Iterator[AgentTask]:
    """A number to be read and then calculated with."""
    for tools in (READ_AND_CALCULATE, ALL):
        for number in range(20):
            text, question, expression = READ_COMPUTE[number % len(READ_COMPUTE)]
            words = fill(random)
            file, call = words["file"], {"expression": expression.format(**words)}
            yield AgentTask(
                "read_compute",
                "",
                question.format(**words),
                calculate(**call),
                tools,
                {file: text.format(**words) + "\n"},
                (read(file), ("calculator", call)),
            )


def two_files(random: Random) -> Iterator[AgentTask]:
    """Ten sums and differences over two files, and ten files that send on to another."""
    for number in range(10):
        question, expression = TWO_FILES[number % len(TWO_FILES)]
        words = fill(random)
        words["b"] = str(given_number(random, 10, 90))
        file, other, call = words["file"], words["other_file"], expression.format(**words)
        yield AgentTask(
            "two_files",
            "",
            question.format(**words),
            calculate(call),
            ALL,
            {
                file: "{goods}: {a}\n".format(**words),
                other: "{goods}: {b}\n".format(**words),
            },
            (read(file), read(other), ("calculator", {"expression": call})),
        )
    for _ in range(10):
        words = fill(random)
        file, other = words["file"], words["other_file"]
        yield AgentTask(
            "two_files",
            "",
            "{file} names the file that tells the colour of the {thing}. Which colour is "
            "it?".format(**words),
            words["colour"],
            ALL,
            {
                file: "For the {thing} see {other_file}.\n".format(**words),
                other: "Its colour is {colour}.\n".format(**words),
            },
            (read(file), read(other)),
        )
