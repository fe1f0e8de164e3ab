"""21.1 gone wrong."""

from __future__ import annotations

import re
from functools import partial

from g2c.critic.base import Critique

from . import wrong

wrong = partial(wrong, "21.1")

MARKER = re.compile(
    r"^(?:[ \t#]|\*\*)*(score|issues|recommendation)[ \t*]*:(?:\*\*)?",
    re.IGNORECASE | re.MULTILINE,
)
BULLET = re.compile(r"^(?:[-*•]|\d+[.)])(?:\s+|$)")
ERROR = "The RECOMMENDATION cannot be read."


def sections(text, marker=MARKER):
    """The bodies of each marker."""
    pieces = marker.split(text.replace("\r\n", "\n"))
    found = {"score": [], "issues": [], "recommendation": []}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        found[name.lower()].append(body)
    return found


def bare(line):
    return line.strip("* \t").removesuffix(".").rstrip("* \t")


def value(body):
    return bare(body.partition("\n")[0])


def number(line):
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(?:\s*/\s*10)?", line)
    return float(found[1]) if found and float(found[1]) <= 10 else None


def score_of(bodies):
    scores = {number(value(body)) for body in bodies}
    return scores.pop() if len(scores) == 1 else None


def issues_of(bodies, bullet=BULLET):
    lines = [line.strip() for body in bodies for line in body.split("\n")]
    issues = [bullet.sub("", line, count=1).strip() for line in lines]
    return tuple(i for i in issues if re.search(r"\w", i) and bare(i).lower() != "none")


def verdict_of(bodies):
    words = {value(body).upper() for body in bodies}
    return words.pop() if words in ({"APPROVE"}, {"REVISE"}) else None


def critique(score, issues, verdict):
    if verdict is None:
        return Critique(score, issues, "REVISE", ERROR)
    return Critique(score, issues, verdict)


def read(text, *, score=score_of, issues=issues_of, verdict=verdict_of, marker=MARKER):
    """All of it rightly, but for what is given."""
    found = sections(text, marker)
    return critique(
        score(found["score"]), issues(found["issues"]), verdict(found["recommendation"])
    )


@wrong(
    caught_by="test_the_form_echoed_back_is_no_approval",
    says="a model that copies the form has decided nothing",
)
def look_for_the_word(text: str) -> Critique:
    """An approval has the word APPROVE behind its marker."""

    def verdict(bodies):
        words = {value(body).upper() for body in bodies}
        if words and all(re.search(r"\bAPPROVE\b", word) for word in words):
            return "APPROVE"
        return "REVISE" if words == {"REVISE"} else None

    return read(text, verdict=verdict)


@wrong(
    caught_by="test_a_negated_approval_is_no_approval",
    says="the line says the opposite",
)
def only_one_of_the_words(text: str) -> Critique:
    """A line with APPROVE and without REVISE approves."""

    def verdict(bodies):
        said = " ".join(value(body).upper() for body in bodies)
        words = [word for word in ("APPROVE", "REVISE") if re.search(rf"\b{word}\b", said)]
        return words[0] if len(words) == 1 else None

    return read(text, verdict=verdict)


@wrong(
    caught_by="test_an_approval_with_more_beside_it_is_no_approval",
    says="what stands beside it may take it back",
)
def the_first_word_counts(text: str) -> Critique:
    """The recommendation is the first word of its line; the rest explains it."""

    def verdict(bodies):
        words = set()
        for body in bodies:
            line = value(body).upper()
            both = "APPROVE" in line and "REVISE" in line
            words.add("" if both else re.match(r"\w*", line)[0])
        return words.pop() if words in ({"APPROVE"}, {"REVISE"}) else None

    return read(text, verdict=verdict)


@wrong(
    caught_by="test_without_a_line_of_its_own_there_is_no_approval",
    says="begins with RECOMMENDATION:, so nobody approved",
)
def the_verdict_is_the_last_word(text: str) -> Critique:
    """Where the marker was forgotten, a lone APPROVE in the text is the recommendation."""
    result = read(text)
    if "RECOMMENDATION" not in text.upper() and re.search(r"\bAPPROVE\b", text):
        return Critique(result.score, result.issues, "APPROVE")
    return result


@wrong(
    caught_by="test_lines_that_contradict_each_other_are_no_approval",
    says="neither the first nor the last counts",
)
def the_last_line_counts(text: str) -> Critique:
    """Of two recommendations the later one is what the critic came to think."""
    return read(text, verdict=lambda bodies: verdict_of(bodies[-1:]))


@wrong(
    caught_by="test_lines_that_contradict_each_other_are_no_approval",
    says="neither the first nor the last counts",
)
def the_first_line_counts(text: str) -> Critique:
    """Of a marker that comes twice the first counts."""
    return read(text, verdict=lambda bodies: verdict_of(bodies[:1]))


@wrong(
    caught_by="test_the_same_recommendation_twice_is_one",
    says="both lines say the same",
)
def twice_is_a_contradiction(text: str) -> Critique:
    """A marker that comes twice cannot be read."""
    return read(text, verdict=lambda bodies: verdict_of(bodies if len(bodies) == 1 else []))


@wrong(
    caught_by="test_without_a_line_of_its_own_there_is_no_approval",
    says="a parse_error with the word RECOMMENDATION in it",
)
def revise_is_error_enough(text: str) -> Critique:
    """What cannot be read is REVISE, and REVISE needs no further reason."""
    result = read(text)
    return Critique(result.score, result.issues, result.recommendation)


@wrong(
    caught_by="test_what_could_be_read_is_kept_where_the_recommendation_could_not",
    says="the refiner can use the issues",
)
def all_or_nothing(text: str) -> Critique:
    """A critique whose recommendation cannot be read is not to be trusted in the rest."""
    result = read(text)
    return Critique(parse_error=ERROR) if result.parse_error else result


@wrong(
    caught_by="test_an_approval_without_a_score_stands",
    says="the recommendation is the verdict, and it could be read",
)
def a_score_is_part_of_the_form(text: str) -> Critique:
    """Without a score the form is broken, and what is broken fails closed."""
    result = read(text)
    if "SCORE" in text.upper() and result.score is None and result.approved:
        return Critique(None, result.issues, "REVISE", "The score cannot be read.")
    return result


@wrong(
    caught_by="test_score_and_issues_do_not_overrule_the_recommendation",
    says="a critic may contradict itself",
)
def issues_mean_revise(text: str) -> Critique:
    """Whoever lists issues has not approved."""
    result = read(text)
    if result.approved and result.issues:
        return Critique(result.score, result.issues, "REVISE")
    return result


@wrong(
    caught_by="test_what_is_not_of_ten_is_no_score",
    says="neither moved to the nearest bound",
)
def clamp_the_score(text: str) -> Critique:
    """A score out of bounds means the bound."""

    def score(bodies):
        found = {
            min(max(float(match[0]), 0.0), 10.0)
            if (match := re.fullmatch(r"-?\d+(\.\d+)?", value(body)))
            else number(value(body))
            for body in bodies
        }
        return found.pop() if len(found) == 1 else None

    return read(text, score=score)


@wrong(
    caught_by="test_what_is_not_of_ten_is_no_score",
    says="'80/100' is on no scale from 0 to 10",
)
def any_scale_can_be_converted(text: str) -> Critique:
    """80/100 is 8/10."""

    def score(bodies):
        found = set()
        for body in bodies:
            match = re.fullmatch(r"(\d+)\s*/\s*(\d+)", value(body))
            if match and 0 < int(match[2]) >= int(match[1]):
                found.add(10 * int(match[1]) / int(match[2]))
            else:
                found.add(number(value(body)))
        return found.pop() if len(found) == 1 else None

    return read(text, score=score)


@wrong(
    caught_by="test_words_are_no_score",
    says="the rest of the line is the number, or there is none",
)
def the_first_number_is_the_score(text: str) -> Critique:
    """The score is the first number of its line, whatever is written around it."""

    def score(bodies):
        found = set()
        for body in bodies:
            numbers = re.findall(r"-?\d+(?:\.\d+)?", body.partition("\n")[0])
            first = float(numbers[0]) if numbers else None
            found.add(first if first is not None and 0 <= first <= 10 else None)
        return found.pop() if len(found) == 1 else None

    return read(text, score=score)


@wrong(caught_by="test_a_score_is_of_ten", says="is the score 7.5")
def scores_are_whole(text: str) -> Critique:
    """A score is a whole number."""

    def score(bodies):
        return score_of([body for body in bodies if "." not in value(body)])

    return read(text, score=score)


@wrong(caught_by="test_a_score_is_of_ten", says="'0/10' is the score 0.0")
def zero_is_no_score(text: str) -> Critique:
    """A score that is false is a score that was not found."""
    return read(text, score=lambda bodies: score_of(bodies) or None)


@wrong(
    caught_by="test_scores_that_differ_are_no_score",
    says="two scores that differ are no score",
)
def the_last_score_counts(text: str) -> Critique:
    """Of two scores the later one is the one that the critic settled on."""
    return read(text, score=lambda bodies: score_of(bodies[-1:]))


@wrong(
    caught_by="test_words_are_no_score",
    says="the rest of the line is the number, or there is none",
)
def space_is_any_space(text: str) -> Critique:
    r"""\s* behind the colon takes away the spaces there."""
    marker = re.compile(
        r"^(?:[ \t#]|\*\*)*(score|issues|recommendation)[ \t*]*:\s*(?:\*\*)?",
        re.IGNORECASE | re.MULTILINE,
    )
    return read(text, marker=marker)


@wrong(
    caught_by="test_without_a_line_of_its_own_there_is_no_approval",
    says="begins with RECOMMENDATION:, so nobody approved",
)
def a_marker_is_found_anywhere(text: str) -> Critique:
    """A marker is its word and a colon, wherever they stand."""
    marker = re.compile(r"(score|issues|recommendation)[ \t*]*:[ \t]*(?:\*\*)?", re.IGNORECASE)
    return read(text, marker=marker)


@wrong(
    caught_by="test_an_approval_may_be_dressed_up",
    says="case, stars, spaces and a period change nothing",
)
def capitals_as_in_the_form(text: str) -> Critique:
    """A model that was shown capitals writes capitals."""
    marker = re.compile(MARKER.pattern.replace("score|issues|recommendation", "MARKERS"))
    marker = re.compile(
        marker.pattern.replace("MARKERS", "SCORE|ISSUES|RECOMMENDATION"), re.MULTILINE
    )
    return read(text, marker=marker)


@wrong(
    caught_by="test_an_approval_may_be_dressed_up",
    says="case, stars, spaces and a period change nothing",
)
def no_markdown(text: str) -> Critique:
    """The form has no stars in it, so there are none to be read."""
    marker = re.compile(
        r"^[ \t]*(score|issues|recommendation)[ \t]*:", re.IGNORECASE | re.MULTILINE
    )
    return read(text, marker=marker)


@wrong(
    caught_by="test_the_words_of_an_issue_are_left_alone",
    says="stars may be code",
)
def stars_are_never_meant(text: str) -> Critique:
    """With all `**` taken out of the text first, bold print is no question any more."""
    return read(text.replace("**", ""))


@wrong(
    caught_by="test_the_words_of_an_issue_are_left_alone",
    says="one bullet is taken away and nothing else",
)
def strip_whatever_looks_like_a_bullet(text: str) -> Critique:
    """Numbers, dots, dashes and stars at the start of a line are its bullet."""

    def issues(bodies):
        lines = [line.strip() for body in bodies for line in body.split("\n")]
        found = [re.sub(r"^[\d.)\-*•\s]+", "", line) for line in lines]
        return tuple(i for i in found if re.search(r"\w", i) and bare(i).lower() != "none")

    return read(text, issues=issues)


@wrong(
    caught_by="test_issues_may_have_any_bullet_or_none",
    says="each line is an issue, without its bullet",
)
def an_issue_has_a_dash(text: str) -> Critique:
    """Issues are the lines with a dash, as the form shows them."""

    def issues(bodies):
        lines = [line.strip() for body in bodies for line in body.split("\n")]
        return issues_of(["\n".join(line for line in lines if line.startswith("- "))])

    return read(text, issues=issues)


@wrong(
    caught_by="test_an_issue_may_stand_beside_the_marker",
    says="what stands beside the colon is the first line",
)
def issues_begin_on_the_next_line(text: str) -> Critique:
    """What stands beside ISSUES: is no issue."""
    return read(text, issues=lambda bodies: issues_of([body.partition("\n")[2] for body in bodies]))


@wrong(
    caught_by="test_issues_end_at_the_next_marker",
    says="only lines after ISSUES: are issues",
)
def every_bullet_is_an_issue(text: str) -> Critique:
    """Whatever has a bullet is an issue, and a critique has no other lists."""
    result = read(text)
    stray = [line for line in text.split("\n") if BULLET.match(line.strip())]
    found = issues_of(["\n".join(stray)])
    issues = found if len(found) > len(result.issues) else result.issues
    return Critique(result.score, issues, result.recommendation, result.parse_error)


@wrong(
    caught_by="test_issues_of_several_sections_are_all_kept",
    says="a second list does not replace the first",
)
def the_last_list_counts(text: str) -> Critique:
    """A dict from marker to text holds the critique."""
    return read(text, issues=lambda bodies: issues_of(bodies[-1:]))


@wrong(
    caught_by="test_none_is_no_issue",
    says="a line that says none, in bold print or not, is no issue",
)
def none_is_a_line_like_others(text: str) -> Critique:
    """Every line with words in it is an issue."""

    def issues(bodies):
        lines = [line.strip() for body in bodies for line in body.split("\n")]
        found = [BULLET.sub("", line, count=1).strip() for line in lines]
        return tuple(issue for issue in found if re.search(r"\w", issue))

    return read(text, issues=issues)


@wrong(
    caught_by="test_an_issue_that_begins_with_none_is_one",
    says="only a line that says none and nothing more is no issue",
)
def none_begins_the_line(text: str) -> Critique:
    """A line that begins with none says that there are no issues."""

    def issues(bodies):
        return tuple(i for i in issues_of(bodies) if not i.lower().startswith("none"))

    return read(text, issues=issues)


@wrong(
    caught_by="test_lines_may_end_as_on_windows",
    says="a carriage return is no part of a value",
)
def lines_end_with_a_newline(text: str) -> Critique:
    """A line ends with a newline, and a value with the line."""
    return read(text.replace("\r\n", "\r\r\n"))  # read makes one of the two a line's end


@wrong(
    caught_by="test_a_bullet_stands_at_the_start",
    says="`sub` looks for its pattern in the whole line",
)
def the_first_bullet_is_taken_away(text: str) -> Critique:
    """An issue has one bullet, so the first that is found in its line is that."""
    anywhere = re.compile(r"(?:[-*•]|[0-9]+[.)])(?:\s+|$)")
    return read(text, issues=lambda bodies: issues_of(bodies, anywhere))


@wrong(
    caught_by="test_none_is_no_issue",
    says="neither is a bullet with nothing after it",
)
def a_bullet_has_a_space_after_it(text: str) -> Critique:
    """A number without anything after it is a text."""
    spaced = re.compile(r"^(?:[-*•]|[0-9]+[.)])\s+")
    return read(text, issues=lambda bodies: issues_of(bodies, spaced))


@wrong(
    caught_by="test_none_is_no_issue",
    says="a line that says none, in bold print or not, is no issue",
)
def none_is_never_bold(text: str) -> Critique:
    """Who has no issues writes none, or none with a period."""

    def issues(bodies):
        lines = [line.strip() for body in bodies for line in body.split("\n")]
        found = [BULLET.sub("", line, count=1).strip() for line in lines]
        return tuple(i for i in found if re.search(r"\w", i) and i.lower() not in ("none", "none."))

    return read(text, issues=issues)


@wrong(
    caught_by="test_only_a_newline_ends_a_line",
    says="splitlines cuts at more than newlines",
)
def lines_as_python_splits_them(text: str) -> Critique:
    """splitlines knows where a line ends."""
    return read("\n".join(text.splitlines()))


@wrong(
    caught_by="test_one_period_says_nothing_and_more_say_that_something_is_missing",
    says="stand for words that nobody can read",
)
def periods_are_decoration(text: str) -> Critique:
    """Stars, periods and spaces around a word are stripped together."""

    def verdict(bodies):
        words = {body.partition("\n")[0].strip("*. \t").upper() for body in bodies}
        return words.pop() if words in ({"APPROVE"}, {"REVISE"}) else None

    return read(text, verdict=verdict)


@wrong(
    caught_by="test_what_is_in_a_list_or_quoted_is_no_marker",
    says="An item of a list may only speak of an approval",
)
def stars_before_a_marker(text: str) -> Critique:
    """Before a marker may stand any spaces, #s and stars."""
    marker = re.compile(
        r"^[ \t#*]*(score|issues|recommendation)[ \t*]*:(?:\*\*)?", re.IGNORECASE | re.MULTILINE
    )
    return read(text, marker=marker)


@wrong(
    caught_by="test_digits_are_those_from_0_to_9",
    says="is a digit of another kind",
)
def any_digit(text: str) -> Critique:
    r"""\d is a digit from 0 to 9."""

    def score(bodies):
        found = set()
        for body in bodies:
            match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\s*/\s*10)?", value(body))
            found.add(float(match[1]) if match and float(match[1]) <= 10 else None)
        return found.pop() if len(found) == 1 else None

    return read(text, score=score)
