"""The parts of module 19 around the exercises."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import each
from ollama_server import OllamaServer, lines

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
    ask_several,
    make_plan,
    render_plan_block,
    render_planning_prompt,
    render_system_prompt,
)
from g2c.agent.app.native import _chat_to_step, _history_to_messages
from g2c.inference import (
    BackendError,
    ChatResult,
    EmbeddedBackend,
    InferenceResult,
    OllamaBackend,
    ScriptedBackend,
)
from g2c.tools import Tool, ToolError, ToolRegistry, make_calculator


def make_registry() -> ToolRegistry:
    """Two tools: one gives back what it is told, one always fails."""
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}

    def fail() -> str:
        raise ToolError("the disk is on fire")

    return ToolRegistry(
        [
            Tool("echo", "Gives the text back.", text, lambda text: f"heard {text}"),
            Tool("fail", "Always fails.", {"type": "object"}, fail),
        ]
    )


STEP = AgentStep("", "I need it.", Action("echo", {"text": "a"}), Observation("heard a"))


class TestPlanData:
    def test_steps_are_kept_as_a_tuple(self) -> None:
        assert Plan("g", ["a", "b"]).steps == ("a", "b")  # type: ignore[arg-type]

    @each(["", "  ", None, 3])
    def test_a_goal_must_be_text(self, goal: Any) -> None:
        with pytest.raises(AgentError, match="goal"):
            Plan(goal, ("a",))

    @each([(), ("",), ("a", " "), ("a", None), "look"])
    def test_steps_must_be_texts(self, steps: Any) -> None:
        with pytest.raises(AgentError, match="step"):
            Plan("g", steps)

    def test_the_block_numbers_the_steps(self) -> None:
        assert render_plan_block(Plan("g", ("a", "b"))) == "Plan: g\n1. a\n2. b"
        assert render_plan_block(None) == ""

    def test_the_prompt_shows_tools_and_question_and_ends_with_goal(self) -> None:
        prompt = render_planning_prompt(make_registry(), "Who {is} it?")
        assert "echo" in prompt and "Question: Who {is} it?" in prompt
        assert prompt.endswith("Goal:")

    def test_a_model_that_cannot_be_asked_gives_no_plan(self) -> None:
        backend = ScriptedBackend([BackendError("gone")])
        assert make_plan(backend, make_registry(), "m") is None

    @each(["", " \n"])
    def test_without_a_message_no_model_is_asked(self, message: str) -> None:
        backend = ScriptedBackend(["g\n1. look"])
        with pytest.raises(ValueError, match="user_message is empty"):
            make_plan(backend, make_registry(), message)
        assert not backend.history

    @each([" solve\n1. look\n2. say", "Goal: solve\n1. look\n2. say"])
    def test_a_completion_goes_on_after_the_prompts_last_word(self, completion: str) -> None:
        backend = ScriptedBackend([f"{completion}\n\nQuestion: and?\n\nGoal: more\n3. sleep"])
        assert make_plan(backend, make_registry(), "m") == Plan("solve", ("look", "say"))
        assert backend.history[0].prompt.endswith("\n\nQuestion: m\n\nGoal:")

    @each(
        [
            "Goal: solve\n1. look\n2. say",
            "Sure!\n\nGoal: solve\n\n1. look\n2. say\n\nShall I begin?",
            "Here is the plan:\n\n**Goal:** solve\n1. **look**\n2. say",
            "Sure! 1 moment.\r\n### Goal: solve\r\n> 1. look\r\n> 2. say",
        ]
    )
    def test_a_chats_reply_has_a_beginning_of_its_own(self, reply: str) -> None:
        backend = ScriptedBackend([reply], continues_prompt=False)
        assert make_plan(backend, make_registry(), "m") == Plan("solve", ("look", "say"))
        assert backend.history[0].prompt.endswith("\n\nQuestion: m")
        assert backend.history[0].stop == ()

    def test_a_chats_reply_without_a_goal_is_a_plan_for_the_question(self) -> None:
        backend = ScriptedBackend(["Sure!\n\n1. look\n2. say"], continues_prompt=False)
        assert make_plan(backend, make_registry(), "m") == Plan("m", ("look", "say"))

    @pytest.mark.slow
    def test_the_small_model_plans_whether_it_continues_or_chats(self) -> None:
        model = EmbeddedBackend()
        plans = [
            make_plan(backend, [make_calculator()], "What is 12 * 12, minus 4?")
            for backend in (model, model.as_chat())
        ]
        assert model.continues_prompt and not model.as_chat().continues_prompt
        assert plans[0] and plans[0].steps and "Goal" not in plans[0].goal, plans[0]
        assert plans[1] is None or (plans[1].steps and "Goal" not in plans[1].goal), plans[1]

    def test_ollama_is_asked_for_a_plan_in_a_chat_unless_it_is_raw(self) -> None:
        plan = "Goal: solve\n1. look"
        with OllamaServer() as ollama:
            message = {"role": "assistant", "content": f"Sure!\n\n{plan}"}
            ollama.on("/api/chat", lines({"message": message, "done": True}))
            ollama.on("/api/generate", lines({"response": plan[5:], "done": True}))
            for raw in (False, True):
                backend = OllamaBackend("llama3.2:3b", base_url=ollama.url, raw=raw)
                assert make_plan(backend, make_registry(), "m") == Plan("solve", ("look",))
        sent = {request.path: request.body for request in ollama.requests}
        assert "stop" not in sent["/api/chat"]["options"]
        assert "\n\n" in sent["/api/generate"]["options"]["stop"]


class TestScratchpadBasics:
    def test_it_keeps_steps_in_order(self) -> None:
        pad = Scratchpad()
        other = replace(STEP, thought="Again.")
        pad.append(STEP)
        pad.append(other)
        assert len(pad) == 2 and pad.steps == (STEP, other)

    @each(["x", None, ParsedStep("x")])
    def test_only_a_step_can_be_added(self, step: Any) -> None:
        with pytest.raises(AgentError, match="holds AgentSteps"):
            Scratchpad().append(step)

    @each([0, -1, "10", 1.5])
    def test_a_cap_must_be_a_positive_number(self, bound: Any) -> None:
        with pytest.raises(AgentError, match="max_chars"):
            Scratchpad(bound)


class TestAgentRunResult:
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

    def test_a_file_that_is_not_a_run_is_refused(self, tmp_path: Path) -> None:
        for text in ("", "{}", "[]", "null", '{"user_message": 1}', "\x00"):
            (tmp_path / "x.json").write_text(text)
            with pytest.raises(AgentError, match=r"x\.json is not a run"):
                AgentRunResult.load(tmp_path / "x.json")

    def test_as_markdown_it_shows_every_part(self) -> None:
        page = self.result().to_markdown()
        for part in ("What is it?", "1. a", "`a`", '{"b": [1]}', "(error)", "Action is missing."):
            assert part in page
        assert "````\n``` o\n````" in page, "a fence must be longer than those in the text"


class TestMemoryOfARun:
    def test_an_echo_of_the_question_is_not_kept_as_an_answer(self) -> None:
        class Kept:
            def __init__(self) -> None:
                self.turns: list[tuple[str, str]] = []

            def context(self) -> str:
                return ""

            def log_turn(self, role: str, content: str) -> None:
                self.turns.append((role, content))

        for answer, is_kept in (
            ("my cat is Otto (2026-04-21.jsonl:3)", False),
            ("Your cat is Otto.", True),
            ("", True),
        ):
            kept = Kept()
            model = ScriptedBackend([f" I know.\nFinal Answer: {answer}"])
            Agent(model, make_registry(), plan=False, max_steps=1, memory=kept).run(
                "My cat is Otto."
            )
            assert kept.turns[0] == ("user", "My cat is Otto.")
            assert [role for role, _ in kept.turns[1:]] == ["assistant"] * is_kept


class TestAgentSetup:
    @each(
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
        ]
    )
    def test_a_bad_option_is_refused_at_once(self, options: dict[str, Any]) -> None:
        with pytest.raises(AgentError, match=next(iter(options)).removeprefix("scratchpad_")):
            Agent(ScriptedBackend(), ToolRegistry(), **options)

    @each([(None, ToolRegistry()), (ScriptedBackend(), [])])
    def test_backend_and_registry_must_be_such(self, parts: Any) -> None:
        with pytest.raises(AgentError):
            Agent(*parts)

    def test_without_tools_the_system_prompt_says_so(self) -> None:
        assert "(no tools registered)" in render_system_prompt([])

    def test_the_system_prompt_shows_the_worked_example_of_a_tool(self) -> None:
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
        agent = Agent(ScriptedBackend(), make_registry())
        assert agent.act(Action("echo", {"text": "a"})) == Observation("heard a")
        assert agent.act(Action("fail", {})).is_error


class TestAskSeveral:
    def asked(self, *answers: str, most: int = 5) -> tuple[str | None, list[int]]:
        """The answer that the samples' `answers` settle on, and the seeds that were asked for."""
        seeds = []

        def make_agent(seed: int) -> Agent:
            seeds.append(seed)
            said = f"Final Answer: {answers[seed]}" if answers[seed] else "Hm."
            return Agent(ScriptedBackend([said]), make_registry(), plan=False, max_steps=1)

        several = ask_several(make_agent, "How many?", most)
        assert [run.final_answer or "" for run in several.runs] == list(answers)
        return several.answer, seeds

    def test_it_asks_until_the_answer_is_settled(self):
        assert self.asked("7", "It is 7.0.", "7 coins") == ("7", [0, 1, 2])
        assert self.asked("7", "9", "", "9", "7") == ("7", [0, 1, 2, 3, 4])

    def test_it_asks_no_more_than_it_may(self):
        assert self.asked("", "", most=2) == (None, [0, 1])
        assert self.asked("7", most=1) == ("7", [0])

    @each([0, -1])
    def test_nobody_cannot_be_asked(self, most):
        with pytest.raises(ValueError, match="most must be at least 1"):
            ask_several(lambda seed: pytest.fail("it was asked"), "How many?", most)


class TestNativeWrapping:
    def chat(self, content: str = "", *calls: tuple[str, Any]) -> ChatResult:
        made = tuple({"name": n, "arguments": a, "call_id": "c"} for n, a in calls)
        return ChatResult(content, made, 1, 1, 1.0, "scripted")  # type: ignore[arg-type]

    def run(self, *replies: str) -> tuple[AgentStep, ...]:
        return (
            NativeAgent(ScriptedBackend(chats=replies), make_registry(), plan=False).run("?").steps
        )

    def test_a_call_becomes_an_action(self) -> None:
        step = _chat_to_step(self.chat("I need it.", ("echo", {"text": "a"})))
        assert step == ParsedStep("I need it.", Action("echo", {"text": "a"}))

    def test_text_becomes_the_answer(self) -> None:
        assert _chat_to_step(self.chat(" 42 ")) == ParsedStep(final_answer="42")

    def test_an_empty_reply_is_an_error(self) -> None:
        assert _chat_to_step(self.chat(" ")).parse_error

    def test_arguments_that_are_not_an_object_are_an_error(self) -> None:
        step = _chat_to_step(self.chat("", ("echo", "text")))
        assert step.parse_error and "echo" in step.parse_error

    def test_the_history_becomes_a_conversation(self) -> None:
        record = NativeAgent(ScriptedBackend(), make_registry(), plan=False).start("What?")
        record.plan = Plan("g", ("a",))
        record.steps += [STEP, AgentStep("", "hm", parse_error="Empty.")]
        messages = _history_to_messages(record, "Use the tools.")
        assert messages == _history_to_messages(record, "Use the tools.")
        assert messages[0]["content"] == "Use the tools."
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

    @pytest.mark.parametrize(("system", "first"), [("Answer in Latin.", "system"), ("", "user")])
    def test_the_system_message_is_the_callers(self, system: str, first: str) -> None:
        model = ScriptedBackend(chats=["Salve."])
        agent = NativeAgent(model, make_registry(), plan=False, system=system)
        agent.run("Hello?")
        assert model.history[0].messages[0] == {"role": first, "content": system or "Hello?"}
        assert repr(agent).startswith("NativeAgent(scripted ") and "'echo'" in repr(agent)
