"""The commands that show traces: trace, and runs --summary."""

from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from command import g2c

from g2c.agent import AgentRunResult
from g2c.course.runs import runs_dir, save_run
from g2c.course.traces import SUFFIX, tracing_to_file
from g2c.tracing import tell_outcome, traced

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def leave(command: str, outcome: str, number: int = 0) -> None:
    with tracing_to_file(command, NOON + timedelta(seconds=number)):
        tell_outcome(outcome)
        with traced("agent", "Agent", "my sister is ill"), traced("model", "tiny\x1b[2J") as ending:
            ending.input_tokens, ending.output_tokens = 900, 40


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_a_chat_and_a_refinement_leave_a_trace(tmp_path: Path) -> None:
    """On the real model."""
    asked = g2c("chat", "What is 23 * 17?", "--no-remember", "--model", "embedded", root=tmp_path)
    assert asked.returncode == 0, asked.stderr
    g2c("review", "refine", "Say hello.", "--rounds", "1", "--model", "embedded", root=tmp_path)
    shown = g2c("runs", "trace", "2", root=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for kind in ("command chat", "  agent Agent final_answer", "    model SmolLM2"):
        assert kind in shown.stdout
    assert "waited s" in shown.stdout
    assert "draft" in g2c("runs", "trace", root=tmp_path).stdout
    assert len(g2c("runs", "trace", "--list", root=tmp_path).stdout.splitlines()) == 2


def test_no_text_is_shown_unless_it_is_asked_for(tmp_path: Path) -> None:
    leave("chat", "final_answer")
    for options, is_there in (([], False), (["--text"], True)):
        page = tmp_path / "page.html"
        made = g2c("runs", "trace", "last", "--page", str(page), *options, root=tmp_path)
        assert made.returncode == 0, made.stderr
        assert ("my sister is ill" in page.read_text("utf-8")) is is_there
    assert "sister" not in g2c("runs", "trace", "last", root=tmp_path).stdout


def test_a_price_makes_tokens_money(tmp_path: Path) -> None:
    leave("chat", "final_answer")
    assert "prices" not in g2c("runs", "trace", root=tmp_path).stdout, "no price is known"
    g2c("home", "init", root=tmp_path)
    [settings] = tmp_path.rglob("agent.toml")
    settings.write_text('[prices]\n"tiny\\u001b[2J" = [1.0, 10.0]')
    assert "0.0013 by the prices in agent.toml" in g2c("runs", "trace", root=tmp_path).stdout
    leave("chat", "final_answer", 1)
    said = " ".join(g2c("runs", "--summary", root=tmp_path).stdout.split())
    assert "chat 2 1,880 0.0026 final_answer 2" in said


def test_a_long_trace_is_cut_and_says_so(tmp_path: Path) -> None:
    with tracing_to_file("eval", NOON):
        for number in range(100):
            with traced("tool", f"t{number}"):
                pass
    shown = g2c("runs", "trace", root=tmp_path).stdout
    assert "and 41 more; --all shows them" in shown
    assert "t99" not in shown
    assert "t99" in g2c("runs", "trace", "--all", root=tmp_path).stdout


def test_without_a_trace_it_says_what_leaves_one(tmp_path: Path) -> None:
    done = g2c("runs", "trace", root=tmp_path)
    assert (done.returncode, "No run has left a trace yet" in done.stderr) == (1, True)
    assert "No run has left a trace yet" in g2c("runs", "--summary", root=tmp_path).stdout


def test_a_summary_says_how_runs_ended_and_sounds_the_alarm(tmp_path: Path) -> None:
    for number in range(5):
        leave("refine", "max_rounds" if number == 0 else "approved", number)
    leave("chat", "final_answer", 9)
    said = " ".join(g2c("runs", "--summary", root=tmp_path).stdout.split())
    assert "chat 1 940 final_answer 1" in said
    assert "refine 5 4,700 approved 4, max_rounds 1" in said
    assert "1 of 5 runs of refine ended at their cap" in said
    leave("refine", "approved", 10)
    said = g2c("runs", "--summary", root=tmp_path).stdout
    assert "cap" not in said, "1 of 6 is less than a fifth"


def test_a_summary_says_what_is_in_no_sum(tmp_path: Path) -> None:
    leave("chat", "final_answer")
    (runs_dir() / f"torn{SUFFIX}").write_text("not JSON\n{}\n")
    said = " ".join(g2c("runs", "--summary", root=tmp_path).stdout.split())
    assert "chat 1 940" in said and "1 run could not be read" in said and "line 1" in said


class Viewer(BaseHTTPRequestHandler):
    """Takes what is sent, as a viewer does."""

    got: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.got.append((self.path, self.rfile.read(length)))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_trace_is_sent_over_http_without_texts(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    leave("chat", "final_answer")
    with ThreadingHTTPServer(("127.0.0.1", 0), Viewer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        at = f"http://127.0.0.1:{server.server_port}"
        done = g2c("runs", "trace", "last", "--otlp", root=tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=at)
        server.shutdown()
    assert (done.returncode, done.stdout.strip()) == (0, "3 spans sent"), done.stderr
    [(path, body)] = Viewer.got
    assert path == "/v1/traces"
    assert b"invoke_agent Agent" in body
    assert b"sister" not in body


def test_sending_needs_an_address(tmp_path: Path) -> None:
    leave("chat", "final_answer")
    done = g2c("runs", "trace", "--otlp", root=tmp_path)
    assert done.returncode == 1
    assert "OTEL_EXPORTER_OTLP_ENDPOINT=http" in done.stderr


def test_a_recorded_runs_name_stands_for_the_trace_of_its_command(tmp_path: Path) -> None:
    for second, question in enumerate(("What is 2 + 3?", "Who is Ada?", "What is 2 + 3?")):
        with (
            tracing_to_file(f"chat{second}", NOON + timedelta(seconds=second)),
            traced("agent", "Agent", question),
        ):
            run = AgentRunResult(question, None, "5", (), "final_answer", {})
            save_run(run, now=NOON + timedelta(seconds=second))
    for second, name in enumerate(("-what-is-2-3", "-who-is-ada", "-what-is-2-3")):
        shown = g2c("runs", "trace", f"20260301-12000{second}{name}", root=tmp_path)
        assert f"20260301-12000{second}-chat{second}" in shown.stdout, shown.stdout + shown.stderr
    shown = g2c("runs", "trace", "20260301-120009-nothing", root=tmp_path)
    assert shown.returncode == 1 and "There is no trace" in shown.stderr
