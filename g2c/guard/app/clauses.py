"""The clauses of a person's words that order something, each with its verb.

A question about a deed, a report of somebody's wish, a quotation and a refusal name the same deed
and the same people as an order does. Only the order permits anything.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from g2c.guard.core.provenance import RunText

_QUOTED = re.compile(
    r"""(?<!\w)(["'])[^"']{25,}\1(?!\w)|[\u201c\u201e][^\u201c\u201d]{25,}[\u201c\u201d]"""
    r"|(?ms:^```.*?(?:^```|\Z))|(?m:^>.*$)"
    r"|(?is:\b(?:e?-?mail|message|letter|text|article|page|post|comment)\b[^\n.:]{0,40}:\s*\n.*)"
    r"|(?is:\b(?:summar\w+|translate|proofread|explain|rephrase|shorten)\b[^\n.:]{0,60}:.*)"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r"(?<=[.!?;,:])\s+|\s(?=(?:and|but|und|aber|et|mais|y|pero)\b)")
_REQUEST = re.compile(r"(?i)\b(?:can|could|would|will) you\b|\bplease\b|\bbitte\b")
_QUESTION = re.compile(
    r"(?i)\W*(?:(?:and|but)\s+)?(?:who|whose|what|when|where|why|which|how|is|are|was|were|does|did"
    r"|should|may|might|shall|(?:do|can|could|have|has|would) (?:i|we|you|they|he|she|it))\b"
)
_NOT = re.compile(
    r"(?i)\b(?:not|never|nor|without|avoid|hide|keep\b[^.]*\bfrom|nicht|nie|niemals|kein\w*"
    r"|ne|pas|jamais)\b|n[\u2019']t\b"
)
_FORGETS_NOT = re.compile(
    r"(?i)\b(?:do not|don[\u2019']t|never) (?:forget|hesitate)\b|\bnot only\b"
)
_STOPS = re.compile(
    r"(?i)\b(?:stop|wait|never ?mind|forget (?:it|that|about)|changed my mind|after all|scrap"
    r"|hold off|no longer|cancel (?:that|it))\b"
)
_ASIDE = re.compile(
    r"(?is)\b(?:how to|whether|why|what (?:would|happens)|except|excluding|instead of|rather than"
    r"|außer|ausser|ohne|statt|sauf|sans|excepto|salvo|sin)\b.*"
)
_REPORT = re.compile(
    r"(?i)(?<!\bi )(?<!\bwe )\b(?:(?:wants?|wanted|asks|asked|tells|told|urges?|expects?|needs)"
    r" (?:me|us|you|that)|(?:says?|said|claims?|writes|wrote|suggests?|demands?)"
    r" (?:that|i|we|you))\b"
)
_WAITS = re.compile(
    r"(?i)(?:^|[.!?]\s+)(?:if|once|when|after|until|unless|before)\b[^.!?]*,"
    r"|\bask me (?:first|before)\b|\b(?:before|first)\b[^.!?]{0,80}\bask me\b"
    r"|\b(?:let me|i want to|show (?:it|them|me the \w+))"
    r" (?:see|read|check|look|review|to me|first)\b"
    r"|\bfor my (?:approval|review)\b|\b(?:imagine|suppose|pretend|assume)\b"
    r"|(?:^|[.!?]\s+)(?:on \w+day|tomorrow|tonight|later|next \w+|at \d\S*|in \d+ \w+),? "
    r"(?:please )?(?:send|mail|pay|transfer|delete|remove|post|forward|tell|write|reply|share"
    r"|cancel|publish|upload)\b"
)
"""An order for the time after another word of the person is not given yet."""
_PART = re.compile(
    r"[.!?;,](?=\s|$)|\n|\b(?:and|or|but|then|und|aber|et|mais|y|pero)\b", re.IGNORECASE
)
_VERB = re.compile(
    r"(?i)^(?:\W*(?:please|also|now|just|first|next|kindly|bitte|quickly|to|be sure to|remember to"
    r"|(?:can|could|would|will|should) you|(?:i|we)(?:[\u2019']d| would)? (?:want|need|like)"
    r"(?: you)? to)\b)*\W*(?!\w*[^e\W]ed\b)(remind me|[a-z]+)"
    r"|\bplease ([a-z]+)|(?<!\bi )(?<!\bwe )\b((?:should|must) [a-z]+)"
)
"""A verb stands where an order begins: a noun after "a", or what somebody did, orders nothing."""
_VERBS = (
    "accept add allow answer append approve archive arrange ask assign attach book buy call "
    "cancel change clear close comment complete confirm copy create decline delete disable drop "
    "edit empty enable enter erase execute file finish fix forward get give grant install invite "
    "join label leave let lock mail make mark merge message move mute note notify open order "
    "pause pay plan play post print publish push put reject release remind remove rename reply "
    "reserve reset respond restart restore run save schedule send set settle share shift sign "
    "snooze start stop submit subscribe swap switch tag tell text thank tick transfer trash turn "
    "unlock unmute unsubscribe update upload wire write"
)
LOOKS = frozenset({"check", "find", "list", "look", "read", "search", "see", "show", "summarize"})
VERBS_OF_DEEDS = frozenset([*_VERBS.split(), "remind me"])
_NAMED = re.compile(r"""(?<!\w)(["'])[^"']+\1(?!\w)|[\u201c\u201e][^\u201c\u201d]+[\u201c\u201d]""")
"""A name or a text in quotation marks, which orders nothing."""


@dataclass(frozen=True)
class Part:
    """A part of what the person said, and the number of its turn."""

    turn: int
    pieces: list[str]
    verbs: set[str]


def orders_of(texts: Sequence[RunText]) -> str:
    """The clauses of the person's texts, oldest first, that ask for a deed. A later text that
    refuses or stops something takes back what was ordered before.

    >>> said = "Who is Eve? Ada wants me to call her. Tell Ben how to cook, but not Carl."
    >>> orders_of([RunText("the person 1", said, trusted=True)])
    'Tell Ben '
    """
    return " ".join(filter(None, _orders_by_turn(texts)))


def _orders_by_turn(texts: Sequence[RunText]) -> list[str]:
    kept: list[str] = []
    for turn in turns_of(texts):
        if _STOPS.search(turn) or _NOT.search(_FORGETS_NOT.sub("", turn)):
            kept = [""] * len(kept)
        kept.append("\n".join(filter(None, _orders_in(turn))))
    return kept


def turns_of(texts: Sequence[RunText]) -> list[str]:
    return [_QUOTED.sub(" ", text.text) for text in texts if is_persons(text)]


def is_persons(text: RunText) -> bool:
    return text.trusted and text.name.startswith("the person")


def _orders_in(turn: str) -> Iterator[str]:
    if _WAITS.search(turn):
        return
    for sentence in _SENTENCE.split(turn):
        clauses = _clauses_in(sentence)
        yield " ".join(positive for kind, _, positive in clauses if kind == "order")


def without(kind: str, said: str) -> str:
    """`said` without its clauses of a `kind`: "question", "refusal" or "report".

    >>> without("refusal", "Read https://a.example, but never https://b.example")
    'Read https://a.example,  '
    """
    for sentence in _SENTENCE.split(said):
        for found, clause, _ in _clauses_in(sentence):
            said = said.replace(clause, " ") if found == kind else said
    return said


def _clauses_in(sentence: str) -> Iterator[tuple[str, str, str]]:
    asks = not _REQUEST.search(sentence)
    for clause in _CLAUSE.split(sentence):
        asks = not _REQUEST.search(clause) and (
            bool(_QUESTION.match(clause)) or (asks and sentence.rstrip().endswith("?"))
        )
        positive = _ASIDE.sub("", _FORGETS_NOT.sub("", clause))
        kinds = {
            "question": asks,
            "refusal": _NOT.search(positive),
            "report": _REPORT.search(positive),
        }
        yield next((kind for kind, is_so in kinds.items() if is_so), "order"), clause, positive


def parts_of(texts: Sequence[RunText]) -> list[Part]:
    """The orders with a verb each, and what is said before the first of a turn. A piece without a
    verb belongs to the order before."""
    found: list[Part] = []
    for turn, said in enumerate(_orders_by_turn(texts)):
        for piece in pieces_of(said):
            verbs = verbs_in(piece) & (VERBS_OF_DEEDS | LOOKS)
            if verbs or not found or found[-1].turn < turn:
                found.append(Part(turn, [piece], verbs))
            else:
                found[-1].pieces.append(piece)
    return found


def pieces_of(said: str) -> Iterator[str]:
    """The parts of sentences. What follows a colon is the text of an order before it."""
    for piece in filter(None, map(str.strip, _PART.split(said))):
        before, colon, after = piece.partition(": ")
        yield from [piece] if not colon or verbs_in(before) & VERBS_OF_DEEDS else [before, after]


def verbs_in(piece: str) -> set[str]:
    return {
        verb.casefold() for found in _VERB.findall(_NAMED.sub(" ", piece)) for verb in found
    } - {""}
