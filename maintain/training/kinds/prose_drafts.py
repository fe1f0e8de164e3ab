"""Short texts to write, each with faults that can be put into it.

Each has a task, a text that fulfils it, and texts that do not, with what a critic should say. A
fault of prose can be found by comparing it with its task.
"""

from __future__ import annotations

import random
import re

from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DAYS,
    GOODS,
    MATERIALS,
    MONTHS,
    PLACES,
    fields,
    number,
    table,
)

GROUPS = {
    "animals": ANIMALS,
    "colours": COLOURS,
    "days of the week": DAYS,
    "months": MONTHS,
    "materials": MATERIALS,
    "towns": PLACES,
    "things that are sold": GOODS,
}
TRIM = " ,\n"
ROWS = table("drafts")["prose"]

Prose = tuple[str, str, list[tuple[str, str]]]


def _of_a_row(rng: random.Random) -> Prose:
    """A task of the table. A fault is a wrong name, a missing part, or an extra sentence."""
    row, words, others = rng.choice(ROWS), fields(rng), fields(rng)
    task, good = (part.format(**words) for part in row[:2])
    faults: list[tuple[str, str]] = []
    for name in dict.fromkeys(re.findall(r"\{(\w+)\}", row[1])):
        if (wrong := others[name]) not in words.values():
            faults.append(
                (row[1].format(**words | {name: wrong}), f"It says {wrong}, not {words[name]}.")
            )
    for cell in row[2].split(" // "):
        part = cell.format(**words)
        text = re.sub(rf" ?{re.escape(part)}", "", good).strip()
        faults.append((text[0].upper() + text[1:], f"It leaves out: {part.strip(TRIM)}"))
    if "one sentence" in task:
        more = good + rng.choice((" There will be cake.", " It rains today.", " That is all."))
        faults.append((more, "It has two sentences, and the task asks for one."))
    return task, good, faults


def _list_of(rng: random.Random) -> Prose:
    kind, other = rng.sample(tuple(GROUPS), 2)
    count = rng.randint(3, 5)
    items = rng.sample(GROUPS[kind], count)
    stranger = rng.choice([word for word in GROUPS[other] if word not in GROUPS[kind]])
    where = rng.randrange(count)
    lines = "\n".join
    mixed = [*items[:where], stranger, *items[where + 1 :]]
    faults = [
        (lines(items[:-1]), f"It names {count - 1}, and the task asks for {count}."),
        (lines(mixed), f"{stranger} is none of the {kind}."),
        (lines(items[:-1] + items[:1]), f"{items[0]} stands there twice."),
        (", ".join(items), "They stand on one line, and the task asks for a line each."),
    ]
    return f"Name {count} {kind}, one on each line.", lines(items), faults


def _price(rng: random.Random) -> Prose:
    goods, n, each = rng.choice(GOODS), number(rng, 2, 9), number(rng, 2, 9)
    right = n * each
    wrong = rng.choice([value for value in (n + each, right + 1, right * 2) if value != right])
    faults = [
        (f"{n} {goods} cost {wrong} euros.", f"{n} times {each} is {right}, not {wrong}."),
        (f"{n} {goods} cost a lot.", "It does not say what they cost."),
        (f"The {goods} cost {each} euros each.", f"It does not say what all {n} cost."),
    ]
    task = f"Say in one sentence what {n} {goods} cost at {each} euros each."
    return task, f"{n} {goods} cost {right} euros.", faults


PROSE = (*[_of_a_row] * 6, _list_of, _list_of, _price)
