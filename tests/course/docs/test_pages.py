"""The pages as they lie in the repository: links, pictures, and files that nobody has run."""

import contextlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from hostile_submissions import BANK
from lessons import prose_of
from packaging.specifiers import SpecifierSet

from g2c.course.manifest import modules
from maintain.crash.command import FUZZ, KILLS, RACES

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs/pictures"
LINK = re.compile(r"\]\(([^)\s]+)\)")
ANSWER = re.compile(r"### Answer (\d+)\n\n\*Write here\.\*")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
KNOWN_WORDS = ("build_tick_prompt", "force")
"""Names in the pages' words on what was seen, which are not output."""
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "notebooks").glob("*.ipynb")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("[a-z]*/README.md")),
]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


each_notebook = pytest.mark.parametrize(
    "notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=name_of
)


@cache
def headings_of(page: Path) -> set[str]:
    """The ids that GitHub gives to a page's headings."""
    titles = re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()).strip() for title in titles)
    return {title.replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_to_a_file_and_an_anchor(page: Path) -> None:
    for link in LINK.findall(prose_of(page)):
        if link.startswith(("https://", "http://")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{name_of(page)} links to {link}, and there is no such file"
        if not anchor:
            continue
        known = set(ANCHOR.findall(target.read_text("utf-8")))
        if page.suffix != ".ipynb":
            known |= headings_of(target)
        assert anchor in known, (
            f"{name_of(page)} links to {link}. JupyterLab and GitHub name headings differently, so"
            f' a notebook needs <a id="{anchor}"></a> there.'
        )


def outputs_of(notebook: Path) -> str:
    """The text of a notebook's stored outputs, with one space wherever there is space."""
    texts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            lines = output.get("text") or output.get("data", {}).get("text/plain", [])
            texts.append("".join(lines))
    return " ".join(" ".join(texts).split())


@each_notebook
def test_a_notebook_has_a_place_for_each_answer(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    places = [text for text in texts if text.startswith("### Answer")]
    answers = [ANSWER.fullmatch(place) for place in places]
    assert [match and int(match[1]) for match in answers] == list(range(1, len(answers) + 1))
    lesson = ROOT / "docs/modules" / notebook.stem / "experiments.md"
    text = lesson.read_text("utf-8").partition("# Experiments")[2]
    asked = re.findall(r"^(\d+)\. \*\*(.+?)\.?\*\*", text, re.M)
    headings = [f"## {number}. {title}" for number, title in asked]
    assert headings == re.findall(r"^## \d.*", "\n".join(texts), re.M), "they are the lesson's"
    first = next(
        text for cell, text in zip(cells, texts, strict=True) if cell["cell_type"] == "code"
    )
    assert first == 'MODEL_SELECTION = "prodlm"'


@each_notebook
def test_findings_of_experiments_are_in_the_stored_notebook(notebook: Path) -> None:
    page = ROOT / "docs/modules" / notebook.stem / "experiments.md"
    text = page.read_text("utf-8")
    asked, _, after = text.partition("## What was seen")
    seen, _, _ = after.partition("## ")
    _, *items = re.split(r"^(\d+)\. ", seen, flags=re.MULTILINE)
    assert items[::2] == re.findall(r"^(\d+)\. \*\*", asked, re.MULTILINE)
    shown = outputs_of(notebook)
    quoted = [" ".join(code.split()) for item in items for code in re.findall(r"`([^`]+)`", item)]
    lost = [code for code in quoted if code not in shown and code not in KNOWN_WORDS]
    assert not lost, f"{name_of(notebook)} does not show {lost}"


def test_the_page_of_traces_names_each_command_that_writes_a_log() -> None:
    commands = {
        name
        for file in (ROOT / "g2c/cli").glob("*.py")
        for name in re.findall(r'^@leaves_trace\("(\w+)"\)', file.read_text("utf-8"), re.MULTILINE)
    }
    page = (ROOT / "docs/modules/23-evaluation/traces.md").read_text("utf-8")
    named = page.partition("writes a log")[0].replace("memory dream", "dream").replace("g2c ", "")
    assert commands - {"work"} == set(re.findall(r"`(\w+)`", named))


def test_the_page_of_attacks_counts_them_as_they_are() -> None:
    page = (ROOT / "docs/survival.md").read_text("utf-8")
    assert f"has {len(BANK)} submissions" in page
    rows = set(re.findall(r"^([\w' ]+?)  +\d", page, re.MULTILINE))
    assert {*KILLS, *RACES, *FUZZ} <= rows, {*KILLS, *RACES, *FUZZ} - rows


def test_the_glossary_is_short_and_in_order() -> None:
    groups = (ROOT / "docs/glossary.md").read_text("utf-8").split("\n## ")[1:]
    words = [re.findall(r"^- \*\*(.+?)\*\*", group, re.MULTILINE) for group in groups]
    assert sum(map(len, words)) <= 10 * len(modules()), "ten a module"
    assert all(group == sorted(group) for group in words), words


@pytest.mark.slow
def test_the_committed_pictures_are_what_their_script_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(PICTURES)
    import draw

    committed = {file.stem: file.read_text("utf-8") for file in PICTURES.glob("*.svg")}
    del committed["demo"]
    cure = "run: python docs/pictures/draw.py"
    assert committed == {name: draw.svg_of(name) for name in draw.NAMES}, cure


def test_the_picture_of_the_demo_is_what_the_demo_prints(tmp_path: Path) -> None:
    code = "import record_demo; open('demo.svg', 'w').write(record_demo.draw_demo())"
    own = {
        "G2C_REPLAY": str(ROOT / "tests/course/answers/demo.jsonl"),
        "G2C_ROOT": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, PICTURES))),
        "VIRTUAL_ENV": "",
        "OLLAMA_HOST": "127.0.0.1:9",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | own,
        capture_output=True,
        text=True,
    )
    cure = "run: python docs/pictures/record_demo.py --again"
    assert done.returncode == 0, f"{cure}\n{done.stderr}"
    assert (tmp_path / "demo.svg").read_text() == (PICTURES / "demo.svg").read_text(), cure


@pytest.mark.parametrize("picture", sorted(PICTURES.glob("*.svg")), ids=name_of)
def test_a_picture_has_words_and_needs_nothing_else(picture: Path) -> None:
    root = ET.parse(picture).getroot()
    words = {child.tag.rpartition("}")[2]: child.text or "" for child in root[:2]}
    assert len(words["title"]) > 10 and len(words["desc"]) > 100
    text = picture.read_text("utf-8")
    assert "url(http" not in text and "href=" not in text


def commands_of(shell: str) -> list[str]:
    """The programs of this repository that a script calls."""
    return re.findall(r"(?:^|\s)\./(\S+)", shell)


def test_the_workflow_publishes_what_the_command_builds() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text("utf-8"))["jobs"]
    steps = jobs["build"]["steps"]
    called = [name for step in steps for name in commands_of(step.get("run", ""))]
    assert called == ["prodlm.sh"] and os.access(ROOT / "prodlm.sh", os.X_OK)
    uploaded = [step["with"]["path"] for step in steps if "upload-pages" in step.get("uses", "")]
    from g2c.cli.docs import SITE

    assert uploaded == [SITE]
    assert jobs["publish"]["permissions"] == {"pages": "write", "id-token": "write"}


def test_the_tests_run_by_the_readmes_commands_on_each_python_and_system() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))["jobs"]
    runs = {
        name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()
    }
    assert runs["gate"] == [".ci/run"] and runs["quick"] == ["./prodlm.sh test"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(line in readme for line in runs["windows"]), "the lines for PowerShell"
    assert jobs["quick"]["strategy"]["matrix"]["python"][0] == "3.11"
    asked = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    for update in asked:
        folder = ROOT / update["directory"].lstrip("/")
        files = {"pip": "pyproject.toml", "npm": "package.json", "github-actions": ".github"}
        assert (folder / files[update["package-ecosystem"]]).exists()
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0][
        "hooks"
    ]
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(hook["entry"] in contributing for hook in hooks)


def test_the_students_image_has_what_prodlm_installs() -> None:
    image = (ROOT / "maintain/docker/student.Dockerfile").read_text("utf-8")
    assert "./prodlm.sh model embedded" in image and "FROM python:3.11" in image
    left_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".venv", ".g2c", "build"} <= set(left_out), "no environment of this machine goes in"


def test_the_containers_install_what_prodlm_installs() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    assert commands_of(container["postCreateCommand"]) == ["prodlm.sh"]
    prodlm = (ROOT / "prodlm.sh").read_text("utf-8")
    weights = re.search(r'^WEIGHTS="(.+?)"', prodlm, re.MULTILINE)
    script = ROOT / ".binder/postBuild"
    assert weights and weights[1] in script.read_text("utf-8")
    assert "-c constraints.txt" in script.read_text("utf-8") and os.access(script, os.X_OK)
    python = (ROOT / ".binder/runtime.txt").read_text("utf-8").strip().removeprefix("python-")
    assert python == "3.11" and container["image"].endswith(f":{python}")


def test_each_version_that_is_installed_takes_the_first_python_of_its_row() -> None:
    # Debian 12 has 3.11.2, and a package that asks for 3.11.5 leaves its students outside.
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [line.partition("==")[0] for line in lines if line and not line.startswith("#")]
    asked = {}
    for name in pinned:
        with contextlib.suppress(metadata.PackageNotFoundError):  # for another system
            asked[name] = metadata.metadata(name).get("Requires-Python") or ""
    assert len(asked) > 50
    refused = {name: text for name, text in asked.items() if "3.11.0" not in SpecifierSet(text)}
    assert not refused, f"these want a later Python: {refused}"
