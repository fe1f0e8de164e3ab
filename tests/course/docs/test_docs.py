"""The lessons' snippets run, in order, as a reader would paste them, on what the model said, and
print what the page shows below them.

Those of an experiment, which are indented, are only compiled: the notebooks run the experiments.
With `RENEW_ANSWERS=1` the real model is asked, and what it says is kept.
"""

import os
import re
import subprocess
import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path

import pytest

from g2c.inference.embedded.serve import llama_server

ROOT = Path(__file__).resolve().parents[3]
ANSWERS = ROOT / "tests/course/answers"
BLOCK = re.compile(r"^( *)```(python|text)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
MARK = "-- snippet --"


def plain(line: str) -> str:
    """A line without the marks of Markdown."""
    return re.sub(r"[*`]", "", line).strip(" #")


def not_printed(shown: str, printed: str) -> str:
    """The first line of `shown` that was not printed, in that order; "" if all were.

    `[...]` stands for anything. A step may be shown as the model wrote it and have been printed as
    Markdown, where "Thought: It is kept." is "**Thought.** It is kept."
    """
    left = [plain(line) for line in printed.splitlines()]
    for line in filter(None, map(plain, shown.splitlines())):
        said = re.sub(
            r"^(Question|Thought|Action|Action Input|Observation|Final Answer): ", "", line
        )
        wanted = ".*".join(map(re.escape, said.split("[...]")))
        form = re.compile(rf"((Thought|Action|Final answer)\. )?{wanted}")
        here = next((n for n, had in enumerate(left) if form.fullmatch(had)), None)
        if here is None:
            return line
        left = left[here + 1 :]
    return ""


def pages_of(lesson: Path) -> list[Path]:
    """A lesson's pages, in the order in which they are read: itself, or those of its folder."""
    if lesson.is_file():
        return [lesson]
    index = lesson / "index.md"
    listed = re.search(r"```{toctree}\n:hidden:\n\n(.*?)```", index.read_text("utf-8"), re.DOTALL)
    assert listed, f"{index} has no list of its pages"
    return [index, *(lesson / f"{name}.md" for name in listed[1].split())]


LESSONS = sorted((ROOT / "docs/modules").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("page", LESSONS, ids=lambda p: p.stem)
def test_the_snippets_of_a_lesson_run(page: Path, tmp_path: Path) -> None:
    found = BLOCK.findall("\n".join(file.read_text("utf-8") for file in pages_of(page)))
    for indent, kind, block in found:
        if indent and kind == "python":
            compile(textwrap.dedent(block), f"an experiment in {page.name}", "exec")
    blocks = [(kind, block) for indent, kind, block in found if not indent]
    code = [block for kind, block in blocks if kind == "python"]
    assert code, f"{page.name} shows no Python"
    script = tmp_path / "page.py"
    script.write_text("".join(f"print({MARK!r})\n{block}" for block in code), "utf-8")
    answers = ANSWERS / f"{page.stem}-lesson.jsonl"
    renew = "RENEW_ANSWERS" in os.environ
    if renew:
        answers.unlink(missing_ok=True)
    own = {"G2C_RECORD" if renew else "G2C_REPLAY": str(answers)}
    with llama_server() if page.stem == "16-inference" else nullcontext("") as wire:
        done = subprocess.run(
            [sys.executable, script],
            env=os.environ
            | own
            | {"G2C_REFERENCE": "all", "G2C_BACKEND": "embedded", "G2C_WIRE": wire},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
        )
    assert done.returncode == 0, done.stderr
    printed = iter(done.stdout.split(MARK)[1:])
    last = ""
    for kind, block in blocks:
        if kind == "python":
            last = next(printed)
        elif last:
            missing = not_printed(block, last)
            assert not missing, f"{page.name} shows {missing!r}, and its snippet printed:\n{last}"
            last = ""
