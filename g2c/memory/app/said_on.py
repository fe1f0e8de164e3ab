"""Questions about what the person said: "What did I tell you on Tuesday?"."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from g2c.memory.core.changes import MONTHS, WEEKDAYS
from g2c.memory.core.terms import extract_terms

_BY_NAME = "|".join(rf"{month[:3]}(?:{month[3:]}|t?\.?)" for month in MONTHS)
_DAY = (
    rf"(?P<weekday>{'|'.join(WEEKDAYS)})|(?P<near>today|yesterday)|(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_BY_NAME})"
    rf"|(?P<month2>{_BY_NAME}) (?P<day2>\d{{1,2}})|the (?P<day3>\d{{1,2}})(?:st|nd|rd|th)"
)
_ASKED = re.compile(
    r"what (?:else )?(?:did|have|had) I (?:say|said|tell|told|mention(?:ed)?|talk(?:ed)?)"
    r"(?: to)?(?: you)?(?: (?:about|of) (?P<about>.+?))??"
    rf"(?: (?:on |last )*(?:{_DAY}))?[?.! ]*",
    re.IGNORECASE,
)
ONE_DAY = timedelta(days=1)
_OTHER_DAY = re.compile(  # "Jan" alone is a person
    rf"\b(?:(?:{'|'.join(WEEKDAYS)})s?|{'|'.join(MONTHS)}"
    r"|yesterday|tomorrow|ago|(?:last|next) \w+)\b",
    re.IGNORECASE,
)
"""A day in a statement, which is not the day on which it was said."""
_PAST = re.compile(
    r"(?!.*\b(?:is|are|do|does|will)\b)(.*\b(?:was|were|did|had|went|rang|held|got|came|took|broke"
    r"|fell|left|gave|made|said|told|bought|sold|lost|paid|\w+ed)\b.*?)"
    rf" (?:on |last )*(?:(?:{'|'.join(WEEKDAYS)}),? )?(?:{_DAY})"
    r"(?: morning| lunchtime| afternoon| evening| night)?[?.! ]*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AskedWords:
    """The person's words of a day, or of all days, that have all these terms."""

    terms: frozenset[str]
    day: date | None

    def has(self, said: str) -> bool:
        return self.terms <= set(extract_terms(said))


def asked_words(question: str, today: date) -> AskedWords | None:
    """The words that the question asks for, if it asks for the person's own. A day without a year
    is the last one before `today`.

    >>> asked_words("What did I say about my father on Tuesday?", date(2026, 11, 27))
    AskedWords(terms=frozenset({'father'}), day=datetime.date(2026, 11, 24))
    >>> asked_words("What did I eat on Tuesday?", date(2026, 11, 27))
    """
    found = _ASKED.fullmatch(question.strip())
    if not found:
        return None
    terms, day = frozenset(extract_terms(found["about"] or "")), _day_in(found, today)
    return AskedWords(terms, day) if terms or day else None


def past_day(question: str, today: date) -> tuple[str, date] | None:
    """A question about a day that is past without that day, and the day.

    >>> past_day("What was my weight on Tuesday?", date(2026, 11, 27))
    ('What was my weight?', datetime.date(2026, 11, 24))
    >>> past_day("Who phoned on Tuesday evening?", date(2026, 11, 27))
    ('Who phoned?', datetime.date(2026, 11, 24))
    >>> past_day("Who came on Monday the 23rd of November?", date(2026, 11, 27))
    ('Who came?', datetime.date(2026, 11, 23))
    >>> past_day("Who rang on the 10th of Nov.?", date(2026, 11, 27))
    ('Who rang?', datetime.date(2026, 11, 10))
    >>> past_day("What broke on the 30th?", date(2026, 11, 27))
    ('What broke?', datetime.date(2026, 10, 30))
    >>> past_day("What do I have on Tuesday?", date(2026, 11, 27))
    """
    found = _PAST.fullmatch(question.strip())
    day = _day_in(found, today) if found else None
    return (f"{found[1]}?", day) if found and day else None


def is_of_day(said: str, said_on: date, day: date) -> bool:
    """Whether a statement without another day tells of `day`, on it or of yesterday.

    >>> is_of_day("It rained yesterday.", date(2026, 11, 27), date(2026, 11, 26))
    True
    >>> is_of_day("Jan rang.", date(2026, 11, 27), date(2026, 11, 27))
    True
    >>> is_of_day("It rained on Sunday.", date(2026, 11, 27), date(2026, 11, 27))
    False
    """
    days = {found.lower().replace("last night", "yesterday") for found in _OTHER_DAY.findall(said)}
    return days <= {"yesterday"} and said_on - len(days) * ONE_DAY == day


def _day_in(found: re.Match[str], today: date) -> date | None:
    if near := found["near"]:
        return today - timedelta(days=near.lower() == "yesterday")
    if weekday := found["weekday"]:
        back = (today.weekday() - WEEKDAYS.index(weekday.lower()) - 1) % 7 + 1
        return today - timedelta(days=back)
    try:
        if number := found["day3"]:
            day = today.replace(day=int(number))
            return day if day <= today else (day.replace(day=1) - ONE_DAY).replace(day=day.day)
        if found["iso"]:
            return date.fromisoformat(found["iso"])
        if month := found["month"] or found["month2"]:
            number = [name[:3] for name in MONTHS].index(month[:3].lower()) + 1
            day = date(today.year, number, int(found["day"] or found["day2"]))
            return day if day <= today else day.replace(year=today.year - 1)
    except ValueError:  # 31 November
        pass
    return None
