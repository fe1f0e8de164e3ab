"""A JupyterLab of its own in a folder, as `g2c notebook` opens it for a person new to both."""

import json
import os
import shutil
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
        """The address of a notebook of the course, in a window that has nothing else open."""
        return f"{self.url}/lab/tree/{path}?reset"


def course_in(home: Path) -> Path:
    """A course in `home` with the shipped notebooks, and JupyterLab's settings for a test."""
    course = home / "course"
    shutil.copytree(ROOT / "notebooks", course / "notebooks")
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
    return course


def lab_environment(home: Path, module: str) -> dict[str, str]:
    """The environment in which the model says in `home` what it said before."""
    stem = next((ROOT / "notebooks").glob(f"{module}-*.ipynb")).stem
    answers = ROOT / f"tests/course/answers/{stem}.jsonl"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG_"))}
    own = {"HOME": str(home), "G2C_ROOT": str(home / "course"), "PYTHONPATH": str(ROOT)}
    model = {"G2C_BACKEND": "embedded", "G2C_REPLAY": str(answers), "G2C_REFERENCE": "all"}
    return kept | own | model


def lab_command(module: str) -> tuple[list[str], str]:
    """`g2c notebook MODULE` without a browser, and the address that it is going to have."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    options = ["--no-browser", "--allow-root", "--IdentityProvider.token=", "--port", str(port)]
    options.append("--expose-app-in-browser")  # so that a page can be told to change its theme
    g2c = "from g2c.cli.main import main; main()"
    command = [sys.executable, "-c", g2c, "notebook", module, *options]
    return command, f"http://127.0.0.1:{port}"


@contextmanager
def open_lab(home: Path, module: str) -> Iterator[Lab]:
    """A JupyterLab that `g2c notebook MODULE` opened in `home`, on what the model said before."""
    course = course_in(home)
    command, url = lab_command(module)
    with subprocess.Popen(
        command,
        env=lab_environment(home, module),
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
            yield Lab(url, course)
        finally:
            server.terminate()  # JupyterLab, and with it its kernels
