"""Plain instructions, in a chat and as text: so that a model that learns forms can still talk.

What is not practised is forgotten. A fine-tuned model drifts towards what it was tuned on, and a
share of ordinary requests holds it back.
"""

from __future__ import annotations

import json
import random

from maintain.training.chat import render
from maintain.training.kinds.answers import COURTESIES
from maintain.training.kinds.facts import make_fact
from maintain.training.kinds.prose_drafts import GROUPS, PROSE
from maintain.training.record import END, Trace
from maintain.training.vocabulary import (
    ANIMALS,
    DATA,
    DAYS,
    GOODS,
    KNOWN,
    MISSPELT,
    MONTHS,
    OPPOSITES,
    PAST,
    PEOPLE,
    PLACES,
    PURPOSES,
    THINGS,
    a,
    number,
    phrases,
    pick,
    plural,
)

REPLIES: tuple[tuple[str, str], ...] = tuple(
    (request, reply)
    for request, reply in map(json.loads, (DATA / "replies.jsonl").read_bytes().splitlines())
)
"""Requests, and what the model said to them before it had an adapter."""

SYSTEMS = (
    "You are a helpful assistant.",
    "You answer briefly and exactly.",
    "Do what the user asks, and nothing else.",
    "You are a friendly assistant who writes short, plain sentences.",
)


ECHOES = phrases("instructions.echoes")
CAPITALS = (
    "Spell {} in capitals.",
    "Shout the word {}: capital letters only.",
    "Turn {} into capitals.",
    "How does {} look in capital letters?",
    "Write {} with large letters throughout.",
)


def make_request(rng: random.Random) -> tuple[str, str]:
    """A request, and the reply to it."""
    makers = (_words, _words, _lists, _sentences, _sentences, _choices, _facts, _prose, _data)
    return rng.choice(makers)(rng)


def _words(rng: random.Random) -> tuple[str, str]:
    thing, other = rng.sample(THINGS, 2)
    hot, cold = rng.choice(tuple(OPPOSITES.items()))
    wrong, right = rng.choice(tuple(MISSPELT.items()))
    now, past = rng.choice(tuple(PAST.items()))
    n = rng.randint(2, 4)
    return rng.choice(
        (
            (f"Answer with one word only: {thing}", thing),
            *((say.format(thing), thing) for say in rng.sample(ECHOES, 3)),
            *((say.format(thing), thing.upper()) for say in rng.sample(CAPITALS, 2)),
            (f"Write the word {thing} and nothing more.", thing),
            (f"Put {thing} in capital letters.", thing.upper()),
            (f"What is the opposite of {hot}?", f"The opposite of {hot} is {cold}."),
            (f"Give me the opposite of {hot} in one word.", cold),
            (f"Correct the spelling: {wrong}", right),
            (f"How is {wrong} spelt correctly?", f"It is spelt {right}."),
            (f"What is the past tense of {now}?", f"The past tense of {now} is {past}."),
            (f"Write {thing} {n} times, with spaces between.", " ".join([thing] * n)),
            (f"What is the plural of {thing}?", f"The plural of {thing} is {plural(thing)}."),
            (f"Which letter does {thing} begin with?", thing[0].upper()),
            (
                f"Make a title of these words: the old {thing} and the {other}",
                f"The Old {thing.title()} and the {other.title()}",
            ),
        )
    )


def _lists(rng: random.Random) -> tuple[str, str]:
    kind = rng.choice(tuple(GROUPS))
    count = rng.randint(2, 5)
    items = GROUPS[kind][:count]  # any would do, and which one can only be guessed
    said = ("two", "three", "four", "five")[count - 2]
    order = rng.sample(GROUPS[kind], count)
    return rng.choice(
        (
            (f"Give me {said} {kind}.", "\n".join(f"{n}. {x}" for n, x in enumerate(items, 1))),
            (f"List {said} {kind} with a dash before each.", "\n".join(f"- {x}" for x in items)),
            (f"Tell me {said} {kind}, with commas between them.", ", ".join(items)),
            (f"Sort these by the alphabet: {', '.join(order)}", ", ".join(sorted(order))),
            (f"Turn this into a list: {', '.join(order)}", "\n".join(f"- {x}" for x in order)),
            (f"How many words are these? {' '.join(order)}", str(count)),
            (f"Which of these comes last: {', '.join(order)}?", order[-1]),
        )
    )


def _sentences(rng: random.Random) -> tuple[str, str]:
    fact, other = make_fact(rng), make_fact(rng)
    thing, who, place = rng.choice(THINGS), rng.choice(PEOPLE), rng.choice(PLACES)
    lower = other.sentence[0].lower() if other.sentence.startswith("The") else other.sentence[0]
    tool = rng.choice(tuple(PURPOSES))
    return rng.choice(
        (
            (f"Make a question of this sentence: {fact.sentence}", fact.question),
            (f"{fact.sentence} {fact.question}", fact.answer),
            (f"Text: {fact.sentence} {other.sentence}\nQuestion: {fact.question}", fact.answer),
            (f"Repeat after me: {fact.sentence}", fact.sentence),
            (
                f"Say this more politely: Give me the {thing}.",
                f"Could you please give me the {thing}?",
            ),
            (
                f"Put these two sentences into one: {fact.sentence} {other.sentence}",
                f"{fact.sentence[:-1]}, and {lower}{other.sentence[1:]}",
            ),
            (f"Tell me something about {a(tool)}.", f"{a(tool).capitalize()} {PURPOSES[tool]}."),
            (f"What is {a(tool)} for?", f"{a(tool).capitalize()} {PURPOSES[tool]}."),
            (
                f"Greet {who} and ask how the journey to {place} was.",
                f"Hello {who}, how was your journey to {place}?",
            ),
            (f"Say in one sentence that {who} is late.", f"{who} is late."),
            (
                f"Copy this text without its last word: {fact.sentence}",
                fact.sentence.rpartition(" ")[0],
            ),
            (
                f"End this letter: Dear {who}, thank you for the {thing}.",
                f"Dear {who}, thank you for the {thing}. I am very glad to have it.",
            ),
        )
    )


def _choices(rng: random.Random) -> tuple[str, str]:
    animal, goods, place = rng.choice(ANIMALS), rng.choice(GOODS), rng.choice(PLACES)
    three = rng.sample((animal, goods, place), 3)
    n, m = number(rng, 2, 99), number(rng, 2, 99)
    day = rng.randrange(7)
    month = rng.randrange(8)
    if n == m:
        return _choices(rng)
    return rng.choice(
        (
            (f"Which of these is an animal: {', '.join(three)}?", animal),
            (f"Which of these is a town: {', '.join(three)}?", place),
            (f"Yes or no: is {a(animal)} an animal?", "Yes"),
            (f"Yes or no: is {place} an animal?", "No"),
            (f"Which number is larger, {n} or {m}?", str(max(n, m))),
            (f"Which day comes after {DAYS[day]}?", DAYS[(day + 1) % 7]),
            (f"Which month comes after {MONTHS[month]}?", MONTHS[month + 1]),
            (f"True or false: {n} is larger than {m}.", str(n > m)),
        )
    )


def _facts(rng: random.Random) -> tuple[str, str]:
    if rng.random() < 0.5:
        question, answer = rng.choice(tuple(KNOWN.items()))
        return question, f"{answer[0].upper()}{answer[1:]}"
    who, place = rng.choice(PEOPLE), rng.choice(PLACES)
    question, answer, _ = rng.choice([one for one in COURTESIES if "thing" not in str(one)][:5])
    return question.format(who=who, place=place), answer.format(who=who, place=place)


def _prose(rng: random.Random) -> tuple[str, str]:
    task, good, _ = rng.choice(PROSE)(rng)
    return task, good


def _data(rng: random.Random) -> tuple[str, str]:
    who, place, thing = rng.choice(PEOPLE), rng.choice(PLACES), rng.choice(THINGS)
    n = number(rng, 2, 900)
    fact = make_fact(rng)
    row = {"name": who, "town": place, "points": n}
    text = f"{who} of {place} has {n} points."
    return rng.choice(
        (
            (f"Write as JSON with name, town and points: {text}", json.dumps(row)),
            (f"Which town stands in this text? {text}", place),
            (f"Which number stands in this text? {text}", str(n)),
            (f"Find the name in this text: {text}", who),
            (f"Answer from this note only. Note: {fact.sentence} {fact.question}", fact.answer),
            (
                f"Make a row of a table, with | between: {who}, {place}, {n}",
                f"{who} | {place} | {n}",
            ),
            (
                f"Fill in the gap with {thing}: The ___ is in {place}.",
                f"The {thing} is in {place}.",
            ),
        )
    )


def instruction(rng: random.Random) -> Trace:
    """A request and its reply, in the chat template or as plain text."""
    if rng.random() < 0.5:
        request, reply = rng.choice(REPLIES)
        prompt = render([{"role": "user", "content": request}])
        segments = ((prompt, False), (f"{reply}{END}", True))
        return Trace("instruction", request, reply, (request,), segments)
    request, reply = make_request(rng)
    if rng.random() < 0.7:
        messages = [{"role": "user", "content": request}]
        if rng.random() < 0.3:
            messages.insert(0, {"role": "system", "content": rng.choice(SYSTEMS)})
        if rng.random() < 0.2:
            before, answer = make_request(rng)
            messages[-1:-1] = [
                {"role": "user", "content": before},
                {"role": "assistant", "content": answer},
            ]
            request = f"{before}\n{request}"
        prompt, start = render(messages), ""
    else:
        prompt = pick(rng, *phrases("instructions.prompt"), r=request)
        start = " " if prompt.endswith(":") else ""
    segments = ((prompt, False), (f"{start}{reply}{END}", True))
    return Trace("instruction", request, reply, (request,), segments)
