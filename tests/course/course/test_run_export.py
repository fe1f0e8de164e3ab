"""Recorded runs that are written out to train on: `g2c runs export`."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import g2c

from g2c.agent import Agent, AgentRunResult, NativeAgent
from g2c.course.run_export import END, chat_of, line_of, traces_of
from g2c.course.runs import save_run
from g2c.inference import InferenceResult, ScriptedBackend
from g2c.tools import Tool, ToolRegistry, make_calculator

CALL = ' I need it.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'
BAD = ' I need it.\nAction: calculator\nAction Input: {"expression": "23 *"}'
ANSWER = " I know.\nFinal Answer: 391"
QUESTION = "What is 23 * 17?"
STOP = "\nObservation:"
SECRET = "sk-abcdefghijklmnop1234"


def ran(*script: str, question: str = QUESTION, **options: Any) -> AgentRunResult:
    backend = ScriptedBackend(script)
    return Agent(backend, ToolRegistry([make_calculator()]), plan=False, **options).run(question)


def ran_by_calls(*chats: Any, question: str = QUESTION) -> AgentRunResult:
    backend = ScriptedBackend(chats=chats)
    return NativeAgent(backend, ToolRegistry([make_calculator()]), plan=False).run(question)


def call(**arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": "calculator", "arguments": arguments}]}


def learned(trace: dict[str, Any]) -> list[str]:
    return [text for text, learn in trace["segments"] if learn]


def test_a_run_has_each_prompt_as_it_was_and_what_the_model_wrote() -> None:
    backend = ScriptedBackend([CALL, ANSWER])
    run = Agent(backend, ToolRegistry([make_calculator()]), plan=False).run(QUESTION)
    [trace] = traces_of(run)
    assert learned(trace) == [CALL + STOP, ANSWER + END]
    first, second = (call.prompt for call in backend.history)
    whole = "".join(text for text, _ in trace["segments"])
    assert trace["segments"][0] == (first, False) and whole == second + ANSWER + END
    assert (trace["question"], trace["answer"]) == (QUESTION, "391")


def test_a_line_is_json_whatever_was_asked() -> None:
    runs = [ran(CALL, ANSWER), ran(ANSWER, question="Half a pair \ud83d and \u2028?")]
    lines = [line_of(trace) for run in runs for trace in traces_of(run)]
    assert all(line.endswith("\n") and len(line.splitlines()) == 1 for line in lines)
    first, second = map(json.loads, lines)
    assert first["segments"] == [[text, learn] for text, learn in traces_of(runs[0])[0]["segments"]]
    assert "Half a pair ? and \u2028?" in second["segments"][0][0]
    assert "Half" in second["question"]


@pytest.mark.parametrize("slip", [BAD, " I do not know what to write."])
def test_a_step_that_failed_or_could_not_be_read_is_shown_and_not_learned(slip: str) -> None:
    run = ran(slip, CALL, ANSWER, halt_on_stuck=False)
    traces = traces_of(run)
    assert [fact for trace in traces for fact in learned(trace)] == [CALL + STOP, ANSWER + END]
    assert any(slip in text for trace in traces for text, _ in trace["segments"])
    weights = [
        message.get("weight", 1)
        for message in chat_of(run)["messages"]
        if "assistant" in str(message)
    ]
    assert weights == [0, 1, 1]


def test_a_step_that_was_cut_off_is_not_learned() -> None:
    run = ran(CALL, ANSWER)
    first, last = run.steps
    assert first.inference
    cut = replace(first, inference=replace(first.inference, metadata={"finish_reason": "length"}))
    assert learned(traces_of(replace(run, steps=(cut, last)))[0]) == [ANSWER + END]


def test_a_prompt_that_does_not_go_on_begins_another_trace() -> None:
    untidy = CALL.replace(": {", ":   {")
    first, second = traces_of(ran(untidy, ANSWER))
    assert learned(first) == [untidy] and learned(second) == [ANSWER + END]


def test_a_chat_has_calls_results_and_the_answer_on_both_channels() -> None:
    arguments = '{"expression": "23 * 17"}'
    function = {"name": "calculator", "arguments": arguments}
    calls = [{"id": "step_1", "type": "function", "function": function}]
    for thought, run in (
        ("I need it.", ran(CALL, ANSWER)),
        ("", ran_by_calls(call(expression="23 * 17"), "391")),
    ):
        assert chat_of(run)["messages"] == [
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": thought, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "step_1", "content": "391"},
            {"role": "assistant", "content": "391"},
        ]


def texts_of(run: AgentRunResult) -> Sequence[str]:
    return [line_of(chat_of(run)), *map(line_of, traces_of(run))]


def test_a_secret_is_in_no_text_and_is_not_learned() -> None:
    told = f" I say it.\nFinal Answer: The key is {SECRET}"
    run = ran(CALL, told, question=f"My key is {SECRET}; what is 23 * 17?")
    for text in texts_of(run):
        assert SECRET not in text and "[redacted]" in text
    assert [fact for trace in traces_of(run) for fact in learned(trace)] == [CALL + STOP]
    assert chat_of(run)["messages"][-1]["weight"] == 0


def test_a_secret_among_arguments_leaves_the_call_whole() -> None:
    login = Tool(
        "login",
        "Open the door.",
        {"type": "object", "properties": {"password": {}, "who": {"type": "string"}}},
        lambda password, who: "open",
    )
    asked = 'Action: login\nAction Input: {"password": "correcthorse", "who": "Ann"}'
    backend = ScriptedBackend([f" I open it.\n{asked}", ANSWER])
    run = Agent(backend, ToolRegistry([login]), plan=False).run("Open the door.")
    for text in texts_of(run):
        assert "correcthorse" not in text
    message = chat_of(run)["messages"][1]
    arguments = json.loads(message["tool_calls"][0]["function"]["arguments"])
    assert arguments == {"password": "[redacted]", "who": "Ann"} and message["weight"] == 0


def test_a_secret_across_two_pieces_is_refused() -> None:
    run = ran(CALL, ANSWER)
    last = run.steps[-1]
    assert isinstance(last.inference, InferenceResult)
    asked = replace(last.inference, prompt="The password:", completion=" correcthorse")
    with pytest.raises(ValueError, match="begins in what was given"):
        traces_of(replace(run, steps=(replace(last, inference=asked),)))


def test_a_run_without_a_lesson_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match=r"did not end with an answer \(max_steps\)"):
        traces_of(ran(CALL, max_steps=1))
    with pytest.raises(ValueError, match="did not end with an answer"):
        chat_of(ran(CALL, max_steps=1))
    with pytest.raises(ValueError, match="structured calls are not recorded; use --chat"):
        traces_of(ran_by_calls("391"))
    secret = ran(f" So.\nFinal Answer: {SECRET}")
    for export in (traces_of, chat_of):
        with pytest.raises(ValueError, match="no step to learn from"):
            export(secret)


@pytest.fixture
def three_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with a run by text, one by structured calls, and one without an answer."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    save_run(ran(CALL, ANSWER, question="by text"))
    save_run(ran_by_calls("391", question="calls"))
    save_run(ran(CALL, max_steps=1, question="no answer"))
    (tmp_path / "runs/20200101-000000-broken.json").write_text("{")
    return tmp_path


def named(root: Path, words: str) -> str:
    [path] = (root / "runs").glob(f"*{words}.json")
    return path.stem


def test_the_command_writes_the_runs_that_are_named(three_runs: Path) -> None:
    file = three_runs / "good.jsonl"
    text, calls = named(three_runs, "by-text"), named(three_runs, "calls")
    done = g2c("runs", "export", str(file), text, text, root=three_runs)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 runs" in done.stdout and "read the file" in done.stdout
    assert [json.loads(line)["kind"] for line in file.read_text().splitlines()] == ["recorded"]
    again = g2c("runs", "export", str(file), text, root=three_runs)
    assert again.returncode == 1 and "is there already" in again.stderr
    chats = three_runs / "chats.jsonl"
    assert not g2c("runs", "export", str(chats), text, calls, "--chat", root=three_runs).returncode
    asked = [json.loads(line)["messages"][0]["content"] for line in chats.read_text().splitlines()]
    assert asked == ["by text", "calls"]


def test_a_run_that_is_named_and_cannot_be_written_is_an_error_and_leaves_no_file(
    three_runs: Path,
) -> None:
    file = three_runs / "good.jsonl"
    text, none = named(three_runs, "by-text"), named(three_runs, "no-answer")
    done = g2c("runs", "export", str(file), text, none, root=three_runs)
    assert done.returncode == 1 and f"{none}: it did not end with an answer" in done.stderr
    assert not file.exists()


def test_all_that_answered_are_written_and_the_others_are_named(three_runs: Path) -> None:
    file = three_runs / "all.jsonl"
    done = g2c("runs", "export", str(file), "--all-answered", "--chat", root=three_runs)
    assert done.returncode == 0, done.stderr
    assert "2 of 4 runs" in done.stdout
    assert "no-answer: it did not end" in done.stdout and "broken: " in done.stdout
    assert len(file.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["x.jsonl"], "Name the runs that are good"),
        (["x.jsonl", "last", "--all-answered"], "Name the runs that are good"),
        (["x.jsonl", "nothing"], "no run 'nothing'"),
    ],
)
def test_conflicting_options_are_reported(
    three_runs: Path, arguments: list[str], says: str
) -> None:
    done = g2c("runs", "export", *arguments, root=three_runs)
    assert done.returncode == 1 and says in " ".join(done.stderr.split())
