"""Questions that take a number out of a file, or two, and a sum with them.

Each step hands the next one something. What was read goes into the expression as it stood there,
and what was calculated goes into the answer.
"""

from __future__ import annotations

import random
import re
import tomllib

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
    DATA,
    GOODS,
    PEOPLE,
    THINGS,
    fields,
    file_name,
    file_names,
    number,
    numbers,
    pick,
)

READINGS = tomllib.loads((DATA / "readings.toml").read_text("utf-8"))["reading"]


def read_compute(rng: random.Random) -> Scenario:
    """Numbers of one file or two, and a sum with them."""
    while True:
        makers = (_one_number, _two_numbers, *[_two_of_files] * 3, *[_story] * 4, _of_a_fact)
        more = (*[_reading] * 3, *[_changed] * 5, _chain)
        scenario = rng.choice((*makers, *more))(rng)
        if is_short(scenario.value):
            return scenario


def _one_number(rng: random.Random) -> Scenario:
    file, field = file_name(rng), rng.choice(COUNTS)
    thing, goods, who = rng.choice(THINGS), rng.choice(GOODS), rng.choice(PEOPLE)
    x, y, n = number(rng, 2, 900), number(rng, 2, 400), number(rng, 2, 12)
    part = rng.choice((5, 15, 20, 25, 30, 40, 50))
    asked, expression = rng.choice(
        (
            ("What is the {field} in {file} times {n}?", f"{x} * {n}"),
            ("Multiply the {field} in {file} by {n}.", f"{x} * {n}"),
            ("What is {n} times the {field} that {file} gives?", f"{n} * {x}"),
            ("Add {y} to the {field} in {file}.", f"{x} + {y}"),
            ("What is the {field} in {file} plus {y}?", f"{x} + {y}"),
            ("Take the {field} from {file} and subtract {y}.", f"{x} - {y}"),
            ("What is left of the {field} in {file} after {y} are taken away?", f"{x} - {y}"),
            ("Divide the {field} in {file} by {n}.", f"{x * n} / {n}"),
            ("What is half of the {field} in {file}?", f"{x} / 2"),
            ("Double the {field} in {file}.", f"2 * {x}"),
            ("What is {part} percent of the {field} in {file}?", f"{x} * {part} / 100"),
            ("The {field} in {file} rises by {y}. What is it then?", f"{x} + {y}"),
            ("Square the {field} in {file}.", f"{x} ** 2"),
            ("{who} needs {n} of them. What is {n} times the {field} in {file}?", f"{n} * {x}"),
            ("What would {n} {goods} cost at the {field} in {file}?", f"{n} * {x}"),
            ("How much is the {field} in {file} and {y} together?", f"{x} + {y}"),
            ("If I had {n} of what {file} calls the {field}, how much is that?", f"{x} * {n}"),
            ("{file} has the {field} of one. What is it for {n}?", f"{x} * {n}"),
            ("Given the {field} in {file}, how much is it for {n} people?", f"{x} * {n}"),
            ("Look up the {field} in {file} and make it {y} higher.", f"{x} + {y}"),
            ("We add {y} to the {field} of {file}. What do we get?", f"{x} + {y}"),
            ("By {file}, what is the {field} less {y}?", f"{x} - {y}"),
            ("{who} takes {y} off the {field} in {file}. What is the rest?", f"{x} - {y}"),
            ("Share the {field} in {file} equally among {n}.", f"{x * n} / {n}"),
            ("How much does each of {n} people get of the {field} in {file}?", f"{x * n} / {n}"),
            ("How far is the {field} in {file} below 1000?", f"1000 - {x}"),
            ("Read {file}: what are {n} times its {field} and {y} more?", f"{x} * {n} + {y}"),
            ("Use the {field} from {file}: {n} of it, minus {y}.", f"{n} * {x} - {y}"),
            ("{who} says that the {field} in {file} must triple. To what?", f"3 * {x}"),
        )
    )
    if expression.startswith(f"{x * n} /"):
        x *= n
    words = {"field": field, "file": file, "n": n, "y": y, "part": part, "who": who}
    record = make_record(rng) | {field: str(x)}
    plain = rng.random() < 0.4
    text = write_record(rng, {field: str(x)} if plain else record)
    if rng.random() < 0.3:
        text = f"The {field} of the {thing} is {x}.\n"
    question = asked.format(goods=goods, **words)
    return _computing(
        rng,
        question,
        {file: text},
        [read(file, str(x))],
        expression,
        what=f"the {field}",
    )


VERBS = (
    ("rise", "rises", "rose", "risen", "+"),
    ("grow", "grows", "grew", "grown", "+"),
    ("climb", "climbs", "climbed", "climbed", "+"),
    ("go up", "goes up", "went up", "gone up", "+"),
    ("increase", "increases", "increased", "increased", "+"),
    ("swell", "swells", "swelled", "swollen", "+"),
    ("fall", "falls", "fell", "fallen", "-"),
    ("shrink", "shrinks", "shrank", "shrunk", "-"),
    ("drop", "drops", "dropped", "dropped", "-"),
    ("go down", "goes down", "went down", "gone down", "-"),
    ("decrease", "decreases", "decreased", "decreased", "-"),
    ("sink", "sinks", "sank", "sunk", "-"),
)
CHANGES = (
    ("added", "+"),
    ("brought", "+"),
    ("delivered", "+"),
    ("made", "+"),
    ("found", "+"),
    ("sold", "-"),
    ("lost", "-"),
    ("stolen", "-"),
    ("used up", "-"),
    ("given away", "-"),
)
TIMES = (("doubled", 2), ("tripled", 3), ("quadrupled", 4), ("made five times as many", 5))
"""What may happen to a number, in the forms of the verb, and what that does to it."""


def _changed(rng: random.Random) -> Scenario:
    """A count in a file, and what it would be if something happened to it."""
    file, goods, who = file_name(rng), rng.choice(GOODS), rng.choice(PEOPLE)
    x = number(rng, 20, 900)
    y = number(rng, 2, x - 1)
    field = rng.choice((rng.choice(COUNTS), "number", f"number of {goods}"))
    base, third, past, part, sign = rng.choice(VERBS)
    done, done_sign = rng.choice(CHANGES)
    times, n = rng.choice(TIMES)
    moved, happened, many = f"{x} {sign} {y}", f"{x} {done_sign} {y}", f"{x} * {n}"
    asked, expression = rng.choice(
        (
            (f"If the {field} in {file} {past} by {y}, what would it be?", moved),
            (f"Imagine that the {field} in {file} {third} by {y}. What is it then?", moved),
            (f"The {field} of {file} has {part} by {y} since. What is it now?", moved),
            (f"Let the {field} in {file} {base} by {y}; what comes out?", moved),
            (f"Tomorrow the {field} in {file} will {base} by {y}. To what?", moved),
            (f"How many {goods} will there be when those of {file} {base} by {y}?", moved),
            (f"How many {goods} would {who} have if those in {file} {past} by {y}?", moved),
            (f"By {y} the {goods} of {file} may {base}. How many would that leave?", moved),
            (f"Since {file} was written, the {goods} {past} by {y}. How many now?", moved),
            (f"Were the {goods} in {file} to {base} by {y}, how many would they be?", moved),
            (f"{y} {goods} were {done} after {file} was written. How many are there?", happened),
            (f"How many {goods} are there once {y} are {done}? {file} has the count.", happened),
            (f"If {y} of them were {done}, how many {goods} would {file} have?", happened),
            (f"{who} says that {y} {goods} have been {done}. Correct {file}: how many?", happened),
            (f"With {y} {goods} {done}, what becomes of the number in {file}?", happened),
            (f"Had the {goods} of {file} {part} by {y}, how many would it be?", moved),
            (f"How many {goods} is it, if one lets the number in {file} {base} by {y}?", moved),
            (f"{who} saw the {field} of {file} {base} by {y}. What did it become?", moved),
            (f"Say the {goods} of {file} {third} by {y}: how many would we have?", moved),
            (f"What if the {goods} in {file} were {times}?", many),
            (f"How many {goods} would it take for those of {file} to be {times}?", many),
            (f"The {field} in {file} was {times}. What is it now?", many),
        )
    )
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


def _two_numbers(rng: random.Random) -> Scenario:
    file, who = file_name(rng), rng.choice(PEOPLE)
    one, two = rng.sample(GOODS, 2)
    x, y = numbers(rng, 2, 2, 400)
    n = number(rng, 2, 40)
    asked, text, expression = rng.choice(
        (
            (
                f"How many {one} and {two} are in {file} together?",
                f"{one}: {x}\n{two}: {y}",
                f"{x} + {y}",
            ),
            (
                f"How many more {one} than {two} does {file} count?",
                f"{one}: {x + y}\n{two}: {y}",
                f"{x + y} - {y}",
            ),
            (f"Sum all numbers in {file}.", f"{one},{x}\n{two},{y}\n{who},{n}", f"{x} + {y} + {n}"),
            (
                f"What do all the {one} in {file} cost?",
                f"{one}: {n}\nprice of one: {x}",
                f"{n} * {x}",
            ),
            (
                f"{file} has an order. What does it come to?",
                f"{n} {one} at {x} euros each",
                f"{n} * {x}",
            ),
            (f"What is the area of the room in {file}?", f"length {x}\nwidth {n}", f"{x} * {n}"),
            (
                f"What is the average of the numbers in {file}?",
                f"{x}\n{x + 2 * n}",
                f"({x} + {x + 2 * n}) / 2",
            ),
            (
                f"How many hours did {who} work in all, by {file}?",
                f"{who} worked {x} hours in the first week and {y} in the second.",
                f"{x} + {y}",
            ),
            (
                f"In {file} there are {one} and {two}. How many things is that?",
                f"There are {x} {one} and {y} {two}.",
                f"{x} + {y}",
            ),
            (
                f"What is the difference between the two numbers in {file}?",
                f"first {x + y}, second {y}",
                f"{x + y} - {y}",
            ),
            (
                f"How many {one} fill all the boxes that {file} tells of?",
                f"boxes: {n}\n{one} in each box: {x}",
                f"{n} * {x}",
            ),
            (
                f"What does {who} have to pay, going by {file}?",
                f"{who} takes {n} {two}. One costs {x} euros.",
                f"{n} * {x}",
            ),
            (
                f"How many {one} does each child get, by {file}?",
                f"{n * x} {one} for {n} children",
                f"{n * x} / {n}",
            ),
            (
                f"How many euros remain of what {file} says?",
                f"budget {x + y}\nspent {y}",
                f"{x + y} - {y}",
            ),
            (f"What is the total in {file}?", f"- {one}: {x}\n- {two}: {y}\n", f"{x} + {y}"),
            (
                f"How many {two} are left, going by {file}?",
                f"{who} had {x + y} {two} and gave away {y}.",
                f"{x + y} - {y}",
            ),
        )
    )
    return _computing(
        rng,
        asked,
        {file: text},
        [read(file, text.split()[-1])],
        expression,
    )


def _two_of_files(rng: random.Random) -> Scenario:
    first, second = file_names(rng, 2)
    field, goods = rng.choice(COUNTS), rng.choice(GOODS)
    x, y = sorted(numbers(rng, 2, 2, 900), reverse=True)
    asked, expression = rng.choice(
        (
            ("What is the {field} in {first} plus that in {second}?", f"{x} + {y}"),
            ("Add the {field}s of {first} and {second}.", f"{x} + {y}"),
            ("What is the sum of the numbers in {first} and {second}?", f"{x} + {y}"),
            ("How much larger is the {field} in {first} than in {second}?", f"{x} - {y}"),
            ("Subtract the {field} in {second} from that in {first}.", f"{x} - {y}"),
            ("Multiply the {field} in {first} by the one in {second}.", f"{x} * {y}"),
            ("How many do {first} and {second} name in all?", f"{x} + {y}"),
            ("Which sum do the {field}s in {first} and {second} make?", f"{x} + {y}"),
            ("What is the gap between the {field} of {first} and that of {second}?", f"{x} - {y}"),
            ("Take the {field} of {second} off the one of {first}.", f"{x} - {y}"),
            ("What do {first} and {second} give for the {field} in total?", f"{x} + {y}"),
            ("How many {goods} do {first} and {second} have in all?", f"{x} + {y}"),
            ("How many fewer {goods} are in {second} than in {first}?", f"{x} - {y}"),
            ("Count the {goods} of both {first} and {second}.", f"{x} + {y}"),
            ("{first} and {second} each list {goods}. What is the total?", f"{x} + {y}"),
            ("What is the difference in {goods} between {first} and {second}?", f"{x} - {y}"),
            ("By how much do the {goods} in {first} exceed those in {second}?", f"{x} - {y}"),
            ("Take the {goods} of {first} and add those of {second}.", f"{x} + {y}"),
            ("If {first} and {second} pool their {goods}, how many are there?", f"{x} + {y}"),
            ("{first} has more {goods} than {second}. By how much?", f"{x} - {y}"),
            ("How many {goods} would {second} need to reach {first}?", f"{x} - {y}"),
            ("All {goods} of {first} and {second} go into one box. What is in it?", f"{x} + {y}"),
            ("{second} counts fewer {goods} than {first}: how many fewer?", f"{x} - {y}"),
            (
                "Lay the {goods} of {first} beside those of {second}. What do you count?",
                f"{x} + {y}",
            ),
            ("What is the number of {goods}, {first} and {second} taken as one?", f"{x} + {y}"),
            ("Give me one number for the {goods} in {first} and {second}.", f"{x} + {y}"),
            ("Do the {goods} in {first} outnumber those in {second}? By what?", f"{x} - {y}"),
            ("How far apart are {first} and {second} in their {goods}?", f"{x} - {y}"),
            ("From the {goods} in {first} take away as many as {second} has.", f"{x} - {y}"),
        )
    )
    if "{goods}" in asked:
        field = goods
    marks = (f"{field}: {{}}", "{}", f"The {field} is {{}}", f"{field} = {{}}")
    if field == goods:
        marks = (f"{goods}: {{}}", f"{{}} {goods}", f"There are {{}} {goods}.")
    files = {first: rng.choice(marks).format(x), second: rng.choice(marks).format(y)}
    moves = [read(first, str(x)), read_next(first, str(x), second, str(y))]
    question = asked.format(field=field, goods=goods, first=first, second=second)
    return _computing(
        rng, question, files, moves, expression, f"{first} says {x}. {second} says {y}."
    )


def _story(rng: random.Random) -> Scenario:
    """A word problem of which the file has the story and the question the last sentence."""
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
    """A sentence with a number, and a question that says in its own way what to do with it."""
    file, reading = file_name(rng), rng.choice(READINGS)
    x, n = number(rng, 20, 900), number(rng, 2, 12)
    y = number(rng, 2, x - 1)
    words = fields(rng) | {"file": file, "x": x, "y": y, "n": n, "xn": x * n, "xy": x + y}
    words |= {"goods": rng.choice(GOODS), "thing": rng.choice(THINGS)}
    text, question, expression = (reading[p].format(**words) for p in ("says", "ask", "sum"))
    return _computing(
        rng,
        question,
        {file: text},
        [read(file, text.split()[-1])],
        expression,
    )


def _of_a_fact(rng: random.Random) -> Scenario:
    """A fact with a number, asked for with a sum after it."""
    fact = make_fact(rng, [form for form in FORMS if form["value"] == "{n}"])
    file, n, y, x = file_name(rng), number(rng, 2, 12), number(rng, 2, 90), fact.value
    then, expression = rng.choice(
        (
            ("Multiply that by {n}.", "{x} * {n}"),
            ("What are {n} times as many?", "{x} * {n}"),
            ("How much is that and {y} more?", "{x} + {y}"),
            ("And if it were {y} more?", "{x} + {y}"),
            ("Then subtract {y}.", "{x} - {y}"),
            ("What would {y} less be?", "{x} - {y}"),
            ("Give half of that.", "{x} / 2"),
        )
    )
    return _computing(
        rng,
        f"{ask_about(rng, fact, file)} {then.format(n=n, y=y)}",
        {file: text_with(rng, fact, rng.choice((0, 0, 1)))},
        [read(file, x)],
        expression.format(x=x, n=n, y=y),
    )


def _known(question: str, text: str, expression: str) -> str:
    """The thought that has the numbers of a sum: those of the file, then those of the question."""
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
