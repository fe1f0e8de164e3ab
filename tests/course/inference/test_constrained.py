"""Output that is held to a form, with the real model: what it may be, and that it ends."""

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from g2c.agent import Agent
from g2c.exercises.e19_1_parse_react_step.solution import parse_react_step
from g2c.inference import Backend, EmbeddedBackend, RecordingBackend, ScriptedBackend
from g2c.inference.model_choice import load_prodlm
from g2c.inference.structured.constrained import turn_schema
from g2c.inference.structured.grammars import FRACTION, MAX_NUMBER, as_grammar, close, step_grammar
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools import Tool, ToolRegistry, make_calculator, render_tools_for_chat

NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
ZEROS = 'As JSON: {"n": 1000000000000000000000000000000000000000000000'
THIRD = 'As JSON: {"n": 0.33333333333333333333333333333333333333333333'
ODD = (
    "",
    "Action: x\nAction: x\nAction:",
    "Final Answer: 3\nFinal Answer: 3\nFinal Answer:",
    'Action Input: {"n": 000000000000000000',
    "Observation: x\nObservation: x\nObservation:",
    "\n\n\n\n\n\n\n",
    "Über Straßen — 東京, \N{OCTOPUS}\N{OCTOPUS}",
    '"\\"\\\\\\"{{{{[[[[',
)


@pytest.fixture(scope="module")
def model() -> EmbeddedBackend:
    return EmbeddedBackend()


@pytest.fixture(scope="module")
def guided() -> EmbeddedBackend:
    return EmbeddedBackend(guided=True)


def offer(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "description": f"Do {name}.", "parameters": parameters}
    return {"type": "function", "function": function}


def schema_in(grammar: str) -> dict[str, Any]:
    """The JSON schema that the first rule of a grammar holds."""
    return json.JSONDecoder().raw_decode(grammar.partition("%json ")[2])[0]


class TestNumbers:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("schema", "prompt"),
        [
            (NUMBER, ZEROS),
            (NUMBER, THIRD),
            (INTEGER, ZEROS),
            ({"type": ["number", "null"]}, ZEROS),
            ({"anyOf": [NUMBER, {"type": "null"}]}, THIRD),
            ({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}, THIRD),
            ({"type": "integer", "maximum": -3}, ZEROS),
        ],
    )
    def test_a_model_that_would_go_on_ends_its_number(self, model, schema, prompt):
        result = model.complete_json(prompt, object_schema(n=schema), max_new_tokens=40)

        assert "attempts" not in result.metadata, "the first attempt should have ended"
        n = json.loads(result.completion)["n"]
        assert n is None or abs(n) <= MAX_NUMBER

    def test_a_number_has_an_end_in_the_grammar_wherever_it_stands(self):
        bounds = {"minimum": -MAX_NUMBER, "maximum": MAX_NUMBER}
        ended = {**NUMBER, **bounds, "multipleOf": FRACTION}
        schema = {
            "type": "object",
            "properties": {"a": {"type": "array", "items": NUMBER}, "b": {"anyOf": [NUMBER]}},
            "additionalProperties": NUMBER,
            "$defs": {"c": {"type": "array", "prefixItems": [NUMBER, INTEGER]}},
        }
        held = schema_in(as_grammar(schema))
        assert held["properties"]["a"]["items"] == held["properties"]["b"]["anyOf"][0] == ended
        assert held["additionalProperties"] == ended
        assert held["$defs"]["c"]["prefixItems"] == [ended, {**INTEGER, **bounds}]

    def test_a_schemas_number_bounds_are_kept(self):
        own = {"type": "number", "minimum": 0.5, "exclusiveMaximum": 7, "multipleOf": 0.5}
        for schema in (own, {"type": "integer", "enum": [10**20]}, {"const": 10**20}):
            held = schema_in(as_grammar(object_schema(n=schema)))
            assert held["properties"]["n"] == schema
        large = schema_in(as_grammar({"type": "integer", "minimum": 10**16}))
        assert "maximum" not in large, "no number would be left"

    def test_a_forbidden_argument_is_not_made_smaller(self):
        schema = {"type": "string", "not": NUMBER}
        assert schema_in(as_grammar(schema))["not"] == NUMBER

    def test_the_grammar_of_a_schema_without_numbers_is_that_of_the_schema(self):
        schema = object_schema(word=text_schema(20), more={"type": "array"}, sure={"enum": [1, 2]})
        held = schema_in(as_grammar(schema))
        del held["x-guidance"]
        assert held == schema


class TestOtherArguments:
    def test_a_tool_that_names_its_arguments_takes_no_others(self):
        inner = {"type": "object", "properties": {"cm": NUMBER}}
        parameters = {"type": "object", "properties": {"size": inner, "any": {"type": "object"}}}
        held = turn_schema([offer("cut", parameters)])["$defs"]["cut"]
        assert held["additionalProperties"] is False
        assert held["properties"]["size"]["additionalProperties"] is False
        assert held["properties"]["any"] == {"type": "object"}

    @pytest.mark.parametrize(
        "schema",
        [
            {"type": "object", "properties": {"a": NUMBER}, "additionalProperties": NUMBER},
            {"properties": {"a": NUMBER}, "patternProperties": {"^x": NUMBER}},
            {"allOf": [{"properties": {"a": NUMBER}}, {"properties": {"b": NUMBER}}]},
            {"properties": {"a": NUMBER}, "anyOf": [{"properties": {"b": NUMBER}}]},
        ],
    )
    def test_a_schema_that_may_mean_others_is_left_alone(self, schema):
        assert close(schema) == schema

    @pytest.mark.slow
    @pytest.mark.parametrize("left_out", ["", "unit"])
    def test_arguments_come_in_the_order_of_the_schema_and_optional_ones_may_be_left_out(
        self, model, left_out
    ):
        properties = {"zone": text_schema(8), "unit": {"enum": ["m", "km"]}, "amount": INTEGER}
        parameters = {"type": "object", "properties": properties, "required": ["amount", "zone"]}
        wanted = {"zone": "north", "unit": "km", "amount": 12}
        wanted = {name: value for name, value in wanted.items() if name != left_out}
        said = ", ".join(f"{name} {value}" for name, value in wanted.items())
        messages = [{"role": "user", "content": f"Please measure: {said}."}]
        result = model.chat_with_tools(messages, [offer("measure", parameters)], temperature=0)
        assert [call["arguments"] for call in result.tool_calls] == [wanted]
        assert list(result.tool_calls[0]["arguments"]) == list(wanted)


class TestTheEnd:
    """A reply that `max_new_tokens` would cut off is requested again, with shorter parts."""

    RUNAWAY = 'As JSON: {"words": "' + "and so on " * 30

    @pytest.mark.slow
    def test_a_text_that_never_ends_is_ended(self, model):
        result = model.complete_json(
            self.RUNAWAY, object_schema(words=text_schema()), max_new_tokens=48
        )
        assert 2 <= result.metadata["attempts"] <= 3
        assert len(json.loads(result.completion)["words"]) <= 12
        assert result.completion_tokens > 48, "what the attempts before it cost counts"

    @pytest.mark.slow
    def test_a_list_that_never_ends_is_ended(self, model):
        numbers = 'As JSON: {"n": [' + ", ".join(["1"] * 60)
        schema = object_schema(n={"type": "array", "items": INTEGER})
        result = model.complete_json(numbers, schema, max_new_tokens=64)
        assert json.loads(result.completion)["n"] == [1]

    def test_a_text_that_ends_in_time_is_what_it_was(self, model):
        schema = object_schema(city=text_schema())
        result = model.complete_json('As JSON: {"city": "Paris"}\nAs JSON:', schema)
        assert json.loads(result.completion) == {"city": "Paris"}
        assert "attempts" not in result.metadata

    def test_bounds_keep_to_the_schemas_own(self):
        texts = {
            "a": text_schema(5),
            "b": text_schema(500, min_chars=100),
            "c": {"type": "string", "pattern": "^[a-z]+$"},
            "d": {"enum": ["a long word that stands in a list"]},
            "e": {"type": "array", "minItems": 4, "items": text_schema()},
        }
        held = schema_in(as_grammar(object_schema(**texts), 40))["properties"]
        assert held["a"] == texts["a"] and held["c"] == texts["c"] and held["d"] == texts["d"]
        assert (held["b"]["maxLength"], held["e"]["maxItems"]) == (100, 4)
        assert held["e"]["items"] == text_schema(40)

    @pytest.mark.slow
    def test_a_call_is_not_cut_off(self, model):
        said = "and so on " * 30
        messages = [{"role": "user", "content": f'{{"tool": "say", "arguments": {{"text": "{said}'}]
        parameters = {"type": "object", "properties": {"text": {"type": "string"}}}
        tool = offer("say", {**parameters, "required": ["text"]})
        result = model.chat_with_tools(messages, [tool], temperature=0, max_new_tokens=40)
        assert result.tool_calls or not result.content.startswith("{"), result


class TestSteps:
    TOOLS = tuple(render_tools_for_chat([make_calculator()]))

    @pytest.mark.slow
    @pytest.mark.parametrize("prompt", [ODD[1], ODD[-1]])  # TestRandomTools takes all
    def test_every_step_can_be_read_whatever_the_prompt(self, guided, prompt):
        view = guided.writing_steps(self.TOOLS)
        result = view.complete(f"{prompt}\nThought:", max_new_tokens=64, temperature=2.0)

        step = parse_react_step(result.completion)
        assert step.parse_error is None and step.thought, result.completion
        assert step.final_answer or step.action.tool == "calculator"
        assert step.final_answer or list(step.action.arguments) == ["expression"]

    @pytest.mark.slow
    def test_without_tools_there_is_only_an_answer(self, guided):
        result = guided.writing_steps([]).complete("Thought:", max_new_tokens=32)
        assert parse_react_step(result.completion).final_answer

    @pytest.mark.slow
    def test_a_thought_without_an_end_is_cut_and_the_step_goes_on(self, guided):
        prompt = f"Question: Count.\n\nThought: {' '.join(map(str, range(1, 26)))}"
        result = guided.writing_steps(self.TOOLS).complete(prompt, max_new_tokens=48, temperature=0)
        assert result.metadata["attempts"] > 1
        assert parse_react_step(result.completion).parse_error is None, result.completion

    @pytest.mark.slow
    def test_an_answer_may_be_cut_off(self, guided):
        prompt = "Question: Count.\n\nThought: I count.\nFinal Answer: 1 2 3 4 5 6 7 8 9\n\n"
        result = guided.writing_steps([]).complete(
            prompt * 3 + "Question: Count.\n\nThought:", max_new_tokens=16, temperature=0
        )
        assert "attempts" not in result.metadata
        assert parse_react_step(result.completion).final_answer

    def test_without_guidance_nothing_changes(self, model):
        assert model.writing_steps(self.TOOLS) is model
        assert Backend.writing_steps(ScriptedBackend(["a"]), self.TOOLS).complete("x")

    def test_plain_completions_of_a_guided_backend_are_free(self, model, guided):
        prompt = "The capital of France is"
        free = guided.complete(prompt, max_new_tokens=6, temperature=0).completion
        assert free == model.complete(prompt, max_new_tokens=6, temperature=0).completion

    @pytest.mark.slow
    def test_an_agent_is_guided_through_a_recording_too(self, guided, tmp_path):
        for backend in (guided, RecordingBackend(guided, tmp_path / "run.jsonl")):
            tools = ToolRegistry([make_calculator()])
            agent = Agent(backend, tools, plan=False, max_steps=1, temperature=0.0)
            steps = agent.run("What is 21 * 2?").steps
            assert steps[0].action is not None
            assert steps[0].inference.completion.endswith("}"), "it ends with the JSON"

    def test_the_tools_are_those_that_the_agent_has_at_that_step(self):
        asked = []

        class Noting(ScriptedBackend):
            def writing_steps(self, tools):
                asked.append([tool["function"]["name"] for tool in tools])
                return self

        registry = ToolRegistry([make_calculator()])
        agent = Agent(Noting(["Thought: a.\nFinal Answer: b"] * 2), registry, plan=False)
        agent.run("One?")
        registry.register(Tool("late", "A late tool.", {"type": "object"}, print))
        agent.run("Two?")
        assert asked == [["calculator"], ["calculator", "late"]]

    def test_the_grammar_names_the_end_only_where_it_can(self):
        assert '("\\n" | <|im_end|>)?' in step_grammar([], "<|im_end|>")
        for eos in ("", "a b", "<a b>", '"'):
            assert '"\\n"?' in step_grammar([], eos)

    def test_it_can_be_chosen_by_name(self):
        info = load_prodlm("embedded-guided").info
        assert info.extra["guided"] is True
        assert "guided" not in load_prodlm("embedded").info.extra


def random_schema(rng: random.Random, depth: int) -> dict[str, Any]:
    """A schema of values, as tools have them."""
    kinds = ["text", "number", "integer", "boolean", "enum", "union"]
    match rng.choice([*kinds, "array", "object"] if depth else kinds):
        case "text":
            return {"type": "string", **rng.choice([{}, {"minLength": 1}, {"maxLength": 12}])}
        case "number":
            return {**NUMBER, **rng.choice([{}, {"minimum": 0}, {"minimum": -1, "maximum": 1}])}
        case "integer":
            return {**INTEGER, **rng.choice([{}, {"exclusiveMinimum": 0}, {"maximum": -5}])}
        case "boolean":
            return {"type": "boolean"}
        case "enum":
            return {"enum": rng.sample(["red", "green", "blue", 7, None], rng.randint(1, 4))}
        case "union":
            return {"anyOf": [random_schema(rng, 0), {"type": "null"}]}
        case "array":
            return {"type": "array", "items": random_schema(rng, depth - 1)}
    return random_object(rng, depth - 1)


def random_object(rng: random.Random, depth: int) -> dict[str, Any]:
    names = rng.sample(["alpha", "b", "size_cm", "toDate", "x1", "note"], rng.randint(1, 3))
    return {
        "type": "object",
        "properties": {name: random_schema(rng, depth) for name in names},
        "required": rng.sample(names, rng.randint(0, len(names))),
    }


@pytest.mark.slow
class TestRandomTools:
    """Tools with schemas drawn by lot, at a temperature at which little is likely: one for each odd
    prompt."""

    @staticmethod
    def check(parameters: dict[str, Any], arguments: Any) -> None:
        Draft202012Validator(close(parameters)).validate(arguments)
        order = [name for name in parameters["properties"] if name in arguments]
        assert list(arguments) == order

    @pytest.mark.parametrize("seed", range(len(ODD)))
    def test_a_structured_call_is_valid(self, seed):
        parameters = random_object(random.Random(seed), 2)
        messages = [{"role": "user", "content": f"Call the tool. {random.Random(seed).random()}"}]
        model = EmbeddedBackend(seed=seed)
        result = model.chat_with_tools(
            messages, [offer("act", parameters)], temperature=2.0, top_k=1000, max_new_tokens=96
        )
        for call in result.tool_calls:
            self.check(parameters, call["arguments"])
        assert result.tool_calls or not result.content.startswith('{"tool"'), result

    @pytest.mark.parametrize("seed", range(len(ODD)))
    def test_a_step_of_text_is_valid(self, seed):
        parameters = random_object(random.Random(seed), 2)
        model = EmbeddedBackend(seed=seed, guided=True).writing_steps([offer("act", parameters)])
        prompt = f"{ODD[seed]}\n\nThought: I call act.\nAction: act\n\nThought:"
        result = model.complete(prompt, temperature=2.0, top_k=1000, max_new_tokens=96)

        step = parse_react_step(result.completion)
        assert step.parse_error is None, result
        if step.action and not step.final_answer:
            assert step.action.tool == "act"
            self.check(parameters, step.action.arguments)
