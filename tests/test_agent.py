"""Module 19, for the student. Each failure says what your function seems to believe, and what is
so. The classes that turn green with an exercise stand in `g2c/course/exercises.toml`; the others
are about parts that are provided, and pass from the start."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from g2c.agent import (
    Action,
    Agent,
    AgentError,
    AgentRunResult,
    AgentStep,
    NativeAgent,
    Observation,
    ParsedStep,
    Plan,
    Scratchpad,
    extract_plan,
    make_plan,
    parse_react_step,
    render_plan_block,
    render_planning_prompt,
    render_system_prompt,
)
from g2c.agent.native import _chat_to_step, _history_to_messages
from g2c.inference import BackendError, ChatResult, InferenceResult, ScriptedBackend
from g2c.tools import Tool, ToolError, ToolRegistry


def each(name: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Run a test once for each value, as one test; a failure notes the value."""

    def decorate(test: Callable[..., None]) -> Any:
        def run_all(self: Any) -> None:
            for value in values:
                try:
                    test(self, value)
                except BaseException as error:
                    error.add_note(f"This was with {name} = {value!r:.200}")
                    raise

        run_all.__name__, run_all.__doc__ = test.__name__, test.__doc__
        return run_all

    return decorate


def act(thought: str = "I need it.", tool: str = "echo", **arguments: Any) -> str:
    """A completion that calls a tool, as a model continues a prompt that ends with `Thought:`."""
    return f" {thought}\nAction: {tool}\nAction Input: {json.dumps(arguments)}\n"


def answer(text: str, thought: str = "I can answer.") -> str:
    """A completion that answers."""
    return f" {thought}\nFinal Answer: {text}"


class Toolbox:
    """Three tools, and a list of the calls that reached them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        anything = {"type": "object"}
        text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        self.registry = ToolRegistry(
            [
                Tool("echo", "Gives the text back.", text, self._echo),
                Tool("fail", "Always fails.", anything, self._fail),
                Tool("note", "Takes anything.", anything, self._note),
            ]
        )

    def _echo(self, text: str) -> str:
        self.calls.append(("echo", {"text": text}))
        return f"heard {text}"

    def _fail(self, **arguments: Any) -> str:
        self.calls.append(("fail", arguments))
        raise ToolError("the disk is on fire")

    def _note(self, **arguments: Any) -> str:
        self.calls.append(("note", arguments))
        return "noted"


def parsed(text: str) -> ParsedStep:
    step = parse_react_step(text)
    assert isinstance(step, ParsedStep), (
        f"parse_react_step returned {step!r}; every way through it ends in a ParsedStep"
    )
    return step


def recorded(result: AgentRunResult) -> AgentRunResult:
    assert isinstance(result, AgentRunResult), (
        f"run returned {result!r}; every way out of it returns record.finish(...)"
    )
    answered = bool(result.steps) and result.steps[-1].final_answer is not None
    assert answered == (result.stopped_reason == "final_answer"), (
        f"the run stopped by {result.stopped_reason}, and the last step of its record does not fit "
        "that: is every completion added before the run is finished?"
    )
    return result


def run(
    completions: Iterable[Any], toolbox: Toolbox | None = None, **options: Any
) -> tuple[AgentRunResult, ScriptedBackend]:
    """Run an agent, without a plan, on a model that says `completions` one after the other."""
    backend = ScriptedBackend(completions)
    registry = (toolbox or Toolbox()).registry
    agent = Agent(backend, registry, **{"plan": False, **options})
    return recorded(agent.run("What is it?")), backend


class TestParseReactStep:
    def test_reads_thought_action_and_input(self) -> None:
        step = parsed(
            'Thought: I need a product.\nAction: calculator\nAction Input: {"expression": "6 * 7"}'
        )
        assert step == ParsedStep(
            "I need a product.", Action("calculator", {"expression": "6 * 7"})
        ), f"the plainest step of all was read as {step}"

    def test_reads_a_final_answer(self) -> None:
        step = parsed("Thought: I know it.\nFinal Answer: 42")
        assert step == ParsedStep("I know it.", final_answer="42"), (
            f"a thought and an answer, and nothing else, were read as {step}"
        )

    def test_text_before_the_first_marker_is_the_thought(self) -> None:
        step = parsed(' I need it.\nAction: echo\nAction Input: {"text": "a"}')
        assert step.thought == "I need it.", (
            "the prompt ends with 'Thought:', so a completion starts in the middle of a thought; "
            f"you read the thought {step.thought!r}"
        )
        assert step.action == Action("echo", {"text": "a"})

    def test_a_step_without_a_thought_has_an_empty_one(self) -> None:
        step = parsed("Final Answer: 42")
        assert step.thought == "", f"no thought is the empty string, not {step.thought!r}"

    def test_a_thought_may_take_several_lines(self) -> None:
        step = parsed("Thought: first\nsecond\n\nthird\nFinal Answer: 1")
        assert step.thought == "first\nsecond\n\nthird", (
            f"a thought runs to the next marker, not to the end of its line: {step.thought!r}"
        )

    def test_what_is_thought_after_the_action_is_not_part_of_the_thought(self) -> None:
        step = parsed('Thought: before\nAction: echo\nAction Input: {"text": "a"}\nThought: after')
        assert step.thought == "before", (
            "the thought is what led to the action; what follows was written before the tool had "
            f"answered, and you kept {step.thought!r}"
        )
        assert step.action == Action("echo", {"text": "a"}), f"the action is still there: {step}"

    def test_several_thoughts_are_joined(self) -> None:
        step = parsed(" one\nThought: two\nThought:\nThought: three\nFinal Answer: 1")
        assert step.thought == "one\ntwo\nthree", (
            f"all that was thought before the answer is the thought: {step.thought!r}"
        )

    def test_a_final_answer_may_take_several_lines(self) -> None:
        step = parsed("Final Answer: one\ntwo\n\nthree\n")
        assert step.final_answer == "one\ntwo\n\nthree", (
            f"an answer runs to the next marker or the end: {step.final_answer!r}"
        )

    def test_a_final_answer_ends_at_the_next_marker(self) -> None:
        step = parsed("Final Answer: 42\nThought: that went well")
        assert step.final_answer == "42", (
            f"what comes after the next marker is no longer the answer: {step.final_answer!r}"
        )

    @each(
        "text",
        [
            'Action: echo\nAction Input: {"text": "a"}\nFinal Answer: 42',
            'Final Answer: 42\nAction: echo\nAction Input: {"text": "a"}',
        ],
    )
    def test_a_final_answer_wins_over_an_action(self, text: str) -> None:
        step = parsed(text)
        assert step.final_answer == "42", f"with both in one step the answer counts, got {step}"
        assert step.action is None, "exactly one of action, final_answer and parse_error is set"

    def test_an_empty_final_answer_is_no_answer(self) -> None:
        step = parsed("Thought: hm\nFinal Answer:   \n")
        assert step.final_answer is None, (
            f"'Final Answer:' with nothing behind it answers nothing, got {step.final_answer!r}"
        )
        assert step.parse_error and "Final Answer" in step.parse_error, (
            f"the model must read that its Final Answer was empty; it reads {step.parse_error!r}"
        )

    def test_an_empty_final_answer_leaves_the_action_to_count(self) -> None:
        step = parsed('Action: echo\nAction Input: {"text": "a"}\nFinal Answer:')
        assert step.action == Action("echo", {"text": "a"}), (
            "an empty Final Answer is no answer, so it cannot win over the action either"
        )

    @each("marker", ["action", "ACTION", "AcTiOn"])
    def test_markers_are_read_in_any_case(self, marker: str) -> None:
        step = parsed(f'thought: x\n{marker}: echo\naction INPUT: {{"text": "a"}}')
        assert step.action == Action("echo", {"text": "a"}), (
            f"models do not keep to the case of a marker: {marker!r} was not seen, got {step}"
        )

    @each("colon", [":", " :", ":  ", "\t:\t", " : "])
    def test_spaces_and_tabs_may_stand_around_the_colon(self, colon: str) -> None:
        step = parsed(f'Action{colon}echo\nAction Input{colon}{{"text": "a"}}')
        assert step.action == Action("echo", {"text": "a"}), f"{colon!r} is still a colon: {step}"

    def test_a_marker_may_be_indented(self) -> None:
        step = parsed('  Thought: x\n\tAction: echo\n  Action Input: {"text": "a"}')
        assert step.action == Action("echo", {"text": "a"}), (
            f"spaces before a marker do not make it prose: {step}"
        )
        assert step.thought == "x"

    def test_a_marker_in_the_middle_of_a_line_is_prose(self) -> None:
        step = parsed("Thought: I could write Action: echo or Final Answer: 3 here.")
        assert step.action is None and step.final_answer is None, (
            f"a marker counts only where a line starts with it; you read {step}"
        )
        assert step.thought == "I could write Action: echo or Final Answer: 3 here.", (
            f"the sentence is the thought, whole: {step.thought!r}"
        )

    def test_a_word_that_is_only_like_a_marker_is_prose(self) -> None:
        step = parsed("Thought: x\nReaction: none\nActions vary: yes\nFinal Answer: 42")
        assert step.thought == "x\nReaction: none\nActions vary: yes", (
            f"only a whole marker and its colon is a marker; the thought became {step.thought!r}"
        )

    def test_an_empty_action_does_not_take_the_next_line(self) -> None:
        for below in ("", "echo\n", "\necho\n"):
            step = parsed(f'Thought: x\nAction:\n{below}Action Input: {{"text": "a"}}')
            assert step.action is None, (
                "the line of 'Action:' is empty, yet you read the tool "
                rf"{step.action and step.action.tool!r}. Does your pattern let \s after the colon "
                "run over the end of the line, or do you strip before you cut the line off?"
            )
            assert step.parse_error and "Action" in step.parse_error, (
                f"the model must read that its Action was empty; it reads {step.parse_error!r}"
            )

    def test_an_empty_thought_does_not_take_the_next_line(self) -> None:
        step = parsed('Thought:\nAction: echo\nAction Input: {"text": "a"}')
        assert step.thought == "", f"the thought is empty here, you read {step.thought!r}"
        assert step.action == Action("echo", {"text": "a"})

    @each("name", ["echo.", "echo. ", "  echo  "])
    def test_the_tools_name_is_taken_without_spaces_and_final_period(self, name: str) -> None:
        step = parsed(f'Action: {name}\nAction Input: {{"text": "a"}}')
        assert step.action and step.action.tool == "echo", (
            f"{name!r} names the tool 'echo'; you read {step.action and step.action.tool!r}"
        )

    def test_the_tools_name_ends_with_its_line(self) -> None:
        step = parsed('Action: web-search\nI call it now.\nAction Input: {"text": "a"}')
        assert step.action and step.action.tool == "web-search", (
            "a tool's name is the rest of its line, with its dashes and without the next line; "
            f"you read {step.action and step.action.tool!r}"
        )

    def test_of_two_actions_the_first_counts(self) -> None:
        step = parsed(
            'Action: echo\nAction Input: {"text": "a"}\nAction: note\nAction Input: {"b": 2}'
        )
        assert step.action == Action("echo", {"text": "a"}), (
            "the second action was written without having seen what the first one gives; "
            f"you read {step.action}"
        )

    @each("text", ['{\n  "text":\n  "a"\n}\n', '\n{"text": "a"}'])
    def test_an_input_may_take_several_lines(self, text: str) -> None:
        step = parsed(f"Action: echo\nAction Input:{text}")
        assert step.action == Action("echo", {"text": "a"}), (
            f"what stands under a marker belongs to it, on as many lines as it takes: {step}"
        )

    @each("fence", ["```json\n{}\n```", "```\n{}\n```", "``` {} ```"])
    def test_an_input_may_stand_in_a_code_fence(self, fence: str) -> None:
        step = parsed("Action: note\nAction Input: " + fence.replace("{}", '{"n": 1}'))
        assert step.action == Action("note", {"n": 1}), (
            f"models put JSON in code fences; this one was refused: {step.parse_error}"
        )

    @each("text", ["}", "{", "a } b", '\\"}{', "```", "Action: x", {"a": {"b": [{}]}}])
    def test_what_stands_in_the_object_does_not_end_it(self, text: Any) -> None:
        arguments = {"text": text}
        step = parsed(f"Action: echo\nAction Input: {json.dumps(arguments)}")
        assert step.action == Action("echo", arguments), (
            f"the object ends at its own last brace; {text!r} in it ends nothing. You read {step}"
        )

    def test_an_input_without_arguments_is_an_empty_object(self) -> None:
        step = parsed("Action: note\nAction Input: {}")
        assert step.action == Action("note", {}), (
            f"{{}} is a JSON object and calls a tool without arguments; you read {step}"
        )

    def test_letters_of_any_alphabet_are_kept(self) -> None:
        step = parsed('Thought: Größe?\nAction: echo\nAction Input: {"text": "naïve 日本 \\u00e9"}')
        assert step.thought == "Größe?"
        assert step.action == Action("echo", {"text": "naïve 日本 é"})

    def test_lines_may_end_as_on_windows(self) -> None:
        step = parsed('Thought: one\r\ntwo\r\nAction: echo\r\nAction Input: {"text": "a"}\r\n')
        assert step == ParsedStep("one\ntwo", Action("echo", {"text": "a"})), (
            f"\\r\\n ends a line and is part of nothing: {step}"
        )

    def test_only_a_newline_starts_a_line(self) -> None:
        step = parsed("Thought: a\u2028Final Answer: b\x0bAction: c\nFinal Answer: d")
        assert step.final_answer == "d", (
            "str.splitlines also splits at \\x0b and \\u2028, inside a model's sentence; "
            f"you read the answer {step.final_answer!r}"
        )

    @each("word", ["Observation:", "observation :", "OBSERVATION:"])
    def test_an_invented_observation_ends_the_step(self, word: str) -> None:
        step = parsed(
            f'Action: echo\nAction Input: {{"text": "a"}}\n{word} 42\nThought: so it is 42\n'
        )
        assert step.action == Action("echo", {"text": "a"}), (
            f"the observation is the runtime's to write; the step ends before it, got {step}"
        )

    def test_an_answer_after_an_invented_observation_is_not_an_answer(self) -> None:
        step = parsed(
            'Thought: look\nAction: echo\nAction Input: {"text": "a"}\n'
            "Observation: 42\nThought: now I know\nFinal Answer: 42"
        )
        assert step.final_answer is None, (
            "you believed an answer that rests on a result which no tool has given: the model "
            "wrote that Observation itself"
        )
        assert step.action == Action("echo", {"text": "a"}), "the call before it is still wanted"
        assert step.thought == "look"

    def test_an_invented_observation_alone_leaves_nothing_to_do(self) -> None:
        step = parsed("Thought: hm\nObservation: 42\nFinal Answer: 42")
        assert step.final_answer is None and step.action is None, (
            f"after an invented observation nothing counts, and before it nothing stood: {step}"
        )
        assert step.parse_error, "with neither action nor answer left, there is an error to report"

    def test_prose_alone_is_an_error_that_names_the_action(self) -> None:
        step = parsed("I think I should look at the file.")
        assert step.thought == "I think I should look at the file.", "the prose is the thought"
        assert step.parse_error and "Action" in step.parse_error, (
            f"the model reads the error, so it must name what is missing: {step.parse_error!r}"
        )

    @each("text", ["", "   ", "\n\n", "Thought:"])
    def test_an_empty_reply_is_an_error(self, text: str) -> None:
        step = parsed(text)
        assert step.parse_error, f"{text!r} holds neither action nor answer; you returned {step}"
        assert step.thought == "", f"in {text!r} nothing was thought, you read {step.thought!r}"

    @each("tail", ["", "\nAction Input:", "\nAction Input:  \n"])
    def test_an_action_without_input_is_an_error_that_says_so(self, tail: str) -> None:
        step = parsed(f"Thought: x\nAction: echo{tail}")
        assert step.action is None, (
            f"without its input an action is not complete; did you make up {step.action}?"
        )
        assert step.parse_error and "Action Input" in step.parse_error, (
            f"the error must name the part that is missing: {step.parse_error!r}"
        )

    def test_an_input_without_an_action_is_an_error(self) -> None:
        step = parsed('Action Input: {"text": "a"}')
        assert step.action is None and step.parse_error and "Action" in step.parse_error, (
            f"arguments for no tool are nothing to carry out: {step}"
        )

    @each(
        "text",
        ["{'text': 'a'}", '{"text": "a"', "text=a", '{"text": "a",}', "{text: 1}", '{"a": "\n"}'],
    )
    def test_bad_json_is_an_error_that_names_the_input(self, text: str) -> None:
        step = parsed(f"Action: echo\nAction Input: {text}")
        assert step.action is None, f"{text!r} is not JSON; guessing gave {step.action}"
        assert step.parse_error and "Action Input" in step.parse_error, (
            f"the model must read which part was wrong: {step.parse_error!r}"
        )

    @each("text", ['["a"]', '"a"', "7", "null", "true"])
    def test_json_that_is_no_object_is_an_error(self, text: str) -> None:
        step = parsed(f"Action: echo\nAction Input: {text}")
        assert step.action is None, (
            f"{text} is JSON, but arguments have names: only an object will do, got {step.action}"
        )
        assert step.parse_error and "Action Input" in step.parse_error, (
            f"the model must read which part was wrong: {step.parse_error!r}"
        )

    @each("text", ['{"n": 1} {"n": 2}', '[{"n": 1}]', 'Here: {"n": 1}', '{"n": 1} I think'])
    def test_an_object_and_more_is_an_error(self, text: str) -> None:
        step = parsed(f"Action: note\nAction Input: {text}")
        assert step.action is None, (
            f"{text!r} is not one bare JSON object; which part of it is meant is not yours to "
            f"guess, and you took {step.action}"
        )

    @each("text", ['{"n": ' + "1" * 5000 + "}", '{"n": ' + "[" * 100_000])
    def test_no_input_raises(self, text: str) -> None:
        try:
            step = parsed(f"Action: note\nAction Input: {text}")
        except (ValueError, RecursionError) as error:
            pytest.fail(
                f"{type(error).__name__} got out: a model may write anything, and json.loads has "
                "more ways to fail than JSONDecodeError. It must come back as a parse_error."
            )
        assert step.parse_error and "Action Input" in step.parse_error, (
            f"the model must read which part was wrong: {step.parse_error!r:.200}"
        )

    @each("value", [None, 3, b"Final Answer: 1", ["Final Answer: 1"]])
    def test_something_other_than_text_is_the_callers_mistake(self, value: Any) -> None:
        try:
            step = parsed(value)
        except TypeError:
            return
        pytest.fail(f"no model wrote {value!r}; a program did, and is told by a TypeError: {step}")

    def test_exactly_one_outcome_is_set(self) -> None:
        texts = ["", "Final Answer: 1", 'Action: a\nAction Input: {"b": 1}', "Action: a", "x"]
        for text in texts:
            step = parsed(text)
            outcomes = [step.action, step.final_answer, step.parse_error]
            assert sum(outcome is not None for outcome in outcomes) == 1, (
                f"{text!r} gave {step}; the loop needs exactly one of the three to be set"
            )


class TestExtractPlan:
    def test_reads_goal_and_steps(self) -> None:
        plan = extract_plan("Goal: know the day\n1. Look at the clock\n2. Say it", "What day?")
        assert plan == Plan("know the day", ("Look at the clock", "Say it"))

    @each("number", ["1.", "1)", "1 -", "1-", " 1.", "1 ."])
    def test_reads_each_way_to_number(self, number: str) -> None:
        plan = extract_plan(f"Goal: g\n{number} look", "m")
        assert plan and plan.steps == ("look",), f"{number!r} numbers a step; you read {plan}"

    @each("goal", ["goal: g", "GOAL : g", "  Goal:g"])
    def test_reads_the_goal_in_any_case(self, goal: str) -> None:
        plan = extract_plan(f"{goal}\n1. look", "m")
        assert plan and plan.goal == "g", f"{goal!r} gives the goal 'g'; you read {plan}"

    def test_without_a_goal_the_users_message_is_the_goal(self) -> None:
        plan = extract_plan("1. look", "What day is it?")
        assert plan == Plan("What day is it?", ("look",)), (
            f"the steps are there, only the goal is missing; you returned {plan}"
        )

    def test_an_empty_goal_does_not_take_the_next_line(self) -> None:
        plan = extract_plan("Goal:\n1. look\n2. say", "What day is it?")
        assert plan == Plan("What day is it?", ("look", "say")), (
            f"'Goal:' is empty here, so the user's message is the goal; you read {plan}"
        )

    def test_prose_between_the_lines_is_passed_over(self) -> None:
        plan = extract_plan("Sure!\nGoal: g\nHere it is:\n1. a\nand then\n2. b\nDone.", "m")
        assert plan == Plan("g", ("a", "b")), f"only goal and numbered lines count: {plan}"

    @each(
        "line",
        ["1.5 litres", "2024 - a year", "10% of it", "-1. x", "or 2. that", "- x", "Step 1. x"],
    )
    def test_a_line_that_only_looks_like_a_step_is_prose(self, line: str) -> None:
        plan = extract_plan(f"Goal: g\n{line}\n3. look", "m")
        assert plan and plan.steps == ("look",), (
            f"{line!r} is not a step, and must not cost '3. look' its place; you read {plan}"
        )

    def test_steps_without_text_are_dropped(self) -> None:
        plan = extract_plan("Goal: g\n1.\n2. look\n9.   \n4. say", "m")
        assert plan and plan.steps == ("look", "say"), (
            "a bare number is no step: it takes no text from the next line, and the next number "
            f"need not be above it: {plan}"
        )

    def test_at_most_five_steps_are_kept(self) -> None:
        plan = extract_plan("\n".join(f"{n}. step {n}" for n in range(1, 9)), "m")
        assert plan and plan.steps == tuple(f"step {n}" for n in range(1, 6)), (
            f"the first five count; you kept {plan and plan.steps}"
        )

    def test_empty_steps_do_not_count_among_the_five(self) -> None:
        plan = extract_plan("1.\n2. a\n3. b\n4.\n5. c\n6. d\n7. e\n8. f", "m")
        assert plan and plan.steps == ("a", "b", "c", "d", "e"), (
            f"five steps with text are to be kept; you kept {plan and plan.steps}"
        )

    def test_steps_whose_number_does_not_rise_are_dropped(self) -> None:
        plan = extract_plan("1. a\n2. b\n1. a again\n2. b again\n3. c", "m")
        assert plan and plan.steps == ("a", "b", "c"), (
            "a small model that repeats its plan counts from 1 again; those lines are the same "
            f"plan a second time: {plan and plan.steps}"
        )

    def test_numbers_may_leave_gaps(self) -> None:
        plan = extract_plan("2. a\n5. b\n9. c", "m")
        assert plan and plan.steps == ("a", "b", "c"), (
            f"numbers must rise, not follow one another: {plan and plan.steps}"
        )

    def test_numbers_are_compared_as_numbers(self) -> None:
        plan = extract_plan("8. a\n9. b\n10. c", "m")
        assert plan and plan.steps == ("a", "b", "c"), (
            f"10 comes after 9, though not as text: {plan and plan.steps}"
        )

    @each("text", ["", "I would not know.", "Goal: g", "Goal: g\n1.\n2. "])
    def test_without_steps_there_is_no_plan(self, text: str) -> None:
        try:
            plan = extract_plan(text, "m")
        except AgentError as error:
            pytest.fail(f"{text!r} has no steps: return None rather than build a Plan ({error})")
        assert plan is None, f"{text!r} has no steps, so there is no plan; you returned {plan}"

    @each("message", ["", "  \n"])
    def test_an_empty_message_is_the_callers_mistake(self, message: str) -> None:
        try:
            plan = extract_plan("Goal: g\n1. look", message)
        except ValueError:
            return
        pytest.fail(
            f"a message with nothing in it is refused, also where the text has a goal; got {plan}"
        )

    def test_lines_may_end_as_on_windows(self) -> None:
        plan = extract_plan("Goal: g\r\n1. look\r\n2. say\r\n", "m")
        assert plan == Plan("g", ("look", "say")), f"\\r is part of nothing: {plan}"


class TestPlanData:
    """Provided."""

    def test_steps_are_kept_as_a_tuple(self) -> None:
        assert Plan("g", ["a", "b"]).steps == ("a", "b")  # type: ignore[arg-type]

    @each("goal", ["", "  ", None, 3])
    def test_a_goal_must_be_text(self, goal: Any) -> None:
        with pytest.raises(AgentError, match="goal"):
            Plan(goal, ("a",))

    @each("steps", [(), ("",), ("a", " "), ("a", None), "look"])
    def test_steps_must_be_texts(self, steps: Any) -> None:
        with pytest.raises(AgentError, match="step"):
            Plan("g", steps)

    def test_the_block_numbers_the_steps(self) -> None:
        assert render_plan_block(Plan("g", ("a", "b"))) == "Plan: g\n1. a\n2. b"
        assert render_plan_block(None) == ""

    def test_the_prompt_shows_tools_and_question_and_ends_with_goal(self) -> None:
        prompt = render_planning_prompt(Toolbox().registry, "Who {is} it?")
        assert "echo" in prompt and "Question: Who {is} it?" in prompt
        assert prompt.endswith("Goal:")

    def test_a_model_that_cannot_be_asked_gives_no_plan(self) -> None:
        backend = ScriptedBackend([BackendError("gone")])
        assert make_plan(backend, Toolbox().registry, "m") is None


def rendered(*steps: AgentStep, max_chars: int | None = None) -> str:
    pad = Scratchpad(max_chars)
    for step in steps:
        pad.append(step)
    return pad.render()


def done(n: int, output: str = "ok") -> AgentStep:
    """A step that called a tool."""
    return AgentStep("", f"thought {n}", Action("echo", {"text": str(n)}), Observation(output))


class TestScratchpadRender:
    def test_no_steps_are_no_text(self) -> None:
        assert rendered() == ""

    def test_a_step_has_a_line_for_each_part(self) -> None:
        text = rendered(done(1))
        assert text == (
            'Thought: thought 1\nAction: echo\nAction Input: {"text": "1"}\nObservation: ok'
        ), f"four lines, in the form in which the model is asked to write, and no more: {text!r}"

    def test_steps_are_kept_apart_by_a_blank_line(self) -> None:
        first, second = rendered(done(1)), rendered(done(2))
        assert rendered(done(1), done(2)) == f"{first}\n\n{second}", (
            "one blank line between blocks, none before the first or after the last"
        )

    def test_an_empty_thought_is_left_out(self) -> None:
        step = AgentStep("", "", Action("echo", {"text": "a"}), Observation("ok"))
        assert rendered(step).startswith("Action: echo"), (
            f"an empty thought has no line of its own: {rendered(step)!r}"
        )

    def test_arguments_are_json(self) -> None:
        step = AgentStep("", "t", Action("note", {"a": None, "b": True}), Observation("ok"))
        assert 'Action Input: {"a": null, "b": true}' in rendered(step), (
            "the model is to write JSON on one line, so that is what it must see: "
            f"{rendered(step)!r}"
        )

    def test_no_arguments_are_an_empty_object(self) -> None:
        step = AgentStep("", "t", Action("note", {}), Observation("ok"))
        assert "Action Input: {}\n" in rendered(step), (
            f"a call without arguments still has an input: {rendered(step)!r}"
        )

    def test_letters_of_any_alphabet_stay_as_they_are(self) -> None:
        step = AgentStep("", "t", Action("echo", {"text": "Größe 日本"}), Observation("ok"))
        assert "Größe 日本" in rendered(step), (
            "escaped as \\u00f6 a word is hard to read for a small model, and costs more tokens: "
            f"{rendered(step)!r}"
        )

    def test_an_error_is_marked(self) -> None:
        step = AgentStep("", "t", Action("fail", {}), Observation("no disk", is_error=True))
        assert rendered(step).endswith("Observation: [error] no disk"), (
            "an [error] mark tells the model that this is no result to build on: "
            f"{rendered(step)!r}"
        )

    def test_an_empty_observation_still_has_its_line(self) -> None:
        assert "Observation:" in rendered(done(1, output="")), (
            "the tool answered, with nothing; without the line the model takes it for unanswered"
        )

    def test_an_unreadable_step_is_shown_with_its_error(self) -> None:
        step = AgentStep("hm", "hm", parse_error="Action is missing.")
        assert rendered(step) == "Thought: hm\nObservation: [error] Action is missing.", (
            "the thought, and 'Observation: [error] ' with what was wrong, in place of the "
            f"completion: the model is to read why, not to see it again. Got {rendered(step)!r}"
        )

    def test_a_final_answer_has_its_line(self) -> None:
        step = AgentStep("", "t", final_answer="42")
        assert rendered(step) == "Thought: t\nFinal Answer: 42", f"got {rendered(step)!r}"

    def test_an_action_that_was_not_carried_out_has_no_observation(self) -> None:
        step = AgentStep("", "t", Action("echo", {"text": "a"}))
        assert rendered(step) == 'Thought: t\nAction: echo\nAction Input: {"text": "a"}', (
            f"without an observation there is no line for one: {rendered(step)!r}"
        )

    def test_text_over_several_lines_is_kept(self) -> None:
        text = rendered(done(1, output="one\n\ntwo"))
        assert text.endswith("Observation: one\n\ntwo"), (
            f"line ends are part of what a tool answered, as in a file that was read: {text!r}"
        )

    def test_render_can_be_called_again(self) -> None:
        pad = Scratchpad()
        pad.append(done(1))
        assert pad.render() == pad.render(), (
            "asking twice gave two answers: render may keep text, but must not use it up or add "
            "to it twice"
        )

    def test_each_text_begins_with_the_one_before(self) -> None:
        pad = Scratchpad()
        before = ""
        for n in range(6):
            pad.append(done(n))
            text = pad.render()
            assert text.startswith(before), (
                "what was rendered once must not change, or the model's cache is lost from that "
                f"character on:\n{before!r}\nis not how this begins:\n{text!r}"
            )
            before = text

    def test_a_step_is_turned_into_text_once(self) -> None:
        made = []

        class Arguments(dict[str, Any]):
            def items(self) -> Any:  # json.dumps asks for them
                made.append(self["n"])
                return super().items()

        pad = Scratchpad()
        for n in range(10):
            pad.append(AgentStep("", "t", Action("note", Arguments(n=n)), Observation("ok")))
            pad.render()
        assert len(made) <= 10, (
            f"10 steps were turned into text {len(made)} times: what was rendered before is "
            "rendered again, and a long run gets slower with each step"
        )

    def test_steps_may_be_added_between_calls_and_in_bulk(self) -> None:
        pad = Scratchpad()
        pad.append(done(1))
        pad.render()
        pad.append(done(2))
        pad.append(done(3))
        assert pad.render() == rendered(done(1), done(2), done(3)), (
            "two steps were added since the last call; both are new"
        )

    def test_two_pads_share_nothing(self) -> None:
        one, other = Scratchpad(), Scratchpad()
        one.append(done(1))
        one.render()
        assert other.render() == "", "a pad shows only its own steps"

    def test_without_a_cap_everything_is_kept(self) -> None:
        steps = [done(n, "x" * 500) for n in range(50)]
        assert rendered(*steps).count("Observation:") == 50

    def test_over_the_cap_the_oldest_blocks_go(self) -> None:
        block = len(rendered(done(1)))
        text = rendered(done(1), done(2), done(3), max_chars=2 * block + 2)
        assert text == rendered(done(2), done(3)), (
            f"room for two blocks and the blank line between: the newest two stay, got {text!r}"
        )

    def test_a_text_as_long_as_the_cap_fits(self) -> None:
        whole = rendered(done(1), done(2))
        assert rendered(done(1), done(2), max_chars=len(whole)) == whole, (
            "a text of exactly max_chars characters is not over it"
        )

    def test_the_blank_lines_count(self) -> None:
        whole = rendered(done(1), done(2), done(3))
        text = rendered(done(1), done(2), done(3), max_chars=len(whole) - 1)
        assert text == rendered(done(2), done(3)), (
            f"one character too long is too long, blank lines included: {len(text)} characters "
            f"for a cap of {len(whole) - 1}"
        )

    def test_a_block_is_dropped_whole(self) -> None:
        text = rendered(done(1), done(2), max_chars=len(rendered(done(1), done(2))) - 5)
        assert text == rendered(done(2)), (
            f"half a step is worse than none: the model would read it as whole, got {text!r}"
        )

    def test_no_older_block_stays_where_a_newer_one_was_left_out(self) -> None:
        steps = [done(1), done(2, "x" * 500), done(3)]
        text = rendered(*steps, max_chars=2 * len(rendered(done(1))) + 2)
        assert text == rendered(done(3)), (
            f"a history with a hole in it reads as if nothing had happened there: {text!r:.90}"
        )

    def test_the_newest_block_stays_however_long(self) -> None:
        step = done(2, "x" * 1000)
        assert rendered(done(1), step, max_chars=10) == rendered(step), (
            "without its last observation the model repeats its last action; you left "
            f"{rendered(done(1), step, max_chars=10)!r:.60}"
        )

    def test_the_cap_forgets_no_step(self) -> None:
        cap = len(rendered(done(0), done(1), done(2)))
        pad = Scratchpad(cap)
        for n in range(8):
            pad.append(done(n))
            text = pad.render()
            assert text == rendered(*map(done, range(n + 1)), max_chars=cap), (
                "the cap chooses from the blocks and leaves the list of them as it is; where some "
                f"were deleted, which steps are new? After step {n} you rendered {text!r}"
            )
        assert len(pad) == 8 and pad.steps[0].thought == "thought 0", (
            "the cap bounds the text; the steps stay in the record"
        )


class TestScratchpadBasics:
    """Provided."""

    def test_it_keeps_steps_in_order(self) -> None:
        pad = Scratchpad()
        pad.append(done(1))
        pad.append(done(2))
        assert len(pad) == 2 and pad.steps == (done(1), done(2))

    @each("bound", [0, -1, "10", 1.5])
    def test_a_cap_must_be_a_positive_number(self, bound: Any) -> None:
        with pytest.raises(AgentError, match="max_chars"):
            Scratchpad(bound)


class TestAgentRun:
    def test_an_answer_ends_the_run(self) -> None:
        result, backend = run([answer("42"), answer("43")])
        assert result.stopped_reason == "final_answer"
        assert result.final_answer == "42", "the record's last step gives the answer; was it added?"
        assert len(backend.history) == 1, "the model was asked again after it had answered"

    def test_an_action_is_carried_out_and_its_result_is_in_the_next_prompt(self) -> None:
        toolbox = Toolbox()
        result, backend = run([act(text="hello"), answer("done")], toolbox)
        assert toolbox.calls == [("echo", {"text": "hello"})]
        assert "Observation: heard hello" in backend.history[1].prompt, (
            "the model has no other way to know what its action gave"
        )
        assert result.final_answer == "done"

    def test_every_completion_becomes_a_step(self) -> None:
        result, _ = run([act(text="a"), "what now?", act(text="b"), answer("c")])
        thoughts = [step.thought for step in result.steps]
        assert thoughts == ["I need it.", "what now?", "I need it.", "I can answer."], (
            f"four completions are four steps, the last and the unreadable included: {thoughts}"
        )

    def test_a_step_keeps_how_it_was_read_and_what_it_gave(self) -> None:
        result, _ = run([act(text="a"), answer("b")])
        first, last = result.steps
        assert first.action == Action("echo", {"text": "a"})
        assert first.observation == Observation("heard a")
        assert first.completion == act(text="a")
        assert isinstance(first.inference, InferenceResult)
        assert last.final_answer == "b" and last.observation is None

    def test_each_prompt_begins_with_the_one_before(self) -> None:
        _, backend = run([act(text="a"), "hm", act(text="b"), act("", text="c"), answer("d")])
        prompts = [call.prompt for call in backend.history]
        for earlier, later in itertools.pairwise(prompts):
            assert later.startswith(earlier.removesuffix("Thought:")), (
                "a prompt may only grow at its end, or the model's cache is of no use"
            )

    def test_every_prompt_ends_where_the_model_goes_on(self) -> None:
        _, backend = run([act(text="a"), answer("b")])
        assert all(call.prompt.endswith("\n\nThought:") for call in backend.history)

    def test_the_model_is_asked_to_stop_before_an_observation(self) -> None:
        _, backend = run([act(text="a"), answer("b")])
        assert all("Observation:" in call.stop for call in backend.history), (
            "self._complete asks the model to stop where it would invent an observation; you "
            "seem to have called the backend yourself"
        )

    def test_the_agents_sampling_is_used(self) -> None:
        _, backend = run([answer("a")], temperature=0.7, max_new_tokens=33, top_k=5, top_p=0.5)
        assert backend.history[0].options == {
            "temperature": 0.7,
            "max_new_tokens": 33,
            "top_k": 5,
            "top_p": 0.5,
        }

    def test_an_error_of_a_tool_reaches_the_next_prompt(self) -> None:
        result, backend = run([act(tool="fail"), answer("it failed")])
        assert result.final_answer == "it failed", "an error is an observation, not the end"
        assert "Observation: [error]" in backend.history[1].prompt, (
            "the model must read that its action failed, or it builds on nothing"
        )
        assert "the disk is on fire" in backend.history[1].prompt, "and why it failed"

    def test_a_call_that_cannot_be_made_is_an_observation(self) -> None:
        for wrong, word in ((act(tool="teleport"), "teleport"), (act(colour="red"), "text")):
            result, backend = run([wrong, answer("a")])
            assert result.stopped_reason == "final_answer", "a wrong call is no reason to stop"
            assert word in backend.history[1].prompt.rpartition("Observation: [error]")[2]

    def test_an_unreadable_step_reaches_the_next_prompt(self) -> None:
        result, backend = run(["I will think about it.", answer("a")])
        error = result.steps[0].parse_error
        assert error and error in backend.history[1].prompt, (
            "a step that could not be read was dropped: the model never learns what was wrong "
            "with it, and writes it again"
        )

    def test_an_unreadable_step_does_not_end_the_run(self) -> None:
        result, _ = run(["hm", "hm", answer("a")])
        assert result.stopped_reason == "final_answer", (
            "without halt_on_stuck the run goes on until its steps are used up"
        )

    def test_with_halt_on_stuck_a_step_without_action_or_answer_ends_the_run(self) -> None:
        result, backend = run(["hm", answer("a")], halt_on_stuck=True)
        assert result.stopped_reason == "no_progress"
        assert len(result.steps) == 1, "the step that ended the run belongs to its record"
        assert len(backend.history) == 1 and result.final_answer is None

    def test_halt_on_stuck_lets_a_failed_action_pass(self) -> None:
        result, _ = run([act(tool="fail"), answer("a")], halt_on_stuck=True)
        assert result.stopped_reason == "final_answer", (
            "an action that fails is still an action: the run is not stuck"
        )

    def test_a_repeated_action_ends_the_run(self) -> None:
        result, _ = run([act(text="a"), act("Again!", text="a"), answer("b")])
        assert result.stopped_reason == "duplicate_action", (
            f"the same tool with the same arguments twice in a row, stopped by "
            f"{result.stopped_reason}"
        )
        assert result.final_answer is None

    def test_a_repeated_action_is_not_carried_out_again(self) -> None:
        toolbox = Toolbox()
        result, _ = run([act(text="a"), act(text="a")], toolbox)
        assert toolbox.calls == [("echo", {"text": "a"})], (
            "look before you act: a mail that is sent twice has been sent twice"
        )
        assert len(result.steps) == 2, "the repeated step is still part of the record"
        assert result.steps[-1].action and result.steps[-1].observation is None, (
            "nothing was done in that step, so nothing was observed"
        )

    def test_the_order_of_arguments_does_not_hide_a_repetition(self) -> None:
        one, other = {"a": 1, "b": {"x": 1, "y": 2}}, {"b": {"y": 2, "x": 1}, "a": 1}
        result, _ = run([act(tool="note", **one), act(tool="note", **other), answer("c")])
        assert result.stopped_reason == "duplicate_action", (
            "JSON objects have no order, at any depth; did you compare them as they were written?"
        )

    @each("pair", [(1, True), (0, False), (1, 1.0), ("1", 1), (None, "null")])
    def test_values_that_only_python_takes_for_equal_are_different(
        self, pair: tuple[Any, Any]
    ) -> None:
        one, other = pair
        result, _ = run([act(tool="note", n=one), act(tool="note", n=other), answer("a")])
        assert result.stopped_reason == "final_answer", (
            f"in JSON {json.dumps(one)} and {json.dumps(other)} are two values; compare the text "
            "that json.dumps makes, not Python's objects and not their str()"
        )

    def test_another_argument_or_another_tool_is_no_repetition(self) -> None:
        result, _ = run([act(text="a"), act(text="b"), act(tool="note", text="b"), answer("c")])
        assert result.stopped_reason == "final_answer", (
            "another argument is another action, and so is the same argument for another tool"
        )

    def test_an_action_may_come_back_later(self) -> None:
        result, _ = run([act(text="a"), act(text="b"), act(text="a"), answer("c")])
        assert result.stopped_reason == "final_answer", (
            "only two steps in a row count: reading a file again after writing it is sense, not "
            "a loop"
        )

    def test_a_step_between_makes_it_no_repetition(self) -> None:
        result, _ = run([act(text="a"), "hm", act(text="a"), answer("c")])
        assert result.stopped_reason == "final_answer", (
            "the step just before had no action, so there is nothing that this one repeats"
        )

    def test_two_steps_without_action_are_no_repetition(self) -> None:
        result, _ = run(["hm", "hm", answer("c")])
        assert result.stopped_reason == "final_answer", "None is not an action that comes twice"

    def test_without_loop_detection_a_repetition_is_carried_out(self) -> None:
        toolbox = Toolbox()
        result, _ = run([act(text="a")] * 2 + [answer("b")], toolbox, loop_detection=False)
        assert result.stopped_reason == "final_answer" and len(toolbox.calls) == 2, (
            f"with loop_detection=False a repetition is as good as any action; the run stopped by "
            f"{result.stopped_reason} after {len(toolbox.calls)} call(s)"
        )

    def test_the_run_stops_after_max_steps(self) -> None:
        result, backend = run([act(text=str(n)) for n in range(9)], max_steps=3)
        assert result.stopped_reason == "max_steps" and result.final_answer is None
        assert len(result.steps) == 3 and len(backend.history) == 3, (
            f"max_steps=3 means three calls to the model, got {len(backend.history)}"
        )

    def test_an_answer_in_the_last_step_counts(self) -> None:
        result, _ = run([act(text="a"), answer("b")], max_steps=2)
        assert result.stopped_reason == "final_answer" and result.final_answer == "b"

    def test_unreadable_steps_count_as_steps(self) -> None:
        result, _ = run(["hm"] * 9, max_steps=4)
        assert result.stopped_reason == "max_steps" and len(result.steps) == 4, (
            "a model that never writes a readable step must not keep the run going for ever"
        )

    def test_an_invented_observation_is_not_believed(self) -> None:
        toolbox = Toolbox()
        backend = ScriptedBackend(
            [act(text="a") + "Observation: 7\nThought: so 7\nFinal Answer: 7", answer("heard a")],
            stops=False,
        )
        result = Agent(backend, toolbox.registry, plan=False).run("What is it?")
        assert result.final_answer == "heard a", (
            f"the model dreamt a result and answered with it: {result.final_answer!r}"
        )
        assert "Observation: 7" not in backend.history[1].prompt

    @each("message", ["", "   ", "\n"])
    def test_an_empty_message_is_the_callers_mistake(self, message: str) -> None:
        with pytest.raises(ValueError):
            Agent(ScriptedBackend([answer("a")]), ToolRegistry(), plan=False).run(message)

    def test_a_model_that_cannot_be_asked_is_not_hidden(self) -> None:
        try:
            result, _ = run([act(text="a"), BackendError("gone")])
        except BackendError:
            return
        pytest.fail(
            "a model that cannot be asked is the caller's to know: it is nothing that a model "
            f"wrote or a tool did, and you made it {result.stopped_reason}"
        )

    def test_each_step_is_reported_as_it_happens(self) -> None:
        seen: list[tuple[str, int]] = []
        toolbox = Toolbox()
        run(
            [act(text="a"), "hm", answer("b")],
            toolbox,
            on_step=lambda step: seen.append((step.thought, len(toolbox.calls))),
        )
        assert seen == [("I need it.", 1), ("hm", 1), ("I can answer.", 1)], (
            f"on_step is called once a step, after its action: {seen}"
        )

    def test_every_prompt_shows_what_was_proposed_first(self) -> None:
        result, backend = run([" g\n1. look\n2. say", act(text="a"), answer("b")], plan=True)
        assert result.plan == Plan("g", ("look", "say"))
        assert all("1. look\n2. say" in call.prompt for call in backend.history[1:])

    def test_a_proposal_that_fails_does_not_end_the_run(self) -> None:
        for planned in ("I have no plan.", BackendError("busy")):
            result, _ = run([planned, answer("b")], plan=True)
            assert result.plan is None and result.final_answer == "b", f"after {planned!r}"

    def test_the_metadata_counts_what_happened(self) -> None:
        result, _ = run([act(text="a"), "hm", act(tool="fail"), answer("b")])
        counts = {key: result.metadata[key] for key in ("n_steps", "n_tool_calls", "had_plan")}
        assert counts == {"n_steps": 4, "n_tool_calls": 2, "had_plan": False}, (
            f"four steps, two of which called a tool: {counts}"
        )

    def test_an_agent_can_be_used_again(self) -> None:
        toolbox = Toolbox()
        backend = ScriptedBackend([act(text="a"), answer("1"), act(text="a"), answer("2")])
        agent = Agent(backend, toolbox.registry, plan=False)
        recorded(agent.run("First?"))
        second = recorded(agent.run("Second?"))
        assert second.stopped_reason == "final_answer", (
            "the first action of the second run was taken for a repetition of the first run's: "
            "something of a run was kept on the agent"
        )
        assert len(second.steps) == 2
        assert "First?" not in backend.history[-1].prompt

    def test_an_agent_can_run_inside_one_of_its_own_tools(self) -> None:
        backend = ScriptedBackend([act(tool="ask"), act(tool="ask"), answer("in"), answer("out")])
        registry = ToolRegistry()
        agent = Agent(backend, registry, plan=False, max_steps=3)
        inner: list[AgentRunResult] = []

        def ask() -> str:
            if inner:  # the inner run's own call
                return "enough"
            inner.append(None)  # type: ignore[arg-type]
            inner[0] = recorded(agent.run("Inner?"))
            return str(inner[0].final_answer)

        registry.register(Tool("ask", "Asks another agent.", {"type": "object"}, ask))
        outer = recorded(agent.run("Outer?"))
        answers = [(result.final_answer, len(result.steps)) for result in (inner[0], outer)]
        assert answers == [("in", 2), ("out", 2)], (
            "the inner run and the outer one got mixed up: what belongs to a run must not stand "
            f"on self. Answers and numbers of steps are {answers}"
        )

    def test_an_agent_can_run_in_two_threads_at_once(self) -> None:
        meet = threading.Barrier(2, timeout=10)

        def speak(prompt: str) -> str:
            name = "A" if "Question: A" in prompt else "B"
            if prompt.endswith(f"Question: {name}\n\nThought:"):
                meet.wait()  # both runs are in their first step
                return act(text=name)
            return answer(name)

        agent = Agent(ScriptedBackend([speak] * 4), Toolbox().registry, plan=False)
        with ThreadPoolExecutor(2) as pool:
            answers = [recorded(result).final_answer for result in pool.map(agent.run, "AB")]
        assert answers == ["A", "B"], (
            "two runs at once got into each other's way: keep a run's state in local variables"
        )


class TestAgentRunResult:
    """Provided."""

    def result(self) -> AgentRunResult:
        inference = InferenceResult("p", "c", 3, None, 1.5, "scripted", {"cache_n": 2})
        chat = ChatResult(
            "", ({"name": "a", "arguments": {}, "call_id": "1"},), 1, 2, 3.0, "scripted"
        )
        return AgentRunResult(
            "What is it?",
            Plan("g", ("a",)),
            "é \ud800",
            (
                AgentStep(
                    "c", "t", Action("a", {"b": [1]}), Observation("``` o", True), None, None, chat
                ),
                AgentStep("c", "", None, None, None, "Action is missing.", inference),
                AgentStep("c", "t", None, None, "é \ud800"),
            ),
            "final_answer",
            {"n_steps": 3},
        )

    def test_a_saved_run_comes_back_equal(self, tmp_path: Path) -> None:
        self.result().save(tmp_path / "runs" / "one.json")
        assert AgentRunResult.load(tmp_path / "runs" / "one.json") == self.result()

    def test_a_file_that_is_no_run_is_refused(self, tmp_path: Path) -> None:
        for text in ("", "{}", "[]", "null", '{"user_message": 1}', "\x00"):
            (tmp_path / "x.json").write_text(text)
            with pytest.raises(AgentError, match=r"x\.json is not a run"):
                AgentRunResult.load(tmp_path / "x.json")

    def test_as_markdown_it_shows_every_part(self) -> None:
        page = self.result().to_markdown()
        for part in ("What is it?", "1. a", "`a`", '{"b": [1]}', "(error)", "Action is missing."):
            assert part in page
        assert "````\n``` o\n````" in page, "a fence must be longer than those in the text"


class TestAgentSetup:
    """Provided."""

    @each(
        "options",
        [
            {"max_steps": 0},
            {"max_steps": "8"},
            {"max_steps": True},
            {"max_new_tokens": 0},
            {"temperature": -1},
            {"top_k": 0},
            {"top_p": 2},
            {"scratchpad_max_chars": 0},
            {"on_step": "print"},
        ],
    )
    def test_a_bad_option_is_refused_at_once(self, options: dict[str, Any]) -> None:
        with pytest.raises(AgentError, match=next(iter(options)).removeprefix("scratchpad_")):
            Agent(ScriptedBackend(), ToolRegistry(), **options)

    @each("parts", [(None, ToolRegistry()), (ScriptedBackend(), [])])
    def test_backend_and_registry_must_be_such(self, parts: Any) -> None:
        with pytest.raises(AgentError):
            Agent(*parts)

    def test_without_tools_the_system_prompt_says_so(self) -> None:
        assert "(no tools registered)" in render_system_prompt([])

    def test_the_system_prompt_shows_a_tools_worked_example(self) -> None:
        example = {
            "question": "What is 1 + 1?",
            "thought": "Easy.",
            "arguments": {"x": "{examples}"},
            "observation": "2",
            "answer": "two",
        }
        tool = Tool("add", "Adds.", {"type": "object"}, len, example)  # type: ignore[arg-type]
        prompt = render_system_prompt([tool])
        assert 'Action: add\nAction Input: {"x": "{examples}"}\nObservation: 2' in prompt

    def test_an_action_is_carried_out_by_the_registry(self) -> None:
        agent = Agent(ScriptedBackend(), Toolbox().registry)
        assert agent._act(Action("echo", {"text": "a"})) == Observation("heard a")
        assert agent._act(Action("fail", {})).is_error


class TestNativeWrapping:
    """Provided."""

    def chat(self, content: str = "", *calls: tuple[str, Any]) -> ChatResult:
        made = tuple({"name": n, "arguments": a, "call_id": "c"} for n, a in calls)
        return ChatResult(content, made, 1, 1, 1.0, "scripted")  # type: ignore[arg-type]

    def test_a_call_becomes_an_action(self) -> None:
        step = _chat_to_step(self.chat("I need it.", ("echo", {"text": "a"})), ["echo"])
        assert step == ParsedStep("I need it.", Action("echo", {"text": "a"}))

    def test_text_becomes_the_answer(self) -> None:
        assert _chat_to_step(self.chat(" 42 "), ["echo"]) == ParsedStep(final_answer="42")

    def test_an_empty_reply_is_an_error(self) -> None:
        assert _chat_to_step(self.chat(" "), ["echo"]).parse_error

    def test_arguments_that_are_no_object_are_an_error(self) -> None:
        step = _chat_to_step(self.chat("", ("echo", "text")), ["echo"])
        assert step.parse_error and "echo" in step.parse_error

    @each(
        "text",
        [
            '{"name": "echo", "arguments": {"text": "a"}}',
            '{"name": "echo", "parameters": {"text": "a"}}',
            '{"function": {"name": "echo", "arguments": {"text": "a"}}}',
            '```json\n{"name": "echo", "arguments": {"text": "a"}}\n```',
        ],
    )
    def test_a_call_written_as_text_is_rescued(self, text: str) -> None:
        assert _chat_to_step(self.chat(text), ["echo"]).action == Action("echo", {"text": "a"})

    @each("text", ['{"name": "Ada"}', '{"a": 1}', "[1]", '"echo"', "[" * 99999])
    def test_other_json_is_an_answer(self, text: str) -> None:
        assert _chat_to_step(self.chat(text), ["echo"]).final_answer == text

    def test_the_history_becomes_a_conversation(self) -> None:
        record = NativeAgent(ScriptedBackend(), Toolbox().registry, plan=False)._start("What?")
        record.plan = Plan("g", ("a",))
        record.steps += [done(1), AgentStep("", "hm", parse_error="Empty.")]
        messages = _history_to_messages(record)
        assert messages == _history_to_messages(record)
        assert [message["role"] for message in messages] == [
            "system",
            "user",
            "assistant",
            "tool",
            "assistant",
            "user",
        ]
        assert messages[3]["tool_call_id"] == messages[2]["tool_calls"][0]["id"]
        assert "Plan: g" in messages[1]["content"] and "Empty." in messages[5]["content"]


class TestIntegration:
    def test_a_run_with_every_kind_of_step(self, tmp_path: Path) -> None:
        toolbox = Toolbox()
        result, backend = run(
            [
                " find out\n1. Fail once.\n2. Then echo.",
                " First, fail.\nAction: fail\nAction Input: {}",
                ' Now echo.\nAction: echo.\nAction Input: ```json\n{"text": "Ω"}\n```',
                " hm, so\nobservation: x",
                " Done.\nFinal Answer: Ω was heard.",
            ],
            toolbox,
            plan=True,
        )
        assert result.stopped_reason == "final_answer" and result.final_answer == "Ω was heard."
        assert result.plan == Plan("find out", ("Fail once.", "Then echo."))
        assert toolbox.calls == [("fail", {}), ("echo", {"text": "Ω"})]
        last = backend.history[-1].prompt
        assert "[error]" in last and "heard Ω" in last and result.steps[2].parse_error in last
        result.save(tmp_path / "run.json")
        assert AgentRunResult.load(tmp_path / "run.json") == result
        assert "Ω was heard." in result.to_markdown()

    def test_the_prompt_reads_in_one_order(self) -> None:
        _, backend = run([" g\n1. look", act(text="a"), answer("b")], plan=True)
        prompt = backend.history[-1].prompt
        places = [prompt.rindex(part) for part in ("Question: What is it?", "Plan: g", "heard a")]
        assert places == sorted(places), "question, plan, steps: what changes least stands first"

    def test_what_one_exercise_writes_the_other_reads(self) -> None:
        step = AgentStep("", "why\nnot", Action("note", {"a": "}\n{", "é": [None]}))
        read = parse_react_step(rendered(step))
        assert (read.thought, read.action) == (step.thought, step.action), (
            "the model copies the form that it sees, so the two must agree"
        )

    def test_your_loop_drives_the_native_channel(self) -> None:
        toolbox = Toolbox()
        backend = ScriptedBackend(
            chats=[
                {"tool_calls": [{"name": "echo", "arguments": {"text": "a"}}]},
                "It said: heard a.",
            ]
        )
        try:
            result = NativeAgent(backend, toolbox.registry, plan=False).run("What is it?")
        except Exception as error:
            error.add_note(
                "NativeAgent overrides _build_prompt, _complete and _parse. Does your loop go "
                "around one of them?"
            )
            raise
        assert result.final_answer == "It said: heard a."
        assert backend.history[1].messages[-1]["content"] == "heard a"

    def test_several_calls_in_a_turn_become_several_steps(self) -> None:
        toolbox = Toolbox()
        calls = [{"name": "echo", "arguments": {"text": text}} for text in "abc"]
        backend = ScriptedBackend(chats=[{"content": "Three.", "tool_calls": calls}, "Done."])
        result = NativeAgent(backend, toolbox.registry, plan=False).run("What is it?")
        assert [arguments["text"] for _, arguments in toolbox.calls] == ["a", "b", "c"]
        assert len(result.steps) == 4 and len(backend.history) == 2, (
            "the model is asked again only when its three calls have been carried out"
        )
        assert [step.thought for step in result.steps[:3]] == ["Three.", "", ""]

    def test_the_native_loop_stops_for_the_same_reasons(self) -> None:
        again = {"tool_calls": [{"name": "echo", "arguments": {"text": "a"}}]}
        for chats, options, reason in (
            ([again, again], {}, "duplicate_action"),
            (["", ""], {"halt_on_stuck": True}, "no_progress"),
            (["", "", ""], {"max_steps": 2}, "max_steps"),
            (["yes"], {}, "final_answer"),
        ):
            agent = NativeAgent(
                ScriptedBackend(chats=chats), Toolbox().registry, plan=False, **options
            )
            assert agent.run("What is it?").stopped_reason == reason

    def test_prompt_and_steps_stay_small_over_a_long_run(self) -> None:
        result, backend = run(
            [act(text=str(n)) for n in range(60)], max_steps=60, scratchpad_max_chars=400
        )
        assert result.stopped_reason == "max_steps" and len(result.steps) == 60
        head = len(backend.history[0].prompt)
        assert max(len(call.prompt) for call in backend.history) <= head + 410
