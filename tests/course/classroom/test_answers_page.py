"""Marking on a page, over HTTP: marks arrive, nobody else comes in, and all text is text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest
from chromium import needs_chromium

from g2c.classroom.answers.desk import Desk
from g2c.classroom.answers.marking import HandIn, Question, id_of
from g2c.classroom.answers.page import MAX_FORM_BYTES, Marking, serve
from g2c.classroom.answers.store import MarkStore

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = "</pre><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\x1b[2J &amp;"
QUESTIONS = (
    Question("19", 1, "A <loop>", "- *Should contain:* the `step` <here>"),
    Question("19", 2, "Second", "- why"),
)
CLASS = (HandIn("Ada Lovelace", {1: HOSTILE, 2: "Two"}), HandIn("Bob", {1: "It stopped."}))


@pytest.fixture
def store(tmp_path: Path) -> MarkStore:
    return MarkStore(tmp_path)


@pytest.fixture
def marking(store: MarkStore) -> Iterator[Marking]:
    noon = datetime(2026, 11, 26, 12, tzinfo=UTC)
    desk = Desk(store, QUESTIONS, CLASS, seed=1, grader="kim", clock=lambda: noon)
    with desk:
        desk.open_next()
        yield Marking(desk, "Each answer gets 0, 1 or 2.")


@pytest.fixture
def address(marking: Marking) -> Iterator[str]:
    with serve(marking) as address:
        yield address


def ask(
    address: str, form: dict[str, str] | None = None, path: str | None = None, host: str = ""
) -> tuple[HTTPResponse, str]:
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if host:
        headers["Host"] = host
    body = None if form is None else urlencode(form)
    method = "GET" if form is None else "POST"
    connection.request(method, parts.path if path is None else path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


@pytest.mark.parametrize("length", ["0" * 9 + "99999999", "9" * 30, "+5", "-1", "\u00b2"])
def test_a_length_is_read_whole_or_the_form_is_refused(address: str, length: str) -> None:
    parts = urlsplit(address)
    assert parts.hostname
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.putrequest("POST", parts.path)
    connection.putheader("Content-Length", length.encode("latin-1"))
    connection.endheaders()
    assert connection.getresponse().status < 500, "it waits for bytes that do not come"
    connection.close()


def form_of(page: str, do: str, **more: str) -> dict[str, str]:
    """The fields that a browser would send from the page's form."""
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in hidden} | more | {"do": do}


def test_marks_and_comments_arrive_and_comments_are_offered_again(
    address: str, store: MarkStore
) -> None:
    _, page = ask(address)
    sent, _ = ask(address, form_of(page, "1", comment='Which "run"?'))
    assert sent.status == 303 and sent.headers["Location"] == urlsplit(address).path
    _, page = ask(address)
    assert '<option value="Which &quot;run&quot;?">' in page
    assert "Questions after this one: 1." in page
    ask(address, form_of(page, "2", comment=""))
    assert [(mark.marks, mark.comment) for mark in store.marks()] == [(1, 'Which "run"?'), (2, "")]
    _, page = ask(address)
    assert "All answers have marks." in page
    ask(address, form_of(page, "next"))
    _, page = ask(address)
    assert "question 2: Second" in page and "Two" in page
    ask(address, form_of(page, "skip"))
    _, page = ask(address)
    assert "Answers without a mark: 1." in page
    ask(address, form_of(page, "back"))
    _, page = ask(address)
    assert 'class="answer">Two</pre>' in page


def test_the_page_shows_answer_and_rubric_without_names_and_all_text_is_text(
    address: str, marking: Marking
) -> None:
    pages = []
    for _ in CLASS:
        answer, page = ask(address)
        pages.append(page)
        ask(address, form_of(page, "skip"))
    whole = "".join(pages)
    assert "&lt;/pre&gt;&lt;script&gt;alert(1)" in whole and "It stopped." in whole
    assert "<script" not in whole and "<img" not in whole and "\x1b" not in whole
    assert "A &lt;loop&gt;" in whole and "<code>step</code> &lt;here&gt;" in whole
    assert not re.search("Ada|Lovelace|Bob", whole)
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


def test_without_the_token_there_is_nothing_to_read_or_to_change(
    address: str, store: MarkStore
) -> None:
    _, page = ask(address)
    token = urlsplit(address).path.strip("/")
    assert len(token) >= 32
    for path in ("/", "/x/", f"/{token[:-1]}/", f"/{token}", f"/{token}/more", f"/{token}/?do=2"):
        for form in (None, form_of(page, "2")):
            answer, text = ask(address, form, path)
            assert answer.status == 404 and "stopped" not in text and token not in text
    for name in ("evil.example", "evil.example:80", "localhost.evil.example", ""):
        answer, text = ask(address, form_of(page, "2"), host=name or " ")
        assert answer.status == 404, "another name leads here: a page of the web asks"
        assert "forward a port: ssh -L 8080:127.0.0.1:" in text and token not in text
    assert not store.marks()


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:9", "[::1]:8080", "LOCALHOST"])
def test_a_forwarded_port_opens_the_page(host: str, address: str, store: MarkStore) -> None:
    answer, page = ask(address, host=host)
    assert answer.status == 200
    ask(address, form_of(page, "2"), host=host)
    assert len(store.marks()) == 1


def test_a_page_that_is_old_marks_nothing_else(address: str, store: MarkStore) -> None:
    _, old = ask(address)
    ask(address, form_of(old, "2"))
    ask(address, form_of(old, "0"))  # the browser's way back, and another mark
    first, second = store.marks()
    assert first.answer == second.answer and (first.marks, second.marks) == (2, 0)
    for form in (
        form_of(old, "2", question="2"),
        form_of(old, "2", answer=id_of("Two")),
        form_of(old, "7"),
        {"do": "2"},
        {},
    ):
        ask(address, form)
        assert len(store.marks()) == 2, form
    ask(address, form_of(old, "2", question="2"))
    _, page = ask(address)
    assert "That page was old" in page


def test_another_file_than_a_form_is_refused(address: str, store: MarkStore) -> None:
    _, page = ask(address)
    big = form_of(page, "2", comment="x" * MAX_FORM_BYTES)
    assert ask(address, big)[0].status == 400
    assert ask(address, {f"f{n}": "" for n in range(20)})[0].status == 400
    assert not store.marks()


def test_the_end_lets_go_of_the_question(address: str, marking: Marking, store: MarkStore) -> None:
    _, page = ask(address)
    answer, ended = ask(address, form_of(page, "end"))
    assert answer.status == 200 and "The marks are kept" in ended
    assert marking.ended.wait(30), "it is set once the page is sent"
    with store.hold(QUESTIONS[0]):
        pass
    assert "You can close this tab" in ask(address)[1]


@needs_chromium
@pytest.mark.slow
def test_in_a_browser_enter_marks_nothing_and_a_button_does(
    address: str, store: MarkStore, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto(address)
    page.get_by_label("Comment").fill("Which run?")
    page.get_by_label("Comment").press("Enter")
    assert page.get_by_label("Comment").input_value() == "Which run?"
    assert not store.marks()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 400, "nothing is cut on a telephone"
    page.get_by_role("button", name="1", exact=True).click()
    (kept,) = store.marks()
    assert (kept.marks, kept.comment) == (1, "Which run?")
    keys = [button.get_attribute("accesskey") for button in page.get_by_role("button").all()]
    assert keys == ["0", "1", "2", "b", "s", "e"], "without a mouse"
    page.close()
