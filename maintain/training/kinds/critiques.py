"""Drafts with and without a planted fault, and critiques of them.

The fault is planted, so its place is known. A critique can name it, and a draft without it is
certainly good.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from g2c.critic.assembled import roles
from g2c.critic.provided.prompts import CRITICS, DRAFT_END, CritiqueForm, render_critique
from g2c.critic.provided.types import Critique
from g2c.inference.scripted import ScriptedBackend
from maintain.training.kinds.code_drafts import CODE
from maintain.training.kinds.looks import look_at_code, look_at_prose
from maintain.training.kinds.prose_drafts import PROSE
from maintain.training.record import END, Completion, Trace, segments_of

SYSTEMS = (
    *CRITICS.values(),
    "You review drafts. Say what is wrong with this one, and whether it may go out.",
    "You are an editor. A draft that does not do its task goes back.",
    "Check the draft against its task, point by point. Approve it only if all of it is done.",
)
CHATTER = ("Sure, here it is: ", "Of course! ", "I would be glad to help. ")


@dataclass(frozen=True)
class Draft:
    """A task, a draft with its issues, the draft without them, and what a critic sees in it."""

    task: str
    text: str
    issues: tuple[str, ...]
    good: str
    seen: str


def make_draft(rng: random.Random) -> Draft:
    """A draft of prose or code; one in two has a fault."""
    if is_code := rng.random() < 0.45:
        task, good, faults, check = rng.choice(CODE)(rng)
        bad = [(good.replace(old, new, 1), issue) for old, new, issue in faults]
    else:
        task, good, bad = rng.choice(PROSE)(rng)
        if rng.random() < 0.1:
            bad = [(rng.choice(CHATTER) + good, "There is talk around what the task asks for.")]
        elif rng.random() < 0.1:
            cut = good[: len(good) // 2].rpartition(" ")[0]
            bad = [(cut, "It breaks off in the middle.")] if cut else bad
    text, issue = (good, "") if rng.random() < 0.5 else rng.choice(bad)
    if is_code:
        seen = look_at_code(rng, good, text, faults, check)
    else:
        seen = look_at_prose(task, text, good)
    return Draft(task, text, (issue,) if issue else (), good, seen)


def critique_of(draft: Draft) -> Critique:
    """The right critique of a draft."""
    if draft.issues:
        return Critique(3, draft.issues, "REVISE")
    return Critique(9, (), "APPROVE")


def critique(rng: random.Random) -> Trace:
    """A critic's answer, in one of its two forms."""
    draft, system = make_draft(rng), rng.choice(SYSTEMS)
    form: CritiqueForm = "text" if rng.random() < 0.8 else "json"
    expected = critique_of(draft)
    looked = f"{draft.seen}\n" if form == "text" else ""
    said = Completion(looked + render_critique(expected, form) + END)
    backend = ScriptedBackend([said.script])
    given = roles.Critic(backend, system, form)(draft.task, draft.text)
    if given != expected:
        raise AssertionError(f"{expected} was read as {given}")
    segments = segments_of(backend.history, [said])
    verdict = expected.recommendation
    return Trace("critique", draft.task, verdict, (draft.task, draft.text), segments)


def draft(rng: random.Random) -> Trace:
    """A first draft, or a better one after a critique."""
    made = make_draft(rng)
    said = Completion(f"{made.good}\n{DRAFT_END}")
    backend = ScriptedBackend([said.script])
    if made.issues:
        written = roles.Refiner(backend)(made.task, made.text, critique_of(made))
    else:
        written = roles.Generator(backend)(made.task)
    if written != made.good:
        raise AssertionError(f"{made.good!r} was read as {written!r}")
    segments = segments_of(backend.history, [said])
    return Trace("draft", made.task, made.good, (made.task, made.text), segments)
