"""25.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.1")

LINES = ".splitlines(keepends=True)"
WHEN = "if len(lines) > 1 or _POSES.match(text):"
MARKED = "lines = [QUOTED + line for line in lines]"
SIGN = r'_SIGN.sub(r"<\\\1|", text)'
JOINED = 'return "".join(lines)'

wrong("A line ends with a newline.", (LINES, r'.split("\n")'), (JOINED, r'return "\n".join(lines)'))
wrong(
    "A line ends with a newline, and a newline at the end ends the text.",
    (f"{SIGN}{LINES}", f"re.findall(r'[^\\n]*\\n|[^\\n]+', {SIGN})"),
)
wrong(
    "Only what poses as a step has to be marked.",
    (WHEN, "if any(_POSES.match(line) for line in lines):"),
)
wrong(
    "The lines that pose as something are marked, and the others need nothing.",
    (WHEN, "if True:"),
    (MARKED, "lines = [QUOTED + line if _POSES.match(line) else line for line in lines]"),
)
wrong("One line can do no harm.", (WHEN, "if len(lines) > 1 or text.startswith(QUOTED):"))
wrong(
    "A line that begins with the mark is marked already.",
    (MARKED, "lines = [line if line.startswith(QUOTED) else QUOTED + line for line in lines]"),
)
wrong(
    "A sign is apart if a backslash stands in it, whoever put it there.",
    ('r"<(\\\\*)\\|"', 'r"<()\\|"'),
)
wrong(
    "The usual way to escape is to double each backslash.",
    (SIGN, r'text.replace("\\", "\\\\").replace("<|", "<\\|")'),
)
wrong(
    "Only a text that is marked can hold a sign.",
    (f"{SIGN}{LINES}", f"text{LINES}"),
    (MARKED, r'lines = [QUOTED + _SIGN.sub(r"<\\\1|", line) for line in lines]'),
)
