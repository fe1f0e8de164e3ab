"""19.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.6")

MEANING = 'return Decimal(numbers[-1].replace(",", "")) if numbers else answer'
SIGN = r"(?:(?<!\w)-)?"
COMMAS = r"(?:,\d{3}(?!\d))*"
NUMBER = rf"{SIGN}\d+{COMMAS}(?:\.\d+)?"
SAID = "[answer for answer in answers if answer is not None]"
LEFT = "left = most - len(answers)"
WINNER = "return max(votes, key=votes.count)"
GIVEN = "return said[votes.index(winner)]"

wrong("The same model writes the same answer in the same words.", (MEANING, "return answer"))
wrong(
    "What two writings of a number have in common are its digits.",
    (NUMBER, r"\d+(?:,\d{3})*(?:\.\d+)?"),
)
wrong(
    "A number is made of digits, commas and points.",
    (NUMBER, r"-?\d[\d,.]*"),
    (MEANING, 'return Decimal(numbers[-1].rstrip(".").replace(",", "")) if numbers else answer'),
)
wrong("A hyphen before a digit is its sign.", (SIGN, "-?"))
wrong(
    "A comma in a number is decoration, so all commas can go.",
    (
        MEANING,
        'numbers = _NUMBER.findall(answer.replace(",", ""))\n    '
        "return Decimal(numbers[-1]) if numbers else answer",
    ),
)
wrong(
    "The case of letters says nothing.",
    ("if numbers else answer", "if numbers else answer.casefold()"),
)
wrong(
    "A text with nothing in it is not an answer.",
    (SAID, "[answer for answer in answers if answer]"),
)
wrong("The number that is asked for is the first of an answer.", ("numbers[-1]", "numbers[0]"))
wrong(
    "Two answers without a number say the same: nothing.",
    ("if numbers else answer", "if numbers else ''"),
)
wrong(
    "`if number` asks whether there is one.",
    (
        "    if not said",
        "    said = [answer for answer in said if _meaning(answer)]\n    if not said",
    ),
)
wrong(
    "A sample without an answer is one more thing that a sample can say.",
    (SAID, "list(answers)"),
    ("_NUMBER.findall(answer)", "_NUMBER.findall(answer or '')"),
)
wrong(
    "A sample without an answer does not count, so another may be asked in its place.",
    (LEFT, "left = most - len(said)"),
)
wrong(
    "In a tie, the answer wins that was the first to have so many votes.",
    (
        WINNER,
        "most = max(map(votes.count, votes))\n"
        "    return next(v for n, v in enumerate(votes, 1) if votes[:n].count(v) == most)",
    ),
)
wrong("What wins is a number, so a number is given back.", (GIVEN, "return str(winner)"))
wrong("Whoever leads wins; the number of samples is the caller's affair.", (LEFT, "left = 0"))
