"""OpenAICompatibleBackend on llama.cpp's own server, with the small model, over real HTTP."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from checkout import COMMAND
from openai_server import FIXTURES
from test_ollama import CALCULATOR, COLOUR, QUESTION

from g2c.inference import (
    ContextOverflowError,
    KeyRefusedError,
    ModelNotFoundError,
    OpenAICompatibleBackend,
    RecordingBackend,
    ReplayBackend,
    ToolsUnsupportedError,
    load_prodlm,
    load_selection,
)
from g2c.inference.embedded.serve import MODEL, llama_server
from g2c.inference.model_choice import Choice, parse_choice, read_choice, write_choice
from g2c.inference.served.diagnosis import diagnose
from g2c.inference.served.openai import ContextWarning

pytestmark = pytest.mark.slow

KEY = "sk-course-0123456789abcdef"
N_CTX = 1024
SMALL_N_CTX = 256
ONE_COLOUR = {**COLOUR, "additionalProperties": False}


@pytest.fixture(scope="module")
def url():
    with llama_server(n_ctx=N_CTX, key=KEY, template=FIXTURES / "tools.jinja") as address:
        yield address


@pytest.fixture(scope="module")
def plain():
    """A server with the least context, whose template has no place for tools."""
    with llama_server(n_ctx=SMALL_N_CTX) as address:
        yield address


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("G2C_API_KEY", KEY)


@pytest.fixture
def raw(url):
    return OpenAICompatibleBackend(url, MODEL, raw=True)


@pytest.fixture
def chat(url):
    return OpenAICompatibleBackend(url, MODEL)


class TestText:
    def test_a_text_goes_on_with_what_it_cost(self, raw):
        result = raw.complete("The capital of France is", max_new_tokens=4, temperature=0)
        assert "Paris" in result.completion
        assert (result.prompt_tokens, result.completion_tokens) == (5, 4)
        assert result.metadata["finish_reason"] == "length"
        assert 0 < result.metadata["first_token_ms"] <= result.latency_ms

    def test_it_ends_before_its_stop_string(self, raw):
        whole = raw.complete("1, 2, 3,", max_new_tokens=12, temperature=0).completion
        assert "6" in whole, "this model does not count, so it cannot show where it stops"
        stopped = raw.stopping_at("6").complete("1, 2, 3,", max_new_tokens=12, temperature=0)
        assert stopped.completion == whole.partition("6")[0]
        assert stopped.metadata["finish_reason"] == "stop"

    def test_cached_tokens_are_reported(self, raw):
        prompt = "A day in the life of a lighthouse keeper begins early. " * 4
        first = raw.complete(prompt, max_new_tokens=1, temperature=0)
        again = raw.complete(prompt, max_new_tokens=1, temperature=0)
        assert again.metadata["cache_n"] > first.prompt_tokens // 2
        assert again.metadata["cache_n"] + again.metadata["prompt_n"] == again.prompt_tokens

    def test_the_seed_decides_what_chance_does(self, url):
        def reply_with(seed: int) -> str:
            model = OpenAICompatibleBackend(url, MODEL, raw=True, seed=seed)
            return model.complete("Once upon a time", max_new_tokens=12).completion

        assert reply_with(1) == reply_with(1) != reply_with(2)

    def test_json_is_held_to_its_schema_verbatim_and_as_a_chat(self, raw, chat):
        for model in (raw, chat):
            result = model.complete_json("The colour of a clear sky, as JSON:", ONE_COLOUR)
            assert json.loads(result.completion)["colour"] in ("red", "blue")


class TestChat:
    def test_a_question_is_answered_through_the_template(self, chat):
        result = chat.complete("What is the capital of France?", max_new_tokens=24, temperature=0)
        assert "Paris" in result.completion
        assert result.prompt_tokens > 10, "the template's tokens are missing"

    def test_a_tool_is_called_as_the_conversation_shows(self, chat):
        said = []
        for number, (sum_, result) in enumerate([("3 + 4", "7"), ("10 - 6", "4"), ("5 * 5", "25")]):
            function = {"name": "calculator", "arguments": {"expression": sum_}}
            made = {"id": f"call_{number}", "function": function}
            said += [
                {"role": "user", "content": f"What is {sum_}?"},
                {"role": "assistant", "content": "", "tool_calls": [made]},
                {
                    "role": "tool",
                    "tool_name": "calculator",
                    "tool_call_id": made["id"],
                    "content": result,
                },
            ]
        said.append({"role": "user", "content": "What is 21 * 2?"})
        result = chat.chat_with_tools(said, [CALCULATOR], temperature=0, max_new_tokens=60)
        (call,) = result.tool_calls
        assert (call["name"], call["arguments"]) == ("calculator", {"expression": "21 * 2"})
        assert call["call_id"] and result.metadata["finish_reason"] == "stop"

    def test_a_recording_replays_the_same_and_holds_no_key(self, chat, tmp_path):
        file = tmp_path / "run.jsonl"
        asked = {"max_new_tokens": 4, "temperature": 0}
        result = RecordingBackend(chat, file).complete("Hi", **asked)
        assert ReplayBackend(file).complete("Hi", **asked) == result
        assert KEY not in file.read_text("utf-8")


class TestWhatGoesWrong:
    @pytest.mark.parametrize("as_raw", [True, False])
    def test_a_prompt_that_is_too_long_is_refused_and_never_cut(self, url, as_raw):
        model = OpenAICompatibleBackend(url, MODEL, raw=as_raw)
        with pytest.raises(ContextOverflowError, match=str(N_CTX)):
            model.complete("one two three " * 1000)

    def test_an_answer_that_the_context_cuts_is_warned_of(self, plain):
        model = OpenAICompatibleBackend(plain, MODEL, raw=True)
        counting = ", ".join(map(str, range(1, 60)))
        with pytest.warns(ContextWarning, match="cut after"):
            result = model.complete(counting, max_new_tokens=200, temperature=0)
        assert result.prompt_tokens + result.completion_tokens <= SMALL_N_CTX

    def test_a_model_that_is_not_there_is_told_beside_those_that_are(self, url):
        with pytest.raises(ModelNotFoundError, match=f"no model qwen. It has {MODEL}"):
            OpenAICompatibleBackend(url, "qwen").complete("Hi")

    @pytest.mark.parametrize(("held", "said"), [("", "wants a key"), ("sk-wrong", "refuses the")])
    def test_without_its_key_it_says_which_variable_to_set(self, url, monkeypatch, held, said):
        monkeypatch.setenv("G2C_API_KEY", held)
        with pytest.raises(KeyRefusedError, match=f"{said}.*G2C_API_KEY"):
            OpenAICompatibleBackend(url, MODEL).complete("Hi")

    def test_a_template_without_tools_is_an_error_and_not_a_lost_tool(self, plain):
        with pytest.raises(ToolsUnsupportedError, match="no place for them"):
            OpenAICompatibleBackend(plain, MODEL).chat_with_tools(QUESTION, [CALCULATOR])


class TestTheChoice:
    @pytest.fixture(autouse=True)
    def home(self, tmp_path, monkeypatch) -> Path:
        monkeypatch.setenv("G2C_ROOT", str(tmp_path))
        monkeypatch.delenv("G2C_BACKEND", raising=False)
        return tmp_path

    def test_it_is_loaded_by_name(self, url):
        for load in (load_prodlm, load_selection):
            model = load(f"openai:{url}#{MODEL}")
            assert (model.info.name, model.info.model_id) == ("openai", MODEL)
        with pytest.raises(ModelNotFoundError, match=f"as in openai:{url}#{MODEL}"):
            load_prodlm(f"openai:{url}")

    def test_the_doctor_asks_it(self, url):
        write_choice(parse_choice(f"openai:{url}#{MODEL}"))
        found = {check.name: check for check in diagnose()}
        assert found["choice"].ok and "answers" in found["choice"].detail
        write_choice(parse_choice(f"openai:{url}#qwen"))
        found = {check.name: check for check in diagnose()}
        assert not found["choice"].ok and MODEL in found["choice"].remedy

    def test_the_commands_run_on_it_and_write_no_key(self, url, home):
        def g2c(*arguments: str, key: str = KEY, typed: str = "") -> subprocess.CompletedProcess:
            return subprocess.run(
                [*COMMAND, *arguments],
                env={**os.environ, "G2C_API_KEY": key, "G2C_REFERENCE": "all", "NO_COLOR": "1"},
                input=typed,
                capture_output=True,
                text=True,
                encoding="utf-8",
            )

        place = f"openai:{url}#{MODEL}"
        refused = g2c("model", place, key="sk-wrong-0123456789")
        assert refused.returncode and "G2C_API_KEY" in refused.stderr, refused.stderr
        assert read_choice() == Choice("auto"), "a model that does not answer must not be kept"
        ran = [g2c("model", place), g2c("model"), g2c("chat", typed="Hello\n")]
        assert read_choice() == Choice("openai", f"{url}#{MODEL}")
        for done in ran:
            assert not done.returncode and "Traceback" not in done.stderr, done.stderr
        written = [file for file in home.rglob("*") if file.is_file()]
        assert len(written) > 3, written
        for file in written:
            assert KEY.encode() not in file.read_bytes(), file
        assert KEY not in "".join(done.stdout + done.stderr for done in (refused, *ran))
