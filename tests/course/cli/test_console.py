"""Text of a model, a tool or a file reaches the terminal as text: it steers nothing and stays as it
is."""

import ast
import io
import json
from pathlib import Path

import pytest
from command import g2c
from ollama_server import Answer, OllamaServer, lines, recorded
from openai_server import MODELS, OpenAIServer
from rich.markdown import Markdown
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from typer.testing import CliRunner

from g2c.agent import Action, AgentRunResult, AgentStep, Observation, Plan
from g2c.cli import console
from g2c.cli.app import app
from g2c.cli.console import CleanConsole, show
from g2c.cli.steps import show_step
from g2c.home import Home
from g2c.inference import ScriptedBackend
from g2c.loop.app.setup import LoopSettings, make_runner
from g2c.loop.core.types import Budget
from g2c.widgets import LiveTrace, view

STEERING = (
    "\x1b]8;;http://evil.test\x1b\\\\click\x1b]8;;\x1b\\\\ \x1b]52;c;ZXZpbA==\x07 \x1b]0;title\x07"
    "\x1b[2J\x9b31m\x9d0;t\x9c \x08\x08\r \u202etxt.exe\u202c \ud800"
)
KEPT = ("02:ab:ab:cd:ab:01", "[x]", "[bold]b[/]", "[link=http://evil.test]l[/link]", ":smile:")
HOSTILE = f"{' '.join(KEPT)} [/] [/nothing] {STEERING}"


def steers(text: str) -> bool:
    codes = [ord(char) for char in text if char not in "\n\t"]
    return any(code < 32 or 127 <= code < 160 or code == 0x202E for code in codes)


def check(shown: str, kept: tuple[str, ...] = KEPT) -> None:
    assert not steers(shown), ascii(shown)
    joined = " ".join(shown.split())
    assert all(text in joined for text in kept), ascii(shown)


@pytest.mark.parametrize(
    "renderable",
    [escape(HOSTILE), Text(HOSTILE), Syntax(HOSTILE, "diff"), Markdown(f"`{STEERING}`")],
)
def test_whatever_is_printed_steers_nothing(renderable):
    file = io.StringIO()
    CleanConsole(file=file, width=400, color_system=None).print(renderable)
    check(file.getvalue(), KEPT if not isinstance(renderable, Markdown) else ())


def test_a_cell_a_rule_and_a_status_steer_nothing():
    file = io.StringIO()
    console = CleanConsole(file=file, width=400, color_system=None)
    table = Table()
    table.add_column(escape(HOSTILE))
    table.add_row(escape(HOSTILE))
    console.print(table)
    console.rule(escape(HOSTILE))
    check(file.getvalue())


def test_colours_of_ours_stay():
    file = io.StringIO()
    CleanConsole(file=file, force_terminal=True, color_system="standard").print("[red]no[/]")
    assert "\x1b[31m" in file.getvalue()


STEP = AgentStep(
    HOSTILE, HOSTILE, Action("read_file", {"path": HOSTILE}), Observation(HOSTILE), None, HOSTILE
)


def test_a_backslash_at_the_end_of_a_line_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    show("Path", "C:\\temp\\\nmore\\", "red")
    assert capsys.readouterr().out == "Path          C:\\temp\\\n              more\\\n"


def test_a_step_of_a_run_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    show("Name", HOSTILE, "red")
    show_step(STEP)
    check(capsys.readouterr().out)
    LiveTrace(HOSTILE)(STEP)
    check(capsys.readouterr().out)
    view.show(view.View(view.Html(""), view.text_table([HOSTILE], [[HOSTILE]])))
    check(capsys.readouterr().out, KEPT[:2])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a loop and a recorded run that are full of such texts."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    place = Home(tmp_path / ".g2c/home")
    place.create()
    said = ["I write.", f"Final Answer: {HOSTILE}"]
    runner = make_runner(place.loop().root, LoopSettings(review=False), ScriptedBackend(said * 9))
    assert runner.store
    runner.store.log_turn("user", f"milk {HOSTILE}")
    runner.store.write_topic("Milk", f"milk {HOSTILE}", f"milk {HOSTILE}")
    runner.run(f"Write a.txt. {HOSTILE}", Budget(ticks=1))
    steps = (STEP,)
    run = AgentRunResult(HOSTILE, Plan(HOSTILE, (HOSTILE,)), HOSTILE, steps, "max_steps", {})
    (tmp_path / "runs").mkdir()
    run.save(tmp_path / "runs/20260101-000000.json")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["runs", "show", "last"],
        ["runs", "show", "last", "--markdown"],
        ["runs"],
        ["memory", "show"],
        ["memory", "show", "milk"],
        ["memory", "grep", "milk"],
        ["memory", "recall", "milk", "--lexical", "--transcripts"],
        ["loop", "status"],
        ["loop", "log"],
        ["loop", "log", "--tick", "1"],
        ["home", "show"],
    ],
)
def test_a_command_shows_such_texts_as_they_are(home: Path, command: list[str]) -> None:
    done = CliRunner().invoke(app, command)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    check(done.output, () if command[0] in ("home", "runs") else KEPT[:2])


def test_a_servers_words_and_names_reach_the_screen_as_they_are(tmp_path: Path) -> None:
    name = f"m{' '.join(KEPT)} [/] [/nothing]\x1b[31m"
    with OpenAIServer() as server:
        server.on(MODELS, Answer((json.dumps({"data": [{"id": name}]}).encode(),)))
        chosen = g2c("model", f"openai:{server.url}/v1#{name}", root=tmp_path)
    assert chosen.returncode == 0, chosen.stderr
    check(chosen.stdout)
    with OllamaServer() as server:
        server.on("/api/show", recorded("error_model_not_found.json", 404), recorded("show.json"))
        server.on("/api/pull", lines({"status": HOSTILE}, {"status": "success"}))
        pulled = g2c("model", "qwen3:4b", "--yes", root=tmp_path, OLLAMA_HOST=server.url)
    assert pulled.returncode == 0, pulled.stderr


def test_a_warning_is_a_sentence_and_steers_nothing(tmp_path: Path) -> None:
    topics = tmp_path / "topics"
    topics.mkdir()
    (topics / "a\x1b[31m.md").write_text("---\nname: [\n---\n")
    done = g2c("memory", "show", "--memory", str(tmp_path), root=tmp_path)
    assert done.stderr.startswith("The head of ") and "UserWarning" not in done.stderr
    check(done.stderr, ())


def test_each_confirmation_names_what_it_confirms() -> None:
    asked = []
    for file in Path(console.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("confirm", "answer_to"):
                asked.append((file.name, node.args[0]))
    assert len(asked) > 5
    nameless = [(name, ast.unparse(text)) for name, text in asked if isinstance(text, ast.Constant)]
    assert not nameless, "the question is the same whatever it is about"
