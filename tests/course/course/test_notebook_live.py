"""The notebooks as a person runs them, in a real kernel that has somebody to ask: each experiment
after the cells of Set-up alone, and each control that it shows at every position.

The model's answers come at once from a server, and mean nothing.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import pytest
from checkout import Checkout
from jupyter_client.manager import start_new_kernel
from ollama_server import Answer, OllamaServer, Received, lines, recorded
from test_notebook import NOTEBOOKS, each_notebook, environment

from g2c.widgets.console import CONSOLE
from g2c.widgets.live import CONTROLS

pytestmark = pytest.mark.slow

KEEP = "import builtins; builtins.kept_names = dict(globals())"
PUT_BACK = "(lambda now, kept: (now.clear(), now.update(kept)))(globals(), kept_names)"
SECONDS = 300
BEFORE = {
    "20-memory": """
from g2c.paths import project_root
MemoryStore(project_root() / "memory").log_turn("user", "The boat is mine.")
""",
    "22-loops": """
from g2c.home import Home
from g2c.paths import state_dir
mine = Home(state_dir() / "home").loop()
mine.root.mkdir(parents=True, exist_ok=True)
(mine.root / "work").mkdir(exist_ok=True)
loop_in(mine.root, scripted(lambda prompt, tools: "It ran.")).run("Go on.", Budget(ticks=1))
""",
}
"""The work that a person has done before the deliverable."""


@dataclass
class Shown:
    """The output of a cell, or of a control that was moved."""

    errors: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    widgets: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __call__(self, message: Mapping[str, Any]) -> None:
        content = message["content"]
        match message["msg_type"]:
            case "error":
                self.errors.append(f"{content['ename']}: {content['evalue']}")
            case "stream":
                self.printed.append(content["text"])
            case "display_data" | "update_display_data" | "execute_result":
                self.texts.append(content["data"].get("text/plain", ""))
                self.html.append(content["data"].get("text/html", ""))
            case "comm_open":
                self.widgets[content["comm_id"]] = content["data"]["state"]
            case "comm_msg" if content["data"].get("method") == "update":
                self.html.append(content["data"]["state"].get("value", ""))

    @property
    def sliders(self) -> dict[str, dict[str, Any]]:
        kind = "SelectionSliderModel"
        return {name: s for name, s in self.widgets.items() if s["_model_name"] == kind}


class Person:
    """Somebody before a kernel: runs cells, moves controls, and answers what is asked."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._manager, self._client = start_new_kernel(cwd=str(folder), env=environment)

    def run(self, source: str) -> Shown:
        shown = Shown()
        self._client.execute_interactive(
            source,
            allow_stdin=True,
            stdin_hook=lambda message: self._client.input(""),
            output_hook=shown,
            timeout=SECONDS,
        )
        return shown

    def move(self, control: str, index: int) -> Shown:
        """Do what a page does where a person has moved a slider."""
        shown, update = Shown(), {"method": "update", "state": {"index": index}}
        content = {"comm_id": control, "data": update | {"buffer_paths": []}}
        sent = self._client.session.msg("comm_msg", content)
        self._client.shell_channel.send(sent)
        while True:
            message = self._client.get_iopub_msg(timeout=SECONDS)
            if message["parent_header"].get("msg_id") != sent["header"]["msg_id"]:
                continue
            if message["content"].get("execution_state") == "idle":
                return shown
            shown(message)

    def leave(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)


class NoTools(OllamaServer):
    """Its model takes no tools."""

    def take(self, request: Received) -> Answer:
        refused = recorded("error_no_tools.json", 400)
        return refused if (request.body or {}).get("tools") else super().take(request)


@pytest.fixture
def person(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    with getattr(request, "param", OllamaServer)() as server:
        server.on("/api/tags", lines({"models": [{"model": "llama3.2:3b"}]}))
        own = {"G2C_BACKEND": "llama3.2:3b", "OLLAMA_HOST": server.url, "G2C_REFERENCE": "all"}
        person = Person(tmp_path, environment(tmp_path, **own))
        yield person
        person.leave()


def experiments(notebook: Path) -> dict[int, list[tuple[str, str]]]:
    """The ids and sources of the code cells by the experiment's number; 0 is Set-up."""
    number, found = 0, {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if begins := re.match(r"experiment-(\d+)", cell.id):
            number = int(begins[1])
        if cell.cell_type == "code":
            found.setdefault(number, []).append((cell.id, cell.source))
    return found


@each_notebook
def test_an_experiment_needs_set_up_alone_and_its_controls_every_position(
    notebook: Path, person: Person
) -> None:
    set_up, *others = experiments(notebook).items()
    cells = nbformat.read(notebook, as_version=4).cells
    titled = {cell.id: re.match(r"## (\d+)\.", cell.source) for cell in cells}
    assert all(id == f"experiment-{title[1]}" for id, title in titled.items() if title)
    assert set_up[0] == 0
    assert [number for number, _ in others] == [*range(1, len(others) + 1)]
    assert len(others) >= sum(map(bool, titled.values())) - 1 >= 7, "a deliverable may have no code"
    for name, source in set_up[1]:
        assert person.run(source).errors == [], name
    assert person.run(BEFORE.get(notebook.stem, "")).errors == []
    person.run(KEEP)
    for number, cells in reversed(others):  # so that none finds what one before it left
        person.run(PUT_BACK)
        for name, source in cells:
            shown = person.run(source)
            assert shown.errors == [], f"experiment {number}, cell {name}"
            for control, state in shown.sliders.items():
                try_each_position(person, control, state, name)


@each_notebook
def test_no_line_of_an_experiment_needs_a_name_of_another(notebook: Path, tmp_path: Path) -> None:
    set_up, *others = experiments(notebook).values()
    for number, cells in enumerate(others, 1):
        sources = [source for _, source in [*set_up, *cells]]
        lines = [line for text in sources for line in text.splitlines() if line[:1] != "%"]
        (tmp_path / f"experiment_{number}.py").write_text("\n".join(lines))
    ruff = ["-m", "ruff", "check", "--isolated", "--select=F821", "--output-format=concise"]
    known = ["--config", 'builtins=["display"]', str(tmp_path)]
    done = subprocess.run([sys.executable, *ruff, *known], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@each_notebook
@pytest.mark.parametrize("person", [NoTools], indirect=True)
def test_a_model_without_tools_ends_no_cell(notebook: Path, person: Person) -> None:
    set_up, *others = experiments(notebook).values()
    tools = re.compile(r"NativeAgent|_with_tools")
    calling = [cell for cells in others if tools.search(str(cells)) for cell in cells]
    for name, source in [*(set_up if calling else ()), *calling]:
        shown = person.run(source)
        assert shown.errors == [], name
        assert "--native" in "".join(shown.printed) or (name, source) in set_up, name


def try_each_position(person: Person, control: str, state: Mapping[str, Any], cell: str) -> None:
    last, positions = state["index"], range(len(state["_options_labels"]))
    seen = set()
    for index in [*positions, *reversed(positions)]:
        shown = person.move(control, index)
        where = f"{cell}: {state['description']} at {state['_options_labels'][index]}"
        assert shown.errors == [], where
        assert bool(shown.texts) == (index != last), where
        for text in shown.texts:
            assert not re.match(r"\w+(Error|Exception): ", text), f"{where}: {text}"
        seen |= set(shown.html)
        last = index
    marked = {html for html in seen if "g2c-here" in html}
    assert len(marked or seen) > (len(positions) if marked else 1), (
        f"{cell}: {state['description']} moves, and what it shows does not"
    )


def test_some_notebooks_have_controls() -> None:
    sources = "".join(path.read_text("utf-8") for path in NOTEBOOKS)
    for name in ("gate_map(", "heal_map(", "convergence_curves("):
        assert name in sources


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("from g2c.widgets.gate import gate_map; gate_map(should_dream)", CONTROLS),
        ("from g2c.widgets.console import AgentConsole\nAgentConsole(None)", CONSOLE),
    ],
)
def test_words_stand_in_for_widgets_that_cannot_be_shown(
    source: str, says: str, person: Person
) -> None:
    shown = person.run(f"from g2c.memory import should_dream\n{source}")
    assert not shown.errors and says in shown.texts and f"<em>{says}</em>" in shown.html
    assert not any("children=" in text for text in shown.texts)


SAVED = {
    "stub": "    raise NotImplementedError\n",
    "half written": "    if text\n",
    "written": "    return text.upper()\n",
    "exits": "    return text\n\nraise SystemExit(3)\n",
}
SAVES = (
    ("half written", "SyntaxError: expected ':'"),
    ("stub", "NotImplementedError"),
    ("half written", "SyntaxError: expected ':'"),
    ("written", "'A'"),
    ("half written", "SyntaxError: expected ':'"),
    ("written", "'A'"),
    ("exits", "SystemExit: 3"),
    ("stub", "NotImplementedError"),
)


def test_a_file_that_is_saved_half_written_does_not_run_as_it_was(tmp_path: Path) -> None:
    """Autoreload puts new code into functions that a cell, or a module, has imported before."""
    course = Checkout(tmp_path)
    file = course.file_of("19.1")
    person = Person(tmp_path, course.environment())
    try:
        set_up = next(s for _, s in experiments(NOTEBOOKS[0])[0] if "%autoreload" in s)
        assert "Not started" in "".join(person.run(set_up).printed)
        person.run("from g2c.agent import parse_react_step as imported_before")
        before = SAVED["stub"]
        for name, says in SAVES:
            file.write_text(file.read_text("utf-8").replace(before, before := SAVED[name]), "utf-8")
            assert "autoreload of" not in "".join(person.run(set_up).printed), name
            for call in ("imported_before('a')", "g2c.agent.parse_react_step('a')"):
                shown = person.run(f"import g2c.agent; {call}")
                assert says in "".join(shown.errors + shown.texts), f"{name}: {call}"
    finally:
        person.leave()
