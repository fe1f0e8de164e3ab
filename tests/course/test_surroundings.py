"""Files in a student's folder and variables of a shell change nothing: in an environment of its
own, into which the course is installed as `prodlm.sh` does it."""

import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT, Checkout

from g2c.cli.main import main

pytestmark = pytest.mark.slow

LIBRARY = ("random", "json", "email", "typing", "types", "tempfile", "dataclasses", "enum", "re")
INSTALLED = ("pytest", "_pytest", "rich", "typer", "yaml", "pydantic", "matplotlib", "IPython")
WRONG = '    return ParsedStep("")\n'
CHECK = ("check", "19.1", "--why")
NOTEBOOK = """
import sys, nbclient, nbformat
from g2c.surroundings import own_environment
cells = ["from g2c.course.notebook.kernel import one_line_errors; one_line_errors()",
         "import random, email.message, matplotlib, mine; print(random.random() < 1, mine.NAME)"]
notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
client = nbclient.NotebookClient(notebook, resources={"metadata": {"path": "work"}})
client.execute(env=own_environment())
print(notebook.cells[1].outputs[0].text)
"""


class Installed(Checkout):
    """A course with an environment of its own, as a student has it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        venv.create(folder / ".venv", symlinks=True)
        (packages,) = (folder / ".venv").rglob("site-packages")
        (packages / "course.pth").write_text(f"{sysconfig.get_path('purelib')}\n{folder}\n")
        for name, code in {
            "g2c": "from g2c.cli.main import main; main()",
            "pytest": "import sys, pytest; sys.exit(pytest.main())",
        }.items():
            (folder / ".venv/bin" / name).write_text(code)

    def run(self, name: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment. Its file lies in `bin`, and not in the course."""
        environment = {k: v for k, v in self.environment().items() if k != "PYTHONPATH"} | more
        command = [str(self.folder / ".venv/bin/python"), str(self.folder / ".venv/bin" / name)]
        return subprocess.run(
            [*command, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    course = Installed(tmp_path_factory.mktemp("above") / "course")
    course.write_body("19.1", WRONG)
    return course


@pytest.fixture(scope="module")
def said(installed: Installed) -> str:
    """The output of `g2c check 19.1` for a wrong function."""
    done = installed.run("g2c", *CHECK)
    assert done.returncode == 1 and " tests pass" in done.stdout, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("width", ["0", "00", ""])
def test_a_terminal_without_a_width_gets_its_text(installed: Installed, width: str) -> None:
    done = installed.run("g2c", "--version", COLUMNS=width)
    assert done.stdout.startswith("g2c "), done.stdout + done.stderr


@pytest.fixture
def put(installed: Installed) -> Iterator[dict[str, str]]:
    """Files of a student's, by their place from the course's folder on; gone after the test."""
    files: dict[str, str] = {}
    yield files
    for name in files:
        (installed.folder / name).unlink()


def write(installed: Installed, put: dict[str, str]) -> None:
    for name, text in put.items():
        file = installed.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)


@pytest.mark.parametrize("place", ["", "tests/", "work/"])
def test_a_file_named_as_a_module_that_is_installed_stands_in_for_none(
    installed: Installed, said: str, put: dict[str, str], place: str
) -> None:
    for name in (*LIBRARY, *INSTALLED):
        put[f"{place}{name}.py"] = f"raise SystemExit('{place}{name}.py was imported')"
    put["work/mine.py"] = "NAME = 'mine'"
    write(installed, put)
    assert installed.run("g2c", *CHECK).stdout == said
    plain = installed.run("pytest", "tests/test_agent.py", "-k", "ParseReactStep")
    assert " failed" in plain.stdout and "was imported" not in plain.stdout + plain.stderr
    (installed.folder / "work").mkdir(exist_ok=True)
    (installed.folder / ".venv/bin/notebook").write_text(NOTEBOOK)
    notebook = installed.run("notebook")
    assert notebook.stdout.strip() == "True mine", notebook.stderr[-2000:]


SHELLS = [
    {"PYTEST_ADDOPTS": "-k time_grows"},
    {"PYTEST_ADDOPTS": "-n auto --cov=g2c"},
    {"PYTEST_ADDOPTS": "--collect-only"},
    {"PYTEST_PLUGINS": "no_such_plugin"},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    {"PYTHONOPTIMIZE": "1"},
    {"PYTHONOPTIMIZE": "2"},
    {"PYTHONWARNINGS": "error"},
    {"PYTHONDONTWRITEBYTECODE": "1"},
    {"PYTHONSTARTUP": "no_such_file.py"},
    {"PYTHONPATH": "."},
    {"PYTHONPATH": "/no/such/folder:"},
    {"PYTHONSAFEPATH": "1"},
    {"PYTHONINTMAXSTRDIGITS": "0"},
    {"PYTHONHASHSEED": "3"},
    {"CI": "true"},
    {"BUILD_NUMBER": "7"},
]


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: "=".join(*shell.items()))
def test_a_check_ignores_the_shells_settings_of_python_and_pytest(
    installed: Installed, said: str, shell: dict[str, str]
) -> None:
    done = installed.run("g2c", *CHECK, **shell)
    assert done.stdout == said, done.stderr


SELECT = "def pytest_collection_modifyitems(items):\n    del items[1:]\n"
SETTINGS = {
    "pytest.ini": "[pytest]\naddopts = -k time_grows\n",
    ".pytest.ini": "[pytest]\naddopts = -k time_grows\n",
    "tox.ini": "[pytest]\naddopts = -k time_grows\n",
    "setup.cfg": "[tool:pytest]\naddopts = -k time_grows\n",
    "conftest.py": SELECT,
    "tests/conftest.py": SELECT,
    "../conftest.py": SELECT,
    "../pytest.ini": "[pytest]\naddopts = -k time_grows\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_students_settings_of_pytest_choose_no_tests_of_a_check(
    installed: Installed, said: str, put: dict[str, str], name: str
) -> None:
    put[name] = SETTINGS[name]
    write(installed, put)
    assert installed.run("g2c", *CHECK).stdout == said


def test_plain_pytest_names_a_shells_options_where_they_cannot_be_used(
    installed: Installed,
) -> None:
    done = installed.run("pytest", "tests/test_agent.py", PYTEST_ADDOPTS="-n auto")
    assert "PYTEST_ADDOPTS: -n auto" in done.stderr and done.returncode == 4


def test_plain_pytest_refuses_a_python_that_leaves_out_assert(installed: Installed) -> None:
    done = installed.run("pytest", "tests/test_agent.py", PYTHONOPTIMIZE="1")
    assert "unset PYTHONOPTIMIZE" in done.stderr and done.returncode == 4
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command", [("g2c", *CHECK), ("g2c", "progress"), ("notebook",)], ids=" ".join
)
def test_another_courses_package_does_not_stand_in_for_this_ones(
    installed: Installed, command: tuple[str, ...]
) -> None:
    (installed.folder / ".venv/bin/notebook").write_text(NOTEBOOK)
    (installed.folder / "work").mkdir(exist_ok=True)
    done = installed.run(*command, PYTHONPATH=str(ROOT))
    assert done.returncode != 0
    said = " ".join((done.stdout + done.stderr).split())
    for place in (f"the course in {installed.folder.resolve()}", "unset PYTHONPATH", "activate"):
        assert place in said, said


def test_help_and_the_version_are_had_anywhere(installed: Installed) -> None:
    for asked in (["--help"], ["--version"], ["check", "--help"]):
        assert installed.run("g2c", *asked, PYTHONPATH=str(ROOT)).returncode == 0


def test_the_reference_passes_where_pytest_is_run_by_a_command(installed: Installed) -> None:
    asked = ("tests/test_agent.py", "-k", "ParseReactStep")
    done = installed.run("g2c", "test", *asked, PYTEST_ADDOPTS="--collect-only")
    assert " passed" in done.stdout, done.stdout + done.stderr


def test_no_file_of_a_student_is_a_part_of_jupyterlab(
    installed: Installed, put: dict[str, str]
) -> None:
    for name in (*LIBRARY, *INSTALLED, "notebook", "colorama", "trio", "zstandard"):
        put[f"{name}.py"] = f"raise SystemExit('{name}.py was imported')"
    write(installed, put)
    home = str(installed.folder.parent)
    done = installed.run("g2c", "notebook", "19", "--version", HOME=home)
    assert done.returncode == 0 and re.fullmatch(r"[\d.]+", done.stdout.strip()), done.stderr


def test_another_python_says_whose_environment_to_use(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python without the course's packages: the system's, conda's, or one that is half made."""
    monkeypatch.setenv("SHELL", "/bin/bash")

    def said(*command: str) -> str:
        done = subprocess.run(command, cwd=installed.folder, capture_output=True, text=True)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        return done.stderr

    environment = installed.folder / ".venv/bin"
    other = said(sys.executable, "-S", "-m", "g2c", "next")  # -S: nothing that is installed
    assert "has no typer" in other and f"source {environment / 'activate'}, and then" in other
    lacks = "import sys; sys.modules['typer'] = None; from g2c.cli.main import main; main()"
    own = said(str(environment / "python"), "-c", lacks)
    assert f"has no typer: cd {installed.folder} && ./prodlm.sh doctor, and then" in own


def test_an_older_python_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("g2c.cli.main.sys.version_info", (3, 9, 6))
    with pytest.raises(SystemExit, match=r"is older than Python 3\.11: .*and then the same again"):
        main()
