"""A run recorded and played again, with the scripted backend and once with the real model."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from g2c.inference import (
    BackendBusyError,
    BackendError,
    ContextOverflowError,
    EmbeddedBackend,
    RecordingBackend,
    ReplayBackend,
    ReplayMismatchError,
    ScriptedBackend,
)

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


class TestFile:
    def test_each_call_is_on_disk_before_the_next(self, path):
        model = RecordingBackend(ScriptedBackend(["a", "b"]), path)
        assert [list(line) for line in lines_of(path)] == [["info"]]
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
    def test_another_file_is_no_recording(self, path, text):
        path.parent.mkdir()
        path.write_text(text)
        with pytest.raises(BackendError, match="is no recording of a run"):
            ReplayBackend(path)


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
