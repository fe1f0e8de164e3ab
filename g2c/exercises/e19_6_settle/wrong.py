"""19.6 gone wrong."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.6")

MEANING = 'return Decimal(numbers[-1].replace(",", "")) if numbers else answer'
SIGN = r"(?:(?<!\w)-)?"
COMMAS = r"(?:,\d{3}(?!\d))*"
NUMBER = rf"{SIGN}\d+{COMMAS}(?:\.\d+)?"
SAID = "[answer for answer in answers if answer is not None]"
LEFT = "left = most - len(answers)"
RIVALS = "(*votes, None)"
WINNER = "return max(votes, key=votes.count)"
GIVEN = "return said[votes.index(winner)]"

wrong(
    "The same model writes the same answer in the same words.",
    (MEANING, "return answer"),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="Did you compare texts?",
)
wrong(
    "What two writings of a number have in common are its digits.",
    (NUMBER, r"\d+(?:,\d{3})*(?:\.\d+)?"),
    caught_by="test_different_numbers_are_different_answers",
    says="'3' and '-3' are two numbers",
)
wrong(
    "Everything but digits can be thrown away before two answers are compared.",
    (MEANING, 'return "".join(filter(str.isdigit, answer)) or answer'),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="'7' and '7.0' say the same number",
)
wrong(
    "A number is a run of digits.",
    (NUMBER, r"-?\d+"),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="say the same number, so they win over '99' with two votes to one",
)
wrong(
    "A number is made of digits, commas and points.",
    (NUMBER, r"-?\d[\d,.]*"),
    (MEANING, 'return Decimal(numbers[-1].rstrip(".").replace(",", "")) if numbers else answer'),
    caught_by="test_whatever_a_model_writes_is_an_answer",
    says="wrote '3.11.7', of 6 characters. A model may write anything",
)
wrong(
    "Digits, commas and points in any order are a number.",
    (NUMBER, r"-?[\d,]+(?:\.\d+)?"),
    caught_by="test_whatever_a_model_writes_is_an_answer",
    says="wrote 'Paris, I think', of 14 characters",
)
wrong(
    "A hyphen before a digit is its sign.",
    (SIGN, "-?"),
    caught_by="test_a_hyphen_behind_a_letter_or_digit_is_not_a_sign",
    says="in '7-3' the hyphen joins what stands on either side, and is not a minus sign",
)
wrong(
    "A hyphen is not a sign between two numbers, as in a date; anywhere else it is.",
    (SIGN, r"(?:(?<!\d)-)?"),
    caught_by="test_a_hyphen_behind_a_letter_or_digit_is_not_a_sign",
    says="in 'Room B-12' the hyphen joins what stands on either side",
)
wrong(
    "A sign stands behind a space, or it is a hyphen.",
    (SIGN, r"(?:(?<!\S)-)?"),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="'-3' and '(-3)' say the same number",
)
wrong(
    "A comma in a number is decoration, so all commas can go.",
    (
        MEANING,
        'numbers = _NUMBER.findall(answer.replace(",", ""))\n    '
        "return Decimal(numbers[-1]) if numbers else answer",
    ),
    caught_by="test_a_comma_before_just_three_digits_is_part_of_a_number_and_no_other",
    says="the last number of '1,2,3' is 3, so it has two votes",
)
wrong(
    "Three digits behind a comma are thousands, whatever comes then.",
    (COMMAS, r"(?:,\d{3})*"),
    caught_by="test_a_comma_before_just_three_digits_is_part_of_a_number_and_no_other",
    says="the last number of '12,3456' is 3456, so it has",
)
wrong(
    "A number has at most three digits before its first comma, or no comma.",
    (NUMBER, rf"{SIGN}(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:\.\d+)?"),
    caught_by="test_a_comma_before_just_three_digits_is_part_of_a_number_and_no_other",
    says="the last number of '1234,567' is 1234567, so it has",
)
wrong(
    "The case of letters says nothing.",
    ("if numbers else answer", "if numbers else answer.casefold()"),
    caught_by="test_texts_that_differ_in_one_character_are_different_answers",
    says="and 'us' is not 'US'",
)
wrong(
    "A text with nothing in it is not an answer.",
    (SAID, "[answer for answer in answers if answer]"),
    caught_by="test_an_empty_text_is_an_answer",
    says="None is a sample without an answer, and an empty text is one",
)
wrong(
    "A float is what a number is in Python.",
    ("Decimal(numbers[-1]", "float(numbers[-1]"),
    caught_by="test_different_numbers_are_different_answers",
    says="'9007199254740992' and '9007199254740993' are two numbers",
)
wrong(
    "int takes any text of digits.",
    (
        MEANING,
        "text = numbers[-1].replace(',', '') if numbers else ''\n"
        "    return answer if not text else Decimal(text) if '.' in text else int(text)",
    ),
    caught_by="test_whatever_a_model_writes_is_an_answer",
    says="A model may write anything, and that is not a reason to raise (ValueError)",
)
wrong(
    "The number that is asked for is the first of an answer.",
    ("numbers[-1]", "numbers[0]"),
    caught_by="test_the_last_number_of_an_answer_counts",
    says="an answer that repeats the question ends with what came out",
)
wrong(
    "Two answers without a number say the same: nothing.",
    ("if numbers else answer", "if numbers else ''"),
    caught_by="test_answers_without_a_number_are_compared_as_texts",
    says="Rome has two votes, and Oslo one",
)
wrong(
    "`if number` asks whether there is one.",
    (
        "    if not said",
        "    said = [answer for answer in said if _meaning(answer)]\n    if not said",
    ),
    caught_by="test_zero_is_a_number_and_nothing_is_an_answer",
    says="Did you ask whether it is true?",
)
wrong(
    "A sample without an answer is one more thing that a sample can say.",
    (SAID, "list(answers)"),
    ("_NUMBER.findall(answer)", "_NUMBER.findall(answer or '')"),
    caught_by="test_a_sample_without_an_answer_has_no_vote",
    says="the two that failed neither outvote it nor stand in its place",
)
wrong(
    "A sample without an answer does not count, so another may be asked in its place.",
    (LEFT, "left = most - len(said)"),
    caught_by="test_it_gives_the_answer_as_soon_as_it_is_certain",
    says="a new one can still make a tie, and 7 was given first: 7 wins whatever comes",
)
wrong(
    "In a tie, the answer wins that was the first to have so many votes.",
    (
        WINNER,
        "most = max(map(votes.count, votes))\n"
        "    return next(v for n, v in enumerate(votes, 1) if votes[:n].count(v) == most)",
    ),
    caught_by="test_in_a_tie_the_first_that_was_given_wins",
    says="Which had two votes first",
)
wrong(
    "In a tie, the latest sample has seen as much as the first.",
    (WINNER, "return max(reversed(votes), key=votes.count)"),
    caught_by="test_in_a_tie_the_first_that_was_given_wins",
    says="was given before the other",
)
wrong(
    "A set of the votes is enough to take the maximum of.",
    (WINNER, "return max(sorted(set(votes), key=str), key=votes.count)"),
    caught_by="test_in_a_tie_the_first_that_was_given_wins",
    says="9 wins, which was given before the other",
)
wrong(
    "What wins is a number, so a number is given back.",
    (GIVEN, "return str(winner)"),
    caught_by="test_the_answer_is_given_in_the_words_of_the_first_who_said_it",
    says="is given as a sample wrote it",
)
wrong(
    "Any of those who said it will do, such as the last.",
    (GIVEN, "return said[len(votes) - 1 - votes[::-1].index(winner)]"),
    caught_by="test_the_answer_is_given_in_the_words_of_the_first_who_said_it",
    says="the first of those that say it",
)
wrong(
    "Whoever leads wins; the number of samples is the caller's affair.",
    (LEFT, "left = 0"),
    caught_by="test_it_waits_while_the_samples_to_come_could_change_it",
    says="7 does not win, so nothing is certain",
)
wrong(
    "The vote is counted when all have answered.",
    (
        f"    {LEFT}\n",
        f"    {LEFT}\n    if left:\n        return None\n",
    ),
    caught_by="test_it_gives_the_answer_as_soon_as_it_is_certain",
    says="a further call of the model would be wasted",
)
wrong(
    "Nobody who has not been named yet can win.",
    (RIVALS, "votes"),
    caught_by="test_it_waits_while_the_samples_to_come_could_change_it",
    says="If they say 9 and 9, 7 does not win",
)
wrong(
    "Who wins can only be overtaken by a new answer: the others have lost already.",
    (RIVALS, "(None,)"),
    caught_by="test_it_waits_while_the_samples_to_come_could_change_it",
    says="after ['7', '7', '9'], of 5 samples",
)


@wrong(
    caught_by="test_it_gives_the_answer_as_soon_as_it_is_certain",
    says="7 was given first: 7 wins whatever comes",
)
def majority(answers: Sequence[str | None], most: int) -> str | None:
    """An answer is certain when more than half of all samples have said it."""
    votes = read(answers)
    if not votes:
        return None
    winner = votes.most_common(1)[0][0]
    if len(answers) < most and 2 * votes[winner] <= most:
        return None
    return words(answers, winner)


@wrong(
    caught_by="test_it_waits_while_the_samples_to_come_could_change_it",
    says="and in a tie 9 was given first, 7 does not win",
)
def lead(answers: Sequence[str | None], most: int) -> str | None:
    """A lead of as many votes as can still come is enough: it can only be tied."""
    return ahead(answers, most, 0)


def ahead(answers: Sequence[str | None], most: int, by: int) -> str | None:
    """The first of the answers that lead, if it does so by as many votes as can come and `by`."""
    votes = read(answers)
    if not votes:
        return None
    (winner, n), *others = votes.most_common()
    second = others[0][1] if others else 0
    left = most - len(answers)
    return words(answers, winner) if not left or n - second >= left + by else None


def read(answers: Sequence[str | None]) -> Counter[object]:
    from g2c.exercises.e19_6_settle.solution import _meaning

    return Counter(_meaning(answer) for answer in answers if answer is not None)


def words(answers: Sequence[str | None], winner: object) -> str | None:
    """The first answer that means `winner`."""
    return next(answer for answer in answers if answer is not None and read([answer])[winner])


wrong(
    "A number begins where a word does.",
    (NUMBER, rf"(?<![A-Za-z]){NUMBER}"),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="'12' and 'B12' say the same number",
)
wrong(
    "White space around an answer says nothing.",
    (GIVEN, f"{GIVEN}.strip()"),
    caught_by="test_the_answer_is_given_in_the_words_of_the_first_who_said_it",
    says="as a sample wrote it, white space included",
)
wrong(
    "In half of the world a comma is what a point is in the other half.",
    (r"(?:\.\d+)?", r"(?:\.\d+|,\d\d?(?!\d))?"),
    caught_by="test_a_comma_before_just_three_digits_is_part_of_a_number_and_no_other",
    says="the last number of '1,5' is 5",
)
wrong(
    "Nobody writes more than two decimals.",
    (r"(?:\.\d+)?", r"(?:\.\d\d?(?!\d))?"),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="'3.125' and '3.1250' say the same number",
)
