"""OpenAICompatibleBackend over real HTTP, against answers in vLLM's documented shapes.

`test_openai_llama.py` has the real server of llama.cpp, `test_hostile_servers.py` the hostile one.
"""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import warnings
from functools import partial

import pytest
from checkout import COMMAND
from ollama_server import Answer, lines, until_hung_up
from openai_server import (
    CHAT,
    MODEL,
    MODELS,
    TEXT,
    OpenAIServer,
    events,
    piece,
    recorded,
    with_headers,
)
from test_ollama import CALCULATOR, COLOUR, QUESTION

from g2c.agent import Agent
from g2c.inference import (
    BackendBusyError,
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    KeyRefusedError,
    ModelNotFoundError,
    OpenAICompatibleBackend,
    RecordingBackend,
    ToolsUnsupportedError,
)
from g2c.inference.served._openai_messages import as_openai, gather_calls
from g2c.inference.served._openai_wire import OpenAIServer as Wire
from g2c.inference.served.openai import ContextWarning, list_models
from g2c.tools import ToolRegistry, run_with_tools

KEY = "sk-course-0123456789abcdef"


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    monkeypatch.delenv("G2C_API_KEY", raising=False)


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def backend(server: OpenAIServer, **settings) -> OpenAICompatibleBackend:
    return OpenAICompatibleBackend(server.url, MODEL, **settings)


class TestWhatIsSent:
    def test_every_call_says_what_the_server_would_else_decide(self, server):
        backend(server, seed=7).complete("Hi", max_new_tokens=9, temperature=0.5)
        assert server.bodies(CHAT) == [
            {
                "model": MODEL,
                "messages": [{"role": "user", "content": "Hi"}],
                "max_tokens": 9,
                "temperature": 0.5,
                "seed": 7,
                "stream": True,
                "stream_options": {"include_usage": True},
            }
        ]

    def test_a_view_has_its_own_seed(self, server):
        model = backend(server, seed=7)
        for asked in (model.with_seed(8), model):
            asked.complete("Hi")
        assert [body["seed"] for body in server.bodies(CHAT)] == [8, 7]

    def test_raw_sends_the_prompt_verbatim_with_its_stop_strings(self, server):
        model = backend(server, raw=True)
        assert model.continues_prompt and not backend(server).continues_prompt
        view = model.stopping_at("Observation:")
        result = view.complete("Thought:", top_k=5, top_p=0.5)
        (body,) = server.bodies(TEXT)
        assert (body["prompt"], body["stop"]) == ("Thought:", ["Observation:"])
        assert (body["top_k"], body["top_p"]) == (5, 0.5)
        assert result.completion == " I should multiply."
        model.complete("Thought:")
        assert "stop" not in server.bodies(TEXT)[1], "a view changed what it was made from"

    def test_a_schema_goes_out_as_the_response_format(self, server):
        server.on(CHAT, recorded("vllm_json.sse"))
        result = backend(server).complete_json("A colour", COLOUR)
        (body,) = server.bodies(CHAT)
        assert body["response_format"]["json_schema"]["schema"] == COLOUR
        assert json.loads(result.completion) == {"colour": "blue"}

    def test_the_course_s_messages_become_openai_s(self, server):
        call = {
            "id": "call_9",
            "function": {"name": "calculator", "arguments": {"expression": "1"}},
        }
        said = [
            *QUESTION,
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_name": "calculator", "tool_call_id": "call_9", "content": "1"},
        ]
        backend(server).chat_with_tools(said, [CALCULATOR], think=False)
        (body,) = server.bodies(CHAT)
        assert body["tools"] == [CALCULATOR]
        assert body["chat_template_kwargs"] == {"enable_thinking": False}
        _, assistant, tool = body["messages"]
        assert assistant["tool_calls"][0] == {
            "id": "call_9",
            "type": "function",
            "function": {"name": "calculator", "arguments": '{"expression": "1"}'},
        }
        assert tool == {"role": "tool", "content": "1", "tool_call_id": "call_9"}

    @pytest.mark.parametrize("written", ["expression = 1", "[1]", '{"a": '])
    def test_arguments_that_no_server_would_read_again_go_out_as_json(self, written):
        call = {"function": {"name": "calculator", "arguments": written}}
        (sent,) = as_openai([{"role": "assistant", "content": "", "tool_calls": [call]}])
        arguments = sent["tool_calls"][0]["function"]["arguments"]
        assert json.loads(arguments) == {"unreadable": written}

    def test_half_a_surrogate_pair_does_not_make_the_body_unreadable(self, server):
        backend(server).complete("a\ud800b")
        assert server.bodies(CHAT)[0]["messages"][0]["content"] == "a?b"

    def test_without_tools_no_empty_list_of_them_is_sent(self, server):
        backend(server).chat_with_tools(QUESTION, [])
        assert "tools" not in server.bodies(CHAT)[0]

    @pytest.mark.parametrize(
        "url",
        [
            "127.0.0.1:8000",
            "ftp://a",
            "http://",
            "http://a b/v1",
            "http://me:secret@a/v1",
            "http://a/v1?key=secret",
            "http://a:99999",
        ],
    )
    def test_a_url_that_is_none_or_holds_a_secret_is_refused_unrepeated(self, url):
        with pytest.raises(ValueError, match="the server's URL") as caught:
            OpenAICompatibleBackend(url, MODEL)
        assert "secret" not in str(caught.value)


class TestWhatComesBack:
    def test_text_counts_and_what_the_cache_held(self, server):
        result = backend(server).complete("What is 6 * 7?")
        assert result.completion == "The answer is forty-two, — naïvely."
        assert (result.prompt_tokens, result.completion_tokens) == (31, 9)
        assert result.backend == "openai"
        kept = dict(result.metadata)
        assert 0 <= kept.pop("first_token_ms") <= result.latency_ms
        assert kept == {"finish_reason": "stop", "thinking": None, "cache_n": 16, "prompt_n": 15}

    def test_thinking_is_kept_apart_under_both_of_its_names(self, server):
        server.on(CHAT, recorded("vllm_thinking.sse"))
        result = backend(server).complete("21 * 2")
        assert (result.completion, result.metadata["thinking"]) == ("42.", "Twenty-one twice.")
        server.on(CHAT, events(piece(reasoning_content="Hm."), piece("stop", content="42.")))
        assert backend(server).complete("21 * 2").metadata["thinking"] == "Hm."

    @pytest.mark.parametrize(
        ("said", "reason"),
        [("stop", "stop"), ("length", "length"), ("tool_calls", "stop"), ("content_filter", None)],
    )
    def test_the_reason_of_the_end_is_the_course_s(self, server, said, reason):
        server.on(CHAT, events(piece(said, content="4")))
        assert backend(server).complete("Hi").metadata["finish_reason"] == reason

    @pytest.mark.parametrize("word", ["content_filter", "SAFETY", "recitation", "refusal", "?"])
    def test_another_end_is_said_and_is_not_an_answer(self, server, word):
        server.on(CHAT, events(piece(word, content="Final Answer: I can")))
        result = Agent(backend(server), ToolRegistry(), max_steps=1, plan=False).run("Can you?")
        assert result.final_answer is None
        assert f"cut off by the server ({word})" in str(result.steps[0].parse_error)
        assert f"Cut off by the server ({word}): 1 of 1 steps." in result.to_markdown()
        assert run_with_tools(backend(server), ToolRegistry(), "?").stopped_reason == "cut_off"

    @pytest.mark.parametrize("word", ["STOP", "COMPLETE", "end_turn", "eos"])
    def test_other_words_for_a_models_own_end_are_that(self, server, word):
        server.on(CHAT, events(piece(word, content="Final Answer: Yes")))
        agent = Agent(backend(server), ToolRegistry(), max_steps=1, plan=False)
        assert agent.run("Can you?").final_answer == "Yes"

    @pytest.mark.parametrize("reason", ["abort", "error"])
    def test_an_answer_that_the_server_gave_up_is_broken(self, server, reason):
        server.on(CHAT, events(piece(reason, content="4")))
        with pytest.raises(BrokenStreamError, match="broke off its answer"):
            backend(server).complete("Hi")

    def test_a_fact_that_the_server_omits_is_none(self, server):
        server.on(CHAT, events(piece("stop", content="4")))
        result = backend(server).complete("Hi")
        assert (result.prompt_tokens, result.completion_tokens) == (None, None)
        assert result.metadata["cache_n"] is None

    def test_lines_may_come_in_any_pieces_with_comments_and_names_between(self, server):
        sent = b": ping\r\n\r\nevent: message\nid: 7\n" + b"".join(recorded("vllm_chat.sse").steps)
        server.on(CHAT, Answer(tuple(sent[i : i + 7] for i in range(0, len(sent), 7))))
        assert backend(server).complete("Hi").completion_tokens == 9

    def test_an_end_without_done_is_whole_if_a_reason_was_given(self, server):
        server.on(CHAT, events(piece("stop", content="4"), done=False))
        assert backend(server).complete("Hi").completion == "4"

    def test_an_answer_is_over_when_it_is_done_and_not_when_the_line_closes(self, server):
        chat = recorded("vllm_chat.sse")
        server.on(CHAT, chat.but(*chat.steps, until_hung_up))
        assert backend(server, timeout=5).complete("Hi").completion_tokens == 9

    def test_json_of_another_schema_is_an_error(self, server):
        server.on(CHAT, events(piece("stop", content='{"colour": "green"}')))
        with pytest.raises(BackendError, match="could not hold the model to this JSON schema"):
            backend(server).complete_json("A colour", COLOUR)

    def test_json_that_was_cut_off_is_an_error(self, server):
        server.on(CHAT, events(piece("length", content='{"colour": ')))
        with pytest.raises(BackendError, match="max_new_tokens"):
            backend(server).complete_json("A colour", COLOUR, max_new_tokens=4)


def call(name=None, arguments=None, **more):
    function = {"name": name, "arguments": arguments}
    return {**more, "function": {k: v for k, v in function.items() if v is not None}}


class TestCalls:
    def test_calls_are_put_together_from_their_pieces(self, server):
        server.on(CHAT, recorded("vllm_tool_calls.sse"))
        result = backend(server).chat_with_tools(QUESTION, [CALCULATOR])
        assert result.tool_calls == (
            {
                "name": "calculator",
                "arguments": {"expression": "21 * 2"},
                "call_id": "chatcmpl-tool-9d2e",
            },
            {"name": "list_files", "arguments": {}, "call_id": "chatcmpl-tool-77a0"},
        )
        assert result.metadata["finish_reason"] == "stop"

    @pytest.mark.parametrize(
        ("pieces", "read"),
        [
            pytest.param(
                [call("a", "{", index=0, id="1"), call(None, "}", index=0, id="1")],
                [("1", "a", "{}")],
                id="the id on each piece",
            ),
            pytest.param(
                [call("a", "{}", index=0, id="1"), call("b", "{}", index=0, id="2")],
                [("1", "a", "{}"), ("2", "b", "{}")],
                id="all numbered 0",
            ),
            pytest.param(
                [call("a", "{}"), call("b", "{"), call(None, "}")],
                [("", "a", "{}"), ("", "b", "{}")],
                id="no index and no id",
            ),
            pytest.param(
                [call("a", "{", index=0), call("b", "[", index=1), call(None, "}", index=0)],
                [("", "a", "{}"), ("", "b", "[")],
                id="two at once",
            ),
            pytest.param(
                [call("a", {"x": 1}, index=0)], [("", "a", {"x": 1})], id="arguments as an object"
            ),
            *(
                pytest.param(
                    [call("a", '{"x": 1}', **same), call("a", '{"x": 2}', **same)],
                    [(same.get("id") or "", "a", f'{{"x": {n}}}') for n in (1, 2)],
                    id=f"two whole ones with {same}",
                )
                for same in (
                    {},
                    {"index": 0},
                    {"index": 0, "id": None},
                    {"index": 0, "id": ""},
                    {"index": 0, "id": "1"},
                    {"id": "1"},
                )
            ),
            pytest.param(
                [call("a", {"x": 1}, index=0), call("a", {"x": 2}, index=0)],
                [("", "a", {"x": 1}), ("", "a", {"x": 2})],
                id="two objects, both numbered 0",
            ),
            pytest.param(
                [
                    *(call("a", "{", id="1"), call("b", "{", id="2")),
                    *(call(None, "}", id="1"), call(None, "}", id="2")),
                ],
                [("1", "a", "{}"), ("2", "b", "{}")],
                id="two at once by their ids alone",
            ),
            pytest.param(
                [call("a", "{", index=0, id="1"), call(None, "}", index=0, id="2")],
                [("1", "a", "{}")],
                id="a new id on each piece",
            ),
            pytest.param(
                [call("a", "", index=0), call("b", "", index=0)],
                [("", "a", ""), ("", "b", "")],
                id="two names, both numbered 0",
            ),
            pytest.param(
                [call("a", "", index=0), call(None, '{"x": 1}', index=0)] * 2,
                [("", "a", '{"x": 1}'), ("", "a", '{"x": 1}')],
                id="the name before the arguments, both numbered 0",
            ),
            pytest.param(
                [call("a", '{"x', index=0, id="1"), call("a", '": 1}', index=0, id="1")],
                [("1", "a", '{"x": 1}')],
                id="the name on each piece",
            ),
        ],
    )
    def test_pieces_belong_together_by_index_or_id(self, pieces, read):
        found = gather_calls(pieces)
        assert [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in found] == read

    @pytest.mark.parametrize("ids", [(None, None), ("1", None), ("1", "1")])
    @pytest.mark.parametrize("arguments", [None, ""])
    def test_a_name_may_come_in_pieces(self, server, ids, arguments):
        name = CALCULATOR["function"]["name"]
        first, *rest = (name[:4], name[4:6], name[6:])
        calls = [call(first, arguments, index=0, **({"id": ids[0]} if ids[0] else {}))]
        more = {"id": ids[1]} if ids[1] else {}
        calls += [call(part, arguments, index=0, **more) for part in rest]
        calls += [call(None, '{"expression": "1"}', index=0)]
        server.on(
            CHAT,
            events(*(piece(tool_calls=[tool_call]) for tool_call in calls), piece("tool_calls")),
        )
        (made,) = backend(server).chat_with_tools(QUESTION, [CALCULATOR]).tool_calls
        assert (made["name"], made["arguments"]) == (name, {"expression": "1"})

    def test_nothing_that_has_another_name_is_lost(self, server):
        def ask(*parts):
            server.on(CHAT, events(*parts, piece("stop")))
            return backend(server).chat_with_tools(QUESTION, [CALCULATOR])

        whole = {"choices": [{"message": {"content": "42", "tool_calls": [call("a", "{}")]}}]}
        assert (ask(whole).content, ask(whole).tool_calls[0]["name"]) == ("42", "a")
        older = [piece(function_call={"name": "a", "arguments": '{"x'})]
        older.append(piece(function_call={"arguments": '": 1}'}))
        assert ask(*older).tool_calls[0]["arguments"] == {"x": 1}
        assert ask(piece(refusal="I will"), piece(refusal=" not.")).content == "I will not."

    def test_ids_that_are_missing_or_repeated_become_new_ones(self, server):
        calls = [call("a", "{}", index=0), call("b", "{}", index=1, id="x")]
        calls.append(call("c", "{}", index=2, id="x"))
        server.on(CHAT, events(piece("tool_calls", tool_calls=calls)))
        earlier = {"id": "call_1", "function": {"name": "a", "arguments": {}}}
        said = [*QUESTION, {"role": "assistant", "content": "", "tool_calls": [earlier]}]
        result = backend(server).chat_with_tools(said, [CALCULATOR])
        assert [made["call_id"] for made in result.tool_calls] == ["call_2", "x", "call_3"]

    @pytest.mark.parametrize("text", ['{"expression": ', "21 * 2", '{"a": NaN}', "[" * 500])
    def test_arguments_that_are_broken_stay_the_model_s_text(self, server, text):
        server.on(CHAT, events(piece("tool_calls", tool_calls=[call("a", text, index=0)])))
        result = backend(server).chat_with_tools(QUESTION, [CALCULATOR])
        assert result.tool_calls[0]["arguments"] == text

    def test_a_call_without_a_name_is_broken(self, server):
        server.on(CHAT, events(piece("tool_calls", tool_calls=[call(None, "{}", index=0)])))
        with pytest.raises(BrokenStreamError, match="without its name"):
            backend(server).chat_with_tools(QUESTION, [CALCULATOR])

    def test_calls_without_end_are_given_up(self, server):
        calls = [call("a", "{}", index=n) for n in range(1001)]
        server.on(CHAT, events(piece("tool_calls", tool_calls=calls)))
        with pytest.raises(BackendError, match="more than 1000 calls"):
            backend(server).chat_with_tools(QUESTION, [CALCULATOR])


HALVES = [piece(content="Fo"), piece("stop", content="ur.")]
FORMS = {
    "usage beside no choices": events(*HALVES, {"choices": None, "usage": {"prompt_tokens": 3}}),
    "usage alone": events(*HALVES, {"usage": {"prompt_tokens": 3}}),
    "an empty event": events(HALVES[0], done=False).but(
        *events(HALVES[0], done=False).steps, b"data:\n\ndata: \n\n", *events(HALVES[1]).steps
    ),
    "a byte-order mark": events(*HALVES).but(b"\xef\xbb\xbf", *events(*HALVES).steps),
    "parts": events(
        piece(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]),
        piece("stop", content=[{"type": "text", "text": "Four."}]),
    ),
}


class TestOtherServers:
    """Servers that are neither vLLM nor llama.cpp, as their users report them."""

    @pytest.mark.parametrize("form", FORMS)
    def test_an_answer_may_have_another_form(self, server, form):
        server.on(CHAT, FORMS[form])
        result = backend(server).complete("Hi")
        assert result.completion == "Four."
        assert result.metadata["thinking"] == ("Hm" if form == "parts" else None)

    def test_an_event_may_end_in_the_middle_of_a_character(self, server):
        server.on(CHAT, events(piece(content="\ud83c"), piece("stop", content="\udf89 \ud83c")))
        assert backend(server).complete("Hi").completion == "\U0001f389 \ufffd"

    def test_json_that_came_as_thinking_is_json(self, server):
        server.on(CHAT, events(piece("stop", reasoning_content='{"colour": "blue"}')))
        result = backend(server).complete_json("A colour", COLOUR)
        assert json.loads(result.completion) == {"colour": "blue"}

    def test_arguments_may_be_json_in_json(self, server):
        made = call("calculator", json.dumps(json.dumps({"expression": "1"})), index=0, id="a")
        server.on(CHAT, events(piece("tool_calls", tool_calls=[made])))
        (read,) = backend(server).chat_with_tools(QUESTION, [CALCULATOR]).tool_calls
        assert read["arguments"] == {"expression": "1"}

    @pytest.mark.parametrize(
        ("option", "says", "status"),
        [
            ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'", 400),
            ("temperature", "Unsupported value: 'temperature' does not support 0", 400),
            ("stop", "'stop' is not supported with this model", 400),
            ("seed", {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"]}]}, 422),
            ("stream_options", 'Unknown name "stream_options": Cannot find field', 400),
        ],
    )
    def test_an_option_that_a_server_does_not_take_is_left_out(self, server, option, says, status):
        server.on(CHAT, lines({"error": {"message": says}}).but(status=status), FORMS["parts"])
        model = backend(server).stopping_at("x")
        with warnings.catch_warnings(record=True) as told:
            for _ in range(2):
                assert model.complete("Hi", max_new_tokens=9, temperature=0).completion == "Four."
        refused, *taken = server.bodies(CHAT)
        assert len(taken) == 2, "it was refused twice"
        changed = {"max_completion_tokens": 9} if option == "max_tokens" else {}
        expected = {name: refused[name] for name in refused if name != option} | changed
        assert taken == [expected, expected]
        assert len(told) == (option in ("temperature", "seed"))

    @pytest.mark.parametrize(
        ("status", "says"),
        [
            (400, "prompt is too long: 210000 tokens > 200000 maximum"),
            (400, "The input token count exceeds the maximum number of tokens allowed (9)."),
            (422, "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"),
            (413, "Request too large for model"),
        ],
    )
    @pytest.mark.parametrize("form", [lambda error: [{"error": error}], dict])
    def test_an_overflow_is_known_in_each_of_its_wordings(self, server, status, says, form):
        server.on(CHAT, lines(form({"message": says})).but(status=status))
        with pytest.raises(ContextOverflowError, match=re.escape(f"({status} {says})")):
            backend(server).complete("Hi")

    @pytest.mark.parametrize(("status", "code"), [(402, 402), (429, "insufficient_quota")])
    def test_an_account_without_money_is_not_waited_for(self, server, status, code):
        said = {"error": {"message": "You exceeded your quota", "code": code}}
        server.on(CHAT, lines(said).but(status=status))
        with pytest.raises(KeyRefusedError, match="look at your account"):
            backend(server).complete("Hi")
        assert len(server.bodies(CHAT)) == 1

    def test_an_empty_list_of_models_may_be_null(self, server):
        server.on(MODELS, lines({"object": "list", "data": None}))
        with pytest.raises(ModelNotFoundError, match="It has no model"):
            backend(server).complete("Hi")

    @pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions/", "/v1/models"])
    def test_an_address_may_be_that_of_a_request(self, server, path):
        assert OpenAICompatibleBackend(server.url + path, MODEL).complete("Hi").completion

    def test_quotes_around_a_key_are_not_sent(self, server, monkeypatch):
        monkeypatch.setenv("G2C_API_KEY", f'"{KEY}"')
        backend(server).complete("Hi")
        assert server.requests[-1].authorization == f"Bearer {KEY}"


class TestModels:
    def test_the_list_says_who_is_there_and_what_fits(self, server):
        assert list_models(server.url) == [MODEL]
        assert backend(server).look_up().n_ctx == 8192

    def test_a_model_that_is_not_listed_is_not_asked(self, server):
        with pytest.raises(ModelNotFoundError, match=f"has no model qwen. It has {MODEL}"):
            OpenAICompatibleBackend(server.url, "qwen").complete("Hi")
        assert server.bodies(CHAT) == [], "some servers answer under any name"

    def test_the_server_is_asked_once_for_all_views(self, server):
        model = backend(server)
        model.complete("Hi")
        model.stopping_at("x").complete("Hi")
        assert len(server.bodies(MODELS)) == 1

    @pytest.mark.parametrize("name", ["llama3.2", "llama3.2:latest"])
    def test_ollama_s_latest_needs_no_version(self, server, name):
        server.on(MODELS, lines({"object": "list", "data": [{"id": "llama3.2:latest"}]}))
        OpenAICompatibleBackend(server.url, name).complete("Hi")
        assert server.bodies(CHAT)[0]["model"] == name


class TestContextWarnings:
    def test_a_prompt_that_nearly_fills_the_context_is_warned_of_where_it_was_sent(self, server):
        server.on(MODELS, lines({"data": [{"id": MODEL, "max_model_len": 34}]}))
        with pytest.warns(ContextWarning, match="31 of the 34 tokens") as caught:
            backend(server).complete("Hi")
            backend(server).chat_with_tools(QUESTION, [])
        assert [warning.filename for warning in caught] == [__file__] * 2

    def test_an_answer_cut_before_max_new_tokens_was_cut_by_the_context(self, server):
        server.on(CHAT, recorded("vllm_length.sse"))
        with pytest.warns(ContextWarning, match="cut after 2 tokens"):
            backend(server).complete("Hi", max_new_tokens=3)

    def test_a_server_that_tells_no_context_and_counts_too_few_is_doubted(self, server):
        server.on(MODELS, lines({"data": [{"id": MODEL, "owned_by": "library"}]}))
        with pytest.warns(ContextWarning, match="counted 31 tokens in a prompt of 9,000"):
            backend(server).complete("sea, sand" * 1000)

    def test_half_a_window_of_another_server_is_not_doubted(self, server):
        server.on(MODELS, lines({"data": [{"id": MODEL, "max_model_len": 62}]}))
        with warnings.catch_warnings():
            warnings.simplefilter("error", ContextWarning)
            backend(server).complete("Hi")


class TestWhatGoesWrong:
    @pytest.mark.parametrize(
        ("fixture", "status", "error", "advice"),
        [
            ("vllm_error_model.json", 404, ModelNotFoundError, "does not have"),
            ("vllm_error_old.json", 404, ModelNotFoundError, "does not have"),
            ("vllm_error_context.json", 400, ContextOverflowError, "longer context"),
            ("vllm_error_context_tokens.json", 400, ContextOverflowError, "fewer tokens"),
            ("vllm_error_no_tools.json", 400, ToolsUnsupportedError, "leave out --native"),
        ],
    )
    def test_a_refusal_has_its_type(self, server, fixture, status, error, advice):
        server.on(CHAT, recorded(fixture, status))
        with pytest.raises(error, match=advice):
            backend(server).chat_with_tools(QUESTION, [CALCULATOR])

    def test_an_error_within_a_stream_may_name_its_kind_alone(self, server):
        says = "the maximum context length is 9"
        server.on(CHAT, events({"object": "error", "message": says, "code": 400}))
        with pytest.raises(ContextOverflowError, match=says):
            backend(server).complete("Hi")

    @pytest.mark.parametrize("as_event", [True, False])
    def test_an_error_within_a_stream_has_its_type(self, server, as_event):
        refusal = recorded("vllm_error_context.json").steps[0]
        first = recorded("vllm_chat.sse").steps[:2]
        server.on(CHAT, Answer((*first, b"data: " + refusal if as_event else refusal)))
        with pytest.raises(ContextOverflowError):
            backend(server).complete("Hi")

    @pytest.mark.parametrize(
        "answer",
        [
            lines({"error": {"message": "CUDA error: out of memory", "code": 500}}).but(status=500),
            lines({"detail": "Not Found"}).but(status=404),
            lines({"detail": [{"loc": ["body"], "msg": "field required"}]}).but(status=422),
            Answer((b"404 page not found",), 404),
            lines({"error": "context deadline exceeded"}).but(status=504),
        ],
    )
    def test_any_other_refusal_is_told_in_the_server_s_words(self, server, answer):
        server.on(CHAT, answer)
        with pytest.raises(BackendError, match="gave an error") as caught:
            backend(server).complete("Hi")
        assert type(caught.value) is BackendError
        assert server.url in str(caught.value)

    def test_a_proxy_s_page_is_told_by_its_title(self, server):
        page = b"<html><head><title>502 Bad Gateway</title></head><body>" + b"x" * 9000
        server.on(CHAT, Answer((page,), 502))
        with pytest.raises(BackendError, match=r"502 a web page, '502 Bad Gateway'"):
            backend(server).complete("Hi")

    def test_an_answer_that_is_not_a_stream_is_not_taken_for_an_empty_one(self, server):
        message = {"message": {"content": "Four."}, "finish_reason": "stop"}
        server.on(CHAT, lines({"choices": [message]}))
        with pytest.raises(BrokenStreamError, match="not a stream of events"):
            backend(server).complete("Hi")

    @pytest.mark.parametrize("count", [0, 2, 6])
    @pytest.mark.parametrize("whole", [True, False])
    def test_a_stream_that_ends_without_a_reason_is_broken(self, server, count, whole):
        steps = recorded("vllm_chat.sse").steps
        server.on(CHAT, Answer((b"\n", *steps[:count]), whole=whole))
        with pytest.raises(BrokenStreamError, match="try again"):
            backend(server).complete("Hi")
        server.on(CHAT, events(piece(content="Fo")))
        with pytest.raises(BrokenStreamError, match="broke off"):
            backend(server).complete("Hi")

    def test_silence_beyond_the_timeout_is_an_error(self, server):
        release = threading.Event()
        server.on(CHAT, Answer((*recorded("vllm_chat.sse").steps[:2], release.wait)))
        try:
            with pytest.raises(BackendTimeoutError, match=r"silent for 0\.05 s"):
                backend(server, timeout=0.05).complete("Hi")
        finally:
            release.set()

    def test_the_error_says_that_nothing_listens(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{unused.getsockname()[1]}"
            with pytest.raises(BackendUnreachableError, match="start the server") as caught:
                OpenAICompatibleBackend(address, MODEL).complete("Hi")
        assert "OLLAMA" not in str(caught.value)

    def test_llama_cpp_that_would_drop_the_tools_is_not_asked(self, server):
        server.on(MODELS, lines({"data": [{"id": MODEL, "owned_by": "llamacpp"}]}))
        server.on("/props", lines({"chat_template_caps": {"supports_tools": False}}))
        with pytest.raises(ToolsUnsupportedError, match="no place for them"):
            backend(server).chat_with_tools(QUESTION, [CALCULATOR])
        assert server.bodies(CHAT) == []
        assert backend(server).chat_with_tools(QUESTION, []).content

    @pytest.mark.parametrize("answer", [Answer((b"no",), 404), lines({}), Answer((b"<html>",))])
    def test_llama_cpp_that_does_not_tell_of_tools_is_asked(self, server, answer):
        server.on(MODELS, lines({"data": [{"id": MODEL, "owned_by": "llamacpp"}]}))
        server.on("/props", answer)
        assert backend(server).chat_with_tools(QUESTION, [CALCULATOR]).content

    def test_ctrl_c_hangs_up_so_that_the_server_stops_generating(self, server):
        interrupt = partial(signal.pthread_kill, threading.main_thread().ident, signal.SIGINT)
        server.on(CHAT, Answer((*recorded("vllm_chat.sse").steps[:2], interrupt, until_hung_up)))
        with pytest.raises(KeyboardInterrupt):
            backend(server).complete("Hi")
        assert server.hung_up.wait(5), "the server was left to generate for nobody"


class TestBusy:
    @pytest.fixture
    def waits(self, server):
        """A wire that writes down how long it would wait, and does not wait."""
        waited = []
        wire = Wire(server.url + "/v1", "G2C_API_KEY", 5, 5, sleep=waited.append)
        return wire, waited

    def ask(self, wire):
        return list(wire.stream("/chat/completions", {"model": MODEL}))

    @pytest.mark.parametrize(
        ("status", "wish", "wait"),
        [
            (429, "7", [7, 7]),
            (503, "7", [7, 7]),
            (429, "0", [1, 1]),  # or it would be a storm
            *((429, unreadable, [1, 2]) for unreadable in ("soon", "-5", "1e3", "9" * 400)),
            (429, "Wed, 21 Oct 2026 07:28:30 GMT", [30, 30]),  # by the server's clock
        ],
    )
    def test_it_waits_as_long_as_the_server_asks_and_asks_again(
        self, server, waits, status, wish, wait
    ):
        wire, waited = waits
        headers = {"Date": "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After": wish}
        busy = with_headers(status, headers)
        server.on(CHAT, busy, busy, recorded("vllm_chat.sse"))
        assert self.ask(wire)
        assert waited == wait

    def test_waiting_has_an_end(self, server, waits):
        wire, waited = waits
        server.on(CHAT, with_headers(429, {}))
        with pytest.raises(BackendBusyError, match="too many requests"):
            self.ask(wire)
        assert waited == [1, 2, 4, 8, 16]

    def test_a_wait_of_an_hour_is_told_and_not_begun(self, server, waits):
        wire, waited = waits
        server.on(CHAT, with_headers(429, {"Retry-After": "3600"}))
        with pytest.raises(BackendBusyError, match="try again after 3600 s"):
            self.ask(wire)
        assert waited == []

    def test_another_error_is_not_retried(self, server, waits):
        wire, waited = waits
        server.on(CHAT, with_headers(500, {"Retry-After": "1"}))
        with pytest.raises(BackendError):
            self.ask(wire)
        assert waited == [] and len(server.bodies(CHAT)) == 1


class TestKey:
    def test_it_is_read_for_each_request(self, server, monkeypatch):
        model = backend(server)
        model.complete("Hi")
        monkeypatch.setenv("G2C_API_KEY", f" {KEY}\n")
        model.complete("Hi")
        monkeypatch.delenv("G2C_API_KEY")
        model.complete("Hi")
        sent = [request.authorization for request in server.requests]
        assert sent == [None, None, f"Bearer {KEY}", None]

    def test_another_variable_may_hold_it(self, server, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-another-company")
        monkeypatch.setenv("CLASS_KEY", KEY)
        backend(server, api_key_env="CLASS_KEY").complete("Hi")
        backend(server).complete("Hi")
        sent = [request.authorization for request in server.requests]
        assert sent == [f"Bearer {KEY}", f"Bearer {KEY}", None, None]

    @pytest.mark.parametrize("status", [401, 403])
    @pytest.mark.parametrize("key", ["", KEY])
    def test_a_refused_key_is_told_by_the_variable_s_name(self, server, monkeypatch, status, key):
        monkeypatch.setenv("G2C_API_KEY", key)
        said = {"error": {"message": f"Incorrect API key provided: {key or 'none'}."}}
        server.on(MODELS, lines(said).but(status=status))
        with pytest.raises(KeyRefusedError, match="G2C_API_KEY") as caught:
            backend(server).complete("Hi")
        assert ("refuses the key" if key else "wants a key") in str(caught.value)
        assert KEY not in str(caught.value)

    @pytest.mark.parametrize("url", ["http://models.example/v1", "http://192.0.2.7:8000"])
    def test_it_never_crosses_a_network_unencrypted(self, monkeypatch, url):
        monkeypatch.setenv("G2C_API_KEY", KEY)
        with pytest.raises(KeyRefusedError, match="unencrypted") as caught:
            OpenAICompatibleBackend(url, MODEL).complete("Hi")
        assert KEY not in str(caught.value)

    @pytest.mark.parametrize("key", ["sk-a\r\nX-Evil: 1234", "sk-naïve-0123456", "two words-0123"])
    def test_a_key_that_no_header_can_hold_is_refused_unrepeated(self, server, monkeypatch, key):
        monkeypatch.setenv("G2C_API_KEY", key)
        with pytest.raises(KeyRefusedError) as caught:
            backend(server).complete("Hi")
        assert key not in str(caught.value) and server.requests == []

    def test_another_place_is_never_told_of_it(self, server, monkeypatch):
        monkeypatch.setenv("G2C_API_KEY", KEY)
        with OpenAIServer() as other:
            server.on(MODELS, with_headers(307, {"Location": f"{other.url}/v1/models"}))
            with pytest.raises(BackendError, match="redirects to"):
                backend(server).complete("Hi")
            assert other.requests == []

    def test_nothing_that_is_kept_holds_it_even_if_the_server_repeats_it(
        self, server, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("G2C_API_KEY", KEY)
        half = len(KEY) // 2
        made = call("now", json.dumps({"key": KEY}), index=0, id="1")
        server.on(
            CHAT,
            events(
                piece(content=f"Your key is {KEY[:half]}", reasoning=KEY),
                piece("stop", content=KEY[half:], tool_calls=[made]),
            ),
            lines({"error": f"{'x' * 290}{KEY}"}).but(status=500),
            Answer((f'data: {{"{KEY}": \n'.encode(),)),
        )
        model = backend(server)
        recorder = RecordingBackend(model, tmp_path / "run.jsonl")
        said = recorder.chat_with_tools(QUESTION, [CALCULATOR])
        assert said.content == "Your key is [key]"
        assert said.tool_calls[0]["arguments"] == {"key": "[key]"}
        for _ in range(2):
            with pytest.raises(BackendError) as caught:
                recorder.complete("Hi")
            assert KEY[:half] not in str(caught.value)
        kept = (tmp_path / "run.jsonl").read_text() + repr(model) + repr(model.info)
        assert KEY not in kept + repr(vars(model)) + repr(vars(model._server))
        assert KEY[half:] not in kept


def test_the_demo_runs_on_it(server, tmp_path):
    answer = piece("stop", content="Thought: I know it.\nFinal Answer: 391, on Tuesday at 10")
    server.on(CHAT, events(answer))
    done = subprocess.run(
        [*COMMAND, "demo"],
        env=os.environ | {"G2C_ROOT": str(tmp_path), "G2C_BACKEND": f"openai:{server.url}#{MODEL}"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert f"Model: {MODEL} (openai)" in done.stdout, done.stderr
    assert "Final answer  391" in done.stdout and "0 of 3" in done.stdout, "it used no tool"
