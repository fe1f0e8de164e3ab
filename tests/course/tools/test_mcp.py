"""MCP in both directions: servers' tools in an agent, and the memory as a server."""

import asyncio
import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import each
from checkout import COMMAND
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from g2c.cli.app import app
from g2c.memory import MemoryStore, make_read_topic_tool, make_recall_tool, make_remember_tool
from g2c.processes import process_is_alive
from g2c.tools import ToolCall, ToolError, ToolRegistry, ToolResult, dispatch_tool_call
from g2c.tools.mcp import MAX_TOOLS, McpTools, mcp_tools

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TIME = shlex.join([sys.executable, "-m", "mcp_server_time"])
LONG_S = 120
"""Longer than a busy machine needs. Where a test wants a limit to pass, it is short."""


def hostile(way: str, *more: str) -> str:
    script = ROOT / "tests/course/helpers/hostile_mcp.py"
    return shlex.join([sys.executable, "-I", "-S", str(script), way, *more])


def call(tools: McpTools, name: str, **arguments: Any) -> ToolResult:
    return dispatch_tool_call(ToolRegistry(tools.tools), ToolCall(name, arguments))


def ask_hostile(way: str, *more: str, call_s: float = LONG_S) -> ToolResult:
    """The result of a call to a server that misbehaves in this way."""
    with mcp_tools([hostile(way, *more)], connect_s=LONG_S, call_s=call_s) as lent:
        return call(lent, "go")


def wait_until_dead(*pids: int) -> None:
    end = time.monotonic() + LONG_S
    while any(_runs(pid) for pid in pids):
        assert time.monotonic() < end, f"still alive: {pids}"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")  # where nobody collects a dead process, it stays as a zombie
    with contextlib.suppress(OSError):
        return stat.read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z"
    return process_is_alive(pid)


class TestARealServer:
    def test_its_tools_can_be_called_and_its_errors_are_observations(self) -> None:
        with mcp_tools([TIME], connect_s=LONG_S) as time_tools:
            said = call(time_tools, "get_current_time", timezone="Asia/Tokyo")
            assert "+09:00" in said.output and not said.is_error
            wrong = call(time_tools, "get_current_time", timezone="Asia/Nowhere")
            assert wrong.is_error and "Nowhere" in wrong.output
            missing = call(time_tools, "get_current_time")
            assert missing.is_error and "'timezone' is missing" in missing.output

    def test_names_that_clash_are_told_apart(self) -> None:
        with mcp_tools([TIME, TIME], taken=["convert_time"], connect_s=LONG_S) as lent:
            assert [tool.name for tool in lent.tools] == [
                "time_get_current_time",
                "time_convert_time",
                "time_get_current_time_2",
                "time_convert_time_2",
            ]
            assert "+00:00" in call(lent, "time_get_current_time_2", timezone="UTC").output


class TestAServerThatMisbehaves:
    @each(
        [
            *(("nobody", "out of luck"), ("word", "no luck"), ("list", "no luck")),
            *(("no code", "out of luck"), ("code", "out of luck"), ("empty", "{}")),
        ]
    )
    def test_an_error_to_nobody_or_in_a_word_is_told_at_once(self, case: tuple[str, str]) -> None:
        way, why = case
        said = ask_hostile(way)
        assert said.is_error and why in said.output

    @each(
        [
            *("garbage", "bom", "spaces", "latin-1", "surrogate", "accent", "float", "quoting"),
            *("digits for an id", "true for an id", "a list for an id", "no id"),
            *("version 1", "no version", "both"),
        ]
    )
    def test_an_answer_in_an_odd_form_is_read(self, way: str) -> None:
        assert "gone" in ask_hostile(way).output

    @each(
        [
            ("digits", "integer string"),
            ("deep", "nested more than 100 deep"),
            ("infinite", "Out of range"),
            ("half", "Expecting"),
            ("utf-16", "it is in UTF-16"),
            ("big", "it is in UTF-16"),
            ("lines", "a line of its own"),
            ("array", "a line of its own"),
            ("repr", "Expecting"),
            ("headers", "a line of its own"),
            ("text", "its result is not an object"),
            ("null", "its result is not an object"),
        ]
    )
    def test_an_answer_that_cannot_be_read_is_named_at_once(self, case: tuple[str, str]) -> None:
        way, why = case
        said = ask_hostile(way)
        assert said.is_error and "its answer cannot be read" in said.output and why in said.output

    def test_an_answer_to_another_request_is_named(self) -> None:
        said = ask_hostile("another id", call_s=1)
        assert said.is_error and "it answers nothing that was asked" in said.output

    def test_one_that_never_answers_is_named(self) -> None:
        with (
            pytest.raises(ValueError, match=r"hostile_mcp.*took more than 0.5 seconds"),
            mcp_tools([hostile("mute")], connect_s=0.5),
        ):
            pass

    @each(["no-such-command-here", sys.executable + " -c 'exit(3)'", "", "a 'b"])
    def test_one_that_cannot_be_started_is_a_sentence(self, server: str) -> None:
        with pytest.raises(ValueError, match="could not be used") as refused, mcp_tools([server]):
            pass
        assert "[Errno" not in str(refused.value)

    def test_one_that_dies_in_a_call_says_its_last_words(self) -> None:
        with mcp_tools([hostile("dies")], connect_s=LONG_S, call_s=LONG_S) as lent:
            for _ in range(2):
                said = call(lent, "go")
                assert said.is_error and "did not answer" in said.output
            assert "out of luck" in said.output

    def test_one_that_never_ends_a_call_is_given_up(self) -> None:
        with mcp_tools([hostile("silent")], connect_s=LONG_S, call_s=0.5) as lent:
            said = call(lent, "go")
            with pytest.raises(ToolError) as ended:
                lent.tools[0].func()
        assert said.is_error and "took more than 0.5 seconds" in said.output
        assert ended.value.kind == "lost"

    def test_one_that_makes_progress_is_waited_for(self) -> None:
        said = ask_hostile("slow", call_s=0.5)
        assert (said.output, said.is_error) == ("done at last", False)

    def test_a_note_that_cannot_be_read_is_not_printed(self) -> None:
        code = f"""
from g2c.tools.mcp import mcp_tools
with mcp_tools([{hostile("half a note")!r}], connect_s={LONG_S}, call_s={LONG_S}) as lent:
    lent.tools[0].func()
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=LONG_S)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def test_an_endless_line_ends_it(self) -> None:
        said = ask_hostile("endless")
        assert said.is_error and "a line of more than" in said.output

    def test_an_error_is_marked_as_one(self) -> None:
        assert ask_hostile("fails") == ToolResult("", "go", "the disk is on fire", is_error=True)

    def test_a_long_result_is_cut_and_steers_no_terminal(self) -> None:
        said = ask_hostile("long").output
        assert len(said) < 5_000 and "\x1b" not in said and "cut here" in said

    def test_a_binary_file_gets_a_sentence(self) -> None:
        assert ask_hostile("mixed").output == "a\n[image, image/png: it cannot be shown here]"

    @each(["no schema", "null", "true", "no type", "odd arguments", "other words", "5", "snake"])
    def test_a_tool_or_a_greeting_in_an_odd_form_does_not_cost_the_others(self, way: str) -> None:
        with mcp_tools([hostile("odd tool", way)], connect_s=LONG_S, call_s=LONG_S) as lent:
            assert [tool.name for tool in lent.tools][-1] == "go"
            assert "gone" in call(lent, "go").output
            assert len(lent.tools) == 2 or "it has no name" in lent.notes[0]

    @each(
        [
            *('{"content": "gone"}', '{"content": {"type": "text", "text": "gone"}}'),
            *('{"content": ["gone"]}', '{"content": [{"text": "gone"}], "isError": null}'),
            '{"content": [{"type": "video"}, {"type": "text", "text": "gone"}]}',
            '{"content": [{"type": "text", "text": "gone", "annotations": {"priority": 7}}]}',
            '{"content": [{"type": "resource", "resource": {"text": "gone"}}]}',
            *('{"structuredContent": ["gone"]}', '{"toolResult": "gone"}'),
        ]
    )
    def test_a_result_in_an_odd_form_is_read(self, result: str) -> None:
        said = ask_hostile("result", result)
        assert "gone" in said.output and not said.is_error

    def test_many_tools_are_shortened_and_some_left_out(self) -> None:
        with mcp_tools([hostile("many")], connect_s=LONG_S) as lent:
            assert len(lent.tools) == MAX_TOOLS
            assert all(len(tool.description) <= 400 for tool in lent.tools)
            assert "left out: t30, t31" in lent.notes[0]

    def test_schemas_become_plain_or_their_tools_are_left_out(self) -> None:
        with mcp_tools([hostile("schemas")], connect_s=LONG_S) as lent:
            (tool,) = lent.tools
            assert tool.name == "odd_name_31m" and tool.description == "[2Jred"
            assert tool.parameters["properties"]["word"] == {"type": "string"}
            assert tool.parameters["properties"]["far"] == {}
            assert tool.find_problems({"word": "a" * 60 + "!", "loop": {"a": {}}}) == []
            assert [note.split(": ")[1] for note in lent.notes] == [
                "the tool 'wide' is left out",
                "the tool 'newline' is left out",
            ]

    def test_it_gets_no_variable_but_the_harmless(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET_KEY", "s3cret")
        with mcp_tools([hostile("env")], connect_s=LONG_S) as lent:
            names = set(call(lent, "go").output.split())
        passed_on = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}
        assert names <= passed_on | {"LC_CTYPE"}, "Python may set LC_CTYPE for itself"


@pytest.mark.skipif(os.name != "posix", reason="process groups")
class TestItsEnd:
    def test_a_server_and_its_child_end_with_the_with(self, tmp_path: Path) -> None:
        pids = tmp_path / "pids"
        with mcp_tools([hostile("stubborn", str(pids))], connect_s=LONG_S):
            started = [int(pid) for pid in pids.read_text().split()]
            assert len(started) == 2 and all(map(process_is_alive, started))
        wait_until_dead(*started)

    def test_they_end_if_the_agents_process_is_killed(self, tmp_path: Path) -> None:
        pids = tmp_path / "pids"
        code = (
            "import sys, time\nfrom g2c.tools.mcp import mcp_tools\n"
            "with mcp_tools([sys.argv[1]]):\n    print('ready', flush=True)\n    time.sleep(3600)"
        )
        agent = subprocess.Popen(
            [sys.executable, "-c", code, hostile("stubborn", str(pids))],
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert agent.stdout and agent.stdout.readline() == b"ready\n"
        agent.send_signal(signal.SIGKILL)
        agent.wait()
        wait_until_dead(*(int(pid) for pid in pids.read_text().split()))


HTTP_SERVER = """
import sys
from mcp.server import MCPServer
server = MCPServer("adder")
@server.tool()
def add(a: int, b: int) -> int:
    return a + b
@server.tool()
def flood() -> str:
    return "x" * 9_000_000
server.run("streamable-http", port=int(sys.argv[1]))
"""


@pytest.fixture
def url() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-c", HTTP_SERVER, str(port)], stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + LONG_S
        while server.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.kill()
        server.wait()


class TestHttp:
    def test_a_server_by_its_url_and_an_answer_without_end(self, url: str) -> None:
        with mcp_tools([url], connect_s=LONG_S, call_s=LONG_S) as lent:
            assert call(lent, "add", a=2, b=3).output == "5"
            assert call(lent, "flood").is_error

    def test_an_address_where_nobody_answers(self) -> None:
        with (
            pytest.raises(ValueError, match=r"'http://127\.0\.0\.1:9/mcp' could not be used"),
            mcp_tools(["http://127.0.0.1:9/mcp"]),
        ):
            pass


def test_without_the_sdk_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ValueError, match=r"pip install 'g2c\[mcp\]'"), mcp_tools([TIME]):
        pass
    done = CliRunner().invoke(app, ["memory", "serve"])
    assert isinstance(done.exception, ValueError) and "g2c[mcp]" in str(done.exception)


def serving(folder: Path, reference: str = "all") -> StdioServerParameters:
    command, *words = COMMAND
    return StdioServerParameters(
        command=command,
        args=[*words, "memory", "serve", "--memory", str(folder)],
        env={"PYTHONPATH": str(ROOT), "G2C_REFERENCE": reference},
        cwd=ROOT,
    )


async def ask(client: Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    result = await client.call_tool(tool, arguments)
    block = result.content[0]
    assert block.type == "text"
    return block.text, bool(result.is_error)


def message(number: int, method: str, **params: Any) -> bytes:
    whole = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(whole).encode() + b"\n"


@contextlib.contextmanager
def begun() -> Iterator[subprocess.Popen[bytes]]:
    """The memory's server, which a client has greeted."""
    with (
        tempfile.TemporaryDirectory() as folder,
        greeted([*COMMAND, "memory", "serve", "--memory", folder]) as server,
    ):
        yield server


@contextlib.contextmanager
def greeted(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    environment = os.environ | {"G2C_REFERENCE": "all"}
    with subprocess.Popen(command, env=environment, **pipes) as server:
        assert server.stdin and server.stdout
        me = {"name": "x", "version": "1"}
        greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me}
        server.stdin.write(message(1, "initialize", **greeting))
        server.stdin.flush()
        assert server.stdout.readline()
        yield server


SERVER = """
import sys, threading
from g2c.tools import Tool, mcp_server
from g2c.tools.mcp_server import serve_tools
from g2c.wanted import check_wanted, when_nobody_waits
let_go, ended = threading.Event(), threading.Event()
def work():
    when_nobody_waits(let_go.set)
    print("at work", file=sys.stderr, flush=True)
    try:
        while True:
            check_wanted()
    finally:
        ended.set()
def wait():
    return f"{let_go.wait(60)} {ended.wait(60)}"
nothing = {"type": "object", "properties": {}}
mcp_server.PATIENCE_S = 3600  # a server that waits for no reply does not need it
serve_tools("test", [Tool(each.__name__, ".", nothing, each) for each in (work, wait)])
"""


class TestAClientThatGivesUp:
    @pytest.fixture
    def server(self) -> Iterator[subprocess.Popen[bytes]]:
        with greeted([sys.executable, "-c", SERVER]) as server:
            assert server.stdin and server.stderr
            server.stdin.write(message(2, "tools/call", name="work", arguments={}))
            server.stdin.flush()
            assert server.stderr.readline() == b"at work\n"
            yield server

    def test_a_call_that_is_cancelled_ends_and_the_next_one_is_answered(
        self, server: subprocess.Popen[bytes]
    ) -> None:
        assert server.stdin and server.stdout
        cancel = {"method": "notifications/cancelled", "params": {"requestId": 2}}
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **cancel}).encode() + b"\n")
        server.stdin.write(message(3, "tools/call", name="wait", arguments={}))
        server.stdin.close()
        answer = json.loads(server.stdout.readline())
        assert answer["id"] == 3 and answer["result"]["content"][0]["text"] == "True True"
        assert server.wait(LONG_S) == 0

    def test_a_client_that_is_gone_ends_the_server_at_once(
        self, server: subprocess.Popen[bytes]
    ) -> None:
        assert server.stdin and server.stdout
        server.stdin.close()
        server.stdout.close()
        assert server.wait(LONG_S) == 0


class TestTheMemoryAsAServer:
    def test_memories_are_recalled_and_read(self, tmp_path: Path) -> None:
        async def talk() -> None:
            async with Client(serving(tmp_path / "memory")) as client:
                tools = (await client.list_tools()).tools
                assert [tool.name for tool in tools] == ["recall", "remember", "read_topic"]
                said = await ask(client, "remember", name="House", text="The door is green.")
                assert said == ("It is kept in topics/house.md.", False)
                found, _ = await ask(client, "recall", query="door")
                assert found.startswith("The door is green. (house.md:")
                read = await ask(client, "read_topic", name=found.partition("(")[2].rstrip(")"))
                assert "The door is green." in read[0]
                assert (await ask(client, "read_topic", name="../../etc/passwd"))[1]
                assert (await ask(client, "recall"))[1]

        asyncio.run(talk())

    def test_requests_before_the_end_of_input_are_answered(self) -> None:
        with begun() as server:
            assert server.stdin and server.stdout
            for number in range(2, 10):
                call = {"name": "x", "text": f"This is {number}."}
                server.stdin.write(message(number, "tools/call", name="remember", arguments=call))
            server.stdin.close()
            answers = [json.loads(line) for line in server.stdout]
            assert sorted(answer["id"] for answer in answers) == list(range(2, 10))
            assert server.wait() == 0

    @each(["answers", "questions"])
    def test_it_ends_quietly_when_its_client_goes(self, closed: str) -> None:
        with begun() as server:
            assert server.stdin and server.stdout and server.stderr
            if closed == "answers":  # and its input stays open, as where a child holds it
                server.stdout.close()
                server.stdin.write(message(2, "ping"))
                server.stdin.flush()
            else:
                server.stdin.close()
            assert server.stderr.read() == b""
            assert server.wait() == 0

    @each(
        [
            (b"x" * 17 * 2**20, b"A message of more than 16,777,216 bytes was dropped."),
            (
                b'{"id": 1',
                b"A message was dropped: Expecting ',' delimiter: line 1 column 9 (char 8).",
            ),
            (b"\xff\x00\xff", b"A message was dropped: "),
            (b"[" * 100_000, b"A message was dropped: it is nested more than 64 deep."),
            (b"9" * 5000, b"A message was dropped: Exceeds the limit"),
            (b"{}", b"A message was dropped: it has no method"),
            (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', b"A message was dropped: "),
            (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', b"A message was dropped: "),
            (b" \r", b""),
        ]
    )
    def test_another_line_than_a_message_is_dropped_with_a_word(
        self, case: tuple[bytes, bytes]
    ) -> None:
        line, says = case
        with begun() as server:
            assert server.stdin and server.stdout and server.stderr
            server.stdin.write(line + b"\n" + message(3, "ping"))
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == 3
            server.stdin.close()
            said = server.stderr.read()
            assert said.startswith(says) and said.count(b"\n") == bool(says)

    @each(
        [
            b'[{"jsonrpc": "2.0", "id": 2, "method": "ping"}]',
            b'{"id": 2, "method": "ping"}',
            b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ["recall"]}',
            b'{"jsonrpc": "2.0", "id": 2, "method": "ping", "params": null}',
        ]
    )
    def test_a_request_in_an_odd_form_is_answered(self, line: bytes) -> None:
        with begun() as server:
            assert server.stdin and server.stdout
            server.stdin.write(line + b"\n")
            server.stdin.close()
            assert json.loads(server.stdout.readline())["id"] == 2
            assert server.wait(LONG_S) == 0

    def test_half_an_emoji_is_a_question_mark(self) -> None:
        half = message(
            2, "tools/call", name="remember", arguments={"name": "x", "text": "a \ud83d"}
        )
        with begun() as server:
            assert server.stdin and server.stdout and b"\\ud83d" in half
            server.stdin.write(half)
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            assert (answer["id"], answer["result"]["isError"]) == (2, False)
            server.stdin.close()

    def test_two_servers_at_once_lose_nothing(self, tmp_path: Path) -> None:
        async def write(client: Client, mark: str) -> None:
            for n in range(15):
                assert not (await ask(client, "remember", name="Shared", text=f"{mark} {n}."))[1]
                assert not (await ask(client, "remember", name=f"{mark}{n}", text="Own."))[1]

        async def talk() -> None:
            async with Client(serving(tmp_path)) as one, Client(serving(tmp_path)) as two:
                await asyncio.gather(write(one, "one"), write(two, "two"))

        asyncio.run(talk())
        store = MemoryStore(tmp_path)
        body = store.read_topic("shared").body
        assert all(f"{mark} {n}." in body for mark in ("one", "two") for n in range(15))
        assert {pointer.file for pointer in store.index.pointers} == {
            f"topics/{topic.slug}.md" for topic in store.topics.list()
        }
        assert len(store.topics.list()) == 31

    def test_an_exercise_that_is_not_started_is_named(self, tmp_path: Path) -> None:
        async def talk() -> tuple[str, bool]:
            async with Client(serving(tmp_path, "19")) as client:
                return await ask(client, "remember", name="House", text="The door is green.")

        said, is_error = asyncio.run(talk())
        assert is_error and said.startswith("20.4 upsert: not started."), (
            "this checkout's own 20.4 may be written"
        )


class TestMemoryTools:
    @pytest.fixture
    def store(self, tmp_path: Path) -> MemoryStore:
        return MemoryStore(tmp_path / "memory")

    def test_a_topics_text_stays(self, store: MemoryStore) -> None:
        remember = make_remember_tool(store).func
        store.write_topic("House", "about the house", "It is old.", type="project")
        remember(name="HOUSE", text="The door is green.")
        assert "known already" in remember(name="house", text="The door is green.")
        topic = store.read_topic("house")
        assert (topic.name, topic.description, topic.type) == (
            "House",
            "about the house",
            "project",
        )
        assert topic.body == "It is old.\n\nThe door is green."

    @pytest.mark.parametrize("given", [("", "x"), ("n" * 81, "x"), ("n", " "), ("n", "x" * 4_001)])
    def test_names_and_texts_are_bounded(self, store: MemoryStore, given: tuple[str, str]) -> None:
        with pytest.raises(ToolError, match="Give"):
            make_remember_tool(store).func(name=given[0], text=given[1])

    def test_a_full_topic_stays_as_it_is(self, store: MemoryStore) -> None:
        remember = make_remember_tool(store).func
        store.write_topic("House", "about the house", "x" * 24_000)
        with pytest.raises(ToolError, match="the limit is 25,000"):
            remember(name="House", text="y" * 3_000)
        assert store.read_topic("House").body == "x" * 24_000

    @pytest.mark.parametrize(
        "name", ["House", "house", "topics/house.md", "house.md", "house.md:9"]
    )
    def test_a_topic_is_read_by_whatever_names_it(self, store: MemoryStore, name: str) -> None:
        store.write_topic("House", "about the house", "The door is green.")
        assert "The door is green." in make_read_topic_tool(store).func(name=name)

    def test_a_turn_is_read_by_its_pointer(self, store: MemoryStore) -> None:
        for n in range(9):
            store.log_turn("user", f"turn {n}")
        (pointer,) = store.index.pointers
        read = make_read_topic_tool(store).func
        assert read(name=f"{pointer.file}:5").splitlines()[:3] == [
            "user: turn 2",
            "user: turn 3",
            "user: turn 4",
        ]
        assert "has no line 99" in read(name=f"{pointer.file}:99")

    @pytest.mark.parametrize(
        "name",
        ["../../etc/passwd", "/etc/passwd", "topics/../../secret.md", "2026-99-99.jsonl", "x"],
    )
    def test_nothing_outside_is_opened(self, store: MemoryStore, name: str) -> None:
        (store.root.parent / "secret.md").write_text("secret", "utf-8")
        with pytest.raises(ToolError, match="There is no"):
            make_read_topic_tool(store).func(name=name)

    def test_a_link_that_leads_out_is_not_followed(self, store: MemoryStore) -> None:
        secret = store.root.parent / "secret.md"
        secret.write_text("secret", "utf-8")
        store.write_topic("House", "about the house", "Old.")
        (store.root / "topics/away.md").symlink_to(secret)
        with pytest.raises(ToolError, match="not in the memory"):
            make_read_topic_tool(store).func(name="away")

    def test_recall_finds_what_was_remembered(self, store: MemoryStore) -> None:
        make_remember_tool(store).func(name="House", text="The door is green.")
        assert "green" in make_recall_tool(store.recall).func(query="Which door?")
