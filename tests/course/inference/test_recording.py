"""A run recorded and played again, with the scripted backend and once with the real model."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from g2c.inference import (
    Backend,
    BackendBusyError,
    BackendError,
    ContextOverflowError,
    EmbeddedBackend,
    InferenceResult,
    RecordingBackend,
    ReplayBackend,
    ReplayMismatchError,
    ScriptedBackend,
)
from g2c.inference.embedded.engine import Reply
from g2c.inference.embedded.recorded_engine import recorded
from g2c.inference.structured.json_forms import ask_json, read_object
from g2c.widgets.growth import measure_growth

CLOCK = {
    "type": "function",
    "function": {"name": "clock", "description": "", "parameters": {"type": "object"}},
}
MESSAGES = [{"role": "user", "content": "What time is it?"}]
SCHEMA = {"type": "object", "properties": {"hour": {"type": "integer"}}}


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "deep" / "run.jsonl"


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def record(path: Path, *completions: str, prompt: str = "2 + 2 =") -> ReplayBackend:
    """A tape on which `prompt` was asked once for each of `completions`."""
    model = RecordingBackend(ScriptedBackend(completions), path)
    for _ in completions:
        model.complete(prompt)
    return ReplayBackend(path)


class TestRoundTrip:
    def test_every_kind_of_call_comes_back_equal(self, path):
        chat = {"content": "Let me see.", "tool_calls": [{"name": "clock", "arguments": {"z": 1}}]}
        live = RecordingBackend(ScriptedBackend(["4", '{"hour": 9}'], [chat, "Nine."]), path)

        def run(model):
            return [
                model.complete("2 + 2 =", max_new_tokens=3, temperature=0, top_k=1, top_p=0.5),
                model.chat_with_tools(MESSAGES, [CLOCK], think=True),
                model.complete_json("The time as JSON:", SCHEMA),
                model.chat_with_tools(tuple(MESSAGES), ()),
            ]

        recorded = run(live)
        assert run(ReplayBackend(path)) == recorded

    def test_it_is_the_same_backend_by_name(self, path):
        replay = record(path)
        assert replay.info == ScriptedBackend().info

    def test_a_real_run_comes_back_equal_metadata_included(self, path):
        def run(model):
            first = model.stopping_at("\n").complete("One, two,", max_new_tokens=8, temperature=0)
            return [first, model.complete(first.completion + " and", max_new_tokens=2)]

        live = run(RecordingBackend(EmbeddedBackend(), path))
        assert run(ReplayBackend(path)) == live
        assert live[0].metadata["prompt_n"] > 0

    def test_errors_are_played_too(self, path):
        live = RecordingBackend(
            ScriptedBackend([ContextOverflowError("too long"), "4", BackendBusyError("later")]),
            path,
        )

        def run(model):
            said = []
            for _ in range(3):
                try:
                    said.append(model.complete("2 + 2 =").completion)
                except BackendError as error:
                    said.append((type(error), str(error)))
            return said

        recorded = run(live)
        assert run(ReplayBackend(path)) == recorded

    def test_text_of_any_kind_comes_back(self, path):
        odd = 'é "quoted"\n\u2028\r\n\x00 \ud83d half a pair, 😀 a whole one'
        assert record(path, odd, prompt=odd).complete(odd).completion == odd

    def test_stop_strings_reach_the_model_and_the_tape(self, path):
        scripted = ScriptedBackend(["a Observation: b"])
        view = RecordingBackend(scripted, path).stopping_at("Observation:")

        assert view.complete("go").completion == "a "
        assert scripted.history[0].stop == ("Observation:",)
        assert ReplayBackend(path).stopping_at("Observation:").complete("go").completion == "a "


class TextOnly(Backend):
    """A model that completes text and can do nothing else."""

    info = ScriptedBackend().info

    def complete(self, prompt, **options):
        return InferenceResult(prompt, '{"hour": 9}', 1, 1, 0.0, "text only")


class TestWhatABackendCan:
    def test_a_text_only_model_is_asked_in_words_through_a_recorder(self, path):
        for make in (
            TextOnly,
            lambda: RecordingBackend(TextOnly(), path),
            lambda: ReplayBackend(path),
        ):
            model = make()
            answer = ask_json(model, "The time:", SCHEMA, max_new_tokens=9)
            assert read_object(answer.completion) == {"hour": 9}
            assert (model.supports_json, model.supports_tools) == (False, False)
        assert lines_of(path)[1]["call"] == "complete", "it was held to a schema"

    @pytest.mark.parametrize("make", [ScriptedBackend, EmbeddedBackend])
    def test_a_recorder_passes_on_the_models_abilities(self, path, make):
        live = RecordingBackend(make(), path)
        for model in (make(), live, live.stopping_at("\n"), ReplayBackend(path)):
            assert model.supports_json and model.supports_tools

    @pytest.mark.parametrize("continues", [True, False])
    def test_whether_a_completion_goes_on_with_the_prompt_is_said_as_well(self, path, continues):
        live = RecordingBackend(ScriptedBackend(continues_prompt=continues), path)
        for model in (live, live.stopping_at("\n"), ReplayBackend(path)):
            assert model.continues_prompt is continues

    def test_a_recording_that_does_not_say_replays(self, path):
        live = RecordingBackend(ScriptedBackend(['{"hour": 9}']), path)
        said = live.complete_json("The time:", SCHEMA, max_new_tokens=9)
        head, call = lines_of(path)
        del head["supports"], head["continues_prompt"]
        path.write_text(json.dumps(head) + "\n" + json.dumps(call) + "\n", "utf-8")
        assert ask_json(ReplayBackend(path), "The time:", SCHEMA, max_new_tokens=9) == said


class TestCalls:
    """The calls that a recorder keeps in memory, with or without a file."""

    def test_every_call_is_passed_on_and_kept_in_order(self):
        script = ScriptedBackend(["4", '{"hour": 9}'], ["Nine."])
        log = RecordingBackend(script)
        results = [
            log.stopping_at("\n").complete("2 + 2 =", max_new_tokens=3, temperature=0, top_k=1),
            log.complete_json("The time:", {"type": "object"}, top_p=0.5),
            log.chat_with_tools(MESSAGES, [CLOCK], think=True),
        ]
        assert [call.result for call in log.calls] == results
        assert script.history[0].stop == ("\n",), "the stop string did not reach the backend"
        assert script.history[0].options["top_k"] == 1
        assert script.history[1].options["top_p"] == 0.5
        assert script.history[2].options["think"] is True
        assert log.info == script.info

    def test_a_chat_is_kept_as_text(self):
        log = RecordingBackend(ScriptedBackend(chats=["Nine."]))
        log.chat_with_tools(MESSAGES, [CLOCK])
        (kept,) = log.calls
        assert "[user]\nWhat time is it?" in kept.prompt
        assert '"clock"' in kept.prompt, "the model reads the tools as well"

    def test_a_call_that_failed_is_raised_and_not_kept(self):
        log = RecordingBackend(ScriptedBackend([BackendError("no")]))
        with pytest.raises(BackendError, match="no"):
            log.complete("2 + 2 =")
        assert log.calls == []

    def test_a_real_model_tells_what_its_cache_held(self):
        log = RecordingBackend(EmbeddedBackend())
        model = log.stopping_at("\n")
        first = model.complete("One, two, three,", max_new_tokens=8, temperature=0)
        model.complete("One, two, three," + first.completion + "\nAnd", max_new_tokens=2)
        second = measure_growth(log.calls)[1]
        assert second.cached > 0
        assert second.cached + second.computed == second.tokens
        assert second.prompt[second.shared :] == "\nAnd"


class TestFile:
    def test_each_call_is_on_disk_before_the_next(self, path):
        model = RecordingBackend(ScriptedBackend(["a", "b"]), path)
        assert [list(line) for line in lines_of(path)] == [["info", "supports", "continues_prompt"]]
        for number, said in enumerate("ab", 1):
            model.complete("go")
            assert lines_of(path)[number]["result"]["completion"] == said

    def test_a_recording_replaces_the_one_before(self, path):
        record(path, "old", "older")
        assert record(path, "new").complete("2 + 2 =").completion == "new"
        assert len(lines_of(path)) == 2

    def test_a_call_with_bad_arguments_is_not_recorded(self, path):
        model = RecordingBackend(ScriptedBackend(["4"]), path)
        with pytest.raises(ValueError, match="max_new_tokens"):
            model.complete("2 + 2 =", max_new_tokens=0)
        assert len(lines_of(path)) == 1

    def test_threads_write_whole_lines(self, path):
        model = RecordingBackend(ScriptedBackend([lambda prompt: prompt * 2000] * 64), path)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(model.complete, [f"prompt {n} " for n in range(64)]))

        calls = lines_of(path)[1:]
        assert len(calls) == 64
        for call in calls:
            assert call["result"]["completion"] == call["arguments"]["prompt"] * 2000

    def test_a_line_that_was_being_written_is_left_out(self, path):
        record(path, "a", "b")
        whole = path.read_bytes()
        last = whole.rindex(b"\n", 0, -1) + 1
        for cut in (last, last + 1, len(whole) - 20, len(whole) - 1):
            path.write_bytes(whole[:cut])
            replay = ReplayBackend(path)
            assert replay.complete("2 + 2 =").completion == "a", f"cut at byte {cut}"
            with pytest.raises(ReplayMismatchError, match="ends with call 1 "):
                replay.complete("2 + 2 =")

    def test_no_file_says_how_to_make_one(self, path):
        with pytest.raises(BackendError, match=r"no recording .*RecordingBackend\(backend, path\)"):
            ReplayBackend(path)

    @pytest.mark.parametrize("text", ["", "{}\n", "[]\n", "hello\n", '{"info": 5}\n', "\x00\n"])
    def test_another_file_is_not_a_recording(self, path, text):
        path.parent.mkdir()
        path.write_text(text)
        with pytest.raises(BackendError, match="is not a recording of a run"):
            ReplayBackend(path)

    @pytest.mark.parametrize(
        "damage",
        [
            lambda line: b"",
            lambda line: b"{",
            lambda line: b"\xff",
            lambda line: b"[" * 100_000,
            lambda line: b"[]",
            lambda line: line.replace(b'"call"', b'"cal"'),
            lambda line: line.replace(b'"complete"', b"7"),
            lambda line: line.replace(b'"result"', b'"answer"'),
            lambda line: line.replace(b'"completion": "a"', b'"completion": ["a"]'),
            lambda line: line.replace(b'"completion": "a"', b'"text": "a"'),
            lambda line: line.replace(b'"metadata"', b'"meta"'),
            lambda line: line.replace(b'"stop": []', b'"stop": null'),
            lambda line: line.replace(b'"latency_ms": ', b'"latency_ms": "1", "l": '),
            lambda line: line.replace(b'"arguments": {', b'"arguments": 1, "a": {'),
            lambda line: b'{"call": "complete", "stop": [], "arguments": {}, "error": "no"}',
        ],
    )
    def test_a_line_that_a_person_damaged_is_named(self, path, damage):
        record(path, "a", "b")
        head, first, second, _ = path.read_bytes().split(b"\n")
        path.write_bytes(b"\n".join([head, damage(first), second, b""]))
        assert damage(first) != first
        with pytest.raises(BackendError, match=r"run\.jsonl, line 2: .*Mend that line"):
            ReplayBackend(path)

    def test_an_error_of_an_unknown_kind_is_a_backend_error(self, path):
        live = RecordingBackend(ScriptedBackend([ContextOverflowError("too long")]), path)
        with pytest.raises(BackendError):
            live.complete("a")
        text = path.read_text("utf-8")
        for kind in ("annotations", "NoSuchError", "__name__"):
            path.write_text(text.replace("ContextOverflowError", kind), "utf-8")
            with pytest.raises(BackendError, match="too long"):
                ReplayBackend(path).complete("a")


class TestMismatch:
    def test_another_prompt_shows_where_it_parts_from_the_recorded_one(self, path):
        long = "The agent may call tools. " * 20
        replay = record(path, "4", prompt=long + "Question: 2 + 2")
        with pytest.raises(ReplayMismatchError) as error:
            replay.complete(long + "Question: 2 + 3")

        said = str(error.value)
        assert "Call 1 is not the one" in said
        assert f"prompt, from character {len(long) + 14}" in said
        assert "Question: 2 + 2'" in said and "Question: 2 + 3'" in said
        assert len(said) < 500, "the whole prompt is too much to read"

    @pytest.mark.parametrize(
        ("ask", "difference"),
        [
            (lambda m: m.complete("2 + 2 = "), "prompt, from character 7"),
            (
                lambda m: m.complete("2 + 2 =", temperature=0.5),
                "temperature, .* '1.0', asked '0.5'",
            ),
            (lambda m: m.complete("2 + 2 =", top_k=3), "top_k, .* 'null', asked '3'"),
            (lambda m: m.stopping_at("\n").complete("2 + 2 ="), r"stop, .* '\[\]', asked"),
            (lambda m: m.complete_json("2 + 2 =", SCHEMA), "call, .* asked 'complete_json'"),
            (lambda m: m.chat_with_tools([], []), "call, .* asked 'chat_with_tools'"),
        ],
    )
    def test_it_names_what_differs(self, path, ask, difference):
        with pytest.raises(ReplayMismatchError, match=difference):
            ask(record(path, "4"))

    def test_another_conversation_shows_where_it_parts(self, path):
        RecordingBackend(ScriptedBackend(chats=["Nine."]), path).chat_with_tools(MESSAGES, [CLOCK])
        later = [*MESSAGES, {"role": "assistant", "content": "Nine."}]
        with pytest.raises(ReplayMismatchError, match=r"messages, from character .*assistant"):
            ReplayBackend(path).chat_with_tools(later, [CLOCK])

    def test_the_right_call_still_gets_its_answer_afterwards(self, path):
        replay = record(path, "4")
        with pytest.raises(ReplayMismatchError):
            replay.complete("2 + 3 =")
        assert replay.complete("2 + 2 =").completion == "4"

    def test_one_call_too_many_says_how_many_there_were(self, path):
        replay = record(path, "4")
        replay.complete("2 + 2 =")
        with pytest.raises(ReplayMismatchError, match="ends with call 1 and this would be call 2"):
            replay.complete("2 + 2 =")

    def test_views_play_one_tape(self, path):
        replay = record(path, "a", "b", "c")
        view = replay.stopping_at()
        assert [m.complete("2 + 2 =").completion for m in (replay, view, replay)] == ["a", "b", "c"]


class Echo:
    """An engine that says how often it was asked, and refuses an empty prompt."""

    n_ctx = 512
    eos = "<end>"
    slow = ""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, request):
        self.asked += 1
        if not request["prompt"]:
            raise ContextOverflowError("too long")
        return Reply(f"call {self.asked}", 3, 2, 1.5, {"cache_n": self.asked})

    def close(self):
        pass


def never() -> Echo:
    raise AssertionError("the model was loaded")


class TestEngine:
    """A whole process: `G2C_RECORD` and `G2C_REPLAY`."""

    @staticmethod
    def said(engine, *prompts: str) -> list:
        said = [engine.n_ctx, engine.eos]
        for prompt in prompts:
            try:
                said.append(engine.ask({"prompt": prompt}))
            except BackendError as error:
                said.append((type(error), str(error)))
        return said

    @pytest.fixture
    def tape(self, path, monkeypatch):
        """The calls of two processes, one after the other, and the replies."""
        monkeypatch.setenv("G2C_RECORD", str(path))
        asked = (("small", "a", "", "b"), ("small", "b"), ("large", "b"))
        runs = {run: self.said(recorded(run[0], Echo), *run[1:]) for run in asked}
        monkeypatch.delenv("G2C_RECORD")
        monkeypatch.setenv("G2C_REPLAY", str(path))
        return runs

    def test_without_either_variable_it_is_the_engine_itself(self, monkeypatch):
        monkeypatch.delenv("G2C_RECORD", raising=False)
        monkeypatch.delenv("G2C_REPLAY", raising=False)
        assert isinstance(recorded("small", Echo), Echo)

    def test_every_run_comes_back_equal_and_loads_no_model(self, tape):
        for (model, *prompts), said in tape.items():
            assert self.said(recorded(model, never), *prompts) == said

    def test_a_call_is_told_by_those_before_it(self, tape):
        first, later = (recorded("small", never) for _ in range(2))
        later.ask({"prompt": "a"})
        with pytest.raises(BackendError):
            later.ask({"prompt": ""})
        assert first.ask({"prompt": "b"}).metadata == {"cache_n": 1}
        assert later.ask({"prompt": "b"}).metadata == {"cache_n": 3}

    def test_a_changed_prompt_and_another_model_say_to_record_again(self, tape):
        with pytest.raises(RuntimeError, match=r"a prompt has changed.*renew\.py"):
            recorded("small", never).ask({"prompt": "c"})
        with pytest.raises(RuntimeError, match=r"a prompt has changed.*renew\.py"):
            recorded("medium", never)

    @pytest.mark.parametrize(
        "line", [b"{", b"[]", b'{"call": 5}', b'{"call": "x", "result": {}}', b'{"call": "x"}']
    )
    def test_a_line_that_a_person_damaged_is_named(self, tape, path, line):
        path.write_bytes(path.read_bytes() + line + b"\n")
        number = path.read_bytes().count(b"\n")
        with pytest.raises(RuntimeError, match=rf"run\.jsonl, line {number}: .*Mend that line"):
            recorded("small", never)

    def test_the_first_call_of_a_run_can_be_put_to_the_model_again(self, tape, path):
        first = [line for line in lines_of(path) if "request" in line]
        assert [(line["model"], line["request"]["prompt"]) for line in first] == [
            ("small", "a"),
            ("small", "b"),
            ("large", "b"),
        ]

    def test_a_process_replays_the_embedded_model(self, path, tmp_path):
        program = (
            "from g2c.inference import EmbeddedBackend\n"
            "model = EmbeddedBackend()\n"
            "print(model.complete('One, two,', max_new_tokens=4, temperature=0))\n"
            "print(type(model._llama).__name__)"
        )

        def run(variable: str) -> list[str]:
            command = [sys.executable, "-c", program]
            return subprocess.run(
                command, env=os.environ | {variable: str(path)}, capture_output=True, text=True
            ).stdout.splitlines()

        (live, recording), (again, replay) = run("G2C_RECORD"), run("G2C_REPLAY")
        assert (recording, replay) == ("RecordingEngine", "ReplayEngine")
        assert again == live
