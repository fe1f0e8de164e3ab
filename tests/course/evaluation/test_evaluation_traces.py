"""A trace on the screen, as a page, and for other programs."""

import json

import pytest

from g2c.evaluation.app.otel import attributes_of, export
from g2c.evaluation.app.trace_view import (
    bar,
    costs_of,
    lines_of,
    shares,
    to_html,
    tokens_of,
    untold_in,
)
from g2c.evaluation.core.spans import Span
from g2c.evaluation.profile import profile
from g2c.redaction import redacted
from g2c.tracing import untold_text

RUN = (
    Span(1, None, "command", "chat", 100.0, 110.0),
    Span(2, 1, "agent", "Agent", 101.0, 110.0, outcome="final_answer", output="391"),
    Span(3, 2, "model", "tiny", 101.0, 105.0, "", "", 900, 40, "What is <b>?", "Use the tool."),
    Span(4, 2, "tool", "calculator", 105.0, 106.0, "tool_error", input="{'expression': '2 *'}"),
    Span(5, 2, "model", "tiny", 106.0, 110.0, "", "", 950, None),
)


def test_lines_hang_below_each_other_with_bars_in_proportion() -> None:
    lines = lines_of(RUN)
    assert [(line.label, line.depth) for line in lines] == [
        ("command chat", 0),
        ("agent Agent", 1),
        ("model tiny", 2),
        ("tool calculator", 2),
        ("model tiny", 2),
    ]
    assert (lines[2].left, lines[2].right) == (0.1, 0.5)
    assert [bar(line, 10) for line in lines] == [
        "██████████",
        " █████████",
        " ████     ",
        "     █    ",
        "      ████",
    ]


def test_a_trace_of_no_time_has_a_bar_all_the_same() -> None:
    [line] = lines_of([Span(1, None, "tool", "clock", 5.0, 5.0)])
    assert bar(line, 4) == "█   "
    assert lines_of([]) == ()


def test_tokens_that_are_not_known_are_shown_as_such() -> None:
    assert [tokens_of(span) for span in RUN] == ["", "", "900+40", "", "950+?"]
    assert costs_of(RUN) == {"tiny": (1850, 40)}
    assert sum(shares(profile(RUN)).values()) == pytest.approx(1.0)
    said = "1 call of a model did not report its tokens; no sum has them."
    assert said in to_html("chat", RUN) and "did not report" not in to_html("chat", RUN[:4])
    assert untold_text(untold_in(RUN * 2)).startswith("2 calls of models did not report their")


def test_a_page_has_no_script_and_loads_nothing() -> None:
    page = to_html("chat", RUN)
    assert "What is &lt;b&gt;?" in page
    assert "<b>?" not in page, "what a model wrote is text"
    assert "<script" not in page
    assert "http" not in page.replace('http-equiv="', "")
    assert "default-src 'none'" in page


def test_attributes_are_those_of_the_conventions() -> None:
    model = attributes_of(RUN[2])
    assert model["gen_ai.operation.name"] == "chat"
    assert model["gen_ai.request.model"] == "tiny"
    assert (model["gen_ai.usage.input_tokens"], model["gen_ai.usage.output_tokens"]) == (900, 40)
    said = json.loads(str(model["gen_ai.input.messages"]))
    assert said == [{"role": "user", "parts": [{"type": "text", "content": "What is <b>?"}]}]
    tool = attributes_of(RUN[3])
    assert (tool["gen_ai.operation.name"], tool["gen_ai.tool.name"]) == (
        "execute_tool",
        "calculator",
    )
    assert tool["error.type"] == "tool_error"
    assert "gen_ai.usage.input_tokens" not in tool
    assert attributes_of(RUN[0]) == {"g2c.kind": "command"}, "the conventions have no such thing"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnop1234",
        "Authorization: Bearer abcdef0123456789",
        'api_key = "0123456789abcdef"',
        "password: hunter22222",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "AKIAIOSFODNN7EXAMPLE00",
        '{"password": "correct horse battery"}',
        '{\\"secret\\": \\"correct horse battery\\"}',
        "Authorization: Basic ZXZlOmh1bnRlcjI=",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJldmUifQ.c2lnbmF0dXJl",
        "postgres://eve:hunter2222@host/db",
        r'{"token": "it is \"correct\", horse battery"}',
        r"{'password': 'it\'s a horse battery'}",
        r"{\"secret\": \"it is \\\"correct\\\" horse battery\"}",
        "redis://:hunter2222@host:6379",
        "postgres://eve@mill:p@ss:hunter2222@host/db",
        "curl -u eve:hunter2222",
        "curl --user=eve:hunter2222",
        "curl --user 'eve:horse battery'",
        "<password>hunter2222</password>",
        '<db:userPassword kind="a">horse battery</db:userPassword>',
        '{"Cookie": "sid=hunter2222; b=c"}',
        "aws_secret_access_key: wJalrXUtnFEMI/K7MDENG",
    ],
)
def test_a_text_in_the_form_of_a_secret_is_not_sent(secret: str) -> None:
    found = redacted(f"before {secret} after")
    assert "[redacted]" in found
    assert found.startswith("before ")
    assert found.endswith(" after")
    for part in ("battery", "hunter2222", "ZXZl", "eyJ", secret.split()[-1].strip('"')):
        assert part not in found


def test_a_secret_on_several_lines_or_to_the_end_of_its_line_is_not_sent() -> None:
    for mark in ("|", ">-", "|2+"):
        text = f"user: eve\npassword: {mark}\n  correct horse\n  battery\nhost: mill\n"
        assert redacted(text) == "user: eve\n[redacted]\nhost: mill\n"
    text = "GET /\nCookie: sid=hunter2222; b=c\nHost: mill"
    assert redacted(text) == "GET /\n[redacted]\nHost: mill"


@pytest.mark.parametrize(
    "text",
    [
        "docker run -u 1000:1000 mill",
        "git push -u https://host/a",
        "sort -u a.txt",
        "Cookie: a warm one",
        "<p>password</p><token/>",
        "the key is small",
        "a token of thanks",
        "password forgotten?",
        "skating at 10",
        "sk-ip it",
        "basic understanding",
        "http://host:8080/path, or ask ada@mill.org",
        "http://ada@host:80/",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redacted(text) == text


def test_opentelemetry_gets_one_tree_with_its_times_and_its_errors() -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.trace import SpanKind, StatusCode

    exporter = InMemorySpanExporter()
    assert export(RUN, exporter)
    sent = {span.name: span for span in exporter.get_finished_spans()}
    assert list(sent) == [
        "command chat",
        "invoke_agent Agent",
        "chat tiny",
        "execute_tool calculator",
    ], "two calls to one model have one name"
    assert len(exporter.get_finished_spans()) == len(RUN)
    assert len({span.context.trace_id for span in exporter.get_finished_spans()}) == 1
    agent, tool = sent["invoke_agent Agent"], sent["execute_tool calculator"]
    assert agent.parent.span_id == sent["command chat"].context.span_id
    assert tool.parent.span_id == agent.context.span_id
    assert (agent.start_time, agent.end_time) == (101_000_000_000, 110_000_000_000)
    assert tool.status.status_code is StatusCode.ERROR
    assert agent.status.status_code is StatusCode.UNSET, "a tool's error is not the run's"
    assert sent["chat tiny"].kind is SpanKind.CLIENT
    all_sent = exporter.get_finished_spans()
    tokens = sum(span.attributes.get("gen_ai.usage.input_tokens", 0) for span in all_sent)
    assert tokens == 1850, "tokens are on the calls alone, so the tree adds up"
