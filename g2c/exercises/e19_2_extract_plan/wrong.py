"""19.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.2")

GOAL = r":[ \t]*(.*)$"
STEP = r"(?:[ \t]+(.*))?$"
RISES = "int(number) > last"

wrong(r"\s* after `Goal:` takes away stray spaces, and nothing else.", (GOAL, r":\s*(.*)$"))
wrong(r"\s+ after the number is the space before the step's text.", (STEP, r"\s+(\S.*)$"))
wrong(
    "A line that begins with a number and a separator is a step; models leave the space out.",
    (STEP, r"[ \t]*(.*)$"),
)
wrong(
    "Models number with `1.` or `1)`, since the prompt's example does so.", (r"[ \t]*[.)-]", "[.)]")
)
wrong(
    "The first five lines are the first five steps; the empty ones can be dropped afterwards.",
    ("_STEP.findall(text)", "_STEP.findall(text)[:MAX_PLAN_STEPS]"),
)
wrong(
    "A model that repeats its plan writes the same lines, so a set of them is enough.",
    (RISES, "step.strip() not in steps"),
)
wrong(
    "The next step is the one numbered one higher; any other number is a slip.",
    (RISES, "int(number) == len(steps) + 1"),
)
wrong("What the pattern captured can be compared as it is.", (RISES, "number > str(last)"))
wrong(
    "Without `Goal:` the model has not written a plan.",
    ("if not steps:", "if not goal or not steps:"),
)
wrong(
    "Plan refuses to be empty, so there is nothing to check here.",
    ("    if not steps:\n        return None\n", ""),
)
wrong(
    "The message is needed only where the text has no goal.",
    ("if not user_message.strip():", "if not user_message.strip() and not _GOAL.search(text):"),
)
wrong(
    "Each `Goal:` sets the goal, line by line; a model may correct itself.",
    ("_GOAL.search(text)", "[None, *_GOAL.finditer(text)][-1]"),
)
wrong(
    r"str.splitlines splits at line ends, and takes care of \r\n too.",
    (r'text.replace("\r\n", "\n")', r'"\n".join(text.splitlines())'),
)
wrong(
    "A plan begins with its goal, so it is looked for above the steps.",
    (
        "_GOAL.search(text)",
        "_GOAL.search(text[: m.start()] if (m := _STEP.search(text)) else text)",
    ),
)
wrong("Wherever a model writes `goal:`, what follows is its goal.", (r"^[ \t]*goal", r"[ \t]*goal"))
wrong(
    r"\s* before a colon or a separator takes away stray spaces, and nothing else.",
    (r"goal[ \t]*:", r"goal\s*:"),
    (r"[ \t]*[.)-]", r"\s*[.)-]"),
)
wrong(
    "`if not text` turns away whatever is not text.",
    ("        if not isinstance(value, str):", "        if value is None or value == '':"),
    ("_STEP.findall(text)", "_STEP.findall(str(text))"),
    ("text = text.replace", "text = str(text).replace"),
)
wrong(
    "A step is dropped that says the same as the one before.",
    ("if step.strip() and int", "if step.strip() not in ('', *steps) and int"),
)
