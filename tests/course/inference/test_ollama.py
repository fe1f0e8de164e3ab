"""OllamaBackend over real HTTP, against answers in Ollama's shape.

`g2c doctor --live` asks a real Ollama (`g2c/inference/served/live.py`).
"""

import json
import os
import signal
import socket
import subprocess
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from checkout import COMMAND
from ollama_server import Answer, OllamaServer, lines, recorded, until_hung_up

from g2c.inference import (
    BackendBusyError,
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)
from g2c.inference.errors import UnusableAnswerError
from g2c.inference.served import _ollama_wire, live
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served.live import try_out
from g2c.inference.served.ollama import ContextWarning, OllamaBackend
from g2c.inference.served.openai import OpenAICompatibleBackend

MODEL = "llama3.2:3b"

CALCULATOR = {
    "type": "function",
    "function": {
        "name": "calculator",
        "description": "Work out an arithmetic expression.",
        "parameters": {
            "type": "object",
            "properties": {"expression": {"type": "string", "minLength": 1}},
            "required": ["expression"],
            "additionalProperties": False,
        },
    },
}
COLOUR = {
    "type": "object",
    "properties": {"colour": {"enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
QUESTION = [{"role": "user", "content": "What is 21 * 2? Use the calculator."}]
CHAT = recorded("chat.ndjson")


@pytest.fixture
def server():
    with OllamaServer() as running:
        yield running


def backend(server: OllamaServer, **settings) -> OllamaBackend:
    return OllamaBackend(base_url=server.url, **settings)


class TestWhatIsSent:
    def test_every_call_says_what_the_server_would_else_decide(self, server):
        model = backend(server, num_ctx=2048, seed=7, keep_alive="1m")
        model.complete("Hi", max_new_tokens=9, temperature=0.5)
        assert server.bodies("/api/chat") == [
            {
                "model": MODEL,
                "messages": [{"role": "user", "content": "Hi"}],
                "options": {
                    "num_ctx": 2048,
                    "num_predict": 9,
                    "temperature": 0.5,
                    "seed": 7,
                    "repeat_penalty": 1.0,
                },
                "stream": True,
                "tools": [],
                "truncate": False,
                "shift": False,
                "keep_alive": "1m",
            }
        ]

    def test_the_servers_defaults_are_left_to_it(self, server):
        backend(server).complete("Hi")
        (body,) = server.bodies("/api/chat")
        assert not {"keep_alive", "think"} & set(body)

    def test_raw_sends_the_prompt_verbatim_to_generate(self, server):
        backend(server, raw=True).complete("Thought:", top_k=5, top_p=0.5)
        (body,) = server.bodies("/api/generate")
        assert (body["prompt"], body["raw"]) == ("Thought:", True)
        assert (body["options"]["top_k"], body["options"]["top_p"]) == (5, 0.5)
        assert body["truncate"] is False

    def test_an_empty_raw_prompt_is_refused_as_it_would_only_load_the_model(self, server):
        with pytest.raises(ValueError, match="prompt is empty"):
            backend(server, raw=True).complete("")

    @pytest.mark.parametrize(
        ("loaded", "asked", "chars", "window"),
        [
            (None, None, 10, 8192),
            (4096, None, 10, 4096),
            (4096, None, 15_000, 8192),
            (32768, None, 60_000, 32768),
            (4096, 512, 2, 4096),
            (4096, 4096, 2, 4096),
            (4096, 8192, 2, 8192),
            (None, 64, 2, 256),
            (None, 1000, 2, 1000),
            (None, 10**6, 2, 131_072),
        ],
    )
    def test_a_model_stays_loaded_where_its_window_is_as_large_as_needed_or_asked_for(
        self, server, loaded, asked, chars, window
    ):
        running = [{"model": "Llama3.2:3B", "context_length": loaded}] if loaded else []
        server.on("/api/ps", lines({"models": [{"model": "other:1b"}, *running]}))
        backend(server, num_ctx=asked).complete("x" * chars)
        assert server.bodies("/api/chat")[0]["options"]["num_ctx"] == window

    def test_loaded_models_are_asked_for_once_in_two_seconds(self, server):
        now = [0.0]
        wire = _ollama_wire.OllamaServer(server.url, MODEL, 5, 5, clock=lambda: now[0])
        assert wire.loaded_context() is None
        wire.was_loaded(16384)
        server.on("/api/ps", lines({"models": [{"model": MODEL, "context_length": 4096}]}))
        assert wire.loaded_context() == 16384, "this program loaded it so"
        now[0] = 2.0
        assert wire.loaded_context() == 4096, "another program may have loaded it anew since"
        assert len(server.bodies("/api/ps")) == 2

    def test_a_window_that_a_long_prompt_needed_is_kept_for_a_short_one(self, server):
        model = backend(server)
        for prompt in ("x" * 30_000, "Hi"):
            model.complete(prompt)
        windows = [body["options"]["num_ctx"] for body in server.bodies("/api/chat")]
        assert windows == [16384, 16384], "for another window the server loads the model anew"

    @pytest.mark.parametrize(
        ("asked", "said"),
        [(512, "--num-ctx 16384"), (20_000, "--num-ctx 40000"), (10**6, "a larger context")],
    )
    def test_the_larger_window_that_an_overflow_speaks_of_is_one_that_can_be_had(
        self, server, asked, said
    ):
        server.on("/api/chat", recorded("error_context.json", 400))
        with pytest.raises(ContextOverflowError, match=f"send less, or choose a .*{said}"):
            backend(server, num_ctx=asked).complete("Hi")

    def test_a_prompt_that_did_not_fit_gets_a_larger_window(self, server):
        server.on("/api/chat", recorded("error_context.json", 400), CHAT)
        assert backend(server).complete("Hi").completion
        windows = [body["options"]["num_ctx"] for body in server.bodies("/api/chat")]
        assert windows == [8192, 16384]

    def test_tools_and_messages_go_out_word_for_word(self, server):
        model = backend(server)
        said = [*QUESTION, {"role": "tool", "tool_call_id": "call_9", "content": "42"}]
        model.chat_with_tools(said, (CALCULATOR,))
        (body,) = server.bodies("/api/chat")
        assert body["tools"] == [CALCULATOR], "a schema keyword was lost on the way"
        assert body["messages"] == said, "an id was lost on the way"

    def test_a_schema_goes_out_as_the_format(self, server):
        server.on("/api/chat", recorded("chat_json.ndjson"))
        backend(server).complete_json("A colour", COLOUR)
        (body,) = server.bodies("/api/chat")
        assert body["format"] == COLOUR
        assert body["options"]["temperature"] == 0

    def test_a_view_stops_where_it_was_told_and_where_its_model_always_does(self, server):
        model = backend(server)
        model.stopping_at("Observation:").complete("Hi")
        model.complete("Hi")
        view, plain = server.bodies("/api/chat")
        assert view["options"]["stop"] == [
            "<|start_header_id|>",
            "<|end_header_id|>",
            "<|eot_id|>",
            "Observation:",
        ], "options.stop replaces the Modelfile's stop strings, so both must be in it"
        assert "stop" not in plain["options"], "making a view changed the model it was made from"

    def test_a_model_without_stop_strings_or_an_old_server_is_not_trouble(self, server):
        server.on("/api/show", recorded("show_old.json"))
        model = backend(server, think=True).stopping_at("Observation:")
        model.complete("Hi")
        (body,) = server.bodies("/api/chat")
        assert body["options"]["stop"] == ["Observation:"]
        assert "think" not in body

    def test_the_server_is_asked_about_its_model_once_for_all_views_and_threads(self, server):
        model = backend(server, think=True)
        views = [model.stopping_at(str(n)) for n in range(4)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda view: view.complete("Hi"), views))
        assert server.bodies("/api/show") == [{"model": MODEL}]

    @pytest.mark.parametrize(
        ("fixture", "own", "asked", "sent"),
        [
            ("show_thinking.json", False, None, False),
            ("show_thinking.json", True, None, True),
            ("show_thinking.json", True, False, False),
            ("show_thinking.json", False, True, True),
            ("show.json", True, True, None),
        ],
    )
    def test_think_is_sent_where_it_is_wanted_and_the_model_can(
        self, server, fixture, own, asked, sent
    ):
        server.on("/api/show", recorded(fixture))
        model = backend(server, think=own)
        model.chat_with_tools(QUESTION, [], think=asked)
        assert server.bodies("/api/chat")[0].get("think") is sent

    def test_a_model_that_is_to_think_has_room_and_is_stopped_in_its_answer_alone(self, server):
        server.on("/api/show", recorded("show_thinking.json"))
        said = [
            {"role": "assistant", "content": "", "thinking": "An Observation: none yet."},
            {"role": "assistant", "content": "Thought: I look.\nObser"},
            {"role": "assistant", "content": "vation: made up"},
        ]
        server.on("/api/chat", lines(*({"message": message} for message in said)).but(whole=False))
        model = backend(server, think=True).stopping_at("\nObservation:")
        result = model.complete("Hi", max_new_tokens=100)
        assert result.completion == "Thought: I look.\nObservation: made up"
        assert result.metadata["thinking"] == "An Observation: none yet."
        assert result.metadata["finish_reason"] == "stop", "it was hung up on, not cut"
        (body,) = server.bodies("/api/chat")
        assert "stop" not in body["options"] and body["options"]["num_predict"] == 100 + 4096

    def test_a_bad_argument_is_refused_before_anything_is_sent(self, server):
        model = backend(server)
        with pytest.raises(ValueError, match="max_new_tokens"):
            model.complete("Hi", max_new_tokens=0)
        with pytest.raises(ValueError, match="top_p"):
            model.chat_with_tools(QUESTION, [], top_p=2)
        assert server.requests == []

    @pytest.mark.parametrize("bad", [{"num_ctx": 0}, {"timeout": 0}, {"model_id": ""}])
    def test_a_bad_setting_is_refused_by_name(self, bad):
        with pytest.raises(ValueError, match=next(iter(bad))):
            OllamaBackend(**bad)


def saying(text: str, prompt_tokens: int | None = None) -> Answer:
    """An answer of that text to a prompt of so many tokens."""
    message = {"role": "assistant", "content": text}
    return lines({"message": message, "done": True, "prompt_eval_count": prompt_tokens})


class TestWhatComesBack:
    def test_text_is_gathered_from_every_line(self, server):
        result = backend(server).complete("What is 6 * 7?")
        assert result.completion == "The answer is forty-two, — naïvely."
        assert (result.prompt_tokens, result.completion_tokens) == (31, 9)
        assert result.backend == "ollama"
        assert result.metadata == {
            "finish_reason": "stop",
            "thinking": None,
            "total_ms": 1843.265459,
            "load_ms": 102.34425,
            "prompt_ms": 231.19,
            "generate_ms": 1203.0,
        }

    def test_lines_may_arrive_in_any_pieces_with_blank_ones_between(self, server):
        sent = b"\n" + b"".join(line + b"\r\n" for line in CHAT.steps)
        server.on("/api/chat", Answer(tuple(sent[i : i + 7] for i in range(0, len(sent), 7))))
        result = backend(server).complete("What is 6 * 7?")
        assert result.completion == "The answer is forty-two, — naïvely."

    def test_a_line_ends_where_json_does_and_not_at_any_letter(self, server):
        said = {"message": {"role": "assistant", "content": "a\x85b\u2028c\u2029d"}, "done": True}
        server.on("/api/chat", Answer((json.dumps(said, ensure_ascii=False).encode() + b"\n",)))
        assert backend(server).complete("Hi").completion == "a\x85b\u2028c\u2029d"

    def test_a_fact_that_the_server_omits_is_none(self, server):
        server.on("/api/chat", recorded("chat_without_counts.ndjson"))
        result = backend(server).complete("Hi")
        assert result.completion == "Fine."
        assert (result.prompt_tokens, result.completion_tokens) == (None, None)
        assert result.tokens_per_second is None
        assert set(result.metadata.values()) == {None}

    @pytest.mark.parametrize(("ns", "rate"), [(4_000_000, 500), (1000, None), (0, None)])
    def test_a_rate_counts_no_queue_and_no_duration_that_cannot_be(self, server, ns, rate):
        said = {"role": "assistant", "content": "Hi"}
        told = {"total_duration": 9 * 10**9, "eval_duration": ns, "eval_count": 2}
        server.on("/api/chat", lines({"message": said, "done": True, **told}))
        assert backend(server).complete("Hi").tokens_per_second == rate

    def test_thinking_is_kept_apart_from_the_answer(self, server):
        server.on("/api/chat", recorded("chat_thinking.ndjson"))
        result = OllamaBackend("qwen3:4b", base_url=server.url).chat_with_tools(QUESTION, [])
        assert result.content == "42."
        assert result.metadata["thinking"] == "Twenty-one twice."

    def test_calls_are_gathered_from_every_line_and_missing_ids_are_new(self, server):
        server.on("/api/chat", recorded("chat_tool_calls.ndjson"))
        earlier = {"id": "call_2", "function": {"name": "calculator", "arguments": {}}}
        spoken = [*QUESTION, {"role": "assistant", "content": "", "tool_calls": [earlier]}]
        result = backend(server).chat_with_tools(spoken, [CALCULATOR])
        assert result.content == "Let me look."
        assert result.tool_calls == (
            {"name": "read_file", "arguments": {"path": "notes.txt"}, "call_id": "call_1"},
            {"name": "list_files", "arguments": {}, "call_id": "call_3"},
            {"name": "calculator", "arguments": {"expression": "2 + 2"}, "call_id": "call_4"},
        ), "call_1 is the server's and call_2 the conversation's, so neither is free"

    @pytest.mark.parametrize(
        "function",
        [{"name": "now"}, {"name": "now", "arguments": None}, {"name": "now", "arguments": "{}"}],
    )
    def test_a_call_without_an_object_of_arguments_comes_from_another_server(
        self, server, function
    ):
        message = {"role": "assistant", "tool_calls": [{"function": function}]}
        server.on("/api/chat", lines({"message": message, "done": True}))
        with pytest.raises(BrokenStreamError, match="arguments"):
            backend(server).chat_with_tools(QUESTION, [])

    def test_an_answer_is_over_when_it_is_done_and_not_when_the_line_closes(self, server):
        server.on("/api/chat", CHAT.but(*CHAT.steps, until_hung_up))
        result = backend(server, timeout=5).complete("Hi")
        assert result.metadata["finish_reason"] == "stop"

    def test_json_that_was_cut_off_is_an_error_and_not_half_an_object(self, server):
        server.on("/api/chat", recorded("chat_json_cut.ndjson"))
        with pytest.raises(BackendError, match="max_new_tokens"):
            backend(server).complete_json("A colour", COLOUR, max_new_tokens=4)

    def test_threads_share_a_backend_and_each_gets_its_own_answer(self, server):
        together = threading.Barrier(4)
        texts = [f"answer {n}" for n in range(4)]
        server.on("/api/chat", *(Answer((together.wait, *saying(text).steps)) for text in texts))
        model = backend(server, timeout=5)
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(model.complete, texts))
        assert sorted(result.completion for result in results) == texts


class TestContextWarnings:
    def test_only_a_prompt_that_nearly_fills_num_ctx_is_warned_of_where_it_was_sent(self, server):
        server.on("/api/chat", saying("Hi", 280))
        with pytest.warns(ContextWarning, match="280 of the 310 tokens") as caught:
            backend(server, num_ctx=310).complete("Hi")
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error", ContextWarning)
            backend(server, num_ctx=312).complete("Hi")

    def test_an_answer_cut_at_max_new_tokens_says_so_and_warns_of_nothing(self, server):
        server.on("/api/chat", recorded("chat_length.ndjson"))
        with warnings.catch_warnings():
            warnings.simplefilter("error", ContextWarning)
            result = backend(server).complete("Hi", max_new_tokens=2)
        assert (result.metadata["finish_reason"], result.completion_tokens) == ("length", 2)

    def test_an_answer_cut_before_max_new_tokens_was_cut_by_the_context(self, server):
        server.on("/api/chat", recorded("chat_length.ndjson"))
        with pytest.warns(ContextWarning, match="cut after 2 tokens"):
            backend(server).complete("Hi", max_new_tokens=3)


class TestWhatGoesWrong:
    @pytest.mark.parametrize(
        ("fixture", "status", "error", "advice"),
        [
            ("error_model_not_found.json", 404, ModelNotFoundError, "`ollama pull llama3.2:3b`"),
            ("error_no_tools.json", 400, ToolsUnsupportedError, "leave out --native"),
            ("error_context.json", 400, ContextOverflowError, "less, or choose a model with"),
        ],
    )
    @pytest.mark.parametrize("midway", [False, True])
    def test_a_refusal_has_its_type_by_status_or_midway(
        self, server, fixture, status, error, advice, midway
    ):
        refusal = recorded(fixture, status)
        answer = CHAT.but(CHAT.steps[0], *refusal.steps) if midway else refusal
        server.on("/api/chat", answer)
        with pytest.raises(error, match=advice):
            backend(server).chat_with_tools(QUESTION, [CALCULATOR])

    @pytest.mark.parametrize(
        "said",
        [
            "request (5000 tokens) exceeds the available context size (4096 tokens)",
            "the input length exceeds the context length",
        ],
    )
    def test_an_overflow_is_known_in_each_of_its_wordings(self, server, said):
        server.on("/api/chat", lines({"error": said}).but(status=400))
        with pytest.raises(ContextOverflowError):
            backend(server).complete("Hi")

    @pytest.mark.parametrize(
        "answer",
        [
            lines({"error": "context deadline exceeded"}).but(status=500),
            lines({"error": "model requires more system memory (5.6 GiB)"}).but(status=500),
            CHAT.but(CHAT.steps[0], *lines({"error": "CUDA error: out of memory"}).steps),
            Answer((b"<html>\xff</html>",), 502),
        ],
    )
    def test_any_other_refusal_is_told_in_the_servers_words(self, server, answer):
        server.on("/api/chat", answer)
        with pytest.raises(BackendError, match="gave an error") as caught:
            backend(server).complete("Hi")
        assert type(caught.value) is BackendError
        assert server.url in str(caught.value)

    @pytest.mark.parametrize(
        ("says", "cure"),
        [
            ("model requires more system memory (5.6 GiB)", "choose a smaller model"),
            ("llama runner process has terminated: signal: killed", "choose a smaller model"),
            ("unable to load model: /root/blobs/sha256-dde", "pull the model again"),
        ],
    )
    def test_a_refusal_of_known_cause_says_what_helps(self, server, says, cure):
        server.on("/api/chat", lines({"error": says}).but(status=500))
        with pytest.raises(BackendError, match=cure):
            backend(server).complete("Hi")

    def test_json_of_another_schema_is_an_error(self, server):
        server.on("/api/chat", wrote('{"colour": 7}'))
        with pytest.raises(UnusableAnswerError, match="could not hold the model"):
            backend(server).complete_json("A colour", COLOUR)
        with pytest.raises(ValueError, match="objekt"):
            backend(server).complete_json("Hi", {"type": "objekt"})

    def test_a_busy_server_is_asked_again_and_then_given_up(self, server):
        waited = []
        wire = _ollama_wire.OllamaServer(server.url, MODEL, 5, 5, sleep=waited.append)
        server.on("/api/chat", Answer((b"upstream is full",), 503), CHAT)
        assert list(wire.stream(False, {}))[-1].done
        assert waited == [1.0]
        server.on("/api/chat", Answer((b"upstream is full",), 503))
        with pytest.raises(BackendBusyError, match="upstream is full"):
            list(wire.stream(False, {}))
        assert sum(waited[1:]) == 31.0

    def test_a_server_that_gets_busy_midway_is_not_asked_again(self, server):
        server.on("/api/chat", CHAT.but(CHAT.steps[0], *recorded("error_busy.json").steps))
        with pytest.raises(BackendBusyError, match="try again"):
            backend(server).complete("Hi")
        assert len(server.bodies("/api/chat")) == 1

    def test_a_refusal_of_show_is_typed_too(self, server):
        server.on("/api/show", recorded("error_model_not_found.json", 404))
        with pytest.raises(ModelNotFoundError):
            backend(server, think=True).complete("Hi")

    @pytest.mark.parametrize("count", [0, 1, len(CHAT.steps) - 1])
    @pytest.mark.parametrize("whole", [True, False])
    def test_a_stream_that_ends_without_done_is_broken(self, server, count, whole):
        server.on("/api/chat", Answer((b"\n", *CHAT.steps[:count]), whole=whole))
        with pytest.raises(BrokenStreamError, match="try again"):
            backend(server).complete("Hi")
        server.on("/api/chat", Answer((), whole=False))
        with pytest.raises(BrokenStreamError, match="hung up"):
            backend(server).complete("Hi")

    @pytest.mark.parametrize(
        "answer",
        [
            *(Answer((line,)) for line in (b"<html>Welcome</html>\n", b"[1]\n", b"data: {}\n")),
            Answer((b"404 page not found",), 404),
            lines(["error"]).but(status=500),
        ],
    )
    def test_another_reply_than_a_json_object_comes_from_another_server(self, server, answer):
        server.on("/api/chat", answer)
        with pytest.raises(BrokenStreamError, match="address of an Ollama server"):
            backend(server).complete("Hi")

    @pytest.mark.parametrize("before", [(), CHAT.steps[:2]])
    def test_silence_beyond_the_timeout_is_an_error_before_or_within_an_answer(
        self, server, before
    ):
        release = threading.Event()
        server.on("/api/chat", CHAT.but(*before, release.wait))
        try:
            with pytest.raises(BackendTimeoutError, match=r"silent for 0\.05 s"):
                backend(server, timeout=0.05).complete("Hi")
        finally:
            release.set()

    def test_the_error_of_a_stopped_server_says_how_to_start_it(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets this port
            address = f"127.0.0.1:{unused.getsockname()[1]}"
            with pytest.raises(BackendUnreachableError) as caught:
                OllamaBackend(base_url=address).complete("Hi")
        for part in (address, "`ollama serve`", "OLLAMA_HOST"):
            assert part in str(caught.value)

    def test_a_host_that_takes_no_connection_is_given_up_soon(self, monkeypatch):
        monkeypatch.setattr(_ollama_wire, "CONNECT_TIMEOUT_S", 0.05)
        with socket.socket() as full, socket.socket() as first, socket.socket() as second:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            for waiting in (first, second):  # fill the backlog, so that the next one must wait
                waiting.setblocking(False)
                waiting.connect_ex(full.getsockname())
            address = "{}:{}".format(*full.getsockname())
            with pytest.raises(BackendUnreachableError, match=address):
                OllamaBackend(base_url=address, timeout=60).complete("Hi")

    @pytest.mark.parametrize("host", ["::zz", "ftp://x", "http://a b", "http://me:pw@127.0.0.1:1"])
    def test_an_address_that_is_none_is_an_error_with_a_sentence(self, host, monkeypatch):
        with pytest.raises(BackendError, match="OLLAMA_HOST"):
            OllamaBackend(base_url=host).complete("Hi")
        monkeypatch.setenv("OLLAMA_HOST", host)
        (tried,) = try_out(MODEL)
        assert tried.ok is False and "OLLAMA_HOST" in tried.remedy

    def test_ctrl_c_hangs_up_so_that_the_server_stops_generating(self, server):
        interrupt = partial(signal.pthread_kill, threading.main_thread().ident, signal.SIGINT)
        server.on("/api/chat", CHAT.but(CHAT.steps[0], interrupt, until_hung_up))
        with pytest.raises(KeyboardInterrupt):
            backend(server).complete("Hi")
        assert server.hung_up.wait(5), "the server was left to generate for nobody"


def wrote(text: str, **last) -> Answer:
    said = {"role": "assistant", "content": text}
    return lines({"message": said, "done": True, "done_reason": "stop", **last})


@pytest.mark.parametrize(
    ("name", "answers", "ok", "says"),
    [
        ("stop string", [wrote("one two three"), wrote("one two ")], True, "before 'three'"),
        ("stop string", [wrote("one two three")], False, "not stopped before 'three'"),
        ("stop string", [wrote("one two three"), wrote("four")], None, "another text"),
        ("stop string", [wrote("")], None, "nothing"),
        ("repeats itself", [wrote("one")], True, "4 of 4"),
        ("repeats itself", [wrote("one"), wrote("two"), wrote("one")], None, "3 of 4"),
        ("JSON", [wrote('{"colour": "red"}')], True, "red"),
        ("JSON", [wrote('{"colour": "red", "of": "a sky"}')], False, "sky"),
        ("JSON", [wrote("[]")], False, "[]"),
        ("stays loaded", [wrote("Hi", load_duration=10**6)], True, "1 ms"),
        ("stays loaded", [wrote("Hi", load_duration=10**9)], None, "OLLAMA_KEEP_ALIVE"),
    ],
)
def test_the_doctor_judges_an_answer(server, monkeypatch, name, answers, ok, says):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    server.on("/api/chat", *answers)
    monkeypatch.setattr(live, "_LOOKS", {name: live._LOOKS[name]})
    (check,) = try_out(MODEL)
    assert check.ok is ok and says in check.detail + check.remedy


def test_the_doctor_blames_a_server_that_loads_a_loaded_model(server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    server.on("/api/chat", wrote("Hi", load_duration=10**9))
    server.on("/api/ps", lines({"models": [{"model": MODEL, "context_length": 8192}]}))
    monkeypatch.setattr(live, "_LOOKS", {"": live._LOOKS["stays loaded"]})
    assert [check.ok for check in try_out(MODEL)] == [False]


class TestAddress:
    @pytest.mark.parametrize(
        ("host", "url"),
        [
            (None, "http://127.0.0.1:11434"),
            ("", "http://127.0.0.1:11434"),
            ("1.2.3.4", "http://1.2.3.4:11434"),
            (":8080", "http://127.0.0.1:8080"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("models.example", "http://models.example:11434"),
            ("models.example:8080", "http://models.example:8080"),
            ("http://models.example", "http://models.example:80"),
            ("https://models.example", "https://models.example:443"),
            ("https://models.example:8080/", "https://models.example:8080"),
            ("models.example/a/b/", "http://models.example:11434/a/b"),
            ("models.example:0x50", "http://models.example:11434"),
            ("models.example:70000", "http://models.example:11434"),
            ("https://models.example:-1", "https://models.example:443"),
            ("::1", "http://[::1]:11434"),
            ("[::1]", "http://[::1]:11434"),
            ("[::]:8080", "http://[::1]:8080"),
            ("http://[::1]:8080/a", "http://[::1]:8080/a"),
            ("models.example/api/", "http://models.example:11434"),
            (' "models.example" ', "http://models.example:11434"),
        ],
    )
    def test_ollama_host_means_what_it_means_to_ollama(self, host, url):
        assert base_url_from(host) == url

    @pytest.mark.parametrize(
        "host", ["", ":8080", "a.example/p/", "http://a.example", "https://a.example:1", "[::1]:2"]
    )
    def test_the_official_client_reads_plain_hosts_the_same_way(self, host):
        from ollama._client import _parse_host

        assert base_url_from(host) == _parse_host(host)

    def test_the_environment_says_where_unless_the_caller_does(self, server, monkeypatch):
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        assert OllamaBackend().info.extra["base_url"] == server.url
        elsewhere = OllamaBackend(base_url="models.example").info.extra["base_url"]
        assert elsewhere == "http://models.example:11434"

    def test_a_proxy_of_the_environment_is_not_asked_about_this_machine(self, server, monkeypatch):
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert backend(server).complete("Hi").completion

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("variable", "value"),
        [
            ("ALL_PROXY", "socks5://127.0.0.1:9"),
            ("HTTP_PROXY", "http://127.0.0.1:badport"),
            ("http_proxy", "http://[::1"),
            ("HTTPS_PROXY", "http://[::1"),
            ("NO_PROXY", "[::1"),
            ("SSL_CERT_FILE", "/nonexistent"),
        ],
    )
    def test_a_wrong_setting_of_the_environment_ends_no_command(self, variable, value):
        environment = {**os.environ, variable: value}
        done = subprocess.run([*COMMAND, "model"], env=environment, capture_output=True, text=True)
        assert "Traceback" not in done.stderr and "No such file" not in done.stderr, done.stderr

    def test_a_proxy_needs_no_scheme_and_is_named(self, monkeypatch):
        monkeypatch.setenv("http_proxy", "127.0.0.1:1")
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        with pytest.raises(BackendUnreachableError, match="by way of the environment's proxy"):
            OllamaBackend(base_url="http://models.example:1").complete("Hi")

    def test_a_server_that_answers_nothing_may_want_https(self, server):
        server.on("/api/show", Answer((), raw=True))
        with pytest.raises(BrokenStreamError, match="If it has a certificate"):
            backend(server).complete("Hi")

    def test_https_of_a_server_that_has_none_is_told(self, server):
        secure = server.url.replace("http:", "https:")
        for ask in (
            lambda: OllamaBackend(base_url=secure).complete("Hi"),
            lambda: OpenAICompatibleBackend(secure, "m").complete("Hi"),
        ):
            with pytest.raises(BackendError, match="has an address with http://") as caught:
                ask()
            assert type(caught.value) is BackendError, "it was waited for"

    @pytest.mark.parametrize("value", ["socks5://127.0.0.1:9", "http://[::1", "http://a:b"])
    def test_a_proxy_that_cannot_be_used_is_named(self, value, server, monkeypatch):
        monkeypatch.setenv("all_proxy", value)
        for name in ("no_proxy", "NO_PROXY", "http_proxy", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        far = "http://models.example:1"
        for ask in (
            lambda: OllamaBackend(base_url=far).complete("Hi"),
            lambda: OpenAICompatibleBackend(far, "m").complete("Hi"),
        ):
            with pytest.raises(BackendError, match="ALL_PROXY"):
                ask()
        assert backend(server).complete("Hi").completion
