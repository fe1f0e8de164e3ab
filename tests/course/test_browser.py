"""The notebook as a person meets it: `g2c notebook`, a real JupyterLab, a real browser."""

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
from pathlib import Path

import pytest
from chromium import needs_chromium
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[2]
RUN_LIMIT_MS = 300_000
"""The model reads its first prompt in this time also where many share the machine."""

pytestmark = needs_chromium


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab that `g2c notebook 19` opened, for a person new to both."""
    course = tmp_path / "course"
    shutil.copytree(ROOT / "notebooks", course / "notebooks")
    settings = tmp_path / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG_"))}
    own = {"HOME": str(tmp_path), "G2C_ROOT": str(course)}
    model = {
        "G2C_BACKEND": "embedded",
        "G2C_REPLAY": str(ROOT / "tests/course/answers/19-agent.jsonl"),
    }
    options = ["--no-browser", "--allow-root", "--IdentityProvider.token=", "--port", str(port)]
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from g2c.course.cli import main; main()",
            "notebook",
            "19",
            *options,
        ],
        env=inherited | own | model | {"G2C_REFERENCE": "all"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        said = []
        for line in server.stderr:
            said.append(line)
            if "is running at:" in line:
                break
        else:
            pytest.fail("JupyterLab did not start:\n" + "".join(said))
        threading.Thread(target=server.stderr.read, daemon=True).start()  # else its pipe fills
        yield f"http://127.0.0.1:{port}/lab/tree/work/19-agent.ipynb"
        os.killpg(server.pid, signal.SIGTERM)  # the command, JupyterLab, and its kernels


@pytest.fixture
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 1000})


def test_the_first_cells_run_and_the_slider_moves(lab: str, page: Page, tmp_path: Path) -> None:
    page.goto(lab)
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)
    page.locator(".jp-Notebook .jp-Cell").first.click()
    pristine = json.loads((ROOT / "notebooks/19-agent.ipynb").read_text("utf-8"))
    last = [cell["id"] for cell in pristine["cells"]].index("several")
    for _ in range(last + 1):
        page.keyboard.press("Shift+Enter")

    one_shot = page.locator(".jp-CodeCell", has_text="planned = ask(")
    expect(one_shot.get_by_text("Final answer").first).to_be_visible(timeout=RUN_LIMIT_MS)
    expect(one_shot.get_by_text('calculator {"expression": "48 * 25"}').first).to_be_visible()

    several = page.locator(".jp-CodeCell", has_text="prompt_growth(log.calls)")
    slider = several.locator("input[type=range]")
    expect(slider).to_be_visible(timeout=RUN_LIMIT_MS)
    slider.scroll_into_view_if_needed()
    first, second, third = several.locator("summary", has_text="Prompt of call").all()
    expect(third).to_be_visible()
    expect(first).to_be_hidden()
    slider.click(position={"x": 3, "y": 8})
    expect(first).to_be_visible()
    expect(third).to_be_hidden()
    page.screenshot(path=tmp_path / "notebook.png")
    slider.press("ArrowRight")
    expect(second).to_be_visible()
