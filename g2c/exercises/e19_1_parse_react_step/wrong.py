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

wrong(
    r"\s* after the colon takes away stray spaces, and nothing else.",
    (r":[ \t]*", r":\s*"),
    caught_by="test_an_empty_action_does_not_take_the_next_line",
    says=r"Does your pattern let \s after the colon run over the end of the line",
)
wrong(
    "A marker and its colon are a marker wherever they stand: nobody writes them in prose.",
    (r"^[ \t]*(thought", r"\b(thought"),
    caught_by="test_a_marker_in_the_middle_of_a_line_is_prose",
    says="a marker counts only where a line starts with it",
)
wrong(
    "A thought is what follows `Thought:`; the model always writes it.",
    ("body in sections:", "body in sections[1:]:"),
    caught_by="test_text_before_the_first_marker_is_the_thought",
    says="a completion starts in the middle of a thought",
)
wrong(
    "All that the model thought belongs to the thought, so nothing is lost by joining it.",
    ('!= "thought":\n            break', '!= "thought":\n            continue'),
    caught_by="test_text_after_the_action_is_not_part_of_the_thought",
    says="the thought is what led to the action",
)
wrong(
    "If a marker repeats, the model corrected itself, so a dict of the sections will do.",
    (FIRST, "dict(sections)"),
    caught_by="test_the_first_of_two_actions_counts",
    says="the second action was written without having seen what the first one gives",
)
wrong(
    r"str.splitlines splits at line ends, and takes care of \r\n too.",
    (LINE_ENDS, r'"\n".join(text.splitlines())'),
    caught_by="test_only_a_newline_starts_a_line",
    says="str.splitlines also splits at",
)
wrong(
    r"Each section is stripped, and that takes its \r away.",
    (LINE_ENDS, "text"),
    caught_by="test_lines_may_end_as_on_windows",
    says=r"\r\n ends a line and is part of nothing",
)
wrong(
    "The parser never asks for the observation, so the text below it does no harm.",
    ('markers[: markers.index("observation")]', "markers"),
    caught_by="test_an_answer_after_an_invented_observation_is_not_an_answer",
    says="an answer that rests on a result which no tool has given",
)
wrong(
    "A step has an action or an answer, so the order of the questions does not matter.",
    ("if answer:", 'if answer and "action" not in first:'),
    caught_by="test_a_final_answer_wins_over_an_action",
    says="with both in one step, in either order, the answer counts",
)
wrong(
    "A model that writes `Final Answer:` is done, even if it has nothing to say.",
    ("if answer:", 'if "final answer" in first:'),
    caught_by="test_an_empty_final_answer_is_not_an_answer",
    says="'Final Answer:' with nothing behind it answers nothing",
)
wrong(
    "A step whose final answer is empty cannot be read, whatever else is in it.",
    (
        'if "action" not in first and "action input" not in first:',
        'if "final answer" in first or not {"action", "action input"} & first.keys():',
    ),
    caught_by="test_an_empty_final_answer_leaves_the_action_to_count",
    says="it cannot win over the action either",
)
wrong(
    "A model that uses no marker is talking to the user: that is its answer.",
    ("    if answer:", f"{NO_MARKER}    if answer:"),
    caught_by="test_prose_alone_is_an_error_that_names_the_action",
    says="the prose is the thought",
)
wrong(
    r"A tool is a function, so \w+ finds its name and leaves the period out.",
    (TOOL, r're.match(r"\w*", first.get("action", ""))[0]'),
    caught_by="test_the_name_of_a_tool_ends_with_its_line",
    says="a tool's name is the rest of its line",
)
wrong(
    r"\{.*?\} finds the JSON in any text.",
    (LOADS, r'json.loads(re.search(r"\{.*?\}|$", text, re.DOTALL)[0])'),
    caught_by="test_text_inside_the_object_does_not_end_it",
    says="the object ends at its own last brace",
)
wrong(
    "From the first brace to the last is the JSON; the rest is decoration.",
    (LOADS, r'json.loads(re.search(r"\{.*\}|$", text, re.DOTALL)[0])'),
    caught_by="test_an_object_and_more_is_an_error",
    says="is one JSON object and more",
)
wrong(
    "One pattern can say what a fence is: spaces, the object, spaces.",
    (FENCE, r'if fence := re.fullmatch(r"```[a-z]*\s*(.*?)\s*```", text, re.I | re.S):'),
    ("text = text[fence.end() : -3]", "text = fence[1]"),
    caught_by="test_the_time_grows_with_the_text_and_not_faster",
    says="two parts that can both match the same spaces",
)
wrong(
    "A good parser is forgiving: ast.literal_eval may read what json.loads refuses.",
    ("import json", "import ast\nimport json"),
    (f"value = {LOADS}", TRY_BOTH),
    ("(ValueError, RecursionError)", "(ValueError, SyntaxError, RecursionError)"),
    caught_by="test_bad_json_is_an_error_that_names_the_input",
    says="is not JSON; guessing gave",
)
wrong(
    "A tool without arguments needs no Action Input, so a missing one is {}.",
    ('first.get("action input", "").strip()', 'first.get("action input", "").strip() or "{}"'),
    caught_by="test_an_action_without_input_is_an_error_that_says_so",
    says="without its input an action is not complete",
)
wrong(
    "If json.loads succeeds, the input was right.",
    (f"value = {LOADS}", f"return {LOADS}"),
    caught_by="test_json_that_is_not_an_object_is_an_error",
    says="only an object will do",
)
wrong(
    "json.loads raises JSONDecodeError on bad text, so catching that is enough.",
    ("(ValueError, RecursionError)", "json.JSONDecodeError"),
    (NO_OBJECT, 'json.JSONDecodeError("it is not an object", text, 0)'),
    caught_by="test_no_input_raises",
    says="json.loads has more ways to fail than JSONDecodeError",
)
wrong(
    "`if arguments` asks whether there are any: without arguments there is nothing to call.",
    ("not isinstance(value, dict)", "not value or not isinstance(value, dict)"),
    caught_by="test_an_input_without_arguments_is_an_empty_object",
    says="{} is a JSON object and calls a tool without arguments",
)
wrong(
    "An answer that comes later is the better considered one.",
    (
        FIRST,
        f'{FIRST} | {{marker: body for marker, body in sections if marker == "final answer"}}',
    ),
    caught_by="test_the_first_of_two_answers_counts",
    says="a second marker of a kind is the model running on, not correcting itself",
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
    caught_by="test_an_input_need_not_stand_right_below_its_action",
    says="both parts of the action are there",
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
    caught_by="test_an_input_may_stand_above_its_action",
    says="their order says nothing",
)
wrong(
    "A fence that is not closed was cut off after the object, which is all that is wanted.",
    (
        FENCE,
        "if fence := _LANGUAGE.match(text):",
    ),
    ("text = text[fence.end() : -3]", 'text = text[fence.end() :].removesuffix("```")'),
    caught_by="test_a_fence_that_is_open_at_one_end_is_none",
    says="a fence has two ends",
)
wrong(
    "The contract says JSON, so a fence is named json or not at all.",
    (LANGUAGE, "(?i:json)?"),
    caught_by="test_a_fence_may_name_any_language",
    says="the fence names the language 'python'",
)
wrong(
    "A fence stands on lines of its own.",
    (LANGUAGE, rf"{LANGUAGE}\s"),
    caught_by="test_an_input_may_stand_in_a_code_fence",
    says="models put JSON in code fences, as in '```{}```'",
)
wrong(
    "Quotes and backticks around a tool's name are decoration.",
    (TOOL, f"{TOOL}.strip('`*\"')"),
    caught_by="test_only_one_final_period_is_not_part_of_a_name",
    says="the model wrote '`echo`', which names the tool '`echo`'",
)
wrong(
    "Models like bold print, so a marker may stand in stars.",
    (r"^[ \t]*(thought", r"^[ \t*]*(thought"),
    (r")[ \t]*:[ \t]*", r")[ \t*]*:[ \t*]*"),
    caught_by="test_a_marker_behind_other_signs_is_prose",
    says="the line '**Action:** echo' starts with '*' and not with a marker",
)
wrong(
    r"\s* before the colon takes away stray spaces, and nothing else.",
    (r")[ \t]*:", r")\s*:"),
    caught_by="test_a_marker_and_its_colon_stand_on_one_line",
    says=r"did you believe that \s is spaces and tabs?",
)
wrong(
    "One space may have slipped in before the colon.",
    (r")[ \t]*:", r")[ \t]?:"),
    caught_by="test_spaces_and_tabs_may_stand_around_the_colon",
    says="is still a colon",
)
wrong(
    "What stands on the marker's line is the answer, and on the lines below it goes on.",
    ('first.get("final answer", "").strip()', 'first.get("final answer", "")'),
    ("if answer:", "if answer.partition('\\n')[0].strip():"),
    ("final_answer=answer)", "final_answer=answer.strip())"),
    caught_by="test_a_final_answer_may_take_several_lines",
    says="an answer may begin on the line below its marker",
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
    caught_by="test_the_thought_is_kept_where_the_rest_cannot_be_read",
    says="nothing can be used, and the thought above it can",
)
wrong(
    "An empty marker says nothing, so the first that has a text is the first.",
    (
        FIRST,
        f"{FIRST} | {{marker: body for marker, body in reversed(sections) if body.strip()}}",
    ),
    caught_by="test_the_first_of_a_marker_counts_even_if_it_is_empty",
    says="the first 'Action:' counts, not the first that has a text",
)
wrong(
    "The line of `Action:` is not empty, so there is a name on it.",
    ("if not tool:", 'if not first.get("action", "").partition("\\n")[0].strip():'),
    caught_by="test_a_period_alone_names_no_tool",
    says="Did you look whether there is a name before you took the period away?",
)


def reworded(text: str, error_of: Callable[[str], str]) -> ParsedStep:
    """The reference's step, with another error made of the reference's."""
    from g2c.exercises.e19_1_parse_react_step.solution import parse_react_step

    step = parse_react_step(text)
    return replace(step, parse_error=error_of(step.parse_error)) if step.parse_error else step


def part_of(error: str) -> str:
    """The part that the reference's error begins with."""
    return next(p for p in ("Action Input", "Action", "Final Answer") if error.startswith(p))


@wrong(
    caught_by="test_an_error_says_what_is_wrong_and_not_only_where",
    says="that names a part, and does not say whether it is missing, empty or wrong",
)
def only_a_name(text: str) -> ParsedStep:
    """The model knows the form; the name of the part is enough to remind it."""
    return reworded(text, lambda error: f"{part_of(error)}?")


@wrong(
    caught_by="test_each_cause_has_an_error_of_its_own",
    says="From that it cannot know which of them it made",
)
def one_for_all(text: str) -> ParsedStep:
    """One text with the whole form in it helps with every mistake."""
    return reworded(
        text,
        lambda error: "Write Action and Action Input, which is a JSON object, or Final Answer.",
    )


@wrong(
    caught_by="test_an_error_about_bad_json_says_that_it_is_json_that_is_bad",
    says="is there, and is not JSON, which the model must read",
)
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
    caught_by="test_reads_a_final_answer",
    says="the answer 'Paris.', which is kept as it is written",
)
