"""Facts in files, and questions for them.

The same fact is written as a sentence, as a line, as a row or as a list, and asked for in many
ways. So the model learns to find it, and not to copy a form.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    COUNTS,
    DAYS,
    MATERIALS,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    fields,
    number,
    phrases,
    pick,
    some,
    table,
)

FORMS: tuple[dict[str, str], ...] = tuple(
    dict(zip(("says", "ask", "value", "answer"), (*row, row[0]), strict=False))
    for row in table("facts")["facts"]
)
"""Templates for facts and their questions."""
_SUBJECT = re.compile(r"(?:the )?\{\w+\}(?: of (?:the )?\{\w+\})?")


@dataclass(frozen=True)
class Fact:
    """A sentence, the question that it answers, the value in it, the answer, and the question's
    subject."""

    sentence: str
    question: str
    value: str
    answer: str
    about: str = "it"

    @property
    def asked(self) -> str:
        """The question, for the middle of a sentence."""
        return self.question[0].lower() + self.question[1:]

    @property
    def found(self) -> str:
        """The thought after reading it, with what was looked for and what was found. After this
        thought the answer is a copy; without it, a guess."""
        return f"I look for {self.about}. The file says: {self.sentence}"


def make_fact(rng: random.Random, forms: Sequence[dict[str, str]] = FORMS, **chosen: str) -> Fact:
    """A fact in one of `forms`. Some of its words may be `chosen`."""
    words = fields(rng) | chosen
    form = rng.choice(forms)
    parts = (form["says"], form["ask"], form["value"], form["answer"], subject_of(form["ask"]))
    return Fact(*(part.format(**words) for part in parts))


def subject_of(ask: str) -> str:
    """The subject of a question: the last name in it, else the first noun after "the".

    >>> subject_of("What colour is the {thing} of {who}?"), subject_of("Who won the race?")
    ('the {thing} of {who}', 'the race')
    """
    subjects = _SUBJECT.findall(ask) or re.findall(r"the \w+", ask)
    return subjects[-1]


def ask_about(rng: random.Random, fact: Fact, file: str) -> str:
    """The fact's question, with a hint at where the answer is."""
    return pick(
        rng,
        *phrases("facts.ask_about"),
        file=file,
        ask=fact.question,
        lower=fact.asked,
        short=fact.question.removesuffix("?"),
    )


FIELDS = {
    "owner": PEOPLE,
    "author": PEOPLE,
    "teacher": PEOPLE,
    "guide": PEOPLE,
    "driver": PEOPLE,
    "town": PLACES,
    "harbour": PLACES,
    "colour": COLOURS,
    "material": MATERIALS,
    "mascot": ANIMALS,
    "day": DAYS,
    "month": MONTHS,
    "prize": THINGS,
    "gift": THINGS,
}


def make_record(rng: random.Random) -> dict[str, str]:
    """Fields with their values, in any order."""
    record = {field: rng.choice(FIELDS[field]) for field in some(rng, tuple(FIELDS), 1, 3)}
    record |= {field: str(number(rng, 2, 900)) for field in some(rng, COUNTS, 1, 3)}
    return dict(rng.sample(list(record.items()), len(record)))


def write_record(rng: random.Random, record: dict[str, str]) -> str:
    """Write the record in one of the forms that a file may have."""
    mark = rng.choice((": ", ": ", " = ", " - ", "\t"))
    match rng.randrange(6):
        case 0:
            return ",".join(record) + "\n" + ",".join(record.values()) + "\n"
        case 1:
            return "".join(f"- {field}: {value}\n" for field, value in record.items())
        case 2:
            return " ".join(f"The {field} is {value}." for field, value in record.items()) + "\n"
        case 3:
            title = f"# {rng.choice(THINGS).title()}\n\n"
            return title + "".join(f"{field}{mark}{value}\n" for field, value in record.items())
        case _:
            return "".join(f"{field}{mark}{value}\n" for field, value in record.items())


def ask_field(rng: random.Random, field: str, file: str) -> str:
    return pick(rng, *phrases("facts.ask_field"), field=field, file=file)


def alike_facts(rng: random.Random, count: int) -> list[Fact]:
    """Facts of one form, each about something else, so that each question has one answer."""
    while True:
        form = rng.choice(FORMS)
        facts = [make_fact(rng, [form]) for _ in range(count)]
        questions = {fact.question for fact in facts}
        values = {fact.value for fact in facts}
        if len(questions) == len(values) == count:
            return facts


def text_with(rng: random.Random, fact: Fact, others: int) -> str:
    """A file's text with the fact among some others."""
    sentences = {fact.sentence}
    while len(sentences) <= others:
        other = make_fact(rng)
        if other.question.split()[-1] != fact.question.split()[-1]:
            sentences.add(other.sentence)
    order = rng.sample(sorted(sentences), len(sentences))
    return rng.choice((" ", "\n", "\n")).join(order) + rng.choice(("", "\n"))
