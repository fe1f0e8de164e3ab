"""20.10: find the newest statement that is about what was asked, and look for the answer there.

The question is taken apart by its form: names, "my sister", whether it is about the person. A
statement must have them all. A short answer must stand in the part of the statement that has the
question's words; a longer one must follow from it. This costs answers that use other words than the
person did, and it reads English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from g2c.memory.core.changes import MONTHS, changes
from g2c.memory.core.sources import SENTENCE_END, about_user, as_note, without_request
from g2c.memory.core.terms import extract_terms, split_words, stem
from g2c.memory.core.types import Turn
from g2c.memory.is_grounded import is_grounded

_NOT = frozenset(
    split_words("no not never nobody none nothing without cannot t longer neither nor")
)
_TURNING = frozenset(split_words("from before until first second third fourth last other"))
"""Before a few words, they make something else of them."""
_GENERAL = frozenset(
    extract_terms(
        "name number time day date kind know remember say tell find put keep own call still yet"
    )
)
_YES_NO = re.compile(r"(?:do|does|did|is|are|am|was|were|have|has|can) ", re.IGNORECASE)
_REPLY = re.compile(r"(yes|no)\b[,.!]? *", re.IGNORECASE)
_KIND = re.compile(
    r"what(?:'s| is| are| was) (?:the (?=names? of)|.+'s |my |our )(?:\w+ )?(\w+)(?: of .+)?$"
    r"|(?:in |on |at )?(?:what|which)"
    r" (?!is|are|was|were|do|does|did)(\w+)|what (?:do|does) .+ for an? (living)|"
    r"what\b.+ (called)$|how (old|long|often|far|big|tall|much|many)\b|(where|when)",
    re.IGNORECASE,
)
_TIMES = "|".join(("morning", "noon", "evening", "night", *map(str.title, MONTHS)))
_DAYTIMES = re.compile(
    rf"\d|(?<!birth)days?\b|[ap]m\b|clock|{_TIMES}|week|month|year|spring|summer|autumn|winter"
)
_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|"
    "eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
)
_PLACES = re.compile(
    rf"\b(?:in|on|at|to|under|behind|beside|near) (?!half |(?:{_NUMBERS})\b"
    rf"|(?:the |every |\d+ )?\w*(?:days?\b|{_TIMES})|\d+(?::\d|[.,;!]|$))"
)
_WORKS = re.compile(r"\b(?:is|am|was|as) an? |\bwork")
_NAMED = re.compile(
    r"\bcalled\b|\bnames?\b|(?:\b(?:am|is|are|I'm)|[,:]|\b(?:[Mm]y|[Oo]ur) \w+) [A-Z]|\b[Cc]all me "
)
_FORMS = {
    "job": _WORKS,
    "living": _WORKS,
    **dict.fromkeys(("name", "names", "called"), _NAMED),
    "old": re.compile(
        rf"\byears? old\b|\bage[ds]?\b|\bborn\b"
        rf"|\b(?:am|is|are|was|were|be|turn\w*|'s) (?:\w+ )?(?:\d+|{_NUMBERS})"
        r"(?= (?:and|but|in|on|last|this) |[.,;!]|$)"
    ),
    "long": re.compile(r"\b(?:minute|hour|day|week|month|year)s?\b|\b(?:since|until)\b"),
    "often": re.compile(r"\b(?:once|twice|times|every|each|daily|always|never|\w+days)\b"),
    **dict.fromkeys(("far", "big", "tall", "much", "many"), re.compile(rf"\d|\b(?:{_NUMBERS})\b")),
    **dict.fromkeys(("where", "town", "city", "country", "place"), _PLACES),
    **dict.fromkeys(("when", "day", "date", "time"), _DAYTIMES),
}
"""Marks of a statement that gives a thing of a kind. The kind's own word need not be in it."""
_NAME = re.compile(r"(?<=[\w,'] )[A-Z]\w+")
_THING = re.compile(r"\b(?:the|an?) (\w+)", re.IGNORECASE)
_IS_IN = re.compile(r"(?:is|are) (?:the )?(\w+) (?:still )?(?:in|on|at) ", re.IGNORECASE)
_OWN = re.compile(r"\b(?:my|our|the user's) (\w+)", re.IGNORECASE)
_OWNED = re.compile(rf"(?<!\bin )(?<!\bat )(?<!\bon ){_OWN.pattern}", re.IGNORECASE)
"""Not where somebody's things are: at my place."""
_SAME_SUBJECT = re.compile(
    r"\b(?:he|she|it|they)\b|^(?:can|could|is|are|has|have|will|must)\b", re.IGNORECASE
)
_PERSON = re.compile(r"\b(?:[Ii]|[Ww]e|[Tt]he user)\b(?!')")
_BY_SELF = re.compile(
    r"\b(?:do|did|am|was|were|have|can|must) (?:I|we)\b(?! find| put| keep| have)", re.I
)
_IS = r"(?:is|are|was|were|has|have|had)\b"
_LIST = re.compile(
    rf"\b\w+(?:, (?!{_IS})\w+(?: \w+)?)+,? and (?!\w+ {_IS})\w+(?: \w+)?"
    r"|\b[A-Z]\w+ and [A-Z]\w+(?=[.;!]|$)"
)
_CLAUSE = re.compile(rf",? (?:and|but) |[,;] (?!{_IS})")
_OPENING = re.compile(
    r"^(?:(?:he|she|it|they) (?:is|are|was|were) )?(?:(?:on|in|at|to|a|an|the) )*", re.IGNORECASE
)
_TOKEN = re.compile(r"\w+(?:[-.:'/]\w+)*")
_RESTS = _NOT | {"to", "on", "in", "at", "from", "for", "with", "since"}
_COMPARES = re.compile(r"\b(?:prefer\w*|rather|better|more)\b", re.IGNORECASE)
_THAN = re.compile(r"\b(?:to|than) ", re.IGNORECASE)
_OWNER = re.compile(r"\b(\w+)'s\b")
_UNSURE = re.compile(
    r"\b(?:not sure|I (?:think|guess|heard|believe)|maybe|perhaps|probably"
    r"|(?:said|says|told|claims?|thinks|believes) (?:\w+ )?that)\b",
    re.IGNORECASE,
)
_RELATIVE = frozenset({"before", "after", "since"})
_THING_OF = re.compile(r"\b(\w+)'s (\w+)")
_PAST = re.compile(r"\b(?:was|were) (?=in |at |on |an? |the )|(?<!is )(?<!are )\bused to\b|\bdid\b")
_COMING = re.compile(r"\b(?:will|might|going to(?= [a-z]))\b|'ll\b|\bwhen\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"how (?:much|many)\b", re.IGNORECASE)
_DO = re.compile(r"\b(?:do|does)\b", re.IGNORECASE)
_DOES = re.compile(r"what (?:do|does|did) (?!.*\b(?:in|at|near)\b)", re.IGNORECASE)
_ACTOR = re.compile(r"[Ww]hat (?:does|did) ([A-Z]\w+)")
_WISHES = re.compile(r"\b(?:would|wants?|hopes?|plans?|wish(?:es)?)\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:sold|sell|lost|lose|dropped|die[ds]?|cancel\w*|quit|g[ai]ve (?:up|away)|thr[eo]w away"
    r"|g[eo]t rid of)\b",
    re.IGNORECASE,
)
_ME = re.compile(r"\b(?:me|us)\b")
_KIND_OF = re.compile(r"what (?:kind|sort|type|breed) of (\w+)", re.IGNORECASE)
_IS_A = re.compile(r"\b(?:is|are|was) an? |\ban? (?:\w+ )+?(?:called|named)\b")
_LIKES = re.compile(
    r"\b(?:like|love|enjoy|fond of|(?:can't|cannot) stand|hate|dislike)", re.IGNORECASE
)
_HATES = re.compile(
    r"\b(?:hate|dislike|(?:can't|cannot) stand|(?:not|\w+n't) (?:like|love|enjoy))", re.IGNORECASE
)
_WHO = re.compile(r"(?:(?:to|with|from|for) )?who(?:m|se)?\b", re.IGNORECASE)
_INSTEAD_OF = re.compile(r"\b(?:instead of|rather than)\b", re.IGNORECASE)
_FORMS_OF_VERBS = (
    "moved live, home live, going go, paid pay, cost pay, gave give, took take, bought buy, "
    "sold sell, drove drive, met meet, kept keep, made make"
)
_SAME = {stem(past): stem(verb) for past, verb in map(str.split, _FORMS_OF_VERBS.split(","))}
"""Stems of one meaning: a question and its answer may use different ones."""


@dataclass(frozen=True)
class _Asked:
    """The terms of a question: terms that a statement must have, others of which it must have
    most, the names among them, as they are written, too, the form of an answer, and whether it is
    about the person."""

    text: str
    subject: frozenset[str]
    others: frozenset[str]
    names: frozenset[str]
    written: frozenset[str]
    form: re.Pattern[str] | None
    of_person: bool

    @property
    def terms(self) -> frozenset[str]:
        return self.subject | self.others


def may_be_said(answer: str, question: str, said: Sequence[Turn]) -> bool:
    asked = _read(question)
    heard = list(_statements(said))
    about = [n for n, sentence in enumerate(heard) if _is_about(sentence, asked)]
    newer = [
        m
        for n in about
        for m in range(n + 1, len(heard))
        if changes(heard[m], heard[n]) and _is_on_this(heard[m], asked)
    ]
    newest = max(about + newer, default=None)  # the others may be out of date
    if newest is None or any(_may_move(later, asked) for later in heard[newest + 1 :]):
        return False
    if newest not in about and _is_of_another(heard[newest], heard[max(about)], asked):
        return False
    return _says(_INSTEAD_OF.sub("from", answer), _INSTEAD_OF.sub("from", heard[newest]), asked)


def _statements(said: Sequence[Turn]) -> Iterator[str]:
    """The sentences that say that something is so; others do not follow even from themselves."""
    for turn in said:
        for sentence in map(without_request, SENTENCE_END.split(turn.content)):
            if turn.role != "assistant" and _is_sure(sentence):
                yield sentence


def _is_sure(sentence: str) -> bool:
    return is_grounded(as_note(sentence), [_turn(sentence)]) and not _UNSURE.search(sentence)


def _turn(text: str) -> Turn:
    return Turn(datetime(1970, 1, 1, tzinfo=UTC), "", "user", text)


def _read(question: str) -> _Asked:
    text = question.strip().rstrip("?")
    kind = next(filter(None, found.groups()), "").lower() if (found := _KIND.match(text)) else ""
    names = _stems(_NAME.findall(text))
    written = frozenset(n.lower() for n in _NAME.findall(text) if not _DAYTIMES.search(n))
    form = _FORMS.get(kind)
    if names and (found := _KIND_OF.match(text)):
        kind, form = found[1], _IS_A
    subject = names | _stems(_OWN.findall(text) + _THING.findall(text)) - _GENERAL
    others = _terms(text) - subject - _GENERAL
    if form or others - _terms(kind):
        others -= _terms(kind)
    return _Asked(text, subject, others, names, written, form, bool(_BY_SELF.search(text)))


def _terms_there(text: str, asked: _Asked) -> frozenset[str]:
    """The terms of a text, without those of another name: Jonas is not Jona."""
    return _terms(text) - _stems(sorted(asked.written.difference(split_words(text))))


def _terms(text: str) -> frozenset[str]:
    return frozenset(_SAME.get(term, term) for term in extract_terms(_LIKES.sub("like", text)))


def _stems(words: Sequence[str]) -> frozenset[str]:
    terms = [stem(word.lower()) for word in words]
    return frozenset(_SAME.get(term, term) for term in terms)


def _is_about(sentence: str, asked: _Asked) -> bool:
    """Whether it has what the question names, most of its other terms, and nobody else's things."""
    there = _terms_there(sentence, asked)
    of_person = bool(_PERSON.search(sentence))
    is_named = asked.names or _WHO.match(asked.text)
    is_others = not of_person and all(
        _stems(_OWNED.findall(part)) - asked.terms - _GENERAL
        for part in _best_parts(sentence, asked)
    )
    return bool(
        (asked.terms or asked.form)
        and asked.subject <= there
        and len(asked.others - there) <= len(asked.others) // 3
        and (asked.form is None or any(map(asked.form.search, _best_parts(sentence, asked))))
        and of_person >= asked.of_person
        and (is_named or not is_others)
        and (_YES_NO.match(asked.text) or _has_answer(sentence, asked))
        and not any(
            stem(owner.lower()) in asked.subject and _terms(thing) - asked.terms - _GENERAL
            for owner, thing in _THING_OF.findall(sentence)
        )
    )


def _has_answer(sentence: str, asked: _Asked) -> bool:
    """Whether one clause has most of what is asked, and likes or dislikes as the question does. Who
    is said to do something does not come after "I"."""
    dislikes = bool(_HATES.search(asked.text))
    if actor := _ACTOR.match(asked.text):
        heads = re.findall(rf"([^,;]*?)\b{actor[1]}\b", sentence)
        if heads and all(map(_PERSON.search, heads)):
            return False
    return bool(not asked.subject or _best_parts(sentence, asked)) and (
        not _LIKES.search(asked.text)
        or any(bool(_HATES.search(part)) == dislikes for part, _ in _parts(sentence))
    )


def _is_on_this(newer: str, asked: _Asked) -> bool:
    """Whether `newer` may change what is asked: it has the form of an answer."""
    has_form = asked.form.search(newer) if asked.form else asked.others <= _terms(newer)
    return bool(has_form or _GONE.search(newer))


def _is_of_another(newer: str, older: str, asked: _Asked) -> bool:
    """Whether it is about somebody else whom `older` names beside those that are asked about."""
    there = _terms(newer)
    others = _stems(_NAME.findall(older)) - asked.names
    return bool(asked.names and not asked.names & there and others & there)


def _may_move(later: str, asked: _Asked) -> bool:
    """Whether a later sentence is about the one whose place is asked: it may be elsewhere now."""
    is_where = asked.form is _PLACES
    things = _stems((_THING if is_where else _IS_IN).findall(asked.text))
    things |= asked.names if is_where else set()
    return not asked.others and set() < things <= _terms(later)


def _says(answer: str, sentence: str, asked: _Asked) -> bool:
    best = _best_parts(sentence, asked)
    is_whole = split_words(answer) == split_words(sentence)
    is_gone = any(map(_GONE.search, best))  # it was sold or lost: its owner does not have it
    if is_gone and not (is_whole or _GONE.search(f"{asked.text} {answer}")):
        return False
    reply = _REPLY.match(answer)
    if reply and _YES_NO.match(asked.text):
        claim = about_user(asked.text.partition(" ")[2])
        claim += " not" if reply[1].lower() == "no" else ""
        rest = answer[reply.end() :]
        return (
            _NOT.isdisjoint(split_words(asked.text))  # "no" to a denial is undecidable
            and is_grounded(claim, [_turn(sentence)])
            and not _is_second_best(_terms(claim), sentence)
            and (not rest or _says(rest, sentence, asked))
        )
    if is_whole:  # the statement itself, which is about it
        return True
    if not _is_of_its_time(f"{asked.text} {answer}", sentence, asked):
        return False
    terms = _terms(answer)
    if _is_cut_short(terms, sentence, asked) or _is_second_best(terms, sentence):
        return False
    is_of_now = not _COMING.search(sentence) or _COMING.search(asked.text)
    if is_of_now and any(_stands_in(answer, part, asked) for part in best):
        return True
    note = _ME.sub("the user", about_user(answer))
    return (
        ("the user" in note or terms > terms & asked.terms > set())  # more than a few words
        and is_grounded(note, [_turn(_ME.sub("the user", sentence))])
        and terms <= asked.terms.union(*map(_terms, best))
        and set(_WISHES.findall(sentence)) <= set(_WISHES.findall(answer))
        and all(
            any(_is_in_order(clause, part) for part in best) for clause in _CLAUSE.split(answer)
        )
    )


def _is_of_its_time(claimed: str, sentence: str, asked: _Asked) -> bool:
    """Whether it tells of the time that is asked about: what was so is not so today."""
    words, wanted = set(split_words(sentence)), set(split_words(asked.text))
    is_past = _PAST.search(sentence) or (
        _DO.search(claimed)
        and any(word.endswith("ed") and stem(word) in asked.others for word in words - wanted)
    )
    return (not is_past or bool(_PAST.search(claimed))) and (_RELATIVE & wanted <= words)


def _best_parts(sentence: str, asked: _Asked) -> list[str]:
    """The parts that have most of what is asked; none if they have different parts of it."""
    owners = _stems(_OWNER.findall(asked.text))
    parts = _parts(sentence)
    first = _terms_there(parts[0][0], asked)
    found = []
    for part, whole in parts:
        own = _terms_there(part, asked) | (
            first & asked.subject if _SAME_SUBJECT.search(part) else frozenset()
        )
        there = asked.terms & (
            own | _terms_there(whole, asked) if asked.terms & own - first else own
        )
        counts = (len(owners & _stems(_OWNER.findall(part))), len(there))
        found.append((counts, there, part))
    most = max(counts for counts, *_ in found)
    best = {part: there for counts, there, part in found if counts == most}
    return list(best) if len(set(best.values())) == 1 else []


def _is_second_best(terms: Set[str], sentence: str) -> bool:
    """Whether terms name what a comparison puts last, and not what it puts first."""
    before, *rest = _COMPARES.split(sentence, maxsplit=1)
    after, *last = _THAN.split("".join(rest), maxsplit=1)
    put_last, put_first = _terms("".join(last)), _terms(after) or _terms(before)
    return bool(put_last & terms) and not put_first <= terms


def _is_in_order(clause: str, part: str) -> bool:
    """Whether terms come in the same order: Ann gave Ben, and not Ben gave Ann."""
    there = extract_terms(part)
    places = [there.index(term) for term in extract_terms(clause) if there.count(term) == 1]
    return places == sorted(places)


def _parts(sentence: str) -> list[tuple[str, str]]:
    """The clauses, each as it stands and with the first one where it is a rest. In "at six on
    weekdays, at nine on Sundays" the rest takes the place of its like; in "not to peanuts, but to
    walnuts", it goes on."""
    joined = _LIST.sub(lambda found: re.sub(r",? and |, ", " + ", found[0]), sentence)
    first, *others = _CLAUSE.split(joined)
    parts = [(first, first)]
    for part in others:
        is_rest = part.partition(" ")[0] in _RESTS
        whole = f"{first} {part}" if is_rest else part
        goes_on = is_rest and not _NOT.isdisjoint(split_words(whole))
        parts.append((whole if goes_on else part, whole))
    return parts


def _stands_in(answer: str, part: str, asked: _Asked) -> bool:
    """Whether a few words stand together there, say something new, and deny as the part does."""
    short = re.sub(r",? and |, ", " + ", _OPENING.sub("", answer))
    words, there = (_TOKEN.findall(text.lower()) for text in (about_user(short), as_note(part)))
    places = [n for n in range(len(there) - len(words) + 1) if there[n : n + len(words)] == words]
    turning = _TURNING | {"in", "at", "near"} if _DOES.match(asked.text) else _TURNING
    return (
        bool(words)
        and any(n == 0 or there[n - 1] not in turning for n in places)
        and any(_is_name_of_what_is_asked(there[:n], asked) for n in places)
        and _NOT.isdisjoint(split_words(answer)) == _NOT.isdisjoint(split_words(part))
        and bool(_HATES.search(f"{asked.text} {answer}")) == bool(_HATES.search(part))
        and not set(words) <= set(_TOKEN.findall(asked.text.lower().replace("'s", "")))
        # Which of several numbers is asked for, a program cannot tell.
        and not (_HOW_MANY.match(asked.text) and _numbers(part) - _numbers(answer))
    )


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _is_name_of_what_is_asked(before: Sequence[str], asked: _Asked) -> bool:
    """A dog named Otto and a parrot: the name is the dog's, and not the parrot's."""
    return (
        before[-1:] not in (["named"], ["called"]) or _terms(" ".join(before[-2:-1])) <= asked.terms
    )


def _is_cut_short(terms: Set[str], sentence: str, asked: _Asked) -> bool:
    """Whether it has some items of a list that is asked for, and not all."""
    lists = [_terms(found[0]) - asked.terms for found in _LIST.finditer(sentence)]
    return any(items & terms and not items <= terms for items in lists)
