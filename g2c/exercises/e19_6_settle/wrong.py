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
    "A number is made of digits, commas and points.",
    (NUMBER, r"-?\d[\d,.]*"),
    (MEANING, 'return Decimal(numbers[-1].rstrip(".").replace(",", "")) if numbers else answer'),
    caught_by="test_whatever_a_model_writes_is_an_answer",
    says="wrote '3.11.7', of 6 characters. A model may write anything",
)
wrong(
    "A hyphen before a digit is its sign.",
    (SIGN, "-?"),
    caught_by="test_a_hyphen_behind_a_letter_or_digit_is_not_a_sign",
    says="in '7-3' the hyphen joins what stands on either side, and is not a minus sign",
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
    "What wins is a number, so a number is given back.",
    (GIVEN, "return str(winner)"),
    caught_by="test_the_answer_is_given_in_the_words_of_the_first_who_said_it",
    says="is given as a sample wrote it",
)
wrong(
    "Whoever leads wins; the number of samples is the caller's affair.",
    (LEFT, "left = 0"),
    caught_by="test_it_waits_while_the_samples_to_come_could_change_it",
    says="7 does not win, so nothing is certain",
)
