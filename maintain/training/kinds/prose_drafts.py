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
    PURPOSES,
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


def _purpose(rng: random.Random) -> Prose:
    thing, other = rng.sample(tuple(PURPOSES), 2)
    good = f"{a(thing).capitalize()} {PURPOSES[thing]}."
    return (
        f"Explain in one sentence what {a(thing)} does.",
        good,
        [
            (f"{a(thing).capitalize()} {PURPOSES[other]}.", f"That is what {a(other)} does."),
            (
                f"{a(thing).capitalize()} can be large or small.",
                f"It does not say what {a(thing)} does.",
            ),
            (
                f"{good} It is useful. Many people have one.",
                "It has three sentences, and the task asks for one.",
            ),
            (
                f"{a(other).capitalize()} {PURPOSES[other]}.",
                f"It is about {a(other)}, not {a(thing)}.",
            ),
        ],
    )


def _letter(rng: random.Random) -> Prose:
    who, other, third = rng.sample(PEOPLE, 3)
    thing = rng.choice(THINGS)
    task = f"Thank {who} for the {thing}. Begin with Dear {who} and end with Yours, {other}."
    form = "Dear {},\nthank you very much for the {}.\nYours, {}"
    wrong = rng.choice([word for word in THINGS if word != thing])
    return (
        task,
        form.format(who, thing, other),
        [
            (form.format(third, thing, other), f"It begins with Dear {third}, not Dear {who}."),
            (form.format(who, wrong, other), f"It thanks for the {wrong} and not for the {thing}."),
            (form.format(who, thing, third), f"It is signed by {third}, not by {other}."),
            (
                f"Dear {who},\nthank you very much for the {thing}.",
                f"It does not end with Yours, {other}.",
            ),
            (
                f"Thank you very much for the {thing}.\nYours, {other}",
                f"It does not begin with Dear {who}.",
            ),
        ],
    )


def _polite(rng: random.Random) -> Prose:
    who, thing, place = rng.choice(PEOPLE), rng.choice(THINGS), rng.choice(PLACES)
    task = f"Ask {who} politely, in one question, to bring the {thing} to {place}."
    form = pick(
        rng,
        "{{}}, could you please bring the {t} to {{}}?",
        "{{}}, would you be so kind as to bring the {t} to {{}}?",
        t=thing,
    )
    wrong = rng.choice([town for town in PLACES if town != place])
    return (
        task,
        form.format(who, place),
        [
            (f"{who}, bring the {thing} to {place}.", "It is an order and not a polite question."),
            (form.format(who, wrong), f"It says {wrong}, and the task says {place}."),
            (f"{who}, could you please come to {place}?", f"It does not ask for the {thing}."),
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


def _sorted(rng: random.Random) -> Prose:
    words = sorted(rng.sample(THINGS, 4))
    mixed = [words[1], words[0], *words[2:]]
    order = rng.sample(words, 4)
    task = f"Put these words in alphabetical order: {', '.join(order)}."
    return (
        task,
        ", ".join(words),
        [
            (", ".join(mixed), f"{words[0]} must stand before {words[1]}."),
            (", ".join(words[:3]), f"{words[3]} is missing."),
            (", ".join([*words, "zebra"]), "zebra was not among the words."),
        ],
    )


def _capitals(rng: random.Random) -> Prose:
    thing, colour = rng.choice(THINGS), rng.choice(COLOURS)
    text = f"the {colour} {thing}"
    return (
        f"Write in capital letters: {text}",
        text.upper(),
        [
            (text, "It is not in capital letters."),
            (text.title(), "Only the first letters are capitals."),
            (f"THE {thing.upper()}", f"The word {colour} is missing."),
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


PROSE = (
    _invitation,
    _list_of,
    _report,
    _purpose,
    _letter,
    _polite,
    _price,
    _sorted,
    _capitals,
    _describe,
)
