"""Who answers a question over more notes than a context holds: one agent, or several.

    G2C_REFERENCE=all python maintain/benchmarks/swarm.py --questions 24

Fifty-four invented notes, more than a context holds, and questions whose answers stand in one of
them. All read with the model in the box, and no claim counts whose value no note says. The first
row reads once as much as fits. The second goes on with calls as large as fit, until it has spent
the budget. The third is `read_all` (24.7) with the same budget. B - A is a paired interval of 21.6.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from random import Random

from _report import print_heading, print_table

from g2c.critic import paired_bootstrap
from g2c.critic.provided.intervals import percent, points, wilson
from g2c.inference import Backend, EmbeddedBackend
from g2c.swarm import read_all
from g2c.swarm.assembled.folder import Found
from g2c.swarm.assembled.reader import read_for, tokens_in
from g2c.swarm.provided.reading import CONTEXT, OVERHEAD, Errand, File, Question, Reply

BUDGETS = 3
"""How often all notes could be read for one question."""
FILLED = 9
"""Sentences of a note beside the one that answers."""

COLOURS = ("red", "green", "blue", "grey", "old", "new")
PLACES = ("cellar", "attic", "garage", "kitchen", "library", "office", "mill", "barn", "tower")
ROOMS = [f"{colour} {place}" for colour in COLOURS for place in PLACES]
FILLER = (
    "Rain came through the roof in spring and was mended by June.",
    "Nobody has counted the chairs since the party.",
    "A list of tools hangs beside the door.",
    "The windows are cleaned twice a year.",
    "The light in the hall flickers when it is cold.",
    "Somebody left a bicycle here, and nobody has asked for it.",
    "The plants are watered on Mondays and on Thursdays.",
    "There is a box with cables that fit nothing.",
    "The heating was repaired before the first snow.",
    "Visitors are asked to write their names into the book.",
)


Read = Callable[[Errand], Found]


def notes_of(draw: Random) -> tuple[dict[str, str], dict[str, str]]:
    """The notes by their names, and the code of each room."""
    codes = {room: str(draw.randint(1000, 9999)) for room in ROOMS}
    notes = {}
    for room, code in codes.items():
        lines = [f"The code of the {room} is {code}.", *draw.sample(FILLER, FILLED)]
        draw.shuffle(lines)
        notes[f"{room.replace(' ', '-')}.txt"] = " ".join(lines)
    return notes, codes


NOTES, CODES = notes_of(Random(24))


def one_call(about: str, names: Sequence[str], read: Read, budget: int) -> str | None:
    claims = read(Errand(about, tuple(names))).claims
    return claims[0].value if claims else None


def large_calls(about: str, names: Sequence[str], read: Read, budget: int) -> str | None:
    """As large as fit, one after the other, until the budget is spent; the first claim counts."""
    left, rest = budget, list(names)
    while left > 0:
        found = read(Errand(about, tuple(rest or names)))
        if found.claims:
            return str(found.claims[0].value)
        left -= found.tokens
        rest = [name for name in rest if name not in found.read]
    return None


def several(about: str, names: Sequence[str], read: Read, budget: int) -> str | None:
    """By the student's function, or the reference's."""
    left, sizes = budget, {name: tokens_in(NOTES[name]) for name in names}

    def ask(errands: Sequence[Errand]) -> list[Reply]:
        nonlocal left
        replies = []
        for errand in errands:
            if sum(map(sizes.__getitem__, errand.files)) + OVERHEAD > left:
                replies.append(Reply((), (), left))
                continue
            found = read(errand)
            left -= found.tokens
            replies.append(Reply(found.claims, found.read, left))
        return replies

    files = [File(name, sizes[name]) for name in names]
    return read_all(Question(f"What is {about}?", about, "fact"), files, ask, budget)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=24)
    options = parser.parse_args()
    model: Backend = EmbeddedBackend()
    total = sum(map(tokens_in, NOTES.values()))
    asked = Random(7).sample(sorted(CODES), options.questions)
    print_heading(
        f"{len(NOTES)} notes of {total:,} tokens by the estimate, a context of {CONTEXT:,}, and at "
        f"most {BUDGETS * total:,} for a question."
    )
    solved: dict[str, list[bool]] = {}
    rows = []
    for title, plan in (
        ("one call", one_call),
        ("large calls", large_calls),
        ("read_all", several),
    ):
        answers: dict[str, str | None] = {}
        spent = 0

        def read(errand: Errand) -> Found:
            nonlocal spent
            found = read_for(errand, NOTES.__getitem__, model, "worker")
            spent += found.tokens
            return found

        for room in asked:
            about = f"the code of the {room}"
            answers[room] = plan(about, sorted(NOTES), read, BUDGETS * total)
        solved[title] = [answers[room] == CODES[room] for room in asked]
        wrong = sum(said not in (None, CODES[room]) for room, said in answers.items())
        right = percent(wilson(sum(solved[title]), len(asked)))
        rows.append((title, right, wrong, f"{spent / len(asked):,.0f}"))
    print_table(("", "right", "wrong", "tokens a question"), rows)
    for title in ("one call", "large calls"):
        gain = paired_bootstrap(solved[title], solved["read_all"])
        print(f"read_all - {title}: {points(gain)}")


if __name__ == "__main__":
    main()
