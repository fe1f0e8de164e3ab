"""22.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.1")

DATE = '    if parts.feedback:\n        blocks.append("Today is Tuesday.")\n'
TITLES = "TITLES.items()"
TEXT = "text := texts[name].strip()"
LOWER = 're.sub(r"^# ", "## ", text, flags=re.MULTILINE)'
BLOCK = r'f"# {title}\n\n{below}"'

wrong(
    "The goal is what matters most, so it comes right after the architecture.",
    (TITLES, '{"goal": TITLES["goal"], **TITLES}.items()'),
)
wrong(
    "An agent wants to know first where it is.",
    (TITLES, '{"state": TITLES["state"], **TITLES}.items()'),
)
wrong(
    "Only an empty part is left out, and a newline is not empty.",
    (f"if {TEXT}:", "if texts[name]:\n            text = texts[name].strip()"),
)
wrong(
    "An agent at work should know that nobody has reviewed it yet.",
    (TEXT, f'{TEXT} or ("(none yet)" if name == "feedback" and parts.state else "")'),
)
wrong(
    "If memory returned paragraphs, there is something to show.",
    (f"if {TEXT}:", f'if ({TEXT}) or (name == "recalled" and parts.recalled):'),
)
wrong(
    "A blank line between two paragraphs is all there is to it.",
    (TEXT, r'text := "\n\n".join(parts.recalled) if name == "recalled" else texts[name].strip()'),
)
wrong(
    "Stripped paragraphs are joined by a blank line, and the strip of the whole removes the rest.",
    (" if paragraph)", ")"),
)
wrong(
    "A directive says what to do, and so does a user: the model should read it as from one.",
    (BLOCK, f'f"User: {{below}}" if name == "directive" else {BLOCK}'),
)
wrong(
    "The parts are the agent's own files, and nothing in them needs to be changed.", (LOWER, "text")
)
wrong(
    "Below a title of one #, all headings of a text move down by one.",
    (r'r"^# ", "## "', r'r"^(#+ )", r"#\1"'),
)
wrong(
    "Only titles begin with one #, so that holds for the architecture, too.",
    ("[parts.architecture.strip()]", f"[{LOWER.replace('text', 'parts.architecture.strip()')}]"),
)
wrong(
    "What is not blank is shown as it is, to the last newline.",
    (TEXT, "(text := texts[name]).strip()"),
)
wrong(
    "A run of blank lines anywhere costs tokens and says nothing.",
    ("= texts[name].strip()", r'= re.sub(r"\n{3,}", "\n\n", texts[name].strip())'),
)
wrong("A tick should know what day it is.", ("    return ", f"{DATE}    return "))
wrong(
    "splitlines is how a text is taken apart into lines.",
    (LOWER, r'"\n".join(re.sub("^# ", "## ", line) for line in text.splitlines())'),
)
wrong(
    "The strip of the whole takes away the white space around its paragraphs.",
    ("(paragraph.strip() for paragraph in parts.recalled)", "parts.recalled"),
    ("if paragraph)", "if paragraph.strip())"),
)
