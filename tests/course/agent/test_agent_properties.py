"""Properties of module 19's references for every text, every history and every run."""

import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.agent import Action, Agent, AgentStep, Observation, Scratchpad
from g2c.exercises.e19_1_parse_react_step.solution import parse_react_step
from g2c.exercises.e19_2_extract_plan.solution import extract_plan
from g2c.inference import ScriptedBackend
from g2c.tools import Tool, ToolError, ToolRegistry

# The same examples each time, and no limit by the clock: a failure here is never by chance.
repeatable = settings(derandomize=True, max_examples=60)
often = settings(repeatable, max_examples=500)

MARKERS = ("thought", "Action", "ACTION INPUT", "Observation", "Final Answer", "Goal")
MARKER_LINE = re.compile(rf"^[ \t]*({'|'.join(MARKERS)})[ \t]*:", re.IGNORECASE | re.MULTILINE)
bodies = st.one_of(
    st.sampled_from(
        ["", " ", "\n", "\t\n\n", "\r\n", "\r", "\u2028", "\x0b", "```", "Goal:", "1.5", "."]
    ),
    st.sampled_from(
        ['{"a": "}"}', "```json\n{}\n```", '{"a": ', "[1]", "null", "1e999", "NaN", "{}."]
    ),
    st.text(max_size=8),
)
marked = st.builds(
    "\n{}{}{}".format, st.sampled_from(MARKERS), st.sampled_from([":", " :\t"]), bodies
)
calls = st.builds("Action: {}\nAction Input: {}".format, st.sampled_from(["echo", "fail"]), bodies)
texts = st.lists(marked | bodies | calls.map("\n{}".format), max_size=10).map("".join)
rises = st.lists(st.sampled_from([1, 1, 1, 2, 0, -3]), max_size=15)
plans = rises.map(itertools.accumulate).flatmap(
    lambda numbers: st.tuples(*(bodies.map(f"{n}. {{}}".format) for n in numbers)).map("\n".join)
)

# 1e999 is read as infinity and rendered as Infinity, which JSON does not have.
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
actions = st.builds(
    Action,
    st.from_regex(r"[A-Za-z0-9_-]{1,9}", fullmatch=True),  # what a Tool may be called
    st.dictionaries(st.text(max_size=6), json_values, max_size=3),
)


def holds_no_marker_line(text: str) -> bool:
    r"""Whether a thought or an answer can have come from the parser.

    What it reads is stripped and has \n for \r\n. A line that starts with a marker is excluded
    because the rendered text is then, for every reader, one with another section.
    """
    return text == text.strip() and "\r\n" not in text and not MARKER_LINE.search(text)


read_texts = (bodies | texts).map(str.strip).filter(holds_no_marker_line)
observations = st.builds(Observation, texts, st.booleans())
acting_steps = st.builds(
    AgentStep, st.just(""), thought=read_texts, action=actions, observation=st.none() | observations
)
answering_steps = st.builds(
    AgentStep, st.just(""), thought=read_texts, final_answer=read_texts.filter(bool)
)
unread_steps = st.builds(
    AgentStep, st.just(""), thought=read_texts, parse_error=st.text(min_size=1)
)
steps = st.lists(acting_steps | answering_steps | unread_steps, max_size=5)


def rendered(history: list[AgentStep]) -> str:
    pad = Scratchpad()
    for step in history:
        pad.append(step)
    return pad.render()


@pytest.mark.slow
@often
@given(texts)
def test_any_text_is_read_as_exactly_one_outcome(text: str) -> None:
    step = parse_react_step(text)
    outcomes = [step.action, step.final_answer, step.parse_error]
    assert sum(outcome is not None for outcome in outcomes) == 1
    assert step.final_answer != "" and step.parse_error != ""


@repeatable
@given(acting_steps | answering_steps)
def test_a_step_that_is_rendered_is_read_back(step: AgentStep) -> None:
    read = parse_react_step(rendered([step]))
    assert (read.thought, read.action, read.final_answer) == (
        step.thought,
        step.action,
        step.final_answer,
    )


@pytest.mark.slow
@repeatable
@given(steps)
def test_a_history_only_grows_at_its_end(history: list[AgentStep]) -> None:
    pad, before = Scratchpad(), ""
    for step in history:
        pad.append(step)
        assert pad.render().startswith(before)
        before = pad.render()


@repeatable
@given(steps, st.integers(1, 5), st.integers(-1, 1))
def test_a_capped_history_is_the_longest_ending_that_fits(
    history: list[AgentStep], room: int, more: int
) -> None:
    blocks = [rendered([step]) for step in history]
    cap = max(1, len("\n\n".join(blocks[-room:])) + more)
    pad = Scratchpad(cap)
    for n, step in enumerate(history, 1):
        pad.append(step)
        endings = ["\n\n".join(blocks[first:n]) for first in range(n)]
        fitting = [ending for ending in endings if len(ending) <= cap]
        assert pad.render() == (fitting or endings[-1:])[0]


turns = st.sampled_from(
    ["hm", "Action: echo\nAction Input: {}", 'Action: echo\nAction Input: {"a": 0}']
)


def seven(completions: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(completions, min_size=7, max_size=7)


def tools() -> ToolRegistry:
    def fail(**arguments: Any) -> str:
        raise ToolError("no")

    anything = {"type": "object"}
    return ToolRegistry(
        [
            Tool("echo", "Gives it back.", anything, lambda **arguments: str(arguments)),
            Tool("fail", "Fails.", anything, fail),
        ]
    )


@pytest.mark.slow
@often
@given(
    seven(turns) | seven(calls | texts),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_no_completions_make_a_run_raise_or_go_on_for_too_long(
    completions: list[str], max_steps: int, plan: bool, detect: bool, halt: bool
) -> None:
    backend = ScriptedBackend(completions)
    agent = Agent(
        backend, tools(), max_steps=max_steps, plan=plan, loop_detection=detect, halt_on_stuck=halt
    )
    result = agent.run("What is it?")
    assert 1 <= len(result.steps) <= max_steps
    assert len(backend.history) == len(result.steps) + plan
    assert result.stopped_reason == reason_for(result.steps, detect, halt), result.steps
    assert (result.final_answer is not None) == (result.stopped_reason == "final_answer")
    for n in range(1, len(result.steps)):
        assert reason_for(result.steps[:n], detect, halt) == "max_steps", "it went on past its end"


def reason_for(steps: tuple[AgentStep, ...], detect: bool, halt: bool) -> str:
    """Why a run with these steps ended, seen from its last step or two."""
    last = steps[-1]
    if last.final_answer is not None:
        return "final_answer"
    if last.action is None:
        return "no_progress" if halt else "max_steps"
    before = steps[-2].action if len(steps) > 1 else None
    if detect and before and in_json(before) == in_json(last.action):
        return "duplicate_action"
    return "max_steps"


def in_json(action: Action) -> str:
    return json.dumps([action.tool, action.arguments], sort_keys=True)


@pytest.mark.slow
@often
@given(plans | texts, st.text(min_size=1).filter(str.strip))
def test_any_text_gives_a_plan_of_one_to_five_steps_or_none(text: str, message: str) -> None:
    plan = extract_plan(text, message)
    if plan is not None:
        assert 1 <= len(plan.steps) <= 5
        assert all(step == step.strip() != "" for step in (plan.goal, *plan.steps))
