"""Families of one step, and of two or three: calculate, read, read and then calculate."""

from collections.abc import Iterator

from g2c.suite.draw import Draw
from g2c.suite.families.blanks import (
    ALL,
    CALCULATOR,
    READ,
    READ_AND_CALCULATE,
    calculate,
    fill,
    fill_apart,
)
from g2c.suite.tasks import AgentTask, Call
from g2c.suite.vocabulary import both, given_number

Fact = tuple[str, str, str]
"""A line of a file, the question about it, and the answer."""


def read(file: str) -> Call:
    """A call that reads `file`."""
    return "read_file", {"path": file}


def arithmetic(draw: Draw) -> Iterator[AgentTask]:
    """Ten expressions, ten in words, ten of two operations, each with other tools beside."""
    levels = zip(*both("arithmetic"), strict=True)
    beside = (CALCULATOR, READ_AND_CALCULATE, ALL)
    for (fixed, more), tools in zip(levels, beside, strict=True):
        level = draw.table(fixed, more)
        for number in range(10):
            question, expression = level[number % len(level)]
            yield _calculation(draw, question, expression, tools)


def word_problem(draw: Draw) -> Iterator[AgentTask]:
    """Stories of one operation or two."""
    for tools in (CALCULATOR, ALL):
        for question, expression in draw.table(*both("word_problems")):
            yield _calculation(draw, question, expression, tools)


def _calculation(draw: Draw, question: str, expression: str, tools: tuple[str, ...]) -> AgentTask:
    words = fill(draw)
    call = {"expression": expression.format(**words)}
    return AgentTask(
        question.format(**words), calculate(**call), tools, solution=(("calculator", call),)
    )


def read_file(draw: Draw) -> Iterator[AgentTask]:
    """A file of one line; of four lines, three of them about others; among other files."""
    for level, tools in enumerate((READ, READ, ALL)):
        facts = draw.table(*both("facts"))
        for number in range(10):
            one = facts[number % len(facts)]
            yield fact(draw, one, tools, lines=4 if level else 1)


def fact(draw: Draw, form: Fact, tools: tuple[str, ...], *, lines: int = 1) -> AgentTask:
    """A question about one of the lines of a file; the other lines would be wrong answers."""
    line, question, answer = form
    filled = [fill(draw)]
    while len(filled) < lines:
        filled.append(fill_apart(draw, *filled))
    words = draw.choice(filled)
    file = words["file"]
    expected = answer.format(**words)
    return AgentTask(
        question.format(**words),
        expected,
        tools,
        {file: "\n".join(line.format(**row) for row in filled) + "\n"},
        (read(file),),
        tuple(answer.format(**row) for row in filled if row is not words),
    )


def read_compute(draw: Draw) -> Iterator[AgentTask]:
    """A number to be read and then calculated with."""
    for tools in (READ_AND_CALCULATE, ALL):
        forms = draw.table(*both("read_compute"))
        for number in range(20):
            text, question, expression = forms[number % len(forms)]
            words = fill(draw)
            file, call = words["file"], {"expression": expression.format(**words)}
            yield AgentTask(
                question.format(**words),
                calculate(**call),
                tools,
                {file: text.format(**words) + "\n"},
                (read(file), ("calculator", call)),
            )


def two_files(draw: Draw) -> Iterator[AgentTask]:
    """Ten sums and differences over two files, and ten files that refer to another one."""
    forms = draw.table(*both("two_files"))
    for number in range(10):
        question, expression = forms[number % len(forms)]
        words = fill(draw)
        words["b"] = str(given_number(draw, 10, 90))
        file, other, call = words["file"], words["other_file"], expression.format(**words)
        yield AgentTask(
            question.format(**words),
            calculate(call),
            ALL,
            {file: "{goods}: {a}\n".format(**words), other: "{goods}: {b}\n".format(**words)},
            (read(file), read(other), ("calculator", {"expression": call})),
        )
    ((first, second, question, answer),) = draw.table(*both("sent_on"))
    for _ in range(10):
        words = fill(draw)
        file, other = words["file"], words["other_file"]
        yield AgentTask(
            question.format(**words),
            answer.format(**words),
            ALL,
            {file: first.format(**words) + "\n", other: second.format(**words) + "\n"},
            (read(file), read(other)),
        )
