"""19.1 gone wrong. What an answer below does right, it does with the helpers at the top."""

from __future__ import annotations

import ast
import json
import re
from functools import partial
from typing import Any

from g2c.agent import Action, ParsedStep

from . import wrong

wrong = partial(wrong, "19.1")

NAMES = r"(thought|action input|action|observation|final answer)"
MARKER = re.compile(rf"^[ \t]*{NAMES}[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)

Sections = list[tuple[str, str]]


def cut(text: str, marker: re.Pattern[str] = MARKER) -> Sections:
    """All sections, also those after an observation; what comes first is a thought."""
    if not isinstance(text, str):
        raise TypeError("a completion is a string")
    text = text.replace("\r\n", "\n")
    found = list(marker.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    sections = [("thought", text[: found[0].start() if found else None].strip())]
    for match, end in zip(found, ends, strict=False):
        name, body = match[1].lower(), text[match.end() : end]
        sections.append((name, body if name == "action" else body.strip()))
    return sections


def before_observation(sections: Sections) -> Sections:
    names = [name for name, _ in sections]
    return sections[: names.index("observation")] if "observation" in names else sections


def leading_thought(sections: Sections) -> str:
    thoughts = []
    for name, body in sections:
        if name != "thought":
            break
        thoughts.append(body)
    return "\n".join(filter(None, thoughts))


def firsts(sections: Sections) -> dict[str, str]:
    return dict(reversed(sections))


def name_of(section: str) -> str:
    return section.split("\n")[0].strip().removesuffix(".").strip()


def load(section: str) -> dict[str, Any]:
    """Raises ValueError for everything that is no JSON object."""
    if fenced := FENCE.fullmatch(section):
        section = fenced[1]
    try:
        value = json.loads(section)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("it is no object")
    return value


def call(thought: str, parts: dict[str, str]) -> ParsedStep:
    """The step of a text without an answer."""
    tool = name_of(parts.get("action", ""))
    if not tool:
        empty = "Final Answer is empty. " if "final answer" in parts else ""
        return ParsedStep(thought, parse_error=empty + "Action is missing.")
    if not parts.get("action input"):
        return ParsedStep(thought, parse_error="Action Input is missing.")
    try:
        return ParsedStep(thought, Action(tool, load(parts["action input"])))
    except ValueError as error:
        return ParsedStep(thought, parse_error=f"Action Input is not a JSON object: {error}.")


def step(thought: str, parts: dict[str, str]) -> ParsedStep:
    if parts.get("final answer"):
        return ParsedStep(thought, final_answer=parts["final answer"])
    return call(thought, parts)


@wrong(
    caught_by="test_an_empty_action_does_not_take_the_next_line",
    says=r"Does your pattern let \s after the colon run over the end of the line",
)
def any_space_after_the_colon(text: str) -> ParsedStep:
    r"""\s* after the colon takes away stray spaces, and nothing else."""
    sections = before_observation(cut(text))
    own = text[: match.start()] if (match := re.search(r"(?im)^\s*observation", text)) else text
    parts = firsts(sections)
    if action := re.search(r"^\s*action\s*:\s*(.*)$", own, re.IGNORECASE | re.MULTILINE):
        parts["action"] = action[1]
    return step(leading_thought(sections), parts)


@wrong(
    caught_by="test_a_marker_in_the_middle_of_a_line_is_prose",
    says="a marker counts only where a line starts with it",
)
def a_marker_wherever_it_stands(text: str) -> ParsedStep:
    """A marker and its colon are a marker wherever they stand: nobody writes them in prose."""
    anywhere = re.compile(rf"\b{NAMES}[ \t]*:[ \t]*", re.IGNORECASE)
    sections = before_observation(cut(text, anywhere))
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_text_before_the_first_marker_is_the_thought",
    says="a completion starts in the middle of a thought",
)
def a_thought_needs_its_marker(text: str) -> ParsedStep:
    """A thought is what follows `Thought:`; the model always writes it."""
    sections = before_observation(cut(text)[1:])
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_what_is_thought_after_the_action_is_not_part_of_the_thought",
    says="the thought is what led to the action",
)
def every_thought_is_kept(text: str) -> ParsedStep:
    """All that the model thought belongs to the thought, so nothing is lost by joining it."""
    sections = before_observation(cut(text))
    thoughts = [body for name, body in sections if name == "thought" and body]
    return step("\n".join(thoughts), firsts(sections))


@wrong(
    caught_by="test_of_two_actions_the_first_counts",
    says="the second action was written without having seen what the first one gives",
)
def the_last_action_counts(text: str) -> ParsedStep:
    """A dict of the sections will do; where a marker comes twice, the model corrected itself."""
    sections = before_observation(cut(text))
    return step(leading_thought(sections), dict(sections))


@wrong(
    caught_by="test_only_a_newline_starts_a_line",
    says="str.splitlines also splits at",
)
def splitlines_gives_the_lines(text: str) -> ParsedStep:
    r"""str.splitlines splits at line ends, and takes care of \r\n too."""
    if not isinstance(text, str):
        raise TypeError("a completion is a string")
    sections = [("thought", "")]
    for line in text.splitlines():
        if match := MARKER.match(line):
            sections.append((match[1].lower(), line[match.end() :]))
        else:
            name, body = sections[-1]
            sections[-1] = (name, f"{body}\n{line}")
    sections = before_observation([(name, body.strip()) for name, body in sections])
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_lines_may_end_as_on_windows",
    says=r"\r\n ends a line and is part of nothing",
)
def stripping_removes_carriage_returns(text: str) -> ParsedStep:
    r"""Each section is stripped, and that takes its \r away."""
    if not isinstance(text, str):
        raise TypeError("a completion is a string")
    pieces = MARKER.split(text)
    names = ["thought", *(name.lower() for name in pieces[1::2])]
    sections = list(zip(names, (body.strip() for body in pieces[::2]), strict=True))
    sections = before_observation(sections)
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_an_answer_after_an_invented_observation_is_not_an_answer",
    says="an answer that rests on a result which no tool has given",
)
def an_observation_is_a_section_like_any_other(text: str) -> ParsedStep:
    """The parser never asks for the observation, so whatever stands under it does no harm."""
    sections = cut(text)
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_a_final_answer_wins_over_an_action",
    says="with both in one step, in either order, the answer counts",
)
def an_action_is_looked_for_first(text: str) -> ParsedStep:
    """Action or answer, a step has one of them: the order of the questions does not matter."""
    sections = before_observation(cut(text))
    parts, thought = firsts(sections), leading_thought(sections)
    if "action" in parts or not parts.get("final answer"):
        return call(thought, parts)
    return ParsedStep(thought, final_answer=parts["final answer"])


@wrong(
    caught_by="test_an_empty_final_answer_is_no_answer",
    says="'Final Answer:' with nothing behind it answers nothing",
)
def an_empty_answer_is_an_answer(text: str) -> ParsedStep:
    """Where `Final Answer:` stands the model is done, even if it has nothing to say."""
    sections = before_observation(cut(text))
    parts, thought = firsts(sections), leading_thought(sections)
    if "final answer" in parts:
        return ParsedStep(thought, final_answer=parts["final answer"])
    return call(thought, parts)


@wrong(
    caught_by="test_prose_alone_is_an_error_that_names_the_action",
    says="the prose is the thought",
)
def prose_is_the_answer(text: str) -> ParsedStep:
    """A model that uses no marker is talking to the user: that is its answer."""
    sections = before_observation(cut(text))
    if len(sections) == 1 and sections[0][1]:
        return ParsedStep(final_answer=sections[0][1])
    return step(leading_thought(sections), firsts(sections))


@wrong(
    caught_by="test_the_name_of_a_tool_ends_with_its_line",
    says="a tool's name is the rest of its line",
)
def a_name_is_a_word(text: str) -> ParsedStep:
    r"""A tool is a function, so \w+ finds its name and leaves the period out."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    name = re.match(r"\w+", parts.get("action", ""))
    return step(leading_thought(sections), {**parts, "action": name[0] if name else ""})


@wrong(
    caught_by="test_what_stands_in_the_object_does_not_end_it",
    says="the object ends at its own last brace",
)
def the_object_ends_at_the_next_brace(text: str) -> ParsedStep:
    r"""\{.*?\} finds the JSON, whatever stands around it."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    if found := re.search(r"\{.*?\}", parts.get("action input", ""), re.DOTALL):
        parts["action input"] = found[0]
    return step(leading_thought(sections), parts)


@wrong(
    caught_by="test_an_object_and_more_is_an_error",
    says="is not one bare JSON object",
)
def the_object_is_between_the_outermost_braces(text: str) -> ParsedStep:
    """From the first brace to the last is the JSON; what stands around it is decoration."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    if found := re.search(r"\{.*\}", parts.get("action input", ""), re.DOTALL):
        parts["action input"] = found[0]
    return step(leading_thought(sections), parts)


@wrong(
    caught_by="test_an_object_and_more_is_an_error",
    says="which part of it is meant is not yours to guess",
)
def the_first_object_is_enough(text: str) -> ParsedStep:
    """raw_decode reads the object and leaves alone what follows: models like to go on."""
    sections = before_observation(cut(text))
    parts, thought = firsts(sections), leading_thought(sections)
    section = parts.get("action input", "")
    if section.startswith("{"):
        try:
            _, end = json.JSONDecoder().raw_decode(section)
            parts["action input"] = section[:end]
        except (ValueError, RecursionError):
            pass
    return step(thought, parts)


@wrong(
    caught_by="test_what_stands_in_the_object_does_not_end_it",
    says="'```' in it ends nothing",
)
def backticks_are_never_meant(text: str) -> ParsedStep:
    """Backticks are only ever the fence, so they can all go before the JSON is read."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    parts["action input"] = re.sub(r"```(json)?", "", parts.get("action input", "")).strip()
    return step(leading_thought(sections), parts)


@wrong(
    caught_by="test_bad_json_is_an_error_that_names_the_input",
    says="is not JSON; guessing gave",
)
def single_quotes_are_near_enough(text: str) -> ParsedStep:
    """What json.loads refuses ast.literal_eval may read: a good parser is forgiving."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    try:
        value = ast.literal_eval(parts.get("action input", ""))
        parts["action input"] = json.dumps(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        pass
    return step(leading_thought(sections), parts)


@wrong(
    caught_by="test_an_action_without_input_is_an_error_that_says_so",
    says="without its input an action is not complete",
)
def no_input_is_no_arguments(text: str) -> ParsedStep:
    """A tool without arguments needs no Action Input, so a missing one is {}."""
    sections = before_observation(cut(text))
    parts = firsts(sections)
    return step(
        leading_thought(sections), {**parts, "action input": parts.get("action input") or "{}"}
    )


@wrong(
    caught_by="test_json_that_is_no_object_is_an_error",
    says="only an object will do",
)
def what_json_reads_are_arguments(text: str) -> ParsedStep:
    """Where json.loads succeeds the input was right."""
    sections = before_observation(cut(text))
    parts, thought = firsts(sections), leading_thought(sections)
    tool, section = name_of(parts.get("action", "")), parts.get("action input", "")
    if tool and section and not parts.get("final answer"):
        try:
            fenced = FENCE.fullmatch(section)
            return ParsedStep(thought, Action(tool, json.loads(fenced[1] if fenced else section)))
        except (ValueError, RecursionError) as error:
            return ParsedStep(thought, parse_error=f"Action Input is not JSON: {error}")
    return step(thought, parts)


@wrong(
    caught_by="test_no_input_raises",
    says="json.loads has more ways to fail than JSONDecodeError",
)
def json_fails_in_one_way(text: str) -> ParsedStep:
    """On bad text json.loads raises JSONDecodeError, so catching that is enough."""
    sections = before_observation(cut(text))
    parts, thought = firsts(sections), leading_thought(sections)
    tool, section = name_of(parts.get("action", "")), parts.get("action input", "")
    if tool and section and not parts.get("final answer"):
        try:
            fenced = FENCE.fullmatch(section)
            arguments = json.loads(fenced[1] if fenced else section)
        except json.JSONDecodeError as error:
            return ParsedStep(thought, parse_error=f"Action Input is not JSON: {error}")
        if isinstance(arguments, dict):
            return ParsedStep(thought, Action(tool, arguments))
    return step(thought, parts)


@wrong(
    caught_by="test_an_input_without_arguments_is_an_empty_object",
    says="{} is a JSON object and calls a tool without arguments",
)
def an_empty_object_is_no_input(text: str) -> ParsedStep:
    """`if arguments` asks whether there are any: without arguments there is nothing to call."""
    sections = before_observation(cut(text))
    parsed = step(leading_thought(sections), firsts(sections))
    if parsed.action and not parsed.action.arguments:
        return ParsedStep(parsed.thought, parse_error="Action Input is missing.")
    return parsed


@wrong(
    caught_by="test_an_empty_action_does_not_take_the_next_line",
    says="do you strip before you cut the line off?",
)
def a_section_is_stripped_first(text: str) -> ParsedStep:
    """White space around a section means nothing, so it can go before the section is read."""
    sections = before_observation(cut(text))
    return step(leading_thought(sections), firsts([(n, body.strip()) for n, body in sections]))
