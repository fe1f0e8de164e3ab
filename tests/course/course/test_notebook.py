"""The notebooks: working copies, and that the shipped ones show what is stored in them."""

import errno
import json
import os
import platform
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import nbclient
import nbformat
import pytest
from nbformat import NotebookNode
from ollama_server import OllamaServer, lines

from g2c.course.manifest import load_exercises
from g2c.course.notebook.copies import archive_copy, jupyterlab_command, working_copy
from g2c.course.notebook.kernel import describe_model
from g2c.inference import BackendInfo
from g2c.inference.embedded._llama import shared_llama
from g2c.inference.embedded.weights import NOTE, find_adapter, find_weights

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
ANSWERS = ROOT / "tests/course/answers"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOW = datetime(2026, 3, 1, 9, 30, 5)

each_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)


def environment(home: Path, **variables: str) -> dict[str, str]:
    """The environment of a course of its own in `home`, on a machine without an Ollama."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("G2C_", "OLLAMA_"))}
    own = {"G2C_ROOT": str(home), "G2C_BACKEND": "embedded"}
    return kept | own | {"NO_COLOR": "1", "COLUMNS": "200"} | variables


def g2c(*arguments: str, home: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"{before}\nfrom g2c.cli.main import main; main()", *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=60,
    )


def executed(content: NotebookNode, monkeypatch, home: Path, **variables: str) -> list:
    """The code cells of a notebook after a run that goes on where one fails."""
    for name in ("G2C_REFERENCE", "G2C_BACKEND", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(home, **variables).items():
        monkeypatch.setenv(name, value)
    nbclient.NotebookClient(
        content, timeout=600, allow_errors=True, resources={"metadata": {"path": home}}
    ).execute()
    return [cell for cell in content.cells if cell.cell_type == "code"]


def executed_with_ollama(
    notebook: Path, monkeypatch, home: Path, **variables: str
) -> tuple[list, list]:
    """The same on an Ollama, which answers in no time; and what it was asked."""
    content = nbformat.read(notebook, as_version=4)
    with OllamaServer() as server:
        server.on("/api/tags", lines({"models": [{"model": "llama3.2:3b"}]}))
        own = {"G2C_BACKEND": "llama3.2:3b", "OLLAMA_HOST": server.url}
        return executed(content, monkeypatch, home, **own, **variables), server.bodies("/api/chat")


def errors_in(cell) -> list[str]:
    return ["\n".join(o.traceback) for o in cell.outputs if o.output_type == "error"]


class TestWorkingCopy:
    @pytest.fixture(autouse=True)
    def home(self, tmp_path, monkeypatch) -> Path:
        """A course with one notebook, of one cell and its output."""
        monkeypatch.setenv("G2C_ROOT", str(tmp_path))
        cell = nbformat.v4.new_code_cell("print(1)", id="one", execution_count=1)
        cell.outputs = [nbformat.v4.new_output("stream", text="1\n")]
        (tmp_path / "notebooks").mkdir()
        pristine = tmp_path / "notebooks/19-agent.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), pristine)
        return tmp_path

    def test_it_is_made_without_outputs_and_then_left_alone(self, home):
        copy = working_copy("19")
        assert copy == home / "work/19-agent.ipynb"
        (cell,) = json.loads(copy.read_text())["cells"]
        assert cell["source"] == ["print(1)"] and not cell["outputs"]
        assert cell["execution_count"] is None
        mine = copy.read_text().replace("print(1)", "print('mine')")
        copy.write_text(mine)
        assert working_copy("19").read_text() == mine, "what a student wrote is never overwritten"

    def test_the_archive_never_overwrites_either(self, home):
        assert archive_copy("19", NOW) is None, "there is nothing to keep yet"
        kept = []
        for text in ("first", "second"):
            working_copy("19").write_text(text)
            kept.append(archive_copy("19", NOW))
        assert [path.name for path in kept] == [
            "19-agent-20260301-093005.ipynb",
            "19-agent-20260301-093005-2.ipynb",
        ]
        assert [path.read_text() for path in kept] == ["first", "second"]
        assert not (home / "work/19-agent.ipynb").exists()

    @pytest.mark.parametrize(
        "broken",
        [
            "",
            "{",
            "[]",
            "null",
            '{"nbformat": 4}',
            '{"nbformat": 4, "nbformat_minor": "x"}',
            "[" * 9999,
            '\ufeff{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}',
            '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}\n<<<<<<< HEAD',
        ],
    )
    def test_a_broken_copy_is_kept_and_reported(self, home, broken):
        copy = working_copy("19")
        copy.write_text(broken)
        with pytest.raises(ValueError, match=r"kept as it is: .* g2c notebook 19 --fresh"):
            working_copy("19")
        assert copy.read_text() == broken

    def test_work_may_be_a_link_to_another_disk(self, home, monkeypatch):
        (home / "disk").mkdir()
        (home / "work").symlink_to("disk")
        *_, opened = jupyterlab_command(working_copy("19"))
        assert opened == str(home.resolve() / "work/19-agent.ipynb"), "in JupyterLab's root"

        def rename(*_: object) -> None:
            raise OSError(errno.EXDEV, "Invalid cross-device link")

        monkeypatch.setattr(os, "rename", rename)
        assert archive_copy("19", NOW).exists() and not list((home / "disk").iterdir())

    def test_the_command_does_what_it_reported(self, home):
        (home / "work").mkdir()
        (home / "work/19-agent.ipynb").write_text("{")
        refused = g2c("notebook", "19", "--no-launch", home=home)
        assert refused.returncode == 1 and "--fresh" in refused.stderr
        assert "Traceback" not in refused.stderr
        fresh = g2c("notebook", "19", "--fresh", "--no-launch", home=home)
        assert fresh.returncode == 0, fresh.stderr
        (kept,) = (home / "archive").iterdir()
        assert kept.read_text() == "{" and str(kept) in fresh.stdout
        assert "print(1)" in (home / "work/19-agent.ipynb").read_text()

    def test_no_launch_says_where_it_is_and_how_to_open_it(self, home):
        shown = g2c("notebook", "19", "--no-launch", home=home)
        assert shown.stdout.splitlines()[0] == str(home / "work/19-agent.ipynb")
        assert "-m jupyterlab" in shown.stdout

    @pytest.mark.parametrize("module", ["7", "", "../19", "19-agent"])
    def test_an_unknown_module_lists_those_that_there_are(self, home, module):
        refused = g2c("notebook", module, home=home)
        assert refused.returncode == 1 and "there is one for: 19." in refused.stderr
        assert not (home / "work").exists()

    def test_jupyterlab_runs_on_this_python_and_its_exit_code_is_ours(self, home):
        stand_in = home / "libraries/jupyterlab"
        stand_in.mkdir(parents=True)
        (stand_in / "__init__.py").touch()
        (stand_in / "__main__.py").write_text("import sys; print(sys.argv[1:]); sys.exit(3)")
        path = f"import os; os.environ['PYTHONPATH'] = {str(stand_in.parent)!r}"
        done = g2c("notebook", "19", "--no-browser", home=home, before=path)
        assert done.returncode == 3
        told = [f"--ServerApp.root_dir={home}", "--ServerApp.answer_yes=True"]
        told += [str(home / "work/19-agent.ipynb"), "--no-browser"]
        assert done.stdout.strip() == str(told)

    def test_without_jupyterlab_it_says_how_to_get_it(self, home):
        missing = "import sys; sys.modules['jupyterlab'] = None"
        refused = g2c("notebook", "19", home=home, before=missing)
        assert refused.returncode == 1 and "pip install" in refused.stderr
        assert "Traceback" not in refused.stderr

    def test_there_is_help_with_an_example(self, home):
        assert "Example: g2c notebook 19" in g2c("notebook", "--help", home=home).stdout


@pytest.mark.parametrize(
    ("info", "says"),
    [
        (BackendInfo("embedded", "SmolLM2", {"note": NOTE}), "Expect many wrong answers"),
        (BackendInfo("embedded", "SmolLM2", {"note": NOTE}), "with its adapter"),
        (BackendInfo("embedded", "mymodel-SFT", {}), "other texts than those stored"),
        (BackendInfo("ollama", "llama3.2:3b", {}), "does not say what its cache held"),
    ],
)
def test_a_notebook_says_what_its_model_means_for_what_is_seen(info, says):
    described = " ".join(describe_model(info).split())
    assert described.startswith(f"Model: {info.model_id}, ") and says in described


def test_only_what_a_person_can_mend_is_one_line(tmp_path, monkeypatch):
    cells = [
        "from g2c.course.notebook.kernel import one_line_errors; one_line_errors()",
        "from g2c.inference import load_selection; load_selection('course')",
        "raise NotImplementedError('a student wrote this')",
        "1 / 0",
    ]
    content = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    setup, model, *theirs = executed(content, monkeypatch, tmp_path)
    (line,) = errors_in(model)
    assert not errors_in(setup) and "has no .gguf file; put your model there" in line
    assert "\n" not in line, line
    for cell in theirs:
        (trace,) = errors_in(cell)
        assert "Traceback" in trace and len(trace.splitlines()) > 3, "the rest keeps its traceback"


@each_notebook
def test_whose_functions_run_is_not_compared(notebook):
    """A student's own functions are never the reference that the stored output names."""
    cells = nbformat.read(notebook, as_version=4).cells
    (tells,) = (cell for cell in cells if "describe_exercises(" in cell.source)
    assert "nbval-ignore-output" in tells.metadata.tags


@each_notebook
def test_a_notebook_shows_what_is_stored_in_it(notebook, tmp_path):
    options = ["-q", "-p", "nbval", "--nbval", "--nbval-cell-timeout=600", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, notebook],
        cwd=ROOT,
        env=environment(
            tmp_path, G2C_REFERENCE="all", G2C_REPLAY=str(ANSWERS / f"{notebook.stem}.jsonl")
        ),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"renew them with: python notebooks/renew.py\n{done.stdout}"
    keeps = "save_run" in notebook.read_text("utf-8")
    assert (tmp_path / "runs").exists() == keeps, "a run for the write-up is kept with the others"


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="the answers were recorded there"
)
def test_the_model_still_says_what_was_recorded():
    """The shortest of the first calls: a later one needs those before it."""
    files = [ANSWERS / f"{notebook.stem}.jsonl" for notebook in NOTEBOOKS]
    calls = [json.loads(line) for file in files for line in file.read_bytes().splitlines()]
    first = [call for call in calls if "prompt" in call.get("request", ())]
    shortest = min(first, key=lambda call: len(call["request"]["prompt"]))
    name, adapter, n_ctx, exact = shortest["model"].split()
    weights, tuned = find_weights(), find_adapter()
    assert (name, adapter, exact) == (weights.name, tuned.name, "True")
    llama = shared_llama(weights, int(n_ctx), exact=True, adapter=tuned)
    reply = llama.ask(shortest["request"])
    then = shortest["result"]
    assert (reply.text, reply.prompt_tokens) == (then["text"], then["prompt_tokens"]), (
        "the model, or what is around it, has changed: python notebooks/renew.py"
    )


@each_notebook
def test_exercises_that_are_not_started_are_one_line_each(notebook, tmp_path, monkeypatch):
    cells, _ = executed_with_ollama(notebook, monkeypatch, tmp_path, G2C_REFERENCE="")
    lines = {f"{e.id} {e.function}: not started. {e.lesson}" for e in load_exercises()}
    errors = [error for cell in cells for error in errors_in(cell)]
    assert errors and set(errors) <= lines, "\n".join(sorted(set(errors) - lines))
    told = "".join(output.get("text", "") for cell in cells for output in cell.outputs)
    assert "Not started" in told, "the set-up says so before a cell fails"


@each_notebook
def test_a_notebook_runs_to_its_end_with_ollama(notebook, tmp_path, monkeypatch):
    cells, asked = executed_with_ollama(notebook, monkeypatch, tmp_path, G2C_REFERENCE="all")
    assert [error for cell in cells for error in errors_in(cell)] == []
    assert asked, "every run was to ask Ollama"
    told = "".join(output.get("text", "") for cell in cells for output in cell.outputs)
    assert "llama3.2:3b, from Ollama" in told
