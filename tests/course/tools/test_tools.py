"""Tools: how a call is checked and carried out, and what a model gets to see of it."""

import datetime
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from g2c.agent import render_planning_prompt, render_system_prompt
from g2c.inference import ScriptedBackend
from g2c.tools import (
    Tool,
    ToolCall,
    ToolError,
    ToolExample,
    ToolRegistry,
    dispatch_tool_call,
    make_calculator,
    make_list_files,
    make_read_file,
    make_web_search,
    render_tools_for_chat,
    render_tools_for_prompt,
    run_with_tools,
    tool,
    validate_arguments,
)
from g2c.tools.schema import compile_schema

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
TYPES = ["string", "integer", "number", "boolean", "array", "object", "null"]
ANYTHING = {"type": "object"}
EXAMPLE: dict[str, Any] = {
    "question": "q",
    "thought": "t",
    "arguments": {"word": "hi"},
    "observation": "o",
    "answer": "a",
}


@dataclass
class Point:
    x: int


def make_tool(func: Any = lambda **arguments: "done", name: str = "act", **schema: Any) -> Tool:
    return Tool(name, "Do it.", {"type": "object", **schema}, func)


def dispatch(tool: Tool, arguments: Any) -> Any:
    return dispatch_tool_call(ToolRegistry([tool]), ToolCall(tool.name, arguments, "c1"))


class TestTool:
    @pytest.mark.parametrize("name", ["", "two words", "a\n", "é", "a" * 65, "read.file", None, 3])
    def test_a_name_that_a_model_could_not_write_on_one_line_is_refused(self, name: Any) -> None:
        with pytest.raises(ToolError, match="cannot be a tool's name"):
            Tool(name, "Do it.", ANYTHING, print)

    @pytest.mark.parametrize("description", ["", " \n", None, 3])
    def test_a_description_must_say_something(self, description: Any) -> None:
        with pytest.raises(ToolError, match="description of act must be a text"):
            Tool("act", description, ANYTHING, print)

    @pytest.mark.parametrize(
        "parameters", [None, {}, {"type": "string"}, {"type": "object", "properties": ["a"]}]
    )
    def test_parameters_must_describe_an_object(self, parameters: Any) -> None:
        with pytest.raises(ToolError, match="JSON schema of an object"):
            Tool("act", "Do it.", parameters, print)

    def test_func_must_be_callable(self) -> None:
        with pytest.raises(ToolError, match="must be a function"):
            Tool("act", "Do it.", ANYTHING, "print")  # type: ignore[arg-type]

    def test_an_example_may_be_a_mapping(self) -> None:
        example = replace(make_tool(), example=EXAMPLE).example
        assert example == ToolExample(**EXAMPLE)

    @pytest.mark.parametrize("example", [{"question": "q"}, {**EXAMPLE, "colour": "red"}])
    def test_an_example_with_other_fields_is_refused(self, example: Any) -> None:
        with pytest.raises(ToolError, match="exactly question, thought"):
            replace(make_tool(), example=example)


class TestToolRegistry:
    def test_tools_keep_the_order_in_which_they_were_registered(self) -> None:
        registry = ToolRegistry([make_tool(name="z")])
        registry.register(make_tool(name="a"))
        assert registry.names() == ["z", "a"]
        assert [tool.name for tool in registry] == [tool.name for tool in registry.tools]
        assert len(registry) == 2

    def test_a_second_tool_of_a_name_is_refused(self) -> None:
        with pytest.raises(ToolError, match="already a tool 'act'"):
            ToolRegistry([make_tool(), make_tool()])

    def test_something_that_is_not_a_tool_is_refused(self) -> None:
        with pytest.raises(ToolError, match="is not a Tool"):
            ToolRegistry([print])  # type: ignore[list-item]

    @pytest.mark.parametrize("name", ["Act", "", ["act"], None])
    def test_an_unknown_name_is_answered_with_the_known_ones(self, name: Any) -> None:
        registry = ToolRegistry([make_tool(), make_tool(name="rest")])
        assert name not in registry
        with pytest.raises(ToolError, match=r"The tools are: act, rest\."):
            registry.get(name)


class TestValidateArguments:
    TOOL = make_tool(
        properties={"path": {"type": "string"}, "lines": {"type": "integer"}},
        required=["path"],
        additionalProperties=False,
    )

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            ({}, "'path' is missing"),
            ({"file": "a.txt"}, "there is no 'file'; 'path' is missing"),
            ({"path": 3}, "'path' must be string, not 3"),
            ({"path": "a", "lines": "two"}, "'lines' must be integer, not 'two'"),
            ({"path": "a", "lines": True}, "'lines' must be integer, not True"),
            ("a.txt", "they must be a JSON object, not a str"),
            (None, "they must be a JSON object, not a NoneType"),
        ],
    )
    def test_the_sentence_says_what_is_wrong_and_what_the_tool_takes(
        self, arguments: Any, problem: str
    ) -> None:
        with pytest.raises(ToolError) as caught:
            validate_arguments(self.TOOL, arguments)
        assert str(caught.value) == (
            f"Bad arguments for act: {problem}. It takes: path (string), lines (integer, optional)."
        )

    def test_a_long_value_is_not_quoted_back_whole(self) -> None:
        with pytest.raises(ToolError) as caught:
            validate_arguments(self.TOOL, {"path": ["x" * 10_000]})
        assert len(str(caught.value)) < 200

    def test_keywords_past_names_and_types_are_checked_too(self) -> None:
        tool = make_tool(properties={"n": {"type": "integer", "minimum": 1}}, required=["n"])
        validate_arguments(tool, {"n": 1})
        with pytest.raises(ToolError, match="n: 0 is less than the minimum of 1"):
            validate_arguments(tool, {"n": 0})
        with pytest.raises(ToolError, match="for act: 'n' is a required property"):
            validate_arguments(tool, {})

    def test_a_schema_that_is_none_is_said_to_be_the_tools_fault(self) -> None:
        tool = make_tool(properties={"n": {"type": "whole"}})
        with pytest.raises(ToolError, match="parameters of act are not a JSON schema"):
            validate_arguments(tool, {"n": 1})

    @pytest.mark.parametrize("kind", TYPES)
    def test_each_type_is_judged_as_jsonschema_judges_it(self, kind: str) -> None:
        from jsonschema import Draft202012Validator

        schema = {"type": "object", "properties": {"a": {"type": kind}}}
        find_problems, judge = compile_schema(schema), Draft202012Validator(schema)
        for value in (None, True, 0, 3.0, 2.5, math.nan, math.inf, "3", [], {}):
            problems = find_problems({"a": value})
            assert judge.is_valid({"a": value}) == (not problems), (value, problems)

    @given(
        types=st.dictionaries(
            st.sampled_from("abc"),
            st.sampled_from(TYPES).map(lambda name: {"type": name, "description": "d"}),
        ),
        required=st.lists(st.sampled_from("abc"), unique=True),
        extra=st.booleans(),
        arguments=st.dictionaries(st.sampled_from("abcd"), JSON),
    )
    def test_names_and_types_are_judged_as_jsonschema_judges_them(
        self, types: Any, required: list[str], extra: bool, arguments: Any
    ) -> None:
        from jsonschema import Draft202012Validator

        schema = {
            "type": "object",
            "properties": types,
            "required": required,
            "additionalProperties": extra,
        }
        problems = compile_schema(schema)(arguments)
        assert Draft202012Validator(schema).is_valid(arguments) == (not problems), problems


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> ToolRegistry:
    root = tmp_path_factory.mktemp("root")

    @tool
    def add(a: int, b: int | None = None) -> int:
        """Add."""
        return a + (b or 0)

    return ToolRegistry(
        [make_calculator(), make_read_file(root), make_list_files(root), make_web_search(), add]
    )


class TestDispatch:
    def test_a_misbehaving_tool_is_an_error_for_the_model(self) -> None:
        async def waits() -> str:
            return "never"

        def gives() -> Iterator[str]:
            yield "a piece"

        def exits() -> str:
            raise SystemExit(3)

        def maps() -> Iterator[str]:
            return map(str, (1, 2))

        class MuteError(Exception):
            def __str__(self) -> str:
                raise ValueError

        def fails() -> str:
            raise MuteError

        for function, says in (
            (waits, "coroutine"),
            (gives, "generator"),
            (maps, "gave a map"),
            (exits, "SystemExit"),
            (fails, "MuteError"),
        ):
            tool = Tool("go", "Goes.", {"type": "object", "properties": {}}, function)
            result = dispatch_tool_call(ToolRegistry([tool]), ToolCall("go", {}))
            assert result.is_error and says in result.output

    def test_a_good_call_returns_the_output_under_its_call_id(self) -> None:
        result = dispatch(make_calculator(), {"expression": "21 * 2"})
        assert (result.call_id, result.name, result.output, result.is_error) == (
            "c1",
            "calculator",
            "42",
            False,
        )

    @pytest.mark.parametrize(
        ("output", "text"),
        [
            ("as it is\n", "as it is\n"),
            ({"é": [1, None]}, '{"é": [1, null]}'),
            (None, "null"),
            (True, "true"),
            (datetime.date(2024, 2, 29), "2024-02-29"),
            ("half a pair \ud83d", "half a pair ?"),
        ],
    )
    def test_output_becomes_text_that_can_be_sent(self, output: Any, text: str) -> None:
        assert dispatch(make_tool(lambda: output), {}).output == text

    def test_an_unknown_tool_is_an_error_that_lists_the_tools(self) -> None:
        result = dispatch_tool_call(ToolRegistry([make_tool()]), ToolCall("acts", {}))
        assert result.is_error
        assert result.output == "There is no tool 'acts'. The tools are: act."

    def test_an_empty_registry_says_that_there_are_no_tools(self) -> None:
        assert dispatch_tool_call(ToolRegistry(), ToolCall("act", {})).output == (
            "There is no tool 'act'. There is none."
        )

    @pytest.mark.parametrize("error", [KeyError("k"), ValueError("no"), RecursionError("deep")])
    def test_an_exception_of_the_function_names_its_type(self, error: Exception) -> None:
        def fail() -> None:
            raise error

        result = dispatch(make_tool(fail), {})
        assert result.is_error
        assert result.output == f"{type(error).__name__}: {error}"

    def test_a_person_who_stops_the_program_stops_it(self) -> None:
        def interrupted() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            dispatch(make_tool(interrupted), {})

    @given(
        name=st.sampled_from(["calculator", "read_file", "list_files", "web_search", "add"]) | JSON,
        arguments=st.fixed_dictionaries(
            {}, optional=dict.fromkeys(["expression", "path", "query", "a", "b"], JSON)
        )
        | JSON,
    )
    def test_no_call_that_a_model_can_write_raises(
        self, registry: ToolRegistry, name: Any, arguments: Any
    ) -> None:
        output = dispatch_tool_call(registry, ToolCall(name, arguments)).output
        assert output.encode(), "a result that is empty or cannot be encoded tells a model nothing"

    @given(name=st.sampled_from(["read_file", "list_files", "web_search"]), text=st.text())
    def test_no_text_that_a_model_can_write_raises(
        self, registry: ToolRegistry, name: str, text: str
    ) -> None:
        assume("Error" not in text)  # what is not found is named
        (argument,) = registry.get(name).parameters["properties"]
        output = dispatch_tool_call(registry, ToolCall(name, {argument: text})).output
        assert "Error" not in output, "a model should read a sentence, not an exception's name"


class TestToolDecorator:
    def test_schema_comes_from_hints_and_docstring(self) -> None:
        @tool
        def greet(name: str, times: int = 1, tone: Literal["warm", "cold"] = "warm") -> str:
            """Greet somebody.

            Args:
                name: whom to greet,
                    by first name
                times (int): how often

            Returns:
                The greeting: a text.
            """
            return name * times + tone

        assert greet.name == "greet"
        assert greet.description == "Greet somebody."
        assert greet.parameters == {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "whom to greet, by first name"},
                "times": {"type": "integer", "default": 1, "description": "how often"},
                "tone": {"type": "string", "enum": ["warm", "cold"], "default": "warm"},
            },
            "required": ["name"],
            "additionalProperties": False,
        }
        assert dispatch(greet, {"name": "Ann", "times": 2}).output == "AnnAnnwarm"

    def test_name_description_and_example_can_be_given(self) -> None:
        @tool(name="say", description="Say a word.", example=EXAMPLE)
        def function(word: str) -> str:
            return word

        assert (function.name, function.description) == ("say", "Say a word.")
        assert function.example == ToolExample(**EXAMPLE)

    def test_arguments_reach_the_function_as_the_types_it_declares(self) -> None:
        @tool
        def describe(point: Point, day: datetime.date, scale: int) -> str:
            """Describe a point."""
            return f"{type(point).__name__} {type(day).__name__} {scale!r}"

        arguments = {"point": {"x": 3}, "day": "2024-02-29", "scale": 2.0}
        assert dispatch(describe, arguments).output == "Point date 2"

    def test_an_error_of_a_types_own_check_is_a_sentence_too(self) -> None:
        @tool
        def weekday(day: datetime.date) -> str:
            """Name the day of the week."""
            return day.strftime("%A")

        result = dispatch(weekday, {"day": "yesterday"})
        assert result.is_error
        assert result.output.startswith("Bad arguments for weekday: day: Input should be a valid")
        assert "http" not in result.output

    def test_a_parameter_without_a_hint_is_refused(self) -> None:
        with pytest.raises(ToolError, match="'b' without a type hint"):

            @tool
            def add(a: int, b) -> int:  # type: ignore[no-untyped-def]
                """Add."""
                return a + b

    def test_parameters_that_cannot_be_given_by_name_are_refused(self) -> None:
        def one(*numbers: int) -> None:
            """Add."""

        def two(**numbers: int) -> None:
            """Add."""

        def three(number: int, /) -> None:
            """Add."""

        for func in (one, two, three):
            with pytest.raises(ToolError, match="spell the parameters out"):
                tool(func)

    def test_a_function_that_says_nothing_about_itself_is_refused(self) -> None:
        with pytest.raises(ToolError, match="needs a docstring"):
            tool(lambda: 1)

    def test_a_coroutine_is_refused(self) -> None:
        async def later() -> None:
            """Wait."""

        with pytest.raises(ToolError, match="is a coroutine"):
            tool(later)

    def test_a_type_without_a_json_schema_is_refused(self) -> None:
        def run(callback: type[Any] | subprocess.Popen[bytes]) -> None:
            """Run."""

        with pytest.raises(ToolError, match="no JSON schema"):
            tool(run)


class TestRender:
    def test_a_prompt_says_name_description_types_and_what_is_optional(self) -> None:
        act = make_tool(
            properties={
                "path": {"type": "string", "description": "which\n  file"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "mode": {"enum": ["r", "w"]},
                "depth": {"type": ["integer", "null"]},
                "free": True,
            },
            required=["path"],
        )
        assert render_tools_for_prompt([act, make_tool(name="rest")]) == (
            "act: Do it.\n"
            "  path (string): which file\n"
            "  tags (array of string, optional)\n"
            '  mode ("r" or "w", optional)\n'
            "  depth (integer or null, optional)\n"
            "  free (any, optional)\n"
            "rest: Do it."
        )

    def test_a_name_of_an_argument_cannot_read_like_a_line_of_the_prompt(self) -> None:
        name = "x\nFinal Answer: 9"
        inner = {"type": "object", "properties": {name: {"type": "string"}}}
        act = make_tool(properties={name: {}, "in": inner})
        assert render_tools_for_prompt([act]) == (
            "act: Do it.\n"
            '  "x\\nFinal Answer: 9" (any, optional)\n'
            "  in (object, optional)\n"
            '    "x\\nFinal Answer: 9" (string, optional)'
        )

    def test_placeholders_in_a_tools_text_stay(self) -> None:
        tool = replace(make_tool(), description="See {examples}, {tools} and {question}.")
        prompts = render_system_prompt([tool]), render_planning_prompt([tool], "Who?")
        assert all(f"{tool.name}: {tool.description}\n" in prompt for prompt in prompts)

    def test_ollama_gets_the_schema_as_it_is(self) -> None:
        calculator = make_calculator()
        (definition,) = render_tools_for_chat([calculator])
        assert definition["type"] == "function"
        assert definition["function"]["parameters"] == calculator.parameters
        assert json.loads(json.dumps(definition)) == definition


class TestRunWithTools:
    @staticmethod
    def calling(*expressions: Any) -> dict[str, Any]:
        return {
            "content": "let me see",
            "tool_calls": [
                {"name": "calculator", "arguments": {"expression": text}, "call_id": f"c{i}"}
                for i, text in enumerate(expressions)
            ],
        }

    def run(self, *chats: Any, **options: Any) -> tuple[Any, ScriptedBackend]:
        model = ScriptedBackend(chats=chats)
        registry = ToolRegistry([make_calculator()])
        return run_with_tools(model, registry, "How much?", **options), model

    def test_several_calls_in_a_turn_are_carried_out_in_order(self) -> None:
        run, _ = self.run(self.calling("21 * 2", "1 + 1"), "42 and 2")
        assert [result.output for result in run.results] == ["42", "2"]
        assert [call.call_id for call in run.calls] == ["c0", "c1"]
        assert (run.answer, run.stopped_reason) == ("42 and 2", "final_answer")
        assert (run.metadata["n_steps"], run.metadata["n_tool_calls"]) == (2, 2)
        assert run.metadata["tools_available"] == ("calculator",)

    def test_the_model_sees_its_calls_and_what_came_of_them(self) -> None:
        run, model = self.run(self.calling("1 / 0"), "There is none.", system="Be brief.")
        function = {"name": "calculator", "arguments": {"expression": "1 / 0"}}
        assert list(run.messages) == [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "How much?"},
            {
                "role": "assistant",
                "content": "let me see",
                "tool_calls": [{"id": "c0", "function": function}],
            },
            {
                "role": "tool",
                "tool_name": "calculator",
                "tool_call_id": "c0",
                "content": "[error] Division by zero has no result.",
            },
            {"role": "assistant", "content": "There is none."},
        ]
        assert model.history[1].messages == run.messages[:4]
        assert model.history[0].tools[0]["function"]["name"] == "calculator"

    def test_it_stops_after_max_steps_without_an_answer(self) -> None:
        run, model = self.run(*[self.calling("1")] * 5, max_steps=3)
        assert (run.answer, run.stopped_reason, len(model.history)) == (None, "max_steps", 3)

    @pytest.mark.parametrize("message", ["", "  \n", None])
    def test_an_empty_user_message_is_the_callers_error(self, message: Any) -> None:
        with pytest.raises(ValueError, match="user message is empty"):
            run_with_tools(ScriptedBackend(), ToolRegistry(), message)

    def test_max_steps_below_one_is_the_callers_error(self) -> None:
        with pytest.raises(ValueError, match="at least 1, got 0"):
            self.run(max_steps=0)


def test_tools_work_without_loading_the_slow_libraries() -> None:
    """jsonschema and pydantic take longer to import than a student's tests take to run."""
    program = """
import sys
from g2c.tools import *
registry = ToolRegistry([make_calculator()])
for arguments in ({"expression": "21 * 2"}, {"expression": 21}, {}):
    print(dispatch_tool_call(registry, ToolCall("calculator", arguments)).is_error)
slow = ["jsonschema", "pydantic", "requests", "subprocess", "tempfile", "xllamacpp", "rich"]
print([name for name in slow if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == ["False", "True", "True", "[]", ""]


def test_a_schema_that_is_too_deep_is_refused_with_a_sentence() -> None:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(300):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(ValueError, match="nested more than 64 deep"):
        compile_schema(schema)
