"""An outdated fact gives way to the sentence in which the person ended it.

If two statements contradict each other, a program cannot tell which one is true, so both stay, with
their days. One kind of sentence leaves no doubt: "My sister no longer lives in Bergen."
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from types import MappingProxyType

from g2c.memory.core.changes import CHANGES, changes, part_about
from g2c.memory.core.plan import fits_a_topic
from g2c.memory.core.sources import (
    QUOTED_CHARS,
    SENTENCE_END,
    as_note,
    claim_of,
    quoted,
    seen_outside,
)
from g2c.memory.core.topics import draft_of, slugify
from g2c.memory.core.types import DreamPlan, Topic, Turn
from g2c.memory.is_grounded import is_grounded
from g2c.text import one_line

NO_DAYS: Mapping[str, str] = MappingProxyType({})
_NO_LONGER = re.compile(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)


def changed_by(
    said: Sequence[tuple[str, Path, int]], days: Mapping[str, str] = NO_DAYS, asked: str = ""
) -> dict[int, int]:
    """For each text that a later one changes, by its number, the number of the newest such text.

    `said` are texts with their file and line. A transcript tells when a text was said, and a dated
    line of a topic tells the day. A clock that was ahead named days that count as others: `days`
    are those, as `transcripts.counted()` has them. If neither tells which came first, the one with
    the word that changes came later. Only what a text says about `asked` can be changed, if it says
    something.
    """
    found: dict[int, int] = {}
    for number, older in enumerate(said):
        later = [
            other
            for other, newer in enumerate(said)
            if other != number and _is_later(newer, older, days, asked)
        ]
        if later:
            found[number] = max(later, key=lambda other: _when(said[other], days))
    return found


def day_of(said: tuple[str, Path, int]) -> str:
    """The day on which a text was said; "" if neither its file nor its line tells.

    >>> day_of(("It is green.", Path("2026-04-21.jsonl"), 3)), day_of(("Tea.", Path("tea.md"), 8))
    ('2026-04-21', '')
    """
    text, file, _ = said
    return file.stem if file.suffix == ".jsonl" else claim_of(text)[0]


def _when(
    said: tuple[str, Path, int], days: Mapping[str, str]
) -> tuple[tuple[str, bool, str], int]:
    """A key that grows with the time: the day and then the line. A text that a wrong clock dated
    comes before texts of the day that it counts as."""
    name, (_, file, line) = day_of(said), said
    day = days.get(name, name)
    return (day, day == name, name), line if file.suffix == ".jsonl" else 0


def _is_later(
    newer: tuple[str, Path, int], older: tuple[str, Path, int], days: Mapping[str, str], asked: str
) -> bool:
    """Whether `newer` changes `older`."""
    told, before = claim_of(newer[0])[1].strip('"'), claim_of(older[0])[1].strip('"')
    if told == before or not changes(told, part_about(before, asked)):
        return False
    (day, line), (first_day, first_line) = _when(newer, days), _when(older, days)
    if all(map(day_of, (newer, older))) and (day != first_day or (line and first_line)):
        return (day, line) > (first_day, first_line)
    return not CHANGES.search(before)


def without_outdated(
    plan: DreamPlan,
    known: Sequence[Topic],
    turns: Sequence[Turn],
    days: Mapping[str, str] = NO_DAYS,
) -> DreamPlan:
    """The plan, which also replaces each outdated line of its drafts and of the other topics.

    `turns` are in order, oldest first, and go on to the present. A turn that is too long to be
    quoted whole ends nothing. `days` are as for `changed_by`.
    """
    turns = seen_outside(turns)
    endings = [
        (turn, replace(turn, content=sentence))
        for turn in turns
        if turn.role == "user" and len(turn.content) <= QUOTED_CHARS
        for sentence in SENTENCE_END.split(turn.content)
        if _NO_LONGER.search(sentence)
    ]
    if not endings:
        return plan
    upserts = {slugify(draft.name): draft for draft in plan.upserts}
    topics = {topic.slug: draft_of(topic) for topic in known if topic.slug not in plan.deletes}
    for slug, draft in (topics | upserts).items():
        lines: list[str] = []
        for line in draft.body.split("\n"):
            ending = _ending(line, endings, turns, days)
            now = quoted(ending.content, ending) if ending else line
            if ending is None or now not in lines:
                lines.append(now)
        body = "\n".join(lines)
        ending = _ending(draft.description, endings, turns, days)
        about = one_line(ending.content) if ending else draft.description
        if (body, about) != (draft.body, draft.description) and fits_a_topic(body):
            upserts[slug] = replace(draft, body=body, description=about)
    return replace(plan, upserts=tuple(upserts.values()))


def _ending(
    line: str, endings: Sequence[tuple[Turn, Turn]], turns: Sequence[Turn], days: Mapping[str, str]
) -> Turn | None:
    """The turn that ends `line`: the line's own day is not later, and no turn after it says the
    line again. `endings` are turns, each with its sentence."""
    day, claim = claim_of(line)
    claim = as_note(claim.strip('"'))
    if not claim.endswith((".", "!")):  # a heading or a name says nothing that could end
        return None
    denial = f"{claim.rstrip('.!')} not."
    for turn, sentence in reversed(endings):
        said_on = f"{turn.ts.astimezone(UTC):%Y-%m-%d}"
        if days.get(day, day) <= days.get(said_on, said_on) and is_grounded(denial, [sentence]):
            later = turns[turns.index(turn) + 1 :]
            return None if is_grounded(claim, later) else turn
    return None
