"""21.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.1")

START = r"^(?:[ \t#]|\*\*)*"
COLON = r"[ \t*]*:(?:\*\*)?"
BULLET = r"^(?:[-*•]|[0-9]+[.)])(?:\s+|$)"
UNIX = r'text.replace("\r\n", "\n")'
LINES = r'body.split("\n")'
VERDICTS = 'bodies["recommendation"]'
WORD = "_first_line(body).upper()"
APPROVED = 'words == {"APPROVE"}'
NOT_NONE = '_value(line).lower() != "none"'

wrong(
    "An approval has the word APPROVE after its marker.",
    (APPROVED, r'words and all(re.search(r"\bAPPROVE\b", word) for word in words)'),
    caught_by="test_the_form_echoed_back_is_not_an_approval",
    says="a model that copies the form has decided nothing",
)
wrong(
    "A line with APPROVE and without REVISE approves.",
    (APPROVED, 'words and all("APPROVE" in word and "REVISE" not in word for word in words)'),
    caught_by="test_a_negated_approval_is_not_an_approval",
    says="the line says the opposite",
)
wrong(
    "The recommendation is the first word of its line; the rest explains it.",
    (WORD, rf're.match(r"\w*", {WORD})[0]'),
    caught_by="test_an_approval_with_more_beside_it_is_not_an_approval",
    says="what stands beside it may take it back",
)
wrong(
    "If the marker was forgotten, a lone APPROVE in the text is the recommendation.",
    (APPROVED, rf'{APPROVED} or (not words and re.search(r"\bAPPROVE\b", text))'),
    caught_by="test_without_a_line_of_its_own_there_is_no_approval",
    says="begins with RECOMMENDATION:, so nobody approved",
)
wrong(
    "The later of two recommendations is what the critic came to think.",
    (VERDICTS, f"{VERDICTS}[-1:]"),
    caught_by="test_lines_that_contradict_each_other_are_not_an_approval",
    says="neither the first nor the last counts",
)
wrong(
    "A marker that comes twice cannot be read.",
    (VERDICTS, f"{VERDICTS} if len({VERDICTS}) == 1"),
    caught_by="test_the_same_recommendation_twice_is_one",
    says="both lines say the same",
)
wrong(
    "If the recommendation cannot be read, the rest of the critique is not to be trusted.",
    ('score, issues, "REVISE", f"', 'parse_error=f"'),
    caught_by="test_readable_scores_are_kept_without_a_readable_recommendation",
    says="the refiner can use the issues",
)
wrong(
    "Without a score the form is broken, and what is broken fails closed.",
    (APPROVED, f"{APPROVED} and score is not None"),
    caught_by="test_an_approval_without_a_score_stands",
    says="the recommendation is the verdict, and it could be read",
)
wrong(
    "Whoever lists issues has not approved.",
    ('issues, "APPROVE"', 'issues, "REVISE" if issues else "APPROVE"'),
    caught_by="test_score_and_issues_do_not_overrule_the_recommendation",
    says="a critic may contradict itself",
)
wrong(
    "A score out of bounds means the bound.",
    ("score if score is not None and score <= 10", "min(score, 10.0) if score is not None"),
    caught_by="test_a_number_out_of_another_total_is_not_a_score",
    says="neither moved to the nearest bound",
)
wrong(
    "The score is the first number of its line, whatever is written around it.",
    ("_SCORE.fullmatch", "_SCORE.search"),
    caught_by="test_words_are_not_a_score",
    says="the rest of the line is the number, or there is none",
)
wrong(
    "A score is a whole number.",
    (r"(\d+(?:\.\d+)?)", r"(\d+)"),
    caught_by="test_a_score_is_of_ten",
    says="is the score 7.5",
)
wrong(
    "The later of two scores is the one that the critic settled on.",
    ('bodies["score"]', 'bodies["score"][-1:]'),
    caught_by="test_scores_that_differ_are_not_a_score",
    says="two scores that differ are not a score",
)
wrong(
    "A model that was shown capitals writes capitals.",
    ("score|issues|recommendation", "SCORE|ISSUES|RECOMMENDATION"),
    ("re.IGNORECASE | ", ""),
    caught_by="test_an_approval_may_be_dressed_up",
    says="case, stars, spaces, tabs and a period change nothing",
)
wrong(
    "If all `**` are taken out of the text first, bold print is not a problem any more.",
    (UNIX, f'{UNIX}.replace("**", "")'),
    caught_by="test_the_words_of_an_issue_are_left_alone",
    says="stars may be code",
)
wrong(
    "Issues are the lines with a dash, as the form shows them.",
    (LINES, f'{LINES} if line.strip().startswith("- ")'),
    caught_by="test_issues_may_have_any_bullet_or_none",
    says="each line is an issue, without its bullet",
)
wrong(
    "What stands beside ISSUES: is not an issue.",
    (LINES, f"{LINES}[1:]"),
    caught_by="test_an_issue_may_stand_beside_the_marker",
    says="what stands beside the colon is the first line",
)
wrong(
    "Whatever has a bullet is an issue, for a critique has no other lists.",
    ('bodies["issues"]', "[text]"),
    (LINES, f"{LINES} if _BULLET.match(line.strip())"),
    caught_by="test_issues_end_at_the_next_marker",
    says="only lines after ISSUES: are issues",
)
wrong(
    "A dict holds the critique: one text for each marker.",
    ("bodies[marker.lower()].append(body)", "bodies[marker.lower()] = [body]"),
    caught_by="test_issues_of_several_sections_are_all_kept",
    says="a second list does not replace the first",
)
wrong(
    "Every line with words in it is an issue.",
    (f" and {NOT_NONE}", ""),
    caught_by="test_none_is_not_an_issue",
    says="a line that says none, in bold print or not, is not an issue",
)
wrong(
    "A line that begins with none says that there are no issues.",
    (NOT_NONE, 'not _value(line).lower().startswith("none")'),
    caught_by="test_an_issue_that_begins_with_none_is_one",
    says="only a line that says none, in this word, and nothing more is not an issue",
)
wrong(
    "A line ends with a newline, and a value with the line.",
    (UNIX, "text"),
    caught_by="test_lines_may_end_as_on_windows",
    says="a carriage return is not part of a value",
)
wrong(
    "An issue has one bullet, so it can be looked for in the whole line.",
    (BULLET, BULLET.removeprefix("^")),
    caught_by="test_a_bullet_stands_at_the_start",
    says="`sub` looks for its pattern in the whole line",
)
wrong(
    "splitlines knows where a line ends.",
    (UNIX, r'"\n".join(text.splitlines())'),
    caught_by="test_only_a_newline_ends_a_line",
    says="splitlines cuts at more than newlines",
)
wrong(
    "Stars, periods and spaces around a word are stripped together.",
    (r'line.strip("* \t").removesuffix(".").rstrip("* \t")', r'line.strip("*. \t")'),
    caught_by="test_one_period_says_nothing_and_more_say_that_something_is_missing",
    says="stand for words that nobody can read",
)
wrong(
    "Any spaces, #s and stars may stand before a marker.",
    (START, r"^[ \t#*]*"),
    caught_by="test_a_marker_in_a_list_or_quote_does_not_count",
    says="An item of a list may only speak of an approval",
)
wrong(
    r"\s* before the colon takes away the spaces there.",
    (COLON, r"[\s*]*:(?:\*\*)?"),
    caught_by="test_a_recommendation_stands_on_its_markers_line",
    says=r"here is no such line: 'RECOMMENDATION\n: APPROVE'",
)
wrong(
    "Whatever stars stand behind the colon belong to the marker.",
    (COLON, r"[ \t*]*:\**"),
    caught_by="test_two_stars_right_behind_the_colon_belong_to_the_marker",
    says="other stars belong to the issue",
)
wrong(
    "A bullet is followed by a space.",
    (r"(?:\s+|$)", r"(?: |$)"),
    caught_by="test_white_space_around_an_issue_is_not_part_of_it",
    says="more than one space or a tab may follow it",
)
wrong(
    "A list is cut into its lines by splitlines.",
    (LINES, "body.splitlines()"),
    caught_by="test_in_the_issues_too_only_a_newline_ends_a_line",
    says="this is one issue",
)
