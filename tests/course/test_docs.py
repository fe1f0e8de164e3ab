"""The lessons' snippets run, in order, as a reader would paste them, on what the model said.

Those of an experiment, which are indented, are only compiled: the notebooks run the experiments.
With `SAID_LIVE=1` the real model is asked, and what it says is kept.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAID = ROOT / "tests/course/said"
BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/modules").glob("*.md")), ids=lambda p: p.stem)
def test_the_snippets_of_a_lesson_run(page: Path, tmp_path: Path) -> None:
    found = BLOCK.findall(page.read_text("utf-8"))
    for indent, block in found:
        if indent:
            compile(textwrap.dedent(block), f"an experiment in {page.name}", "exec")
    blocks = [block for indent, block in found if not indent]
    assert blocks, f"{page.name} shows no Python"
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), "utf-8")
    said = SAID / f"{page.stem}-lesson.jsonl"
    if "SAID_LIVE" in os.environ:
        said.unlink(missing_ok=True)
    own = {"PYTHONPATH": str(SAID), "SAID_FILE": str(said)}
    done = subprocess.run(
        [sys.executable, script],
        env=os.environ | own | {"G2C_REFERENCE": "all", "G2C_BACKEND": "embedded"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
