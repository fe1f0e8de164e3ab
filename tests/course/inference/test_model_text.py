"""Texts beside a model's or a server's answer: thinking, calls as text, texts without an end."""

import json
from pathlib import Path
from typing import Any

import pytest
from cases import each
from openai_server import CHAT, OpenAIServer, events, piece

from g2c.agent import Agent, AgentStep, NativeAgent, Plan, make_plan, parse_react_step
from g2c.critic.app.roles import Generator
from g2c.inference import Backend, BackendInfo, ScriptedBackend
from g2c.inference.scripted import Cut
from g2c.inference.served.openai import OpenAICompatibleBackend
from g2c.inference.structured.thinking import split_thinking
from g2c.inference.structured.written_calls import find_written_calls
from g2c.tools import ToolRegistry, make_calculator, make_write_file, run_with_tools

OTHER = '{"name": "calculator", "arguments": {"expression": "2 * 3"}}'
ARGUMENTS = '{"expression": "12 * 3"}'
CALL = f'{{"name": "calculator", "arguments": {ARGUMENTS}}}'


def run(
    kind: type[Agent], *said: Any, **options: Any
) -> tuple[tuple[AgentStep, ...], ScriptedBackend]:
    model = ScriptedBackend(said) if kind is Agent else ScriptedBackend(chats=said)
    agent = kind(model, ToolRegistry([make_calculator()]), plan=False, **options)
    return agent.run("What is 12 * 3?").steps, model


class TestThinking:
    @each(
        [
            "<think>\nTwelve threes.\n</think>\n\nIt is 36.",
            "<think>Twelve threes.</think>It is 36.",
            "\n <THINK>Twelve threes.</THINK> It is 36.",
            "Twelve threes.\n</think>\n\nIt is 36.",
            "Twelve threes.</think>\nIt is 36.",
            "Twelve threes.</think>It is 36.",
            "Twelve threes. </think>It is 36.",
            "<think >Twelve threes.</think >It is 36.",
            "<think>Twelve threes.</think>\n</think>It is 36.",
            "<|think|>Twelve threes.<|/think|>It is 36.",
            "<unused94>thought\nTwelve threes.<unused95>It is 36.",
            "<|START_THINKING|>Twelve threes.<|END_THINKING|><|START_RESPONSE|>It is 36."
            "<|END_RESPONSE|>",
            "<|begin_of_thought|>Twelve threes.<|end_of_thought|>\n\n<|begin_of_solution|>It is 36."
            "<|end_of_solution|>",
            "\ufeff<think>Twelve threes.</think>It is 36.",
            "<think>Twelve threes.</thinking>It is 36.",
            "<think time=3>Twelve threes.</think>It is 36.",
            "<mm:think>Twelve threes.</mm:think>It is 36.",
            "<|begin_of_thought|>Twelve threes.<|end_of_thought|>It is 36.",
            "<|channel>thoughtTwelve threes.<channel|>It is 36.",
            "<|start|>assistant<|channel|>analysis<|message|>Twelve threes.<|end|>"
            "<|start|>assistant<|channel|>final<|message|>It is 36.",
            "<thinking>Twelve threes.</thinking>It is 36.",
            "<think>\nTwelve threes.\n</think>\n<answer>\nIt is 36.\n</answer>",
            "Twelve threes.\n</think>\n<answer>It is 36.",
            "analysisTwelve threes.assistantfinalIt is 36.",
            "[THINK]Twelve threes.[/THINK]It is 36.",
            "<think></think><think>Twelve threes.</think>It is 36.",
            "<|channel|>analysis<|message|>Twelve threes.<|end|><|start|>assistant<|channel|>final"
            "<|message|>It is 36.",
        ]
    )
    def test_it_is_not_part_of_the_answer(self, text):
        assert split_thinking(text) == ("Twelve threes.", "It is 36.")

    @each(["</think>\n\nIt is 36.", "<think>\n\n</think>\n\nIt is 36.", "<think></think>It is 36."])
    def test_it_may_be_empty(self, text):
        assert split_thinking(text) == ("", "It is 36.")

    @each(
        [
            "I look.\n<think>Maybe 30</think>\nIt is 36.",
            "I look.\n<think>Maybe 30\n</think>It is 36.",
            "I look. \n[THINK]Maybe 30[/THINK]\n\nIt is 36.",
        ]
    )
    def test_it_may_stand_between_two_parts_of_an_answer(self, text):
        thinking, said = split_thinking(text)
        assert (thinking, said.split()) == ("Maybe 30", ["I", "look.", "It", "is", "36."])

    def test_a_thought_may_begin_with_it(self):
        said = "Thought: <think>Maybe\nFinal Answer: 30</think>\nFinal Answer: 36"
        (step,), _ = run(Agent, said)
        assert step.final_answer == "36"

    @each(["<think>I begin", "<think>\nFinal Answer: 30?", "<think>a</think><think>I begin"])
    def test_thinking_without_an_end_leaves_no_answer(self, text):
        assert split_thinking(text)[1] == ""

    @each(
        [
            "It is 36.",
            "Write <think> before it and </think> after it.",
            "The tag that ends the thinking is </think>",
            "Two tags:\n</think> ends it.",
            "The tag </think>closes what a model thinks.",
            "It closes with a tag, </think>that is.",
            "It is written so:\n```\n<think>\nHm.\n</think>\n```\nby the model.",
            "Here it is:\n<reasoning>\nBecause.\n</reasoning>\n<verdict>ok</verdict>",
            "The tag <think>\nends with\n</think>\nalways.",
            'The tag "</think>" ends it.',
            "I think so.",
            "analysis is what I did.",
            "<answer>It is 36.</answer>",
            "",
        ]
    )
    def test_an_answer_may_speak_of_it(self, text):
        assert split_thinking(text) == ("", text)

    @each([Agent, NativeAgent])
    def test_a_draft_in_it_is_neither_an_answer_nor_an_action(self, kind):
        draft = "<think>Maybe\nFinal Answer: 30?\nAction: search\n</think>\n"
        said = f"Final Answer: {36}" if kind is Agent else "36"
        (step,), _ = run(kind, draft + said)
        assert (step.final_answer, step.action) == ("36", None)
        assert step.inference and "30?" in step.inference.metadata["thinking"]

    def test_a_marker_in_it_does_not_stop_the_model(self):
        said = "<think>I need\nObservation: 30\n</think>\nFinal Answer: 36"
        (step,), _ = run(Agent, said, said)
        assert step.final_answer == "36"

    def test_json_may_follow_it(self):
        with OpenAIServer() as server:
            server.on(CHAT, events(piece("stop", content='<think>Hm.</think>{"n": 1}')))
            model = OpenAICompatibleBackend(f"{server.url}/v1", "Qwen/Qwen3-8B")
            result = model.complete_json("n?", {"type": "object"})
            assert json.loads(result.completion) == {"n": 1}


FORMS = {
    "JSON": CALL,
    "JSON in a fence": f"```json\n{CALL}\n```",
    "JSON in a fence after words": f"I add.\n```json\n{CALL}\n```",
    "a list": f"[{CALL}]",
    "parameters": CALL.replace("arguments", "parameters"),
    "a function without its type": f'{{"function": {CALL}}}',
    "with its type": f'{{"type": "function", "function": {CALL}}}',
    "Hermes, Qwen": f"<tool_call>\n{CALL}\n</tool_call>",
    "after words": f"I add.\n\n<tool_call>\n{CALL}\n</tool_call>",
    "without an end": f"<tool_call>\n{CALL}",
    "Llama 3.1": f'<|python_tag|>{{"name": "calculator", "parameters": {ARGUMENTS}}}',
    "Llama 3's function": f"<function=calculator>{ARGUMENTS}</function>",
    "Mistral": f"[TOOL_CALLS] [{CALL}]",
    "Mistral's newer one": f"[TOOL_CALLS]calculator[ARGS]{ARGUMENTS}",
    "Phi": f"<|tool_call|>[{CALL}]<|/tool_call|>",
    "functools": f"functools[{CALL}]",
    "Qwen's coder": "<tool_call>\n<function=calculator>\n<parameter=expression>\n12 * 3\n"
    "</parameter>\n</function>\n</tool_call>",
    "GLM": "<tool_call>calculator\n<arg_key>expression</arg_key>\n<arg_value>12 * 3</arg_value>\n"
    "</tool_call>",
    "DeepSeek": "<\uff5ctool▁calls▁begin\uff5c><\uff5ctool▁call▁begin\uff5c>function<\uff5ctool▁sep"
    f"\uff5c>calculator\n```json\n{ARGUMENTS}\n```<\uff5ctool▁call▁end\uff5c>",
    "gpt-oss": "<|channel|>commentary to=functions.calculator <|constrain|>json<|message|>"
    f"{ARGUMENTS}<|call|>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.calculator:0"
    f"<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|>",
    "Command R": 'Action: ```json\n[{"tool_name": "calculator", "parameters": '
    f"{ARGUMENTS}}}]\n```",
    "LFM": '<|tool_call_start|>[calculator(expression="12 * 3")]<|tool_call_end|>',
    "Python": '[calculator(expression="12 * 3")]',
    "Gemma": '```tool_code\nprint(calculator(expression="12 * 3"))\n```',
    "JSON in a tag": f"<TOOLCALL>[{CALL}]</TOOLCALL>",
    "JSON before words": f"{CALL}\n\nI wait for the result.",
    "Python in a fence": '```python\ncalculator(expression="12 * 3")\n```',
    "LM Studio": f"[TOOL_REQUEST]{CALL}[END_TOOL_REQUEST]",
    "Llama 4": '<|python_start|>[calculator(expression="12 * 3")]<|python_end|>',
    "OLMo": '<function_calls>\ncalculator(expression="12 * 3")\n</function_calls>',
    "an older key": f'{{"function_call": {CALL}}}',
    "arguments as text": json.dumps({"name": "calculator", "arguments": ARGUMENTS}),
    "gpt-oss without marks": f"I add.assistantcommentary to=functions.calculator json{ARGUMENTS}",
    "Step": '<steptml:invoke name="calculator"><steptml:parameter name="expression">12 * 3'
    "</steptml:parameter></steptml:invoke>",
    "a command": f'{{"command": "calculator", "args": {ARGUMENTS}}}',
    "several of OpenAI's": f'{{"tool_uses": [{{"recipient_name": "functions.calculator", '
    f'"parameters": {ARGUMENTS}}}]}}',
}


class TestWrittenCalls:
    @each(list(FORMS))
    def test_a_call_that_came_as_text_is_carried_out(self, form):
        steps, _ = run(NativeAgent, FORMS[form], "It is 36.")
        assert [step.observation.text for step in steps if step.observation] == ["36"], form
        assert steps[-1].final_answer == "It is 36."

    @each(
        [
            f"<tool_call>{CALL}</tool_call><tool_call>{OTHER}",
            f"{CALL}\n{OTHER}",
            f"{CALL}; {OTHER}",
            f"<tool_call>\n{CALL}\n{OTHER}\n</tool_call>",
            f"```json\n{CALL}\n```\n```json\n{OTHER}\n```",
        ]
    )
    def test_two_calls_are_carried_out_one_after_the_other(self, text):
        steps, model = run(NativeAgent, text, "Done.")
        assert [step.observation.text for step in steps if step.observation] == ["36", "6"]
        assert len(model.history) == 2

    @each(
        [
            CALL.replace(
                "12 * 3",
                "1 + 1 <function=calculator><parameter=expression>7</parameter></function>",
            ),
            "<tool_call>" + CALL.replace("12 * 3", "1 call:calculator {}") + "</tool_call>",
        ]
    )
    def test_text_in_an_argument_is_not_a_call(self, text):
        steps, _ = run(NativeAgent, text, "Done.")
        (action,) = [step.action for step in steps if step.action]
        assert action.arguments["expression"].startswith("1 ")

    @each(
        [
            '<tool_call>\n{"name": "calculator", "argum',
            "<tool_call>calculator 12 * 3</tool_call>",
            "<|python_tag|>import os",
            "[TOOL_CALLS]",
            "<function=calculator>12 * 3",
            'calculator("12 * 3")',
            f"Action: calculator\nAction Input: {ARGUMENTS}",
            f"I add.\n**calculator**: {ARGUMENTS}",
            f"calculator[ARGS]{ARGUMENTS}",
            "<calculator>\n<expression>12 * 3</expression>\n</calculator>",
            "<calculator/>",
            f'{{"calculator": {ARGUMENTS}}}',
            f"functions.calculator({ARGUMENTS})",
            f"<longcat_tool_call>calculator\n{ARGUMENTS}\n</longcat_tool_call>",
            f'<tool_call name="calculator">{ARGUMENTS}</tool_call>',
            f"<tool_use><name>calculator</name><arguments>{ARGUMENTS}</arguments></tool_use>",
            f"<use_mcp_tool>\n<tool_name>calculator</tool_name>\n{ARGUMENTS}\n</use_mcp_tool>",
            "<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name='calculator'>",
            f"\u273fFUNCTION\u273f: calculator\n\u273fARGS\u273f: {ARGUMENTS}",
            CALL.removesuffix("}"),
            CALL.replace('"', "'"),
            f"I add first.\nCalling calculator with {ARGUMENTS}",
            f"Tool: calculator\nArguments: {ARGUMENTS}",
            f"tool_call: `calculator` with the arguments:\n```json\n{ARGUMENTS}\n```",
            "<calculator expression='12 * 3' />",
            f"I will add. {CALL}",
            f"I will add: [{CALL}]",
            "<start_function_call>call:calculator{expression:<escape>12 * 3<escape>}"
            "<end_function_call>",
            '<TOOLCALL>[calculator(expression="12 * 3")]</TOOLCALL>',
            '<xai:function_call name="calculator"><parameter name="expression">12</parameter>'
            "</xai:function_call>",
            f"<|assistant|>calculator\n{ARGUMENTS}",
            f">>>calculator\n{ARGUMENTS}",
            f"**Action:** calculator\n**Action Input:** {ARGUMENTS}",
            '@calculator(expression="12 * 3")',
            f"Thought: I add.\nAction: calculator\nAction Input: {ARGUMENTS}\nObservation: 9\n9",
            'result = calculator(expression="12 * 3")',
            f"**Tool call:** `calculator`\n**Arguments:** `{ARGUMENTS}`",
            "tool: calculator\narguments:\n  expression: 12 * 3",
            f'<|tools_prefix|>[{{"calculator": {ARGUMENTS}}}]<|tools_suffix|>',
        ]
    )
    def test_a_call_that_cannot_be_read_goes_back_to_the_model(self, text):
        steps, _ = run(NativeAgent, text, "It is 36.")
        assert steps[0].final_answer is None and "is a call of a tool" in str(steps[0].parse_error)
        assert steps[-1].final_answer == "It is 36."

    def test_an_answer_by_the_text_protocol_is_not_a_call_either(self):
        steps, _ = run(Agent, f"Final Answer: <tool_call>{CALL}</tool_call>", "Final Answer: 36")
        assert [step.final_answer for step in steps] == [None, "36"]

    def test_a_call_of_an_unknown_tool_goes_back_to_the_model(self):
        steps, _ = run(NativeAgent, CALL.replace("calculator", "sum"), "It is 36.")
        assert steps[0].observation and steps[0].observation.is_error

    @each(
        [
            "It is 36.",
            '{"name": "Ada", "age": 36}',
            "[" * 99_999,
            '{"calculator": "It adds."}',
            "[1, 2]",
            "Qwen writes `<tool_call>` before a call.",
            f"It is written so:\n```\n<tool_call>\n{CALL}\n</tool_call>\n```\nand ends there.",
            f"A call such as {CALL} has two keys.",
            f"A call has two keys: `{CALL}`",
            f'In a test it is called as "{CALL}"',
            'Its first line is {"name": "calculator", "version": "1.0"}',
            "Send it to=functions.md {draft}",
            "print(36)",
            "max(1, 2)",
            "See [Ada](x).",
            f"The note says:\n\n{CALL}\n\nThat is all it says.",
            f"The note says:\n```json\n{CALL}\n```\nand no more.",
            f"~~~\n<tool_call>\n{CALL}\n</tool_call>\n~~~\nis its form.",
            f"The format is:\n\nAction: calculator\nAction Input: {ARGUMENTS}\n\nThat is it.",
            "Hermes puts each call between <tool_call> and </tool_call>.",
            "Mistral writes [TOOL_CALLS] before its calls.",
            "| <tool_call> | begins |",
            "Please call:Ada {ext. 7}",
            '{"name": "calculator", "version": "1.0"}',
            'I have these tools:\n\n- calculator: {"expression": "text"}',
            '{"name": "gain", "parameters": {"db": 3}}',
            "The calculator says {36}.",
            "The calculator: it adds.",
            "Using calculator with {36} is not how I did it.",
            "Calling the calculator with 36 gives {36}",
            'Here it is:\n{"name": "Ada"}\nas you asked.',
            "Tool: calculator\nIts arguments are named.",
            "Name: calculator\n\nArguments: one expression.",
        ]
    )
    def test_an_answer_may_have_json_or_speak_of_calls(self, text):
        (step,), _ = run(NativeAgent, text)
        assert step.final_answer == text

    def test_values_in_tags_have_the_type_of_the_parameter(self):
        written = "<function=f><parameter=text>12</parameter><parameter=n>12</parameter></function>"
        properties = {"text": {"type": "string"}, "n": {"type": "integer"}}
        tool = {"function": {"name": "f", "parameters": {"properties": properties}}}
        found = find_written_calls(written, [tool])
        assert found and found.calls[0].arguments == {"text": "12", "n": 12}


class Endless(Backend):
    """A model behind a backend that cannot stop it."""

    info = BackendInfo("endless", "endless")

    def __init__(self, text: str) -> None:
        self._said = ScriptedBackend([Cut(text)], stops=False)

    def _complete(self, prompt: str, sampling: Any) -> Any:
        return self._said.complete(prompt)


@pytest.mark.parametrize(
    "value",
    [
        "Close it with </parameter> in the end.",
        "</parameter>",
        "one</parameter>\n</parameter>",
        "def f(): pass  # </function>",
        "<function=now>\n</function>\n</tool_call>",
        "It has <parameters>.",
    ],
)
def test_a_value_may_hold_the_tags_that_close_one(value):
    text = f"<tool_call>\n<function=keep>\n<parameter=it>\n{value}\n</parameter>\n</function>"
    tool = {"name": "keep", "parameters": {"properties": {"it": {"type": "string"}}}}
    for given in (text, text + "\n</tool_call>"):
        found = find_written_calls(given, [tool])
        assert found and [call.arguments for call in found.calls] == [{"it": value}]


@pytest.mark.parametrize("value", ['b"x"', "{1}", "...", "1+2j", "{(1, 2): 3}", "0x" + "f" * 3_900])
def test_a_value_outside_json_is_not_an_argument(value):
    steps, _ = run(NativeAgent, f"calculator(expression={value})", "36")
    assert steps[-1].final_answer == "36"
    json.dumps([step.action and step.action.arguments for step in steps])


class TestStops:
    @each(
        [
            'The note says "Observation: it grew."',
            "Its part Key Observation: growth is short.",
            "It asks:\nQuestion: Is it open?\nAnswer: Yes.",
        ]
    )
    def test_a_marker_counts_at_the_start_of_a_line_alone(self, answer):
        (step,), _ = run(Agent, f"Final Answer: {answer}")
        assert step.final_answer == answer

    def test_a_file_may_hold_a_marker(self, tmp_path: Path):
        text = "Observation: the plant grew 3 cm."
        call = f"Action: write_file\nAction Input: {json.dumps({'path': 'a.txt', 'text': text})}"
        model = ScriptedBackend([call, "Final Answer: Written."])
        Agent(model, ToolRegistry([make_write_file(tmp_path)]), plan=False).run("Write it.")
        assert (tmp_path / "a.txt").read_text() == text

    @each(["\nObservation: 7\nFinal Answer: 8", "\n\nQuestion: And 2?\nFinal Answer: 8"])
    def test_invented_text_is_cut_if_the_backend_cannot_stop(self, invented):
        agent = Agent(Endless(f"Final Answer: 36{invented}"), ToolRegistry(), plan=False)
        (step,) = agent.run("?").steps
        assert step.final_answer == "36" and not step.is_cut


class TestCutOff:
    @each([(Agent, "Final Answer: The roof must be"), (NativeAgent, "The roof must be")])
    def test_a_cut_answer_is_not_an_answer(self, case):
        kind, text = case
        steps, _ = run(kind, Cut(text), text)
        assert steps[0].is_cut and steps[0].final_answer is None
        assert "cut off at the limit of" in str(steps[0].parse_error)
        assert steps[1].final_answer == "The roof must be"

    def test_the_model_reads_that_it_was_cut(self):
        _, model = run(Agent, Cut("Final Answer: The roof"), "Final Answer: 36")
        assert "cut off" in model.history[1].prompt

    def test_arguments_that_were_cut_are_said_to_be_cut(self):
        said = {"content": Cut(""), "tool_calls": [{"name": "calculator", "arguments": '{"exp'}]}
        steps, _ = run(NativeAgent, said, "36")
        assert "cut off" in str(steps[0].parse_error)

    def test_a_whole_action_is_carried_out_although_what_follows_was_cut(self):
        action = f"Action: calculator\nAction Input: {ARGUMENTS}"
        steps, _ = run(Agent, Cut(action), "Final Answer: 36")
        assert steps[0].observation and steps[0].observation.text == "36"

    @each([Agent, NativeAgent])
    def test_thinking_that_took_all_tokens_is_said_to_have_done_so(self, kind):
        steps, _ = run(kind, Cut("<think>Let me see"), "Final Answer: 36")
        assert "thinking was cut off" in str(steps[0].parse_error)

    def test_the_run_says_how_many_steps_were_cut(self):
        model = ScriptedBackend([Cut("Final Answer: The"), "Final Answer: 36"])
        result = Agent(model, ToolRegistry(), plan=False).run("?")
        assert result.n_cut == 1 and "Cut off by the token limit: 1 of 2" in result.to_markdown()

    def test_the_last_step_of_a_cut_plan_is_left_out(self):
        model = ScriptedBackend([Cut(" add\n1. Look.\n2. Rea")])
        assert make_plan(model, (), "Add") == Plan("add", ("Look.",))

    def test_a_draft_without_an_end_is_told(self):
        told = []
        Generator(ScriptedBackend([Cut("The roof must"), "It leaks."]), on_cut=told.append)("Write")
        assert len(told) == 1 and "has no end" in told[0]

    def test_the_plain_loop_names_it(self):
        model = ScriptedBackend(chats=[Cut("The roof must be")])
        assert run_with_tools(model, ToolRegistry(), "Why?").stopped_reason == "cut_off"

    def test_a_step_may_have_more_tokens_with_a_model_that_may_think(self):
        small = BackendInfo("embedded", "SmolLM2", {"note": "It is small."})
        assert small.step_tokens(small=120) == 120
        assert BackendInfo("ollama", "qwen3").step_tokens(small=120) >= 1024


def test_a_final_answer_is_read_as_it_stands():
    assert parse_react_step("Final Answer: a <think> tag").final_answer == "a <think> tag"
