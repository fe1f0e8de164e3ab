"""The command that builds the course's site: docs."""

import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Annotated

import typer

from g2c.cli.console import err, out
from g2c.course.browser.build import NotBuilt, build_tab
from g2c.extras import require
from g2c.paths import project_root
from g2c.surroundings import own_environment

app = typer.Typer()

SITE = "build/site"
DOCTREES = "build/doctrees"
"""Sphinx's cache, so that it reads only changed pages."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def docs(
    context: typer.Context,
    served: Annotated[
        bool, typer.Option("--serve", help="Then serve the site on this computer, until Ctrl-C.")
    ] = False,
) -> None:
    """Build the course's site in `build/site`: lessons, notebooks, API, and a tab to try it in.

    Notebooks are not run. The pages need no server, except `try`, which runs the course in a
    browser tab. npm and pip fetch its parts the first time; without npm, it is left out. A warning
    counts as an error. Further arguments go to sphinx-build, such as -E to read all pages again.

    Example: g2c docs --serve
    """
    require("docs", "sphinx")
    root = project_root()
    site = root / SITE
    options = ["--conf-dir", "docs", "--doctree-dir", DOCTREES, "--quiet"]
    strict = ["--fail-on-warning", "--keep-going"]
    command = [sys.executable, "-m", "sphinx", *options, *strict, *context.args, ".", str(site)]
    with err.status("building the site; the first time takes half a minute"):
        code = subprocess.call(command, cwd=root, env=own_environment(PYTHONPATH=str(root)))
    if code:
        shutil.rmtree(root / DOCTREES, ignore_errors=True)  # so that all warnings appear again
        raise typer.Exit(code)
    try:
        with err.status("building the browser tab; the first time fetches 40 MB"):
            build_tab(root, site)
    except NotBuilt as error:
        err.print(str(error), markup=False, soft_wrap=True)
    if served:
        from g2c.course.browser.serve import PORT, serve

        with serve(site, PORT) as address:
            if not address.endswith(f":{PORT}"):
                err.print(f"Port {PORT} is taken, so the tab does not find what you wrote before.")
            out.print(f"{address}/docs/index.html, and the tab: {address}/try/ (Ctrl-C ends it)")
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
        return
    out.print(f"Open {site / 'index.html'}", markup=False, soft_wrap=True)
