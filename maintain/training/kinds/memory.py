"""A choice among notes, as a memory asks a model for it."""

from __future__ import annotations

import json
import random
from typing import Any

from g2c.inference.scripted import ScriptedBackend
from g2c.memory.assembled.recall import MAX_REASON_CHARS, choose
from maintain.training.kinds.facts import FORMS, Fact, make_fact
from maintain.training.record import END, Completion, Trace, segments_of
from maintain.training.vocabulary import PEOPLE, THINGS


def _other(rng: random.Random, form: dict[str, str], thing: str, who: str) -> Fact:
    """A wrong note: of the same form about another thing, about the same thing but without the
    answer, or unrelated."""
    match rng.randrange(3):
        case 0:
            return make_fact(rng, [form])
        case 1:
            forms = [other for other in FORMS if other["value"] != form["value"]]
            return make_fact(rng, forms, **rng.choice(({"thing": thing}, {"who": who})))
        case _:
            return make_fact(rng)


def rerank(rng: random.Random) -> Trace:
    """A choice among notes, as JSON, best first."""
    form = rng.choice(FORMS)
    thing, who = rng.choice(THINGS), rng.choice(PEOPLE)
    wanted = make_fact(rng, [form], thing=thing, who=who)
    others = [_other(rng, form, thing, who) for _ in range(rng.randint(1, 9))]
    notes = [fact.sentence for fact in others if fact.question != wanted.question]
    if rng.random() < 0.3:
        notes = [f"{note} {make_fact(rng).sentence}" for note in notes]
    if not notes or any(wanted.value in note for note in notes):
        return rerank(rng)
    place = rng.randint(0, len(notes))
    notes.insert(place, wanted.sentence)
    reason = f"It says: {wanted.sentence}"[:MAX_REASON_CHARS]
    best: list[dict[str, Any]] = [{"reason": reason, "note": place + 1}]
    said = Completion(json.dumps({"best": best}) + END)
    backend = ScriptedBackend([said.script])
    k = min(rng.randint(1, 3), len(notes))
    chosen = choose(backend, wanted.question, notes, k)
    if chosen != {place: reason}:
        raise AssertionError(f"{best} was read as {chosen}")
    segments = segments_of(backend.history, [said])
    given = (wanted.question, *notes)
    return Trace("rerank", wanted.question, str(place + 1), given, segments)
