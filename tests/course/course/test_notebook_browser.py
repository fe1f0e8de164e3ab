"""The notebooks in a real browser: run, restarted, reloaded, untrusted, narrow and dark.

What is checked is what a person sees: that a picture is there, fits, and can be read.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from chromium import needs_chromium
from lab import ROOT, Lab, open_lab
from matplotlib.colors import to_hex
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from g2c.course.notebook.copies import working_copy
from g2c.widgets.charts import INK, PAPER, line_chart
from g2c.widgets.live import CONTROLS

RUN_LIMIT_MS = 300_000
"""The model reads its first prompt in this time also where many share the machine."""
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WIDTHS = (1280, 800)
THEMES = ("JupyterLab Light", "JupyterLab Dark")
MIN_CONTRAST = 4.5
"""WCAG 2, 1.4.3: of text and what is behind it."""

pytestmark = [pytest.mark.slow, needs_chromium]

TOO_WIDE = """
() => [...document.querySelectorAll('.jp-OutputArea-output')].flatMap(output =>
  [...output.querySelectorAll('*')]
    .filter(one => one.getBoundingClientRect().right > output.getBoundingClientRect().right + 1)
    .map(one => `${one.tagName}.${one.className} ${one.textContent.slice(0, 30)}`).slice(0, 1))
"""
EMPTY = """
() => [...document.querySelectorAll('.jp-OutputArea-output')].flatMap(output =>
  [output, ...output.querySelectorAll('.g2c, caption, img, .g2c-bar > span')]
    .filter(one => !one.offsetWidth || !one.offsetHeight || one.naturalWidth === 0)
    .map(one => `${one.tagName}.${one.className}`))
"""
HARD_TO_READ = """
least => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = colour => [0, 1, 2].reduce((sum, at) => {
    const c = colour[at] / 255;
    const linear = c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return sum + linear * [0.2126, 0.7152, 0.0722][at];
  }, 0);
  const over = (top, below) => {
    const share = top[3] ?? 1;
    return [0, 1, 2].map(at => share * top[at] + (1 - share) * below[at]);
  };
  const background = one => {
    if (!one) return [255, 255, 255];
    return over(channels(getComputedStyle(one).backgroundColor), background(one.parentElement));
  };
  const texts = [...document.querySelectorAll('.jp-OutputArea-output .g2c *')].filter(one =>
    one.offsetWidth && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
  return texts.flatMap(one => {
    const behind = background(one);
    const text = over(channels(getComputedStyle(one).color), behind);
    const [low, high] = [luminance(text), luminance(behind)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    return contrast < least ? [`${contrast.toFixed(2)} ${one.textContent.slice(0, 30)}`] : [];
  });
}
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with open_lab(tmp_path_factory.mktemp("lab"), "19") as lab:
        yield lab


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    yield page
    page.close()


def open_notebook(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()


def tell(page: Page, command: str, **arguments: str) -> None:
    """Have JupyterLab carry out one of its commands, and wait until it has."""
    page.evaluate(
        "([name, given]) => jupyterapp.commands.execute(name, given)", [command, arguments]
    )


def restart_kernel(page: Page) -> None:
    page.evaluate("() => { jupyterapp.commands.execute('kernelmenu:restart'); }")  # it will ask
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()


def run(page: Page, cell: Locator) -> None:
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def test_the_first_cells_output_is_there_and_stays(lab: Lab, page: Page) -> None:
    open_notebook(page, lab.address("work/19-agent.ipynb"))
    page.locator(".jp-Notebook .jp-Cell").first.click()
    pristine = json.loads((ROOT / "notebooks/19-agent.ipynb").read_text("utf-8"))
    last = [cell["id"] for cell in pristine["cells"]].index("several")
    for _ in range(last + 1):
        page.keyboard.press("Shift+Enter")

    one_shot = page.locator(".jp-CodeCell", has_text="planned = ask(")
    several = page.locator(".jp-CodeCell", has_text="prompt_growth(log.calls)")

    def shown() -> None:
        """Fresh, and in each state after it, the traces are there and each prompt unfolds."""
        answer = one_shot.get_by_text("Final answer").first
        expect(answer).to_be_visible(timeout=RUN_LIMIT_MS)
        expect(one_shot.get_by_text('calculator {"expression": "48 * 25"}').first).to_be_visible()
        expect(one_shot.get_by_text("Without a plan: What is 48")).to_be_visible()
        prompts = several.locator("details", has_text="Prompt of call")
        expect(prompts).to_have_count(3, timeout=RUN_LIMIT_MS)
        for prompt in prompts.all():
            if prompt.get_attribute("open") is None:
                prompt.locator("summary").click()
            expect(prompt.locator("pre")).to_be_visible()

    shown()
    restart_kernel(page)
    shown()
    tell(page, "docmanager:save")
    page.reload()
    shown()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_without_trust_all_pictures_are_there_fit_and_can_be_read(
    notebook: Path, lab: Lab, page: Page
) -> None:
    stored = nbformat.read(notebook, as_version=4)
    outputs = [output for cell in stored.cells for output in cell.get("outputs", ())]
    open_notebook(page, lab.address(f"notebooks/{notebook.name}"))
    shown = page.locator(".jp-OutputArea-output")
    expect(shown).to_have_count(len(outputs))
    assert page.locator(".jp-OutputArea-output :is(style, script, svg)").count() == 0, (
        "JupyterLab trusts the notebook, so this proves nothing"
    )
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1000})
        if width == min(WIDTHS):
            tell(page, "application:toggle-left-area")
            expect(page.locator("#jp-left-stack")).to_be_hidden()
        for theme in THEMES:
            tell(page, "apputils:change-theme", theme=theme)
            expect(page.locator(f'body[data-jp-theme-name="{theme}"]')).to_be_attached()
            state = f"at {width} pixels, {theme}"
            with suppress(TimeoutError):  # it is laid out anew
                page.wait_for_function(f"() => ({EMPTY})().length === 0")
            assert page.evaluate(EMPTY) == [], state
            assert page.evaluate(TOO_WIDE) == [], state
            assert page.evaluate(HARD_TO_READ, MIN_CONTRAST) == [], state


def test_a_control_asks_the_function_and_without_a_kernel_its_picture_stays(
    lab: Lab, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(lab.course))
    copy = working_copy("20")  # without outputs of somebody else, so it is trusted
    open_notebook(page, lab.address(f"work/{copy.name}"))
    run(page, page.locator(".jp-CodeCell", has_text="%load_ext autoreload"))
    gates = page.locator(".jp-CodeCell", has_text="gate_map(should_dream)")
    run(page, gates)
    sliders = gates.get_by_role("slider")
    is_open = gates.get_by_text("All three gates are open: dream.").filter(visible=True)
    no_sessions = gates.get_by_text("No dream. Closed: sessions.").filter(visible=True)
    expect(sliders.nth(1)).to_be_visible()
    expect(no_sessions).to_have_count(1)
    sliders.nth(0).press("End")
    expect(gates.locator("td.g2c-here").filter(visible=True)).to_have_text("sessions")
    expect(gates.get_by_text("never", exact=True).filter(visible=True)).not_to_have_count(0)
    sliders.nth(1).press("ArrowRight")
    expect(is_open).to_have_count(1)
    tell(page, "docmanager:save")

    page.reload()
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
    expect(is_open).to_have_count(1)
    sliders.nth(1).press("ArrowLeft")
    expect(no_sessions).to_have_count(1)
    expect(is_open).to_have_count(0)

    tell(page, "kernelmenu:shutdown")
    expect(page.get_by_text("No Kernel | ")).to_be_visible()
    page.reload()
    expect(is_open).to_have_count(1)
    expect(gates.locator("td", has_text="dream").filter(visible=True)).not_to_have_count(0)

    kept = json.loads(copy.read_text("utf-8"))
    kept["cells"].append(nbformat.v4.new_markdown_cell("Somebody else's."))
    (lab.course / "notebooks/untrusted.ipynb").write_text(json.dumps(kept))
    page.goto(lab.address("notebooks/untrusted.ipynb"))
    expect(page.locator("p", has_text="Somebody else's.")).to_be_visible()
    expect(gates.get_by_text(CONTROLS)).to_be_visible()
    expect(is_open).to_have_count(1)
    expect(page.get_by_text("VBox(children=")).to_have_count(0)


def test_the_line_of_a_long_cell_is_seen_and_then_gone(lab: Lab, page: Page) -> None:
    setup = (
        "from g2c.course.notebook import progress; progress.QUIET_S = 0; progress.show_progress()"
    )
    cells = [nbformat.v4.new_code_cell(source) for source in (setup, "input('Enough? ')")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
    content = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.write(content, lab.course / "line.ipynb")
    open_notebook(page, lab.address("line.ipynb"))
    first, second = page.locator(".jp-CodeCell").all()
    run(page, first)
    run(page, second)
    line = second.locator(".jp-OutputArea-output", has_text=" s")
    expect(line.first).to_be_visible()
    second.locator("input.jp-Stdin-input").press("Enter")
    expect(second.locator(".jp-OutputArea-executeResult")).to_be_visible()
    expect(line).to_have_count(0)
    tell(page, "docmanager:save")
    page.reload()
    expect(second.locator(".jp-OutputArea-executeResult")).to_be_visible()
    expect(line).to_have_count(0)


def test_a_charts_ink_can_be_read_on_its_own_paper() -> None:
    def luminance(colour: str) -> float:
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    assert (luminance(PAPER) + 0.05) / (luminance(INK) + 0.05) > 7  # WCAG 2, 1.4.6
    chart = line_chart({"a": [1, 2]}, title="t", x="x", y="y")
    assert to_hex(chart.get_facecolor()) == to_hex(chart.axes[0].get_facecolor()) == PAPER
