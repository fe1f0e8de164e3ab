"""Take the picture of a notebook: a run of the agent as it is stored, on a light and a dark page.

    python docs/pictures/record_notebook.py

No model is asked: what is shown stands in `notebooks/`. It needs Chromium.
"""

import shutil
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent
NOTEBOOK = FOLDER.parents[1] / "notebooks/19-agent.ipynb"
CELLS = ("experiment-5", "recovery")
SIZE = {"width": 800, "height": 620}


def as_page(theme: str) -> str:
    """The cells of `CELLS` as JupyterLab shows them, with the `light` or the `dark` theme."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell["id"] in CELLS]
    page, _ = HTMLExporter(template_name="lab", theme=theme).from_notebook_node(notebook)
    return str(page)


if __name__ == "__main__":
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        for theme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, offline=True)
            page.set_content(as_page(theme))
            page.screenshot(path=FOLDER / f"notebook-{theme}.png")
        browser.close()
