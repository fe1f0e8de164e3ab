"""The thought before a sum: what is known, what is asked, and so which operation.

If the sign comes first and its reason afterwards, the sign is a guess. So the words that decide it
come first: the numbers with the words around them, and a sentence with "?" for the unknown.
"""

from __future__ import annotations

import re
from collections import Counter

from maintain.training.vocabulary import NUMBER_WORDS

MOST = 180
"""The most letters of a thought, about 45 tokens. Longer ones leave out what is needed least."""

_LITTLE = """
a an and are as at be but by did do does each for from had has have he her him his how if in
into is it its of on or she so some than that the their them then there they this to was were
what when where which while who will with would you your many much i we
"""
_SMALL = frozenset(_LITTLE.split())
"""Words that say little beside a number."""
_OPS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "divide",
        "%": "take the remainder"}  # fmt: skip
_SIGN = re.compile(r" (\+|-|\*|//?|%) ")
_CUES = (
    ("2", r"half|halves|twice|doubl\w+|both|pairs?|couple"),
    ("3", r"thirds?|tripl\w+|thrice"),
    ("4", r"quarters?|fourths?"),
    ("5", r"fifths?"),
    ("12", r"dozens?|years?|yearly|months?"),
    ("7", r"weeks?|weekly"),
    ("60", r"hours?|minutes?"),
)
_WORDS = (*NUMBER_WORDS, "ten", "eleven", "twelve")


def reason(
    text: str, expression: str, wanted: str, *, says: str = "The story says", before: str = ""
) -> str:
    """What `text` tells about the numbers of `expression`, what is `wanted`, and what to do.

    `wanted` is a question, or a sentence with "?" in the place of the result. `before` is what was
    found so far.

    >>> reason("Mira has 12 cups. Otto buys 30 more cups.", "12 + 30", "They have ? cups.")
    'The story says: 12 cups, buys 30 more cups. They have ? cups. So I add.'
    """
    known = known_numbers(text, expression)
    says_known = f"{says}: {', '.join(known)}." if known else ""
    so = f"So I {operations(expression)}."
    for parts in ((before, says_known, wanted, so), (says_known, wanted, so), (wanted, so)):
        said = " ".join(part for part in parts if part)
        if len(said) <= MOST:
            break
    return said


def operations(expression: str) -> str:
    """The operations of an expression in words, in the order in which they are worked out.

    >>> operations("12 + 30 + 4"), operations("9 - 2 * 3")
    ('add', 'multiply and subtract')
    """
    inner = _SIGN.findall(" ".join(re.findall(r"\([^()]*\)", expression)))
    rest = _SIGN.findall(expression)
    for sign in inner:
        rest.remove(sign)
    rest.sort(key=lambda sign: sign in "+-")
    words = list(dict.fromkeys(_OPS[sign] for sign in (*inner, *rest)))
    if len(words) < 2:
        return "".join(words) or "calculate"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def known_numbers(text: str, expression: str) -> list[str]:
    """The numbers of an expression with the words around them in `text`, in the order there.

    >>> known_numbers("Mira has 4 rows of 4 cups and 5 cups at the wall.", "4 * 4 + 5")
    ['4 rows', '4 cups', '5 cups']
    """
    wanted = Counter(re.findall(r"\d+(?:\.\d+)?", expression))
    found = [match for number in wanted for match in _find(text, number)[: wanted[number]]]
    known: list[str] = []
    end = 0
    for match in sorted(found, key=lambda match: match.start()):
        if match.start() >= end:  # not in the words around the one before it
            said, end = _around(text, match, end)
            known.append(said)
    return list(dict.fromkeys(known))


def _find(text: str, number: str) -> list[re.Match[str]]:
    """Find a number in a text: in digits, else as a word, else as a word that means it."""
    whole = number.partition(".")[0]
    commas = f"{int(whole):,}" + number[len(whole) :]
    short = number.removeprefix("0") if "." in number else number
    forms = "|".join(map(re.escape, dict.fromkeys((commas, number, short))))
    patterns = [rf"(?<![\w.,])\$?(?:{forms})%?(?![\d]|[.,]\d)"]
    if number.isdigit() and 2 <= int(number) <= 12:
        patterns.append(rf"\b{_WORDS[int(number) - 2]}\b")
    patterns += [rf"\b(?:{cue})\b" for value, cue in _CUES if value == number]
    for pattern in patterns:
        if matches := list(re.finditer(pattern, text, re.IGNORECASE)):
            return matches
    return []


def _around(text: str, match: re.Match[str], start: int) -> tuple[str, int]:
    """The number with up to one word before it, from `start` on, and two words after it, or four if
    the first is a small word. Small words at the end are left out. Also returns where that ends."""
    before = re.search(r"(?:^|[\s(])([a-z][\w'-]*) $", text[start : match.start()])
    after = re.match(r"[\w/'-]*(?: [A-Za-z][\w'/-]*){0,4}", text[match.end() :])
    words = after[0].split(" ") if after else []
    # "21 of them go bad" says something in its third and fourth word only.
    words = words[: 5 if len(words) > 1 and words[1].lower() in _SMALL else 3]
    while len(words) > 1 and words[-1].lower() in _SMALL:
        words.pop()
    first = f"{before[1]} " if before and before[1] not in _SMALL else ""
    tail = " ".join(words)
    said = f"{first}{match[0]}{tail}"
    if match[0][0].isalpha():
        said = said[0].lower() + said[1:]
    return said, match.end() + len(tail)


def last_question(text: str) -> str:
    """The last sentence of a text.

    >>> last_question("Mira has 2.5 cups. How many are that?")
    'How many are that?'
    """
    return re.split(r"(?<=[.!?])\s+", text.strip())[-1]
