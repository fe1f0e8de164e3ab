"""Plain instructions, in a chat and as text: a model that learns forms must still be able to talk.

A model forgets what it does not practise. A fine-tuned model drifts towards its training data, and
a share of ordinary requests prevents that.
"""

from __future__ import annotations

import json
import random

from maintain.training.chat import render
from maintain.training.kinds.facts import make_fact
from maintain.training.kinds.prose_drafts import GROUPS, PROSE
from maintain.training.record import END, Trace
from maintain.training.vocabulary import (
    DATA,
    DAYS,
    KNOWN,
    MISSPELT,
    MONTHS,
    OPPOSITES,
    PAST,
    PURPOSES,
    THINGS,
    a,
    fields,
    numbers,
    phrases,
    pick,
    plural,
    table,
)

REPLIES: tuple[tuple[str, str], ...] = tuple(
    (request, reply)
    for request, reply in map(json.loads, (DATA / "replies.jsonl").read_bytes().splitlines())
)
"""Requests, and the model's replies before it had an adapter."""
ASKED = table("instructions")["asked"]

SYSTEMS = (
    "You are a helpful assistant.",
    "You answer briefly and exactly.",
    "Do what the user asks, and nothing else.",
    "You are a friendly assistant who writes short, plain sentences.",
)


def make_request(rng: random.Random) -> tuple[str, str]:
    """A request, and the reply to it."""
    draw = rng.random()
    if draw < 0.12:
        return rng.choice(PROSE)(rng)[:2]
    if draw < 0.2:
        question, answer = rng.choice(tuple(KNOWN.items()))
        return question, f"{answer[0].upper()}{answer[1:]}"
    words, (request, reply) = _words(rng), rng.choice(ASKED)
    return request.format(**words), reply.format(**words)


def _words(rng: random.Random) -> dict[str, object]:
    """The gaps of the requests and replies."""
    thing, second = rng.sample(THINGS, 2)
    words = fields(rng) | {"thing": thing, "second": second}
    fact, other = make_fact(rng), make_fact(rng)
    said = other.sentence
    hot, cold = rng.choice(tuple(OPPOSITES.items()))
    wrong, right = rng.choice(tuple(MISSPELT.items()))
    now, past = rng.choice(tuple(PAST.items()))
    tool = rng.choice(tuple(PURPOSES))
    n, m = numbers(rng, 2, 2, 900)
    day, month, count = rng.randrange(7), rng.randrange(8), rng.randint(2, 5)
    kind = rng.choice(tuple(GROUPS))
    items = GROUPS[kind][:count]  # any would do, and the model can only guess which
    order = rng.sample(GROUPS[kind], count)
    three = rng.sample([str(words[word]) for word in ("animal", "goods", "place")], 3)
    return {
        **words,
        "Thing": thing.title(),
        "Second": second.title(),
        "THING": thing.upper(),
        "things": plural(thing),
        "first": thing[0].upper(),
        "thrice": " ".join([thing] * 3),
        "hot": hot,
        "cold": cold,
        "wrong": wrong,
        "right": right,
        "now": now,
        "past": past,
        "fact": fact.sentence,
        "asks": fact.question,
        "answer": fact.answer,
        "cut": fact.sentence.rpartition(" ")[0],
        "both": f"{fact.sentence[:-1]}, and "
        f"{said[0].lower() + said[1:] if said.startswith('The') else said}",
        "fact2": said,
        "tool": a(tool),
        "Tool": a(tool).capitalize(),
        "does": PURPOSES[tool],
        "n": n,
        "m": m,
        "larger": max(n, m),
        "is_larger": n > m,
        "day": DAYS[day],
        "next_day": DAYS[(day + 1) % 7],
        "month": MONTHS[month],
        "next_month": MONTHS[month + 1],
        "kind": kind,
        "count": count,
        "said": ("two", "three", "four", "five")[count - 2],
        "numbered": "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1)),
        "dashed": "\n".join(f"- {item}" for item in items),
        "with_commas": ", ".join(items),
        "order": ", ".join(order),
        "sorted": ", ".join(sorted(order)),
        "last": order[-1],
        "order_dashed": "\n".join(f"- {item}" for item in order),
        "spaced": " ".join(order),
        "three": ", ".join(three),
        "an_animal": a(str(words["animal"])),
        "row": json.dumps({"name": words["who"], "town": words["place"], "points": n}),
    }


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
