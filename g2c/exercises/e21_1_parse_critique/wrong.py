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
)
wrong(
    "A line with APPROVE and without REVISE approves.",
    (APPROVED, 'words and all("APPROVE" in word and "REVISE" not in word for word in words)'),
)
wrong(
    "The recommendation is the first word of its line; the rest explains it.",
    (WORD, rf're.match(r"\w*", {WORD})[0]'),
)
wrong(
    "If the marker was forgotten, a lone APPROVE in the text is the recommendation.",
    (APPROVED, rf'{APPROVED} or (not words and re.search(r"\bAPPROVE\b", text))'),
)
wrong(
    "The later of two recommendations is what the critic came to think.",
    (VERDICTS, f"{VERDICTS}[-1:]"),
)
wrong(
    "A marker that comes twice cannot be read.", (VERDICTS, f"{VERDICTS} if len({VERDICTS}) == 1")
)
wrong(
    "If the recommendation cannot be read, the rest of the critique is not to be trusted.",
    ('score, issues, "REVISE", f"', 'parse_error=f"'),
)
wrong(
    "Without a score the form is broken, and what is broken fails closed.",
    (APPROVED, f"{APPROVED} and score is not None"),
)
wrong(
    "Whoever lists issues has not approved.",
    ('issues, "APPROVE"', 'issues, "REVISE" if issues else "APPROVE"'),
)
wrong(
    "A score out of bounds means the bound.",
    ("score if score is not None and score <= 10", "min(score, 10.0) if score is not None"),
)
wrong(
    "The score is the first number of its line, whatever is written around it.",
    ("_SCORE.fullmatch", "_SCORE.search"),
)
wrong("A score is a whole number.", (r"(\d+(?:\.\d+)?)", r"(\d+)"))
wrong(
    "The later of two scores is the one that the critic settled on.",
    ('bodies["score"]', 'bodies["score"][-1:]'),
)
wrong(
    "A model that was shown capitals writes capitals.",
    ("score|issues|recommendation", "SCORE|ISSUES|RECOMMENDATION"),
    ("re.IGNORECASE | ", ""),
)
wrong(
    "If all `**` are taken out of the text first, bold print is not a problem any more.",
    (UNIX, f'{UNIX}.replace("**", "")'),
)
wrong(
    "Issues are the lines with a dash, as the form shows them.",
    (LINES, f'{LINES} if line.strip().startswith("- ")'),
)
wrong("What stands beside ISSUES: is not an issue.", (LINES, f"{LINES}[1:]"))
wrong(
    "Whatever has a bullet is an issue, for a critique has no other lists.",
    ('bodies["issues"]', "[text]"),
    (LINES, f"{LINES} if _BULLET.match(line.strip())"),
)
wrong(
    "A dict holds the critique: one text for each marker.",
    ("bodies[marker.lower()].append(body)", "bodies[marker.lower()] = [body]"),
)
wrong("Every line with words in it is an issue.", (f" and {NOT_NONE}", ""))
wrong(
    "A line that begins with none says that there are no issues.",
    (NOT_NONE, 'not _value(line).lower().startswith("none")'),
)
wrong("A line ends with a newline, and a value with the line.", (UNIX, "text"))
wrong(
    "An issue has one bullet, so it can be looked for in the whole line.",
    (BULLET, BULLET.removeprefix("^")),
)
wrong("splitlines knows where a line ends.", (UNIX, r'"\n".join(text.splitlines())'))
wrong(
    "Stars, periods and spaces around a word are stripped together.",
    (r'line.strip("* \t").removesuffix(".").rstrip("* \t")', r'line.strip("*. \t")'),
)
wrong("Any spaces, #s and stars may stand before a marker.", (START, r"^[ \t#*]*"))
wrong(r"\s* before the colon takes away the spaces there.", (COLON, r"[\s*]*:(?:\*\*)?"))
wrong("Whatever stars stand behind the colon belong to the marker.", (COLON, r"[ \t*]*:\**"))
wrong("A bullet is followed by a space.", (r"(?:\s+|$)", r"(?: |$)"))
wrong("A list is cut into its lines by splitlines.", (LINES, "body.splitlines()"))
