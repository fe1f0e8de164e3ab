"""The rule for a dream's writing: only lines that were said, without losing an old line.

A model proposes a plan, and your `is_grounded` decides about each of its lines. A refused line is
replaced by the person's own sentence.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from g2c.memory.core.changes import CHANGES
from g2c.memory.core.plan import fits_a_topic
from g2c.memory.core.questions import is_question
from g2c.memory.core.sources import (
    SELF,
    SENTENCE_END,
    as_note,
    can_say,
    claim_of,
    quotations,
    quoted,
    seen_outside,
    stands_in,
    turn_behind,
    without_request,
)
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import slugify
from g2c.memory.core.types import DreamPlan, Topic, TopicDraft, Turn
from g2c.memory.is_grounded import is_grounded

SAID = "What the user said in {month}"
"""The topic for a month's sentences that are in no other topic."""

_MIN_TERMS = 2
ANY_DAY = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of a line without a day, so that no other line is older."""


@dataclass(frozen=True)
class Sifted:
    """A plan in which every line was said, and a sentence for each refused line."""

    plan: DreamPlan
    refused: tuple[str, ...]


def sift(
    plan: DreamPlan, known: Sequence[Topic], turns: Sequence[Turn], unshown: Sequence[Topic] = ()
) -> Sifted:
    """The plan without the lines that follow neither from `turns` nor from the topics `known`, and
    without those that another topic has, `unshown` ones included.

    An old line is removed only if another line of its topic says as much. So contradictory lines
    stay side by side, with their days.
    """
    refused: list[str] = []
    there = (turn_in(line, topic.updated) for topic in known for line in _lines(topic))
    evidence = [*there, *seen_outside(turns)]
    upserts: list[TopicDraft] = []
    stay = [topic for topic in (*known, *unshown) if topic.slug not in plan.deletes]
    for draft in plan.upserts:
        slug = slugify(draft.name)
        old = next((topic for topic in known if topic.slug == slug), None)
        others = [topic.body for topic in stay if topic.slug != slug]
        held = _terms_of_lines([*others, *(written.body for written in upserts)])
        new = [
            line
            for line in _new_lines(draft, old, evidence, turns, refused)
            if not _is_held(claim_of(line)[1], held)
        ]
        kept = [line for line in old.body.split("\n") if not _is_in(line, new)] if old else []
        body = "\n".join([*kept, *new]).strip("\n")
        if not fits_a_topic(body):
            refused.append(f"{draft.name} is full, and stays as it is.")
        elif body:
            about = _described(draft, old, body)
            upserts.append(replace(draft, description=about, body=body))
    written = [line for draft in upserts for line in draft.body.split("\n")]
    deletes = []
    for topic in known:
        if topic.slug in plan.deletes:
            if lost := [line for line in _lines(topic) if not _is_in(line, written)]:
                refused.append(f"{topic.name} was to go, and with it: {lost[0]}")
            else:
                deletes.append(topic.slug)
    return Sifted(replace(plan, upserts=tuple(upserts), deletes=tuple(deletes)), tuple(refused))


def with_user_statements(
    plan: DreamPlan, known: Sequence[Topic], turns: Sequence[Turn], *, about_self: bool = False
) -> DreamPlan:
    """The plan, and word for word what the user said that is in no topic yet.

    With `about_self`, only what they said of themselves. Once a month's topic is full, later
    sentences are only in the transcripts.
    """
    drafts = {slugify(draft.name): draft for draft in plan.upserts}
    others = [topic.body for topic in known if topic.slug not in {*drafts, *plan.deletes}]
    bodies = [*others, *(draft.body for draft in plan.upserts)]
    held = _terms_of_lines(bodies)
    for turn in turns:
        news = [
            sentence
            for sentence in _sentences(turn)
            if (not about_self or SELF.search(sentence)) and not _is_held(sentence, held)
        ]
        if not news:
            continue
        held += [(set(extract_terms(fact)), quoted(fact, turn)) for fact in news]
        name = SAID.format(month=f"{turn.ts.astimezone(UTC):%Y-%m}")
        slug = slugify(name)
        there = drafts.get(slug) or next((topic for topic in known if topic.slug == slug), None)
        # A paragraph each, so that recall finds one and not ten.
        old = there.body.split("\n\n") if there else []
        new = [line for line in quotations(turn) if line not in old]
        body = "\n\n".join([*old, *new])
        if new and fits_a_topic(body):
            drafts[slug] = TopicDraft(name, "in the user's own words", "user", body)
    return replace(plan, upserts=tuple(drafts.values()))


def ground_lines(text: str, turns: Sequence[Turn]) -> list[str]:
    """The lines of `text` that follow from `turns`. Any other line is replaced by the closest
    sentence that was said, or left out if none is close."""
    said, evidence = _quotable_words(turns), seen_outside(turns)
    kept = (_ground_line(line, evidence, said) for line in text.split("\n") if line.strip())
    return list(dict.fromkeys(filter(None, kept)))


def _new_lines(
    draft: TopicDraft,
    old: Topic | None,
    evidence: Sequence[Turn],
    turns: Sequence[Turn],
    refused: list[str],
) -> list[str]:
    """The lines that the draft adds; what was said replaces those that were not."""
    there = {claim_of(line)[1] for line in old.body.split("\n")} if old else set()
    said = _quotable_words(turns)
    new: dict[str, None] = {}
    for line in filter(str.strip, draft.body.split("\n")):
        claim = claim_of(line)[1]
        if claim in there:
            continue
        kept = _ground_line(line, evidence, said)
        if kept != line:
            instead = f" Kept in its place: {kept}" if kept else ""
            refused.append(f"{draft.name}: {claim}{instead}")
        if kept and claim_of(kept)[1] not in there:
            new[kept] = None
    return list(new)


def _ground_line(line: str, evidence: Sequence[Turn], said: Mapping[Turn, set[str]]) -> str:
    """The line, if it follows from the evidence; otherwise the closest sentence that was said, or
    "" if none is close. A line that says that something has changed follows from a turn that says
    so, too."""
    day, claim = claim_of(line)
    if CHANGES.search(claim):
        evidence = [turn for turn in evidence if CHANGES.search(turn.content)]
    if is_grounded(f"{day}: {claim}" if day else claim, evidence):
        return line
    turn = turn_behind(claim, said)
    terms = set(extract_terms(claim))
    lines = quotations(turn) if turn else [""]
    return max(lines, key=lambda quotation: len(terms & set(extract_terms(quotation))), default="")


def _quotable_words(turns: Sequence[Turn]) -> dict[Turn, set[str]]:
    """The words of each turn that may be quoted: the user's, unless it asks something."""
    own = (turn for turn in turns if turn.role == "user" and can_say(turn))
    return {turn: set(extract_terms(turn.content)) for turn in own}


def _described(draft: TopicDraft, old: Topic | None, body: str) -> str:
    """The model's description, if its words stand together in a line of the body; otherwise the old
    one, or the first line. Words of two lines make a third thing that nobody said."""
    lines = body.split("\n") if extract_terms(draft.description) else []
    if any(stands_in(draft.description, line) for line in lines):
        return draft.description
    return old.description if old else claim_of(body.partition("\n")[0])[1][:200]


def _is_in(line: str, others: Iterable[str]) -> bool:
    """Whether another line says the same. A blank line says nothing, and stays."""
    _, claim = claim_of(line)
    return bool(claim) and any(_entails(other, claim) for other in others if other.strip())


def _entails(line: str, claim: str) -> bool:
    return claim_of(line)[1] == claim or is_grounded(claim, [turn_in(line, ANY_DAY)])


def _sentences(turn: Turn) -> list[str]:
    """The user's sentences, without questions and single words."""
    if turn.role != "user":
        return []
    return [
        sentence
        for sentence in map(without_request, SENTENCE_END.split(turn.content))
        if not is_question(sentence) and len(set(extract_terms(sentence))) >= _MIN_TERMS
    ]


def _terms_of_lines(bodies: Iterable[str]) -> list[tuple[set[str], str]]:
    return [(set(extract_terms(line)), line) for body in bodies for line in body.split("\n")]


def _is_held(sentence: str, held: Iterable[tuple[set[str], str]]) -> bool:
    terms, note = set(extract_terms(sentence)), as_note(sentence)
    return any(terms <= words and _entails(line, note) for words, line in held)


def _lines(topic: Topic) -> list[str]:
    return [line for line in topic.body.split("\n") if line.strip()]


def turn_in(line: str, when: datetime) -> Turn:
    """A line of a topic, as if the user had said it on its day."""
    day, claim = claim_of(line)
    if day:
        with suppress(ValueError):  # 2026-02-31
            when = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    return Turn(when, "", "user", claim)
