"""25.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.1")

LINES = ".splitlines(keepends=True)"
WHEN = "if len(lines) > 1 or _POSES.match(text):"
MARKED = "lines = [QUOTED + line for line in lines]"
SIGN = r'_SIGN.sub(r"<\\\1|", text)'
JOINED = 'return "".join(lines)'

wrong(
    "A line ends with a newline.",
    (LINES, r'.split("\n")'),
    (JOINED, r'return "\n".join(lines)'),
    caught_by="test_a_text_of_one_line_stays_as_it_is",
    says="an end at its end begins no other",
)
wrong(
    "A line ends with a newline, and a newline at the end ends the text.",
    (f"{SIGN}{LINES}", f"re.findall(r'[^\\n]*\\n|[^\\n]+', {SIGN})"),
    caught_by="test_whatever_ends_a_line_is_followed_by_a_mark",
    says="may see a new line after this, too",
)
wrong(
    "Only what poses as a step has to be marked.",
    (WHEN, "if any(_POSES.match(line) for line in lines):"),
    caught_by="test_an_empty_line_is_a_line",
    says="an empty line without a mark",
)
wrong(
    "The lines that pose as something are marked, and the others need nothing.",
    (WHEN, "if True:"),
    (MARKED, "lines = [QUOTED + line if _POSES.match(line) else line for line in lines]"),
    caught_by="test_each_line_of_a_text_of_several_is_marked",
    says="also those that look harmless",
)
wrong(
    "One line can do no harm.",
    (WHEN, "if len(lines) > 1 or text.startswith(QUOTED):"),
    caught_by="test_a_marker_at_the_front_gets_a_mark",
    says="this reads like a line of the model's",
)
wrong(
    "A line that begins with the mark is marked already.",
    (MARKED, "lines = [line if line.startswith(QUOTED) else QUOTED + line for line in lines]"),
    caught_by="test_quoted_text_is_quoted_once_more",
    says="they are the text's own",
)
wrong(
    "A sign is apart if a backslash stands in it, whoever put it there.",
    ('r"<(\\\\*)\\|"', 'r"<()\\|"'),
    caught_by="test_a_sign_that_is_apart_already_gets_one_more",
    says="written like a text with a backslash less",
)
wrong(
    "The usual way to escape is to double each backslash.",
    (SIGN, r'text.replace("\\", "\\\\").replace("<|", "<\\|")'),
    caught_by="test_other_backslashes_and_brackets_stay",
    says="nothing has to be taken apart",
)
wrong(
    "Only a text that is marked can hold a sign.",
    (f"{SIGN}{LINES}", f"text{LINES}"),
    (MARKED, r'lines = [QUOTED + _SIGN.sub(r"<\\\1|", line) for line in lines]'),
    caught_by="test_a_sign_of_a_models_own_is_taken_apart",
    says="in a text of one line as well",
)
