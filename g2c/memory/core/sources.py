"""Which turns a topic came from, and whether they are still there.

A model that writes a note can be wrong, and the turns are the evidence. A small model cannot be
trusted to cite, so the program finds the turns itself: those that share most words with what is
new in the note.
"""

import re
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path

from g2c.files import open_file
from g2c.memory.core.questions import is_question
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import slugify
from g2c.memory.core.transcripts import BaseTranscriptLog, turn_of
from g2c.memory.core.types import CALLER, DreamPlan, Topic, TopicDraft, Turn
from g2c.text import one_line

_SOURCE = re.compile(r"transcripts/(\d{4}-\d\d-\d\d\.jsonl):([1-9]\d{0,11})")
_BULLET = re.compile(r"\s*[-*+] +")
_DATED = re.compile(r"(\d{4}-\d\d-\d\d): ")
_ASKED_TO_KEEP = re.compile(
    r"(?:please,? |i want you to |can you )*"
    r"(?:(?:remember|(?:keep|bear) in mind|(?:do not|don't|never) forget|note)"
    r"(?: this)?(?: that|:) "
    r"|(?:(?:make|take) a note|write (?:this )?down|(?:put|store|save|keep|learn) this|for later"
    r"|for (?:the )?next time)[^.:]*: )",
    re.IGNORECASE,
)
MEMORY_TOOLS = ("remember", "recall", "read_topic")
"""Their results come from the memory itself, the agent's old answers included. As evidence, they
would confirm every old mistake."""

_I, _MINE = re.compile(r"\b([Ii](?!\.\w)|[Ww]e)\b"), re.compile(r"\b([Mm]y|[Oo]ur)\b")
SELF = re.compile(rf"{_I.pattern}|{_MINE.pattern}")
"""A word with which a person speaks of themselves."""

_YOU, _YOUR = re.compile(r"\byou(?:'re)?\b", re.IGNORECASE), re.compile(r"\byours?\b", re.I)
_WORD = re.compile(r"[^\W_]+")
SENTENCE_END = re.compile(r"(?<=[.!?]) +|\n+")
QUOTED_CHARS = 500
_MIN_SHARED = 2
"""One word in common is too often chance, unless the line has no other."""


def places_of(turns: Iterable[Turn], log: BaseTranscriptLog) -> dict[Turn, str]:
    """The place of each of `turns` in `log`, as a source; of equal turns, the first one's."""
    wanted = set(turns)
    found: dict[Turn, str] = {}
    for file in sorted({log.path_of(turn.ts.astimezone(UTC).date()) for turn in wanted}):
        for number, turn in turns_in(file):
            if turn in wanted:
                found.setdefault(turn, f"transcripts/{file.name}:{number}")
    return found


def with_sources(
    plan: DreamPlan, known: Collection[Topic], places: Mapping[Turn, str]
) -> DreamPlan:
    """`plan` with the sources of its drafts.

    A draft keeps those of the topic that it replaces, and of a topic that the plan deletes where a
    line of it stays. For each line that is new it gets the turn among `places` that shares most
    words with it.
    """
    said = {turn: set(extract_terms(turn.content)) for turn in places if can_say(turn)}
    upserts = []
    for draft in plan.upserts:
        earlier = _earlier(draft, plan, known)
        old = {line for topic in earlier for line in topic.body.splitlines()}
        new = [line for line in draft.body.splitlines() if line not in old]
        behind = {turn_behind(claim_of(line)[1], said) for line in new}
        kept = [source for topic in earlier for source in topic.sources]
        found = [place for turn, place in places.items() if turn in behind]
        upserts.append(replace(draft, sources=tuple(dict.fromkeys(kept + found))))
    return replace(plan, upserts=tuple(upserts))


def claim_of(line: str) -> tuple[str, str]:
    """The day in front of a line of a topic, if there is one, and what the line says.

    >>> claim_of("- 2026-04-21: The door is green."), claim_of("It rains.")
    (('2026-04-21', 'The door is green.'), ('', 'It rains.'))
    """
    text = line[found.end() :] if (found := _BULLET.match(line)) else line.strip()
    dated = _DATED.match(text)
    return (dated[1], text[dated.end() :].strip()) if dated else ("", text.strip())


def without_request(sentence: str) -> str:
    """The sentence without a request to remember it.

    >>> without_request("Please remember that Ann lives in Oslo.")
    'Ann lives in Oslo.'
    """
    return sentence[asked.end() :] if (asked := _ASKED_TO_KEEP.match(sentence)) else sentence


def as_note(sentence: str) -> str:
    """The user's sentence as a note has it: in the third person.

    >>> as_note("I am Ben, and my cat is Tom.")
    "the user am Ben, and the user's cat is Tom."
    """
    return _MINE.sub("the user's", _I.sub("the user", sentence))


def about_user(sentence: str) -> str:
    """The sentence of an answer as a note has it: "you" and "I" are the user.

    >>> about_user("Your cat is Otto, and I am Ben.")
    "the user's cat is Otto, and the user am Ben."
    """
    return as_note(_YOUR.sub("the user's", _YOU.sub("the user", sentence)))


def stands_in(part: str, text: str) -> bool:
    """Whether the words of `part` stand together in `text`, in a note's third person.

    >>> stands_in("the user's sister", "My sister lives in Bergen.")
    True
    >>> stands_in("my sister's sister", "My sister lives in Bergen.")
    False
    """
    found, there = (" ".join(_WORD.findall(as_note(side).lower())) for side in (part, text))
    return f" {found} " in f" {there} "


def quoted(text: str, turn: Turn) -> str:
    """A line of a topic with the turn's day and `text`, word for word."""
    return f'- {turn.ts.astimezone(UTC):%Y-%m-%d}: "{one_line(text)}"'


def quotations(turn: Turn) -> list[str]:
    """All of the turn as lines of a topic, each with as many whole sentences as `QUOTED_CHARS`
    allow. Only a longer sentence is divided, between two words."""
    lines: list[str] = []
    for sentence in SENTENCE_END.split(turn.content):
        whole = f"{lines[-1]} {one_line(sentence)}" if lines else one_line(sentence)
        parts = textwrap.wrap(one_line(sentence), QUOTED_CHARS, break_on_hyphens=False)
        lines[-1:] = [whole] if len(whole) <= QUOTED_CHARS else [*lines[-1:], *parts]
    return [quoted(line.strip(), turn) for line in lines if line.strip()]


def _earlier(draft: TopicDraft, plan: DreamPlan, known: Collection[Topic]) -> list[Topic]:
    """The topics that the draft replaces: by name, or because it has one of their lines."""
    lines = set(draft.body.splitlines())
    return [
        topic
        for topic in known
        if topic.slug == slugify(draft.name)
        or (topic.slug in plan.deletes and not lines.isdisjoint(topic.body.splitlines()))
    ]


def can_say(turn: Turn) -> bool:
    """Whether a turn can say something new. Actions and questions only ask for it."""
    return turn.role != "action" and not is_question(turn.content)


def seen_outside(turns: Sequence[Turn]) -> list[Turn]:
    """The turns without the results of the memory's own tools, and without what other programs
    asked. A call is the turn before its result."""
    return [
        turn
        for before, turn in zip([None, *turns], turns, strict=False)
        if turn.role != CALLER and not (turn.role == "tool" and before and _calls_memory(before))
    ]


def _calls_memory(turn: Turn) -> bool:
    last = turn.content.rpartition("\n")[2]
    return turn.role == "action" and last.partition(" ")[0] in MEMORY_TOOLS


def turn_behind(line: str, said: Mapping[Turn, set[str]]) -> Turn | None:
    """The turn that shares the most words with `line`. In a tie, a user's wins, then the first."""
    terms = set(extract_terms(line))
    shared = {turn: len(terms & words) for turn, words in said.items()}
    best = max(shared, key=lambda turn: (shared[turn], turn.role == "user"), default=None)
    least = max(1, min(_MIN_SHARED, len(terms)))
    return best if best and shared[best] >= least else None


def missing_sources(topics: Iterable[Topic], log: BaseTranscriptLog) -> list[tuple[str, str]]:
    """The sources that lead to no turn of `log`, each as the topic's slug and the source."""
    wanted: dict[Path, dict[int, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    missing = []
    for topic in topics:
        for source in topic.sources:
            if found := _SOURCE.fullmatch(source):
                wanted[log.folder / found[1]][int(found[2])].append((topic.slug, source))
            else:
                missing.append((topic.slug, source))
    for file, lines in wanted.items():
        there = {number for number, _ in turns_in(file, lines)}
        missing += [line for number in lines.keys() - there for line in lines[number]]
    return sorted(missing)


def turns_in(file: Path, lines: Collection[int] | None = None) -> Iterator[tuple[int, Turn]]:
    """The turns of `file` with their line numbers; only those in `lines`, if given."""
    try:
        with open_file(file, "rb") as stored:
            for number, line in enumerate(stored, 1):
                if (lines is None or number in lines) and (turn := turn_of(line)):
                    yield number, turn
    except FileNotFoundError:
        return
