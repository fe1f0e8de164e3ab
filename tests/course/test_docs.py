"""The lessons' snippets run, in order, as a reader would paste them, on the real small model."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/modules").glob("*.md")), ids=lambda p: p.stem)
def test_the_snippets_of_a_lesson_run(page: Path, tmp_path: Path) -> None:
    blocks = [textwrap.dedent(block) for block in BLOCK.findall(page.read_text("utf-8"))]
    assert blocks, f"{page.name} shows no Python"
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), "utf-8")
    done = subprocess.run(
        [sys.executable, script],
        env=os.environ | {"G2C_REFERENCE": "all", "G2C_BACKEND": "embedded"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
