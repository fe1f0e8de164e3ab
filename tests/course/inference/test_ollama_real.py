"""Each exchange with a real Ollama server gives the right value, or the right sentence."""

import warnings
from pathlib import Path

import pytest
from ollama_server import Answer, OllamaServer, lines, real, real_exchanges
from openai_server import events, piece

from g2c.agent import Agent
from g2c.inference import (
    BackendError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    OllamaBackend,
    OpenAICompatibleBackend,
    ToolsUnsupportedError,
)
from g2c.inference.served._ollama_models import has_model, list_tags, pull
from g2c.inference.served._ollama_wire import OllamaServer as Wire
from g2c.inference.served.openai import ContextWarning, list_models
from g2c.tools import ToolRegistry, make_calculator

MODEL = "smollm2:135m"
QUESTION = [{"role": "user", "content": "What is 23 * 17?"}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TOOLS = [{"type": "function", "function": {"name": "calculator", "parameters": {}}}]


@pytest.fixture
def server(monkeypatch):
    with OllamaServer() as running:
        monkeypatch.setenv("OLLAMA_HOST", running.url)
        running.on("/api/show", real("show"))
        running.on("/api/tags", real("tags"))
        running.on("/api/ps", real("ps_loaded"))
        running.on("/api/generate", real("generate_raw"))
        running.on("/v1/models", real("v1_models"))
        yield running


def chat(server: OllamaServer, name: str, model: str = MODEL, of: str = "", **settings):
    """The backend's result of a chat to which the server gave this answer."""
    server.on("/api/chat", real(name, of))
    return OllamaBackend(model, **settings).chat_with_tools(QUESTION, TOOLS, max_new_tokens=24)


@pytest.mark.parametrize("name", ["chat_once", "chat_again_cached"])
def test_a_chat(server, name):
    said = chat(server, name)
    assert said.content == "Alejandro, a wise and compassionate soul."
    assert (said.prompt_tokens, said.completion_tokens) == (36, 12)
    assert said.metadata["finish_reason"] == "stop" and not said.is_cut


def test_a_streamed_chat_is_the_same_text_with_the_same_counts(server):
    said = chat(server, "chat_stream")
    assert said.content.startswith("Alejandro, a wise") and said.completion_tokens == 12


def test_a_chat_at_the_token_limit_is_cut(server):
    said = chat(server, "chat_length")
    assert (said.content, said.cut_by) == ("Ale", "the token limit")


def test_raw_text(server):
    said = OllamaBackend(MODEL, raw=True).complete("1 2 3 4", max_new_tokens=24)
    assert said.completion == " 5 6 7 8 9 10 11 12 13 1" and said.is_cut
    assert said.tokens_per_second == pytest.approx(24 / 0.267281)


@pytest.mark.parametrize("name", ["generate_raw_empty", "unload"])
def test_an_answer_that_only_loads_or_unloads_says_which(server, name):
    server.on("/api/generate", real(name))
    said = OllamaBackend(MODEL, raw=True).complete("1 2 3 4")
    assert said.cut_by == f"the server ({'load' if 'empty' in name else 'unload'})"


@pytest.mark.parametrize("name", ["tools_once", "tools_stream"])
def test_a_call_of_a_tool(server, name):
    (call,) = chat(server, name, of="tooler").tool_calls
    assert (call["name"], call["arguments"]) == ("calculator", {"expression": "23 * 17"})


@pytest.mark.parametrize("name", ["tools_once", "tools_stream"])
def test_a_call_that_a_model_wrote_otherwise_is_not_an_answer(server, name):
    said = chat(server, name, of="course")
    assert said.tool_calls == () and said.metadata["unread_call"] is True


def test_a_model_without_tools_says_what_needs_none(server):
    with pytest.raises(ToolsUnsupportedError, match=r"notools.*g2c\.agent\.Agent.*--native"):
        chat(server, "tools_unsupported")


@pytest.mark.parametrize("name", ["think_default", "think_stream"])
def test_thinking_stands_apart(server, name):
    said = chat(server, name, "prethinker:4b")
    assert (said.content, said.metadata["thinking"]) == ("", "The answer is 23.")


def test_a_model_that_was_told_not_to_think_answers(server):
    assert chat(server, "think_false", "prethinker:4b").content == "23 * 17 = 387"


def test_a_model_that_cannot_think_says_so(server):
    with pytest.raises(BackendError, match="does not support thinking"):
        chat(server, "think_unsupported")


def test_json_of_a_schema(server):
    server.on("/api/chat", real("format_schema"))
    assert OllamaBackend(MODEL).complete_json("Hi", SCHEMA).completion == '{\n  "a": 23\n}'


REFUSALS = {
    "format_bad_schema": (BackendError, "JSON schema conversion failed"),
    "overflow": (ContextOverflowError, r"request \(3031 tokens\) exceeds .* --num-ctx"),
    "overflow_stream": (ContextOverflowError, r"request \(3031 tokens\) exceeds .* --num-ctx"),
    "not_found": (ModelNotFoundError, f"`ollama pull {MODEL}`"),
    "invalid_name": (BackendError, "invalid model name"),
    "bad_keep_alive": (BackendError, 'invalid duration "soon"'),
    "bad_option": (BackendError, 'option "temperature" must be of type float32'),
    "not_json": (BackendError, "cannot unmarshal string"),
    "wrong_path": (BrokenStreamError, "Check that OLLAMA_HOST is the address"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_is_told_in_the_servers_words_and_not_as_json(server, name):
    error, said = REFUSALS[name]
    with pytest.raises(error, match=said) as caught:
        chat(server, name, num_ctx=512)
    assert '{"error' not in str(caught.value) and str(caught.value).isprintable()
    is_ollama = name != "wrong_path"
    assert ("OLLAMA_HOST" in str(caught.value)) != is_ollama, "the address is not the trouble"


def test_the_servers_models_and_loaded_models(server):
    assert "prethinker:4b" in list_tags() and len(list_tags()) == 12
    assert len(list_tags(134e6)) == 12 and list_tags(3e9) == []
    assert has_model(MODEL)
    assert Wire(server.url, MODEL, 5, 5).loaded_context() == 512
    assert Wire(server.url, "SmolLM2:135M", 5, 5).loaded_context() == 512, "one model for Ollama"
    assert Wire(server.url, "other", 5, 5).loaded_context() is None
    server.on("/api/ps", real("ps_before"))
    assert Wire(server.url, MODEL, 5, 5).loaded_context() is None
    server.on("/api/show", real("show_missing"))
    assert not has_model("nothere:1b")


def test_a_pull_without_a_network_says_so(server):
    server.on("/api/pull", real("pull_no_network"))
    steps = []
    with pytest.raises(BackendError, match="network is unreachable"):
        pull("nothere:1b", lambda *step: steps.append(step))
    assert steps == [("pulling manifest", None, None)]


def v1(server: OllamaServer, name: str, of: str = ""):
    server.on("/v1/chat/completions", real(name, of))
    return OpenAICompatibleBackend(server.url, MODEL).chat_with_tools(QUESTION, TOOLS)


def test_the_openai_side_of_the_same_server(server):
    assert MODEL in list_models(server.url)
    assert v1(server, "v1_stream").content.startswith("Adaba: A")
    (call,) = v1(server, "v1_tools_stream", "tooler").tool_calls
    assert call["arguments"] == {"expression": "23 * 17"}
    assert v1(server, "v1_tools_stream", "course").metadata["unread_call"] is True
    with pytest.raises(ModelNotFoundError, match="not found"):
        v1(server, "v1_missing")


@pytest.mark.parametrize(("name", "of"), [("v1_chat", ""), ("v1_tools", "tooler")])
def test_an_answer_in_one_piece_where_a_stream_was_asked_for_is_none(server, name, of):
    with pytest.raises(BrokenStreamError, match="not a stream of events"):
        v1(server, name, of)


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (512, "took 512 of the 512 tokens"),
        (258, "what Ollama leaves of a prompt that does not fit its context window of 512"),
        (268, "so it may have cut it"),
        (255, ""),
        (300, ""),
    ],
)
def test_a_prompt_that_ollama_cut_on_its_openai_side_is_warned_of_whatever_it_holds(
    server, tokens, says
):
    usage = {"prompt_tokens": tokens, "completion_tokens": 8}
    server.on("/v1/chat/completions", events({**piece("stop", content="5"), "usage": usage}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ContextWarning)
        OpenAICompatibleBackend(server.url, MODEL).complete("1 2 3 4 " * 200)
    assert len(caught) == bool(says) and all(says in str(warning.message) for warning in caught)


def test_raw_text_is_refused_where_the_server_would_put_it_into_its_template(server):
    with pytest.raises(BackendError, match=r"Ollama.*OllamaBackend"):
        OpenAICompatibleBackend(server.url, MODEL, raw=True).complete("1 2 3")
    assert not server.bodies("/v1/completions")


@pytest.mark.parametrize("name", ["me/fine:1b", "hf.co/bartowski/Llama-GGUF:latest"])
def test_raw_text_is_refused_for_a_model_of_any_owner(server, name):
    owner = name.split("/")[-2]
    server.on("/v1/models", lines({"data": [{"id": name, "owned_by": owner}]}))
    server.on("/v1/completions", events({"choices": [{"text": " 4", "finish_reason": "stop"}]}))
    backend = OpenAICompatibleBackend(server.url, name, raw=True)
    with pytest.raises(BackendError, match=r"Ollama.*OllamaBackend"):
        backend.complete("1 2 3")
    server.on("/api/ps", Answer((b"Not Found",), 404))
    assert backend.complete("1 2 3").completion == " 4", "another server has owners like that"


def test_a_models_name_is_read_as_ollama_reads_it_on_its_openai_side_too(server):
    server.on("/v1/chat/completions", real("v1_stream"))
    assert (
        OpenAICompatibleBackend(server.url, "SmolLM2:135M")
        .complete("Hi", max_new_tokens=8)
        .completion
    )


def test_every_exchange_stands_in_this_file():
    names = {exchange["name"] for exchange in real_exchanges()} - {"version"}
    text = Path(__file__).read_text("utf-8")
    assert not [name for name in names if f'"{name}"' not in text]


def test_a_thinking_models_answers_lead_to_an_answer_or_to_a_sentence_that_says_why_not(server):
    thinker = real("show").but(
        *(step.replace(b'"completion"', b'"completion","thinking"') for step in real("show").steps)
    )
    server.on("/api/show", thinker)
    tools = ToolRegistry([make_calculator()])
    server.on("/api/chat", real("think_false"))
    run = Agent(OllamaBackend("prethinker:4b"), tools, plan=False, max_steps=2).run("23 * 17?")
    assert server.bodies("/api/chat")[0]["think"] is False
    assert run.steps[0].completion == "23 * 17 = 387"
    server.on("/api/chat", real("think_stream").but(*_cut(real("think_stream").steps)))
    run = Agent(OllamaBackend("prethinker:4b"), tools, plan=False, max_steps=2).run("23 * 17?")
    assert "Your thinking was cut off" in run.steps[0].parse_error
    assert run.steps[0].cut_by == "the token limit, while it was thinking"


def _cut(steps):
    return (step.replace(b'"done_reason":"stop"', b'"done_reason":"length"') for step in steps)
