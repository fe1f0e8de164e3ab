"""Short texts to write, each with faults that can be put into it.

A task, a text that does it, and texts that do not, each with the sentence that a critic should say.
Most faults of prose can be found by holding it against its task.
"""

from __future__ import annotations

import random

from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DAYS,
    GOODS,
    MATERIALS,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    a,
    number,
    pick,
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

Prose = tuple[str, str, list[tuple[str, str]]]


def _invitation(rng: random.Random) -> Prose:
    who, other = rng.sample(PEOPLE, 2)
    day, wrong = rng.sample(DAYS, 2)
    place, elsewhere = rng.sample(PLACES, 2)
    event = rng.choice(("concert", "dinner", "exhibition", "picnic", "wedding", "workshop"))
    task = f"Ask {who} in one sentence to come to the {event}, which is on {day} in {place}."
    form = pick(
        rng,
        "Dear {{}}, please come to the {e} on {{}} in {{}}.",
        "{{}}, you are invited to the {e} on {{}} in {{}}.",
        "Would you like to come to the {e}, {{}}, on {{}} in {{}}?",
        e=event,
    )
    if form.startswith("Would"):
        form = f"{{}}, would you like to come to the {event} on {{}} in {{}}?"
    good = form.format(who, day, place)
    return (
        task,
        good,
        [
            (form.format(who, wrong, place), f"It says {wrong}, and the {event} is on {day}."),
            (form.format(who, day, elsewhere), f"It says {elsewhere} in place of {place}."),
            (form.format(other, day, place), f"It is addressed to {other} and not to {who}."),
            (good.replace(f" in {place}", ""), f"It does not say that the {event} is in {place}."),
            (good.replace(f" on {day}", ""), f"It does not say that the {event} is on {day}."),
            (good + " There will be cake.", "It has two sentences, and the task asks for one."),
        ],
    )


def _list_of(rng: random.Random) -> Prose:
    kind, other = rng.sample(tuple(GROUPS), 2)
    count = rng.randint(3, 5)
    items = rng.sample(GROUPS[kind], count)
    stranger = rng.choice([word for word in GROUPS[other] if word not in GROUPS[kind]])
    where = rng.randrange(count)
    lines = "\n".join
    return (
        f"Name {count} {kind}, one on each line.",
        lines(items),
        [
            (lines(items[:-1]), f"It names {count - 1}, and the task asks for {count}."),
            (
                lines([*items[:where], stranger, *items[where + 1 :]]),
                f"{stranger} is none of the {kind}.",
            ),
            (lines(items[:-1] + items[:1]), f"{items[0]} stands there twice."),
            (", ".join(items), "They stand on one line, and the task asks for a line each."),
        ],
    )


def _report(rng: random.Random) -> Prose:
    who, other = rng.sample(PEOPLE, 2)
    goods, n = rng.choice(GOODS), number(rng, 2, 90)
    place, elsewhere = rng.sample(PLACES, 2)
    task = (
        f"Sum up in one sentence: {who} went to {place}. {who} bought {n} {goods} there. "
        f"{other} stayed at home."
    )
    form = f"{{}} bought {{}} {goods} in {{}}, while {{}} stayed at home."
    m = number(rng, 91, 200)
    return (
        task,
        form.format(who, n, place, other),
        [
            (
                form.format(other, n, place, who),
                f"It was {who} who bought the {goods}, not {other}.",
            ),
            (form.format(who, m, place, other), f"It says {m} {goods}, and there were {n}."),
            (form.format(who, n, elsewhere, other), f"{who} was in {place}, not in {elsewhere}."),
            (
                f"{who} bought {n} {goods} in {place}.",
                f"It leaves out that {other} stayed at home.",
            ),
        ],
    )


def _price(rng: random.Random) -> Prose:
    goods, n, each = rng.choice(GOODS), number(rng, 2, 9), number(rng, 2, 9)
    right = n * each
    wrong = rng.choice([value for value in (n + each, right + 1, right * 2) if value != right])
    task = f"Say in one sentence what {n} {goods} cost at {each} euros each."
    return (
        task,
        f"{n} {goods} cost {right} euros.",
        [
            (f"{n} {goods} cost {wrong} euros.", f"{n} times {each} is {right}, not {wrong}."),
            (f"{n} {goods} cost a lot.", "It does not say what they cost."),
            (f"The {goods} cost {each} euros each.", f"It does not say what all {n} cost."),
        ],
    )


def _describe(rng: random.Random) -> Prose:
    thing, colour, material = rng.choice(THINGS), rng.choice(COLOURS), rng.choice(MATERIALS)
    n, place = number(rng, 2, 900), rng.choice(PLACES)
    task = (
        f"Write an advertisement for {a(thing)}: the colour is {colour}, it is of {material}, it "
        f"costs {n} euros, and it is sold in {place}."
    )
    parts = {
        "colour": f"This {colour} {thing}",
        "material": f"of {material}",
        "price": f"costs {n} euros",
        "town": f"and is waiting for you in {place}.",
    }
    good = " ".join(parts.values())
    other = rng.choice([word for word in COLOURS if word != colour])
    m = n + number(rng, 2, 90)
    return (
        task,
        good,
        [
            (
                good.replace(f" of {material}", ""),
                f"It does not say that the {thing} is of {material}.",
            ),
            (good.replace(f" costs {n} euros and", ""), "It does not give the price."),
            (good.replace(str(n), str(m)), f"The price is {n} euros, not {m}."),
            (good.replace(colour, other), f"The {thing} is {colour}, not {other}."),
            (good.replace(f" in {place}", ""), f"It does not say that it is sold in {place}."),
        ],
    )


PROSE = (_invitation, _list_of, _report, _price, _describe)
