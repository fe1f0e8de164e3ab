"""Questions that take a number out of a file, or two, and a sum with them.

Each step gives the next one something. A number that was read goes into the expression unchanged,
and the result of the calculation goes into the answer.
"""

from __future__ import annotations

import random
import re

from maintain.training.kinds.arithmetic import is_short, make_chain
from maintain.training.kinds.facts import (
    FORMS,
    Fact,
    ask_about,
    make_fact,
    make_record,
    text_with,
    write_record,
)
from maintain.training.kinds.files import reading_plan
from maintain.training.kinds.reasons import reason
from maintain.training.kinds.situations import make_situation
from maintain.training.scenario import Move, Scenario, calculate, read, read_next, work_out
from maintain.training.vocabulary import (
    COUNTS,
    fields,
    file_name,
    file_names,
    number,
    numbers,
    pick,
    table,
)

ASKED = table("sums")


def read_compute(rng: random.Random) -> Scenario:
    """Numbers of one file or two, and a sum with them."""
    makers = (_of_a_field, *[_of_two_files] * 3, *[_story] * 4, _of_a_fact, *[_reading] * 4)
    more = (*[_changed] * 5, _chain)
    while not is_short((scenario := rng.choice((*makers, *more))(rng)).value):
        pass
    return scenario


def _words(rng: random.Random) -> dict[str, str | int]:
    """The gaps of the questions and sums."""
    x, n = number(rng, 20, 900), number(rng, 2, 12)
    y = number(rng, 2, x - 1)
    base, third, past, part, sign = rng.choice(ASKED["verbs"])
    done, done_sign = rng.choice(ASKED["done"])
    times, by = rng.choice(ASKED["times"])
    verb = {"base": base, "third": third, "past": past, "part": part, "sign": sign}
    change = {"done": done, "done_sign": done_sign, "times": times, "by": by}
    own = {"x": x, "y": y, "n": n, "xn": x * n, "xy": x + y, "x2n": x + 2 * n}
    percent = rng.choice((5, 15, 20, 25, 30, 40, 50))
    return fields(rng) | verb | change | own | {"file": file_name(rng), "percent": percent}


def _asked(rng: random.Random, section: str, words: dict[str, str | int]) -> tuple[str, str]:
    """A question of the section and its sum."""
    asked, expression = rng.choice(ASKED[section])
    return asked.format(**words), expression.format(**words)


def _of_a_field(rng: random.Random) -> Scenario:
    field, words = rng.choice(COUNTS), _words(rng)
    asked, expression = _asked(rng, "field", {**words, "field": field})
    x = str(words["xn"] if expression.startswith(f"{words['xn']} /") else words["x"])
    record = {} if rng.random() < 0.4 else make_record(rng)
    text = write_record(rng, record | {field: x})
    if rng.random() < 0.3:
        text = f"The {field} of the {words['thing']} is {x}.\n"
    file = str(words["file"])
    return _computing(rng, asked, {file: text}, [read(file, x)], expression, what=f"the {field}")


def _changed(rng: random.Random) -> Scenario:
    """A count in a file, and its value after an imagined change."""
    words = _words(rng)
    goods, x, file = words["goods"], words["x"], str(words["file"])
    field = rng.choice((rng.choice(COUNTS), "number", f"number of {goods}"))
    asked, expression = _asked(rng, "changed", {**words, "field": field})
    said = (f"{goods}: {x}", f"{goods} = {x}", f"There are {x} {goods}.", f"{x} {goods}")
    text = rng.choice((f"{field}: {x}", f"The {field} is {x}.") if field in asked else said)
    return _computing(rng, asked, {file: text}, [read(file, str(x))], expression)


def _chain(rng: random.Random) -> Scenario:
    """A number of a file, and two things to do with it, one after the other."""
    file, field, x = file_name(rng), rng.choice(COUNTS), number(rng, 20, 900)
    steps, expression = make_chain(rng, x)
    asked = pick(
        rng,
        "Take the {field} in {file}, {steps}. What is the result?",
        "Read the {field} in {file}, then {steps}. What do you have?",
        "From the {field} in {file}: {steps}.",
        field=field,
        file=file,
        steps=steps,
    )
    record = make_record(rng) if rng.random() < 0.4 else {}
    text = write_record(rng, record | {field: str(x)})
    return _computing(rng, asked, {file: text}, [read(file, str(x))], expression)


def _of_two_files(rng: random.Random) -> Scenario:
    first, second = file_names(rng, 2)
    x, y = sorted(numbers(rng, 2, 2, 900), reverse=True)
    field, words = rng.choice(COUNTS), _words(rng)
    own = {"first": first, "second": second, "field": field, "x": x, "y": y}
    asked, expression = _asked(rng, "files", words | own)
    marks: tuple[str, ...] = (f"{field}: {{}}", "{}", f"The {field} is {{}}", f"{field} = {{}}")
    if field not in asked and (goods := str(words["goods"])) in asked:
        marks = (f"{goods}: {{}}", f"{{}} {goods}", f"There are {{}} {goods}.")
    files = {first: rng.choice(marks).format(x), second: rng.choice(marks).format(y)}
    moves = [read(first, str(x)), read_next(first, str(x), second, str(y))]
    known = f"{first} says {x}. {second} says {y}."
    return _computing(rng, asked, files, moves, expression, known)


def _story(rng: random.Random) -> Scenario:
    """A word problem: the story is in the file, and its last sentence is in the question."""
    file = file_name(rng)
    story = make_situation(rng)
    if not story.facts:
        return _story(rng)
    text, expression = " ".join(story.facts), story.expression
    asked = Fact(text, story.question, "", "")
    return _computing(
        rng,
        ask_about(rng, asked, file),
        {file: text},
        [read(file, text.split()[-1])],
        expression,
        reason(story.text, expression, story.question, says="The file says"),
    )


def _reading(rng: random.Random) -> Scenario:
    """A text with a number or two, and a question about them in its own words."""
    words, row = _words(rng), rng.choice(ASKED["readings"])
    text, asked, expression = (part.format(**words) for part in row)
    file = str(words["file"])
    return _computing(rng, asked, {file: text}, [read(file, text.split()[-1])], expression)


def _of_a_fact(rng: random.Random) -> Scenario:
    """A fact with a number, and a question for a sum with that number."""
    fact = make_fact(rng, [form for form in FORMS if form["value"] == "{n}"])
    then, expression = _asked(rng, "then", {**_words(rng), "x": fact.value})
    file = file_name(rng)
    return _computing(
        rng,
        f"{ask_about(rng, fact, file)} {then}",
        {file: text_with(rng, fact, rng.choice((0, 0, 1)))},
        [read(file, fact.value)],
        expression,
    )


def _known(question: str, text: str, expression: str) -> str:
    """The thought with the numbers of a sum: those of the file, then those of the question."""
    wanted = dict.fromkeys(re.findall(r"\d+(?:\.\d+)?", expression))
    read = [n for n in wanted if re.search(rf"\b{n}\b", text)]
    asked = [n for n in wanted if n not in read and re.search(rf"\b{n}\b", question)]
    said = f"The file says {' and '.join(read)}" if read else "I have the numbers"
    return f"{said}, the question {' and '.join(asked)}." if asked else f"{said}."


def _computing(
    rng: random.Random,
    question: str,
    files: dict[str, str],
    moves: list[Move],
    expression: str,
    known: str = "",
    what: str = "the result",
) -> Scenario:
    value = calculate(expression)
    known = known or _known(question, "\n".join(files.values()), expression)
    return Scenario(
        question=question,
        moves=(*moves, work_out(expression, known)),
        thought=f"The result is {value}.",
        answer=f"The result is {value}.",
        value=value,
        goal=f"read {' and '.join(files)} and calculate",
        steps=reading_plan(list(files), f"Calculate {what}.", "Give the result."),
        tools=("read_file", "calculator", *rng.choice(((), (), ("list_files",)))),
        files=files,
    )
