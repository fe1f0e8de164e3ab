"""No tool reads or writes what an agent keeps of itself, however a path is spelled."""

import sys
from pathlib import Path

import pytest

import g2c
from g2c.critic.app.file_critic import FileCheck, look_at_files
from g2c.home import Home
from g2c.home.inbox import locked_messages
from g2c.inference import ScriptedBackend
from g2c.loop.app.setup import LoopSettings, make_runner
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.identity import ensure_config
from g2c.memory import MemoryStore
from g2c.tools import ToolCall, ToolRegistry, ToolResult, dispatch_tool_call
from g2c.tools.private import check_root

MCP = 'mcp = ["sh -c true"]'


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with a home, as `--files .` in the course names it."""
    home = Home(tmp_path / ".g2c/home")
    home.create()
    (home.memory / "topics").mkdir(parents=True)
    (tmp_path / "note.txt").write_text("Milk.")
    return tmp_path


def tools_in(folder: Path, own: tuple[Path, ...] = ()) -> ToolRegistry:
    return ToolRegistry(make_session_tools(("files",), folder=folder, may_write=True, own=own))


def use(tools: ToolRegistry, name: str, **arguments: str) -> ToolResult:
    return dispatch_tool_call(tools, ToolCall(name, arguments))


def test_the_home_is_neither_listed_nor_read_nor_written(course):
    tools, file = tools_in(course), course / ".g2c/home/agent.toml"
    before = file.read_text()
    (course / "link").symlink_to(course / ".g2c/home")
    (course / "settings.txt").symlink_to(file)
    for path in (
        ".g2c/home/agent.toml",
        "./.g2c/../.g2c/home//agent.toml",
        str(file),
        "link/agent.toml",
        "settings.txt",
        ".g2c/home/agent/constitution.md",
        ".g2c/home/memory/topics/new.md",
        ".g2c/new/agent.toml",
        ".G2C/home/agent.toml",
        ".\u200bg2c/home/agent.toml",
        "agent.toml",
        "other/AGENT.toml",
    ):
        assert use(tools, "write_file", path=path, text=MCP).is_error, path
        assert use(tools, "read_file", path=path).is_error, path
    assert file.read_text() == before
    assert not [path for path in course.rglob("*") if path.is_file() and MCP in path.read_text()]
    listed = use(tools, "list_files").output.split("\n")
    assert listed == ["note.txt"]
    assert use(tools, "list_files", path=".g2c").is_error


INVISIBLE = ("\u200b", "\u00ad", "\u200e", "\u2060")


@pytest.mark.parametrize("char", INVISIBLE)
def test_invisible_characters_lead_nowhere_else(tmp_path, char):
    home = Home(tmp_path / "home")
    home.create()
    files = home.loop()
    files.work.mkdir(parents=True)
    files.state.write_text("mine")
    (tmp_path / "outside.txt").write_text("mine")
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    tools, up = tools_in(files.work, own=files.own), f"{char}../"
    for path in (
        f"{up}state.md",
        f"{up * 3}agent{char}.toml",
        f"{up * 3}agent/constitution.md",
        f"{up * 4}outside.txt",
        f"{up * 12}tmp/owned-by-a-test.txt",
        f".{char}./state.md",
        f"{char}.bashrc",
        f"{char}.g2c/x.md",
        f"sub/agent{char}.toml",
        f"sub/{char}.git/hooks/pre-commit",
        f"{char}.",
        char,
        f"a/{char}/b.txt",
    ):
        assert use(tools, "write_file", path=path, text=MCP).is_error, ascii(path)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
    assert not Path("/tmp/owned-by-a-test.txt").exists()


def test_neither_of_two_folders_that_look_the_same_is_meant(tmp_path):
    Home(tmp_path / "home").create()
    (tmp_path / "ho\u00adme").mkdir()
    tools = tools_in(tmp_path)
    path = "ho\u200bme/agent/constitution.md"
    assert use(tools, "write_file", path=path, text=MCP).is_error


def test_a_home_elsewhere_is_private_with_and_without_its_settings(tmp_path):
    Home(tmp_path / "other").create()
    (tmp_path / "mine").mkdir()
    tools = tools_in(tmp_path, own=(tmp_path / "mine", tmp_path / "new"))
    for path in ("other/agent/persona.md", "mine/agent.toml", "mine/x.txt", "new/x.txt"):
        assert use(tools, "write_file", path=path, text=MCP).is_error, path
    assert use(tools, "list_files").output == "(the folder is empty)"


def test_a_file_of_that_name_in_another_program_is_not_a_home(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project/agent.toml").write_text("a = 1")
    tools = tools_in(tmp_path)
    assert not use(tools, "write_file", path="project/note.txt", text="Milk.").is_error


@pytest.mark.parametrize(
    "path", [".git/hooks/pre-commit", ".bashrc", "sub/.venv/bin/python", ".vscode/tasks.json"]
)
def test_nothing_hidden_is_written(tmp_path, path):
    assert use(tools_in(tmp_path), "write_file", path=path, text="x").is_error
    assert not list(tmp_path.iterdir())


def test_the_program_itself_is_not_written():
    root = Path(g2c.__file__).parent.parent
    before = (root / "g2c/text.py").read_bytes()
    assert use(tools_in(root), "write_file", path="g2c/text.py", text="").is_error
    assert use(tools_in(root), "write_file", path="g2c/new.py", text="").is_error
    assert (root / "g2c/text.py").read_bytes() == before


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A folder with what a course is known by."""
    (tmp_path / "g2c/agent").mkdir(parents=True)
    (tmp_path / "prodlm.sh").write_text("mine")
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [
        *("prodlm.sh", "g2c/agent/parse_react_step.py", "tests/conftest.py", "notebooks/19.ipynb"),
        *("conftest.py", "random.py", "pytest.ini", "setup.cfg", "pyproject.toml"),
        *("constraints.txt", "docs/conf.py", "docs/pictures/draw.py", "work/19-agent.ipynb"),
        *("docs/browser/page.js", "docs/templates/layout.html", "docs/site.css"),
        "archive/19.1-parser-20260101-120000.000000.py",
    ],
)
def test_the_commands_of_a_course_write_none_of_its_code(shipped, path):
    before = {file: file.read_bytes() for file in shipped.rglob("*") if file.is_file()}
    assert use(tools_in(shipped), "write_file", path=path, text="x").is_error
    assert {file: file.read_bytes() for file in shipped.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("path", ["birds.txt", "work/hello.py", "docs/notes.md"])
def test_a_person_s_own_files_in_a_course_are_written(shipped, path):
    assert not use(tools_in(shipped), "write_file", path=path, text="x").is_error


def test_a_loop_works_in_its_own_work_and_nowhere_else_in_its_folder(tmp_path):
    home = Home(tmp_path / "home")
    home.create()
    files = home.loop()
    make_runner(files.root, LoopSettings(), ScriptedBackend())
    tools = tools_in(files.work, own=files.own)
    assert not use(tools, "write_file", path="list.txt", text="milk").is_error
    assert use(tools, "write_file", path="../state.md", text="x").is_error
    tools = tools_in(tmp_path, own=files.own)
    assert use(tools, "write_file", path="home/loops/main/state.md", text="x").is_error


@pytest.mark.parametrize(
    "path", ["garden/settings.json", "garden/state.md", "garden/agent/constitution.md"]
)
def test_a_loop_of_another_session_is_neither_read_nor_written(tmp_path, path):
    files = LoopFiles(tmp_path / "garden")
    make_runner(files.root, LoopSettings(), ScriptedBackend())
    LoopSettings(success=("true",)).save(files.root)
    files.state.write_text("mine")
    before = {file: file.read_bytes() for file in files.root.rglob("*") if file.is_file()}
    tools = tools_in(tmp_path, own=(tmp_path / "mine",))
    assert use(tools, "write_file", path=path, text='{"success": ["sh"]}').is_error
    assert use(tools, "read_file", path=path).is_error
    assert {file: file.read_bytes() for file in files.root.rglob("*") if file.is_file()} == before
    with pytest.raises(ValueError, match="the folder of its loop"):
        check_root(files.root)
    check_root(files.work)


def test_a_home_without_settings_is_private(tmp_path):
    ensure_config(Home(tmp_path / "other").identity)
    tools = tools_in(tmp_path)
    for path in ("other/agent/constitution.md", "other/loops/main/settings.json"):
        assert use(tools, "write_file", path=path, text="x").is_error, path
    assert use(tools, "list_files").output == "(the folder is empty)"


def test_a_home_or_a_memory_that_a_chat_has_made_is_private(tmp_path):
    home = Home(tmp_path / "other")
    with locked_messages(home.inbox):
        MemoryStore(tmp_path / "kept").log_turn("user", "Milk.")
    tools = tools_in(tmp_path)
    for path in ("other/memory/topics/a.md", "other/agent/constitution.md", "kept/MEMORY.md"):
        assert use(tools, "write_file", path=path, text="x").is_error, path
    assert use(tools, "list_files").output == "(the folder is empty)"


def test_a_page_of_that_name_in_another_project_is_not_a_loop(tmp_path):
    (tmp_path / "state.md").write_text("Florida.")
    (tmp_path / "MEMORY.md").write_text("Milk.")
    tools = tools_in(tmp_path.parent)
    assert not use(tools, "write_file", path=f"{tmp_path.name}/x.txt", text="Milk.").is_error


def test_a_critic_that_looks_into_files_does_not_look_into_a_home(course):
    (finding,) = look_at_files([FileCheck(".g2c/home/agent.toml", says="mcp")], course)
    assert "belongs to an agent" in finding.trouble


@pytest.mark.parametrize("name", ["home", "home/memory", "home/loops/main"])
def test_a_folder_in_a_home_cannot_be_named_for_files(tmp_path, name):
    Home(tmp_path / "home").create()
    (tmp_path / name).mkdir(parents=True, exist_ok=True)
    with pytest.raises(ValueError, match="the home of an agent"):
        check_root(tmp_path / name)


def test_the_work_of_a_loop_can_be_named_for_files(tmp_path):
    Home(tmp_path / "home").create()
    files = LoopFiles(tmp_path / "home/loops/main")
    files.work.mkdir(parents=True)
    files.state.write_text("")
    check_root(files.work)


@pytest.mark.skipif(sys.platform != "linux", reason="it needs a file system that tells case apart")
def test_two_spellings_of_one_folder_are_the_same(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "HOME").symlink_to(tmp_path / "home")
    tools = tools_in(tmp_path, own=(tmp_path / "HOME",))
    assert use(tools, "write_file", path="home/x.txt", text="x").is_error
