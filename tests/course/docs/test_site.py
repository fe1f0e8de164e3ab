"""The site: it is built by its command, and read in a real browser, wide and narrow."""

import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from chromium import needs_chromium
from playwright.sync_api import Browser, Page, expect

from g2c.course.browser.build import FOLDER
from g2c.course.manifest import load_exercises

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


class Anchors(HTMLParser):
    """The ids of a page, and where its links, pictures and scripts lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.leads_to: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if name := given.get("id"):
            self.ids.append(name)
        for key in ("href", "src"):
            if (where := given.get(key)) is not None:
                self.leads_to.append(where)


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    pages = {file: Anchors(file.read_text("utf-8")) for file in files}
    lost = defaultdict(list)
    for page, found in pages.items():
        for link in found.leads_to:
            if link.startswith(("https://", "http://", "mailto:", "data:")):
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (page.parent / file.partition("?")[0]).resolve() if file else page
            known = target in pages and anchor in pages[target].ids
            if not target.is_file() or (anchor and not known):
                lost[page.relative_to(site).as_posix()].append(link)
    assert not lost, dict(lost)


def test_the_pages_promises_are_kept(site: Path) -> None:
    pages = site / "docs/modules/19-agent"
    assert 'href="https://arxiv.org/abs/2210.03629"' in (pages / "afterwards.html").read_text()
    lesson = (pages / "index.html").read_text("utf-8")
    assert "19-4-run.svg" in lesson, "a drawing is shown"
    notebook = (site / "notebooks/19-agent.html").read_text("utf-8")
    assert "g2c-observation" in notebook, "a run's stored output is shown"
    contract = (site / "docs/api/agent.html").read_text("utf-8")
    assert 'id="g2c.agent.parse_react_step.parse_react_step"' in contract
    source = (site / "_modules/g2c/agent/parse_react_step.html").read_text("utf-8")
    assert "NotImplementedError" in source, "a stub is shown, and no reference"


@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["wide", "narrow"])
def page(browser: Browser, site: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that notes what goes wrong, and each request that leaves the site."""
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    inside = (site.as_uri(), "data:", "blob:")
    page.on("request", lambda asked: asked.url.startswith(inside) or wrong.append(asked.url))
    yield page
    assert not wrong, wrong
    page.close()


def is_narrow(page: Page) -> bool:
    assert page.viewport_size
    return page.viewport_size["width"] < 600


@needs_chromium
def test_every_page_fits_its_window(
    page: Page, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    import look

    wrong = {}
    names = look.pages_of(site)
    assert len(names) > 80
    for name in names:
        page.goto(f"{site.as_uri()}/{name}")
        width = page.evaluate("document.documentElement.scrollWidth")
        wrong[name] = look.misfits(page)
        if page.viewport_size and width > page.viewport_size["width"]:
            wrong[name].append(f"the page is {width} pixels wide")
    assert not any(wrong.values()), {name: found for name, found in wrong.items() if found}


@needs_chromium
def test_the_front_page_leads_to_a_lesson_and_on(page: Page, site: Path) -> None:
    page.goto(f"{site.as_uri()}/index.html")
    expect(page.locator("h1")).to_contain_text("build an agent")
    page.get_by_role("main").get_by_role("link", name="19 an agent that acts").click()
    expect(page.locator("h1")).to_contain_text("Module 19")
    page.get_by_title("next page").click()
    expect(page.locator("h1")).to_contain_text("19.1 Read one step")
    page.get_by_title("previous page").click()
    expect(page.locator("h1")).to_contain_text("Module 19")


@needs_chromium
def test_the_first_screen_shows_a_run_and_the_way_to_the_tab(page: Page, site: Path) -> None:
    page.set_viewport_size({"width": 390 if is_narrow(page) else 1280, "height": 844})
    page.goto(f"{site.as_uri()}/docs/index.html")
    main = page.get_by_role("main")
    run = main.locator(".recorded-demo")
    expect(run.get_by_text("Question").first).to_be_in_viewport()
    expect(run.get_by_text("Observation").first).to_be_in_viewport()
    expect(main.get_by_role("link", name="Try it in your browser")).to_be_in_viewport()
    expect(run).to_contain_text("2 of 3 answered rightly")
    for name in ("docs/index.html", "docs/modules/19-agent/4-run-the-loop.html", "search.html"):
        page.goto(f"{site.as_uri()}/{name}")
        bar = page.locator("header").get_by_role("link", name="Try it").filter(visible=True)
        expect(bar).to_have_count(1)
        expect(bar).to_be_in_viewport()
        target = bar.evaluate("one => one.href")
        assert target == f"{site.as_uri()}/{FOLDER}/index.html"


def test_an_exercises_page_has_its_contract_and_leads_to_itself_in_the_tab(site: Path) -> None:
    for exercise in load_exercises():
        page = site / Path(exercise.lesson).with_suffix(".html")
        html = page.read_text("utf-8")
        link = f"{FOLDER}/index.html?exercise={exercise.id}"
        (found,) = [to for to in Anchors(html).leads_to if to.endswith(link)]
        assert (page.parent / found.partition("?")[0]).resolve() == site / FOLDER / "index.html"
        contract = html.partition("The contract")[2]
        assert f'<span class="pre">{exercise.function}</span>' in contract
        assert "NotImplementedError" not in contract
        stub = (ROOT / exercise.file).read_text("utf-8")
        says = (
            stub.partition(f"def {exercise.function}(")[2].partition('"""')[2].partition('"""')[0]
        )
        words = set(re.findall(r"[A-Za-z]{4,}", says))
        assert len(words & set(re.findall(r"\w+", contract))) > 0.8 * len(words) > 5, exercise.id


@needs_chromium
@pytest.mark.parametrize(("word", "found"), [("scratchpad", "Module 19"), ("21.3", "21.3")])
def test_the_search_finds_a_word_and_an_exercise(
    page: Page, site: Path, word: str, found: str
) -> None:
    page.goto(f"{site.as_uri()}/docs/index.html")
    page.get_by_role("button", name="Search").filter(visible=True).first.click()
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    expect(page.locator("#search-results li").filter(has_text=found)).not_to_have_count(0)


@needs_chromium
def test_a_prompt_of_a_stored_output_unfolds_without_a_kernel(page: Page, site: Path) -> None:
    page.goto(f"{site.as_uri()}/notebooks/19-agent.html")
    prompt = page.locator("details", has_text="Prompt of call").first
    prompt.locator("summary").click()
    expect(prompt.locator("pre")).to_be_visible()


@needs_chromium
def test_the_words_of_a_picture_stay_inside_it(page: Page) -> None:
    for picture in sorted((ROOT / "docs/pictures").glob("*-*.svg")):
        page.set_content(picture.read_text("utf-8"))
        outside = page.evaluate(
            """() => [...document.querySelectorAll('svg text')].filter(text => {
                const box = text.getBBox(), paper = text.ownerSVGElement.viewBox.baseVal;
                return box.x < 0 || box.x + box.width > paper.width
                    || box.y + box.height > paper.height;
            }).map(text => text.textContent)"""
        )
        assert not outside, f"{picture.name}: {outside}"
