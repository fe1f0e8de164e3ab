"""A trace in a real viewer, Arize Phoenix, asked back over its own interface.

Phoenix is 850 MB, so it stands in an environment of its own, which `G2C_PHOENIX` names:
`python -m venv /tmp/phoenix && /tmp/phoenix/bin/pip install arize-phoenix`, then
`G2C_PHOENIX=/tmp/phoenix/bin/phoenix pytest tests/course/evaluation/test_phoenix.py`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from g2c.agent import Agent
from g2c.course.traces import list_traces, read_events, tracing_to_file
from g2c.evaluation.app.otel import export
from g2c.evaluation.build_spans import build_spans
from g2c.inference import ScriptedBackend
from g2c.loop.core.delegate import make_delegate
from g2c.loop.core.types import Budget
from g2c.memory.app.store import utc_now
from g2c.tools import ToolRegistry, make_calculator

PHOENIX = os.environ.get("G2C_PHOENIX", "")
PORT, GRPC_PORT = 16_006, 16_317
AT = f"http://127.0.0.1:{PORT}"

pytestmark = pytest.mark.skipif(not PHOENIX, reason="G2C_PHOENIX names no Phoenix")


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[httpx.Client]:
    settings = {
        "PHOENIX_PORT": str(PORT),
        "PHOENIX_GRPC_PORT": str(GRPC_PORT),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_WORKING_DIR": str(tmp_path / "phoenix"),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    log = (tmp_path / "phoenix.log").open("w")
    process = subprocess.Popen(
        [PHOENIX, "serve"], env=os.environ | settings, stdout=log, stderr=log
    )
    patient = httpx.HTTPTransport(retries=12)  # it waits twice as long each time
    try:
        with httpx.Client(base_url=AT, transport=patient, timeout=60) as client:
            client.get("/healthz").raise_for_status()
            yield client
    finally:
        process.terminate()
        process.wait()


def test_a_run_with_a_delegate_is_one_tree_whose_tokens_add_up(
    viewer: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    call = ' Work.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'
    ask = ' Ask.\nAction: research\nAction Input: {"question": "What is 23 * 17?"}'
    answer = " I know.\nFinal Answer: 391"

    def agent(said: list[str], tools: ToolRegistry) -> Agent:
        return Agent(ScriptedBackend(said), tools, plan=False)

    helper = make_delegate(
        lambda tools: agent([call, answer], ToolRegistry([make_calculator()])),
        "research",
        Budget(ticks=3),
        now=utc_now,
    )
    with tracing_to_file("chat"):
        agent([ask, answer], ToolRegistry([helper])).run("Find out.")
    spans = build_spans(read_events(list_traces()[0]))
    assert export(spans, OTLPSpanExporter(endpoint=f"{AT}/v1/traces"))

    stored = _stored(viewer, len(spans))
    kinds = {item["name"]: item["span_kind"] for item in stored}
    assert kinds["invoke_agent Agent"] == "AGENT"
    assert kinds["execute_tool research"] == "TOOL"
    assert kinds["chat scripted"] == "LLM"
    roots = [item for item in stored if not item["parent_id"]]
    assert [root["name"] for root in roots] == ["command chat"]
    assert len({item["context"]["trace_id"] for item in stored}) == 1
    below = {item["context"]["span_id"]: item["parent_id"] for item in stored}
    names = {item["context"]["span_id"]: item["name"] for item in stored}
    agents = [id for id, name in names.items() if name.startswith("invoke_agent")]
    assert "execute_tool research" in {names[below[id]] for id in agents}
    read = sum(item["attributes"].get("llm.token_count.prompt", 0) for item in stored)
    assert read == sum(span.input_tokens or 0 for span in spans), "the tokens add up"


def _stored(viewer: httpx.Client, wanted: int) -> list[dict[str, Any]]:
    """Phoenix writes down what it took in its own time; it is asked until it has all."""
    for _ in range(1_000):
        answer = viewer.get("/v1/projects/default/spans", params={"limit": 100})
        if answer.status_code == 200 and len(found := answer.json()["data"]) >= wanted:
            return list(found)
    raise AssertionError(f"Phoenix has not all of {wanted} spans: {answer.text[:500]}")
