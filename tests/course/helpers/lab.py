"""A JupyterLab of its own in a folder, as `g2c notebook` opens it for a person new to both."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Lab:
    """A JupyterLab at `url`, with the course in `course`."""

    url: str
    course: Path

    def address(self, path: str) -> str:
        """Where a notebook of the course is, in a window that has nothing else open."""
        return f"{self.url}/lab/tree/{path}?reset"


@contextmanager
def open_lab(home: Path, module: str) -> Iterator[Lab]:
    """A JupyterLab that `g2c notebook MODULE` opened in `home`, on what the model said before."""
    course = home / "course"
    shutil.copytree(ROOT / "notebooks", course / "notebooks")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    settings = home / ".jupyter/lab/user-settings/@jupyterlab"
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    # All cells are on the page, and not only those in the window.
    for name, values in {
        "apputils-extension/notification": quiet,
        "notebook-extension/tracker": {"windowingMode": "none"},
    }.items():
        file = settings / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(values))
    stem = next((ROOT / "notebooks").glob(f"{module}-*.ipynb")).stem
    answers = ROOT / f"tests/course/answers/{stem}.jsonl"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG_"))}
    own = {"HOME": str(home), "G2C_ROOT": str(course), "PYTHONPATH": str(ROOT)}
    model = {"G2C_BACKEND": "embedded", "G2C_REPLAY": str(answers), "G2C_REFERENCE": "all"}
    options = ["--no-browser", "--allow-root", "--IdentityProvider.token=", "--port", str(port)]
    options.append("--expose-app-in-browser")  # so that a page can be told to change its theme
    g2c = "from g2c.course.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", g2c, "notebook", module, *options],
        env=kept | own | model,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stderr
        said = []
        for line in server.stderr:
            said.append(line)
            if "is running at:" in line:
                break
        else:
            pytest.fail("JupyterLab did not start:\n" + "".join(said))
        threading.Thread(target=server.stderr.read, daemon=True).start()  # else its pipe fills
        try:
            yield Lab(f"http://127.0.0.1:{port}", course)
        finally:
            os.killpg(server.pid, signal.SIGTERM)  # the command, JupyterLab, and its kernels
