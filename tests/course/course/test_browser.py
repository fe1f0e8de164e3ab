"""The course in a browser's tab, as a person meets it: the built page, in a real browser."""

import io
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from chromium import CHROMIUM
from playwright.sync_api import Browser, Page, expect

from g2c.course.browser import inside
from g2c.course.browser.build import FOLDER
from g2c.course.browser.serve import serve
from g2c.course.manifest import find_exercise, load_exercises
from g2c.inference import BackendError, ContextOverflowError
from g2c.inference.embedded.browser import BrowserBackend, BrowserEngine

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
needs_browser = pytest.mark.skipif(
    (CHROMIUM is None or shutil.which("npm") is None) and "CI" not in os.environ,
    reason="there is no chromium or no npm; on Debian: apt-get install chromium npm",
)
ANSWER_MS = 600_000
"""The model reads the agent's instructions in this time also where many share the machine."""
PARSER = find_exercise("19.1")
STUB_LINE = "    raise NotImplementedError"
TIMINGS = {"cache_n": 2, "prompt_n": 3, "predicted_n": 1, "prompt_ms": 1.0, "predicted_ms": 2.0}


class TestBackend:
    def test_the_pieces_of_an_answer_become_one_result(self) -> None:
        sent = []

        def send(request: str) -> str:
            sent.append(json.loads(request))
            pieces = [
                {"choices": [{"text": "4", "finish_reason": None}]},
                {"choices": [{"text": "2", "finish_reason": "stop"}], "timings": TIMINGS},
            ]
            return json.dumps(pieces)

        model = BrowserBackend(BrowserEngine(send, 8192)).stopping_at("Observation:")
        result = model.complete("6 * 7 =", max_new_tokens=5, temperature=0.0)
        assert (result.completion, result.prompt_tokens, result.backend) == ("42", 5, "browser")
        asked = {name: sent[0][name] for name in ("prompt", "n_predict", "stop")}
        assert asked == {"prompt": "6 * 7 =", "n_predict": 5, "stop": ["Observation:"]}

    def test_the_reason_of_an_answers_end_is_that_of_other_backends(self) -> None:
        ends = [
            ({"error": {"type": "refused", "message": "no"}}, BackendError),
            (
                {"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 9}},
                ContextOverflowError,
            ),
            ({"stopped": True}, KeyboardInterrupt),
        ]
        for end, error in ends:
            model = BrowserBackend(BrowserEngine(lambda _, end=end: json.dumps([end]), 8192))
            with pytest.raises(error):
                model.complete("Hm")


class TestWork:
    def test_packed_files_come_back(self) -> None:
        files = {PARSER.file: "# mine\n"}
        assert json.loads(inside.unpack(inside.pack(json.dumps(files)))) == files

    def test_a_zip_of_the_whole_course_gives_what_is_not_as_shipped(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "course.zip", "w") as archive:
            for exercise in load_exercises():
                archive.writestr(
                    f"g2c-main/{exercise.file}", (ROOT / exercise.file).read_text("utf-8")
                )
            archive.writestr(
                "g2c-main/g2c/exercises/e19_1_parse_react_step/solution.py", "# not the student's\n"
            )
        assert inside.unpack((tmp_path / "course.zip").read_bytes()) == "{}"

    def test_names_as_windows_writes_them_are_found_and_a_bomb_is_not_unpacked(self) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            name = zipfile.ZipInfo("x")
            name.filename = f"me\\{PARSER.file}".replace("/", "\\")
            archive.writestr(name, "# mine\n")
        assert json.loads(inside.unpack(packed.getvalue())) == {PARSER.file: "# mine\n"}
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as archive:
            archive.writestr(PARSER.file, b"# mine\n")
        with pytest.raises(ValueError, match="stored or deflated"):
            inside.unpack(packed.getvalue())

    @pytest.mark.parametrize("packed", [b"no zip", inside.pack('{"other.py": ""}')])
    def test_another_file_is_refused_with_a_sentence(self, packed: bytes) -> None:
        with pytest.raises(ValueError, match=r"This (is not a )?zip"):
            inside.unpack(packed)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of the served site."""
    with serve(site) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A tab of one test's own."""
    yield from opened(browser, address)


@pytest.fixture(scope="module")
def tab(browser: Browser, address: str) -> Iterator[Page]:
    """A tab for tests that need no new one, because a new one takes half a minute."""
    yield from opened(browser, address)


@pytest.fixture
def parser_tab(tab: Page) -> Page:
    """That tab, with the parser's exercise and no results."""
    tab.locator("#exercise").select_option("19.2")
    tab.locator("#exercise").select_option(PARSER.id)
    expect(tab.locator("#results")).to_be_empty()
    return tab


def opened(browser: Browser, address: str) -> Iterator[Page]:
    """The tab, which notes each request that leaves its origin."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    left: list[str] = []
    inside_ = (address, "data:", "blob:")
    page.context.on("request", lambda r: r.url.startswith(inside_) or left.append(r.url))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{address}/{FOLDER}/index.html")
    expect(page.locator("main")).to_be_visible()
    yield page
    assert not left, f"these requests left the origin: {left}"
    page.close()


def write(page: Page, body: str) -> None:
    """Put `body` in place of the whole file in the editor."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(body)


def with_body(body: str) -> str:
    text = (ROOT / PARSER.file).read_text("utf-8")
    assert STUB_LINE in text
    return text.replace(STUB_LINE, body)


def reference() -> str:
    return (ROOT / PARSER.solution_file).read_text("utf-8")


@needs_browser
def test_from_the_front_page_over_a_wrong_answer_to_a_run_of_the_right_one(
    page: Page, address: str
) -> None:
    page.goto(address)
    main = page.get_by_role("main")
    main.get_by_role("link", name="In a browser tab").click()
    main.get_by_role("link", name="Open the tab").click()
    expect(page.locator("main")).to_be_visible()

    results = page.locator("#results")
    page.get_by_role("button", name="Run tests").click()
    expect(results).to_contain_text("not started")

    write(page, with_body("    return ParsedStep(final_answer=text)"))
    page.get_by_role("button", name="Run tests").click()
    expect(results).to_contain_text("called")
    for part in ("parse_react_step(", "expected", "got", "the plainest step of all"):
        expect(results).to_contain_text(part)

    write(page, reference())
    page.keyboard.press("Control+Enter")
    expect(results).to_contain_text("tests pass")
    expect(results).to_contain_text("All ")
    expect(page.locator("#whose")).to_contain_text("your parse_react_step")

    expect(page.locator("#run")).to_be_enabled()
    page.locator("#run").click()
    expect(page.locator("#steps .end")).to_have_text("stopped: final_answer", timeout=ANSWER_MS)
    steps = page.locator("#steps")
    expect(steps).to_contain_text('calculator {"expression": "23 * 17"}')
    expect(steps).to_contain_text("391")
    expect(steps).to_contain_text("a second")

    page.reload()
    expect(page.locator("main")).to_be_visible()
    expect(page.locator("#whose")).to_contain_text("your parse_react_step")
    expect(page.locator("#exercise")).to_contain_text("✓")


@needs_browser
def test_each_exercises_own_page_is_shown_beside_its_editor(tab: Page) -> None:
    for exercise in load_exercises():
        tab.locator("#exercise").select_option(exercise.id)
        lesson = tab.locator("#lesson")
        expect(lesson.locator("h1")).to_contain_text(f"{exercise.id} ")
        source, shown = (ROOT / exercise.lesson).read_text("utf-8"), lesson.inner_text()
        headings = "".join(re.findall(r"^#+ .*", source, re.MULTILINE))
        assert set(re.findall(r"[A-Za-z]{2,}", headings)) <= set(re.findall(r"\w+", shown)), (
            exercise.id
        )
        assert len(shown) > len(source) / 2, f"{exercise.id}: a part is missing"


@needs_browser
def test_an_address_leads_to_its_exercise_and_an_unknown_one_to_the_last_chosen(
    page: Page, address: str
) -> None:
    for asked, shown in [("21.4", "21.4"), ("99.9", "21.4"), ("", "21.4")]:
        page.goto(f"{address}/{FOLDER}/index.html?exercise={asked}")
        expect(page.locator("#exercise")).to_have_value(shown)
        expect(page.locator("#lesson h1")).to_contain_text(shown)
        assert page.url.endswith(f"?exercise={shown}")


@needs_browser
def test_a_recorded_run_is_there_before_the_model(parser_tab: Page) -> None:
    parser_tab.get_by_role("button", name="Replay").click()
    expect(parser_tab.locator("#steps .end")).to_have_text("stopped: final_answer")
    expect(parser_tab.locator("#steps")).to_contain_text(
        "The meeting is on Tuesday at 10 in room 4."
    )


@needs_browser
@pytest.mark.parametrize("recursion", ["return again(n)", "return sorted([n], key=again)"])
def test_a_recursion_without_end_is_a_failure_and_not_the_end(
    parser_tab: Page, recursion: str
) -> None:
    body = f"    def again(n):\n        {recursion}\n    return again(text)"
    write(parser_tab, with_body(body))
    parser_tab.get_by_role("button", name="Run tests").click()
    expect(parser_tab.locator("#results")).to_contain_text("RecursionError")


@needs_browser
def test_a_loop_without_end_is_told_and_python_begins_anew(page: Page) -> None:
    write(page, with_body("    while True:\n        pass"))
    page.get_by_role("button", name="Run tests").click()
    expect(page.locator("#results")).to_contain_text("This did not end: test")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Run tests").click()
    expect(page.locator("#results")).to_contain_text("not started")


@needs_browser
def test_a_loop_without_end_is_not_told_under_another_exercise(parser_tab: Page) -> None:
    write(parser_tab, with_body("    while True:\n        pass"))
    parser_tab.get_by_role("button", name="Run tests").click()
    parser_tab.locator("#exercise").select_option("19.2")
    expect(parser_tab.locator("#python-state")).not_to_have_text("ready")
    expect(parser_tab.locator("#python-state")).to_have_text("ready")
    expect(parser_tab.locator("#results")).to_be_empty()
    parser_tab.locator("#exercise").select_option(PARSER.id)
    parser_tab.get_by_role("button", name="Reset").click()


def test_a_page_that_is_gone_leads_to_the_course(tmp_path: Path) -> None:
    with serve(tmp_path) as address, pytest.raises(HTTPError) as gone:
        urlopen(f"{address}/docs/gone.html")
    assert b"href=/docs/index.html" in gone.value.read()


@needs_browser
def test_the_reference_passes_where_the_page_offers_the_exercise(page: Page) -> None:
    failed = []
    for exercise in load_exercises():
        page.locator("#exercise").select_option(exercise.id)
        if exercise.id in inside.NOT_HERE:
            expect(page.locator("#results")).to_contain_text(inside.NOT_HERE[exercise.id])
            continue
        write(page, (ROOT / exercise.solution_file).read_text("utf-8") + "\n# mine\n")
        page.get_by_role("button", name="Run tests").click()
        expect(page.locator(".verdict")).to_be_visible()
        said = page.locator("#results").inner_text()
        if not said.startswith("All "):
            failed.append(f"{exercise.id}: {said[:600]}")
    assert not failed, "\n".join(failed)


@needs_browser
def test_work_goes_down_as_a_zip_and_up_again(page: Page, tmp_path: Path) -> None:
    mine = with_body("    return None  # mine")
    write(page, mine)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    packed = tmp_path / "work.zip"
    download.value.save_as(packed)
    with zipfile.ZipFile(packed) as archive:
        assert archive.read(PARSER.file).decode() == mine
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".cm-content")).not_to_contain_text("# mine")
    page.locator("#upload").set_input_files(packed)
    expect(page.locator("#work-state")).to_contain_text("1 of your files")
    expect(page.locator("#whose")).to_contain_text("your parse_react_step")


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_narrow_window(tab: Page, scheme: str) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.emulate_media(color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@needs_browser
def test_undo_does_not_bring_the_text_of_one_exercise_into_another(parser_tab: Page) -> None:
    write(parser_tab, "# of the parser")
    parser_tab.locator("#exercise").select_option("19.2")
    expect(parser_tab.locator(".cm-content")).to_contain_text("def extract_plan")
    parser_tab.locator(".cm-content").click()
    parser_tab.keyboard.press("Control+z")
    expect(parser_tab.locator(".cm-content")).to_contain_text("def extract_plan")
    parser_tab.locator("#exercise").select_option(PARSER.id)
    expect(parser_tab.locator(".cm-content")).to_have_text("# of the parser")
    parser_tab.get_by_role("button", name="Reset").click()


@needs_browser
def test_a_second_tab_keeps_what_the_first_wrote(parser_tab: Page) -> None:
    stored = "JSON.parse(localStorage.getItem('g2c-work'))"
    parser_tab.evaluate("localStorage.setItem('g2c-work', JSON.stringify({'other.py': 'mine'}))")
    write(parser_tab, "# of the parser")
    both = {"other.py": "mine", PARSER.file: "# of the parser"}
    assert parser_tab.evaluate(stored) == both
    parser_tab.get_by_role("button", name="Reset").click()
    assert parser_tab.evaluate(stored) == {"other.py": "mine"}
    parser_tab.evaluate("localStorage.clear()")


@needs_browser
def test_results_are_not_shown_under_another_exercise(parser_tab: Page) -> None:
    parser_tab.get_by_role("button", name="Run tests").click()
    parser_tab.locator("#exercise").select_option("19.2")
    expect(parser_tab.get_by_role("button", name="Run tests")).to_be_enabled()
    expect(parser_tab.locator("#results")).to_be_empty()


@needs_browser
@pytest.mark.parametrize(
    "window",
    [
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no'); }})",
        "localStorage.setItem('g2c-work', '{torn'); localStorage.setItem('g2c-green', '[')",
    ],
    ids=["private", "damaged"],
)
def test_a_window_that_stores_nothing_or_damage_has_the_page(
    browser: Browser, address: str, window: str
) -> None:
    page = browser.new_page()
    page.add_init_script(window)
    page.goto(f"{address}/{FOLDER}/index.html")
    expect(page.locator("main")).to_be_visible()
    write(page, "# mine")
    expect(page.locator("#whose")).to_contain_text("your parse_react_step")
    if "throw" in window:
        expect(page.locator("#work-state")).to_contain_text("Download it")
    page.close()


@needs_browser
def test_a_page_that_is_printed_has_dark_ink(tab: Page) -> None:
    tab.emulate_media(media="print", color_scheme="dark")  # a browser prints no background
    ink = tab.evaluate("getComputedStyle(document.body).color")
    tab.emulate_media(media="screen", color_scheme="light")
    assert ink == tab.evaluate("getComputedStyle(document.body).color")


@needs_browser
def test_without_a_network_no_other_exercises_lesson_is_shown(parser_tab: Page) -> None:
    parser_tab.context.set_offline(True)
    parser_tab.locator("#exercise").select_option("19.2")
    expect(parser_tab.locator("#lesson")).to_contain_text("cannot be had")
    parser_tab.context.set_offline(False)
    parser_tab.locator("#exercise").select_option(PARSER.id)
    expect(parser_tab.locator("#lesson")).to_contain_text("parse_react_step")


@needs_browser
def test_a_lesson_that_is_printed_has_dark_ink(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/{PARSER.lesson.replace('.md', '.html')}")
    page.emulate_media(media="print", color_scheme="dark")
    inks = "[...document.querySelectorAll('article *')].map((e) => getComputedStyle(e).color)"
    assert set(page.evaluate(inks)) == {"rgb(0, 0, 0)"}
    page.close()
