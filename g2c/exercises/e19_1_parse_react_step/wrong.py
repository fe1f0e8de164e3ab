"""19.1 gone wrong."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from wrong_answers import wrong

from g2c.agent import ParsedStep

wrong = partial(wrong, "19.1")

LINE_ENDS = r'text.replace("\r\n", "\n")'
TOOL = r'first.get("action", "").partition("\n")[0].strip().removesuffix(".").strip()'
NO_MARKER = """    if len(sections) == 1 and thought:
        return ParsedStep(final_answer=thought)
"""
FIRST = "dict(reversed(sections))"
LANGUAGE = r"[^`\s{\[]*"
FENCE = 'if (fence := _LANGUAGE.match(text)) and text.endswith("```", fence.end()):'
LOADS = "_DECODER.decode(text)"
TRY_BOTH = f"""try:
        value = {LOADS}
    except json.JSONDecodeError:
        value = ast.literal_eval(text)"""
NO_OBJECT = 'ValueError(f"it is a {type(value).__name__}")'

wrong(r"\s* after the colon takes away stray spaces, and nothing else.", (r":[ \t]*", r":\s*"))
wrong(
    "A marker and its colon are a marker wherever they stand: nobody writes them in prose.",
    (r"^[ \t]*(thought", r"\b(thought"),
)
wrong(
    "A thought is what follows `Thought:`; the model always writes it.",
    ("body in sections:", "body in sections[1:]:"),
)
wrong(
    "All that the model thought belongs to the thought, so nothing is lost by joining it.",
    ('!= "thought":\n            break', '!= "thought":\n            continue'),
)
wrong(
    "If a marker repeats, the model corrected itself, so a dict of the sections will do.",
    (FIRST, "dict(sections)"),
)
wrong(
    r"str.splitlines splits at line ends, and takes care of \r\n too.",
    (LINE_ENDS, r'"\n".join(text.splitlines())'),
)
wrong(r"Each section is stripped, and that takes its \r away.", (LINE_ENDS, "text"))
wrong(
    "The parser never asks for the observation, so the text below it does no harm.",
    ('markers[: markers.index("observation")]', "markers"),
)
wrong(
    "A step has an action or an answer, so the order of the questions does not matter.",
    ("if answer:", 'if answer and "action" not in first:'),
)
wrong(
    "A model that writes `Final Answer:` is done, even if it has nothing to say.",
    ("if answer:", 'if "final answer" in first:'),
)
wrong(
    "A step whose final answer is empty cannot be read, whatever else is in it.",
    (
        'if "action" not in first and "action input" not in first:',
        'if "final answer" in first or not {"action", "action input"} & first.keys():',
    ),
)
wrong(
    "A model that uses no marker is talking to the user: that is its answer.",
    ("    if answer:", f"{NO_MARKER}    if answer:"),
)
wrong(
    r"A tool is a function, so \w+ finds its name and leaves the period out.",
    (TOOL, r're.match(r"\w*", first.get("action", ""))[0]'),
)
wrong(
    r"\{.*?\} finds the JSON in any text.",
    (LOADS, r'json.loads(re.search(r"\{.*?\}|$", text, re.DOTALL)[0])'),
)
wrong(
    "From the first brace to the last is the JSON; the rest is decoration.",
    (LOADS, r'json.loads(re.search(r"\{.*\}|$", text, re.DOTALL)[0])'),
)
wrong(
    "One pattern can say what a fence is: spaces, the object, spaces.",
    (FENCE, r'if fence := re.fullmatch(r"```[a-z]*\s*(.*?)\s*```", text, re.I | re.S):'),
    ("text = text[fence.end() : -3]", "text = fence[1]"),
)
wrong(
    "A good parser is forgiving: ast.literal_eval may read what json.loads refuses.",
    ("import json", "import ast\nimport json"),
    (f"value = {LOADS}", TRY_BOTH),
    ("(ValueError, RecursionError)", "(ValueError, SyntaxError, RecursionError)"),
)
wrong(
    "A tool without arguments needs no Action Input, so a missing one is {}.",
    ('first.get("action input", "").strip()', 'first.get("action input", "").strip() or "{}"'),
)
wrong("If json.loads succeeds, the input was right.", (f"value = {LOADS}", f"return {LOADS}"))
wrong(
    "json.loads raises JSONDecodeError on bad text, so catching that is enough.",
    ("(ValueError, RecursionError)", "json.JSONDecodeError"),
    (NO_OBJECT, 'json.JSONDecodeError("it is not an object", text, 0)'),
)
wrong(
    "`if arguments` asks whether there are any: without arguments there is nothing to call.",
    ("not isinstance(value, dict)", "not value or not isinstance(value, dict)"),
)
wrong(
    "An answer that comes later is the better considered one.",
    (FIRST, f'{FIRST} | {{marker: body for marker, body in sections if marker == "final answer"}}'),
)
wrong(
    "The format puts Action Input right below Action, so it is looked for there.",
    (
        "    answer = first.get",
        """    markers = [marker for marker, _ in sections]
    if "action" in first and "action input" in first:
        if markers[markers.index("action") + 1 :][:1] != ["action input"]:
            del first["action input"]
    answer = first.get""",
    ),
)
wrong(
    "An input comes after its action: one that comes before it belongs to nothing.",
    (
        FIRST,
        """{}
    for marker, body in sections:
        if marker != "action input" or "action" in first:
            first.setdefault(marker, body)""",
    ),
)
wrong(
    "A fence that is not closed was cut off after the object, which is all that is wanted.",
    (FENCE, "if fence := _LANGUAGE.match(text):"),
    ("text = text[fence.end() : -3]", 'text = text[fence.end() :].removesuffix("```")'),
)
wrong("The contract says JSON, so a fence is named json or not at all.", (LANGUAGE, "(?i:json)?"))
wrong("A fence stands on lines of its own.", (LANGUAGE, rf"{LANGUAGE}\s"))
wrong("Quotes and backticks around a tool's name are decoration.", (TOOL, f"{TOOL}.strip('`*\"')"))
wrong(
    "Models like bold print, so a marker may stand in stars.",
    (r"^[ \t]*(thought", r"^[ \t*]*(thought"),
    (r")[ \t]*:[ \t]*", r")[ \t*]*:[ \t*]*"),
)
wrong(r"\s* before the colon takes away stray spaces, and nothing else.", (r")[ \t]*:", r")\s*:"))
wrong("One space may have slipped in before the colon.", (r")[ \t]*:", r")[ \t]?:"))
wrong(
    "What stands on the marker's line is the answer, and on the lines below it goes on.",
    ('first.get("final answer", "").strip()', 'first.get("final answer", "")'),
    ("if answer:", "if answer.partition('\\n')[0].strip():"),
    ("final_answer=answer)", "final_answer=answer.strip())"),
)
wrong(
    "A step that cannot be read is its error, and nothing else of it is needed.",
    (
        'return ParsedStep(thought, parse_error=f"Action names no tool. {_FORMAT}")',
        'return ParsedStep(parse_error=f"Action names no tool. {_FORMAT}")',
    ),
    (
        'return ParsedStep(thought, parse_error=f"Action Input is missing. {_FORMAT}")',
        'return ParsedStep(parse_error=f"Action Input is missing. {_FORMAT}")',
    ),
)
wrong(
    "An empty marker says nothing, so the first that has a text is the first.",
    (FIRST, f"{FIRST} | {{marker: body for marker, body in reversed(sections) if body.strip()}}"),
)
wrong(
    "The line of `Action:` is not empty, so there is a name on it.",
    ("if not tool:", 'if not first.get("action", "").partition("\\n")[0].strip():'),
)


def reworded(text: str, error_of: Callable[[str], str]) -> ParsedStep:
    """The reference's step, with another error made of the reference's."""
    from g2c.exercises.e19_1_parse_react_step.solution import parse_react_step

    step = parse_react_step(text)
    return replace(step, parse_error=error_of(step.parse_error)) if step.parse_error else step


def part_of(error: str) -> str:
    """The part that the reference's error begins with."""
    return next(p for p in ("Action Input", "Action", "Final Answer") if error.startswith(p))


@wrong()
def only_a_name(text: str) -> ParsedStep:
    """The model knows the form; the name of the part is enough to remind it."""
    return reworded(text, lambda error: f"{part_of(error)}?")


@wrong()
def one_for_all(text: str) -> ParsedStep:
    """One text with the whole form in it helps with every mistake."""
    return reworded(
        text,
        lambda error: "Write Action and Action Input, which is a JSON object, or Final Answer.",
    )


@wrong()
def wrong_somehow(text: str) -> ParsedStep:
    """It is enough to say that an input is wrong: the model sees what it wrote."""
    return reworded(
        text, lambda error: "Action Input is wrong." if "JSON object:" in error else error
    )


wrong(
    "As with a tool's name, a final period is not part of an answer.",
    (
        'answer = first.get("final answer", "").strip()',
        'answer = first.get("final answer", "").strip().removesuffix(".")',
    ),
)
