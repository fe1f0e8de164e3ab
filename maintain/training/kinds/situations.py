"""Little stories put together from parts, so that no two read alike.

A model that has seen a story a hundred times knows its operation by heart. Here the setting, the
event and the wording of the question are drawn independently, and only the event decides.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

from maintain.training.vocabulary import (
    DATA,
    DAYS,
    GOODS,
    KIN,
    PEOPLE,
    PLACES,
    THINGS,
    number,
    plural,
)

PARTS: dict[str, list[str]] = tomllib.loads((DATA / "situations.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Situation:
    """The facts of a story in order, the question about them, and the sum. If the question has
    everything, there are no facts."""

    facts: tuple[str, ...]
    question: str
    expression: str

    @property
    def text(self) -> str:
        return " ".join((*self.facts, self.question))


Words = dict[str, str | int]


def _words(rng: random.Random) -> Words:
    who, other = rng.sample(PEOPLE, 2)
    place, town = rng.sample(PLACES, 2)
    box, time = rng.choice(PARTS["boxes"]), rng.choice(PARTS["spans"])
    k = number(rng, 2, 12)
    a = number(rng, *rng.choice(((15, 90), (100, 900), (100, 900))))
    return {
        "who": who, "other": other, "place": place, "town": town,
        "box": box, "boxes": plural(box), "time": time, "times": plural(time),
        "x": rng.choice(GOODS), "thing": rng.choice(THINGS), "day": rng.choice(DAYS),
        "kin": rng.choice(KIN),
        "a": a, "b": number(rng, 3, a - 1), "c": number(rng, 3, 200), "k": k, "m": a * k,
    }  # fmt: skip


def _part(rng: random.Random, name: str, words: Words) -> str:
    said = rng.choice(PARTS[name]).format(**words)
    return said[0].upper() + said[1:]


def _sentences(text: str) -> list[str]:
    return text.replace(". ", ".\n").split("\n")


def _changed(rng: random.Random, words: Words) -> Situation:
    """There are some, and then there are more or fewer."""
    is_more = rng.random() < 0.4
    change, sign = ("more", "+") if is_more else ("less", "-")
    ask = "now" if is_more or rng.random() < 0.4 else "left"
    facts = [_part(rng, "has", words), _part(rng, change, words)]
    expression = f"{words['a']} {sign} {words['b']}"
    if rng.random() < 0.2 and is_more:
        facts.append(_part(rng, "more", {**words, "b": words["c"]}))
        expression += f" + {words['c']}"
    return Situation(tuple(facts), _part(rng, ask, words), expression)


def _summed(rng: random.Random, words: Words) -> Situation:
    """The same is done twice; asked is the sum, or the difference."""
    first, second = rng.choice(PARTS["pairs"]).format(**words).split("|")
    did, do = rng.choice(PARTS["deeds"]).split("|")
    who = rng.choice(PARTS["doers"]).format(**words)
    who = who[0].upper() + who[1:]
    is_one = rng.random() < 0.6
    also = rng.choice(("and {b} {second}", "and {second} {b}", "then {b} {second}"))
    also = also.format(b=words["b"], second=second)
    told = f"{who} {did} {words['a']} {words['x']} {first}"
    again = f"{second[0].upper()}{second[1:]} it was {words['b']}."
    facts = (f"{told} {also}.",) if is_one else (f"{told}.", again)
    if rng.random() < 0.75:
        small = who[0].lower() + who[1:] if who.startswith(("A ", "The ", "Our ", "My ")) else who
        ask = rng.choice((_part(rng, "all", words), f"How many {words['x']} did {small} {do}?",
                          f"What did {small} {do} in all?"))  # fmt: skip
        return Situation(facts, ask, f"{words['a']} + {words['b']}")
    return Situation(facts, _part(rng, "differ", words), f"{words['a']} - {words['b']}")


def _of_a_whole(rng: random.Random, words: Words) -> Situation:
    """A whole of two parts: the question is for the other part, or for the whole."""
    if rng.random() < 0.5:
        one, other = rng.choice(PARTS["doing"]).split("|")
        x = rng.choice(PARTS["beings"])
    else:
        one, other = (f"are {half}" for half in rng.choice(PARTS["halves"]).split("|"))
        x = str(words["x"])
    a, b, place = words["a"], words["b"], words["place"]
    if rng.random() < 0.2:
        facts = (f"{a} {x} {one}, and {b} {other}.",)
        return Situation(facts, f"How many {x} are there in all?", f"{a} + {b}")
    told = rng.choice((
        (f"Of {a} {x} in {place}, {b} {one}.",), (f"Out of {a} {x} {b} {one}.",),
        (f"There are {a} {x} in {place}.", f"{b} of them {one}."),
        (f"{b} of the {a} {x} {one}.",), (f"Of the {a} {x} of {words['who']} {b} {one}.",),
        (f"We have {a} {x}, of which {b} {one}.",), (f"{a} {x} are here, and {b} of these {one}.",),
    ))  # fmt: skip
    asks = (
        *(f"How many {other}?", f"How many {x} {other}?") * 2,
        "How many are not?" if one.startswith("are ") else "How many do not?",
        "How many are the others?",
        "What about the rest: how many?",
    )
    return Situation(told, rng.choice(asks), f"{a} - {b}")


def _compared(rng: random.Random, words: Words) -> Situation:
    said, sign = rng.choice(PARTS["unlike"]).split("|")
    *facts, ask = _sentences(said.format(**words))
    by = words["k"] if sign == "*" else words["b"]
    return Situation(tuple(facts), ask, f"{words['a']} {sign} {by}")


def _many_times(rng: random.Random, words: Words) -> Situation:
    """Some number in each, or each time, and several of these; then perhaps more or fewer."""
    a, k, x = words["a"], words["k"], words["x"]
    expression = f"{a} * {k}"
    if rng.random() < 0.5:
        facts = [_part(rng, "holds", words)]
        *told, ask = _sentences(_part(rng, "several", words))
        has = f"{words['who']} has {k} {words['boxes']}."
    else:
        did, do = rng.choice(PARTS["deeds"]).split("|")
        span = rng.choice(PARTS["per"]).format(**words)
        doing = (f"{words['who']} can {do} {a} {x}", f"{a} {x} are {did}", f"They {do} {a} {x}")
        facts = [f"{rng.choice(doing)} {span}."]
        *told, ask = _sentences(_part(rng, "in_spans", words))
        has = f"That goes on for {k} {words['times']}."
    facts += told
    if rng.random() < 0.4:
        few = {**words, "b": number(rng, 3, int(a))}
        change, sign = rng.choice((("more", "+"), ("less", "-"), ("less", "-")))
        facts = [facts[0], has, _part(rng, change, few)]
        ask = _part(rng, "left" if sign == "-" and rng.random() < 0.6 else "now", words)
        expression += f" {sign} {few['b']}"
    return Situation(tuple(facts), ask, expression)


def _evenly(rng: random.Random, words: Words) -> Situation:
    told = _part(rng, "evenly", words)
    *facts, ask = _sentences(told)
    if not facts:
        head, mark, tail = told.partition(": ")
        facts, ask = ([f"{head}."], tail[0].upper() + tail[1:]) if mark else ([], told)
    return Situation(tuple(facts), ask, f"{words['m']} / {words['k']}")


MAKERS: tuple[Callable[[random.Random, Words], Situation], ...] = (
    *[_changed] * 4, *[_summed] * 4, *[_of_a_whole] * 3, *[_compared] * 3, *[_many_times] * 4,
    *[_evenly] * 3,
)  # fmt: skip


def make_situation(rng: random.Random) -> Situation:
    """A story of one sum, or now and then of two; all its numbers are below 11,000."""
    return rng.choice(MAKERS)(rng, _words(rng))
