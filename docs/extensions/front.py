"""The front page's recorded run, and `index.html` at the site's root, which leads to that page."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from g2c.surroundings import own_environment

DOCS = Path(__file__).resolve().parents[1]
SCRIPT = DOCS / "pictures/record_demo.py"
ANSWERS = DOCS.parent / "tests/course/answers/demo.jsonl"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>g2c</title>
<meta http-equiv="refresh" content="0; url={target}"></head>
<body><a href="{target}">g2c</a></body></html>
"""


class RecordedDemo(SphinxDirective):
    """The output of `g2c demo` on the model's recorded replies."""

    def run(self) -> list[nodes.Node]:
        for file in (SCRIPT, ANSWERS):
            self.env.note_dependency(str(file))
        with tempfile.TemporaryDirectory() as folder:
            shown = Path(folder, "demo.html")
            command = [sys.executable, str(SCRIPT), "--html", str(shown)]
            done = subprocess.run(
                command, env=own_environment(), capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise self.error(f"The demo cannot be shown. {done.stderr.strip()[-500:]}")
            html = shown.read_text("utf-8")
        return [nodes.raw("", html, format="html")]


def write_front(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        target = app.builder.get_target_uri(app.config.root_doc)
        Path(app.outdir, "index.html").write_text(PAGE.format(target=target), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write_front)
    app.add_directive("recorded-demo", RecordedDemo)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
