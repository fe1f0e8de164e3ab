"""The command that builds the course's site: docs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import typer

from g2c.course.cli.console import err, out
from g2c.paths import project_root

app = typer.Typer()

SITE = "build/site"
DOCTREES = "build/doctrees"
"""What Sphinx has read, so that it reads only what has changed."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def docs(context: typer.Context) -> None:
    """Build the course's site in `build/site`: lessons, notebooks, API and all other pages.

    Nothing is downloaded, no notebook is run, and the pages need no server. A warning is an error.
    Further arguments go to sphinx-build; -E reads all pages anew.

    Example: g2c docs
    """
    if find_spec("sphinx") is None:
        raise ValueError("The site needs the extra `docs`. ./prodlm.sh docs installs it.")
    root = project_root()
    site = root / SITE
    options = ["--conf-dir", "docs", "--doctree-dir", DOCTREES, "--quiet"]
    strict = ["--fail-on-warning", "--keep-going"]
    command = [sys.executable, "-m", "sphinx", *options, *strict, *context.args, ".", str(site)]
    with err.status("building the site; the first time takes half a minute"):
        code = subprocess.call(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)})
    if code:
        shutil.rmtree(root / DOCTREES, ignore_errors=True)  # what warned is to warn again
        raise typer.Exit(code)
    out.print(f"Open {site / 'index.html'}", soft_wrap=True)
