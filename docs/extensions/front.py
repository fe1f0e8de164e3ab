"""`index.html` at the site's root, which leads to the front page in `docs/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>g2c</title>
<meta http-equiv="refresh" content="0; url={target}"></head>
<body><a href="{target}">g2c</a></body></html>
"""


def write_front(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        target = app.builder.get_target_uri(app.config.root_doc)
        Path(app.outdir, "index.html").write_text(PAGE.format(target=target), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write_front)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
