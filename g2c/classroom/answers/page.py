"""Marking on a page, which is served to this computer alone.

The page needs no script. A random token in its address keeps other users and other pages out. Each
form names the answer that it was shown with, so an old tab marks no other answer.
"""

import contextlib
import re
import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from g2c.classroom.answers.desk import Desk
from g2c.classroom.answers.marking import FULL, MAX_COMMENT_CHARS, Answer, Sheet, place_of
from g2c.classroom.answers.rubric import to_html
from g2c.page import SECURITY, escaped, whole_page
from g2c.text import reason_of

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names of this computer. A page of the web cannot have one of them, whatever its name leads
to."""

MAX_FORM_BYTES = 2**16
"""The longest comment takes a tenth of this."""

HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": f"{SECURITY}; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
MARKS = tuple(map(str, range(FULL + 1)))


@dataclass
class Marking:
    """A desk, and the page's message about the last form. Requests change it one at a time. `ended`
    is set when the grader has seen the end."""

    desk: Desk
    scale: str
    message: str = ""
    is_over: bool = False
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, form: Mapping[str, str]) -> None:
        """Do what a form asks for. A form about another answer than the desk's is refused.

        Raises:
            OSError: a mark cannot be stored.
        """
        self.message = ""
        sheet, wanted = self.desk.sheet, form.get("do", "")
        if wanted == "end":
            self.desk.release()
            self.is_over = True
        elif not sheet or form.get("question") != str(sheet.question.number):
            self.message = "That page was old: its question is not open here. Nothing was changed."
        elif wanted in MARKS:
            try:
                self.desk.mark(form.get("answer", ""), int(wanted), form.get("comment", ""))
            except ValueError as error:
                self.message = f"{error} Nothing was changed."
        elif wanted == "skip":
            self.desk.skip()
        elif wanted == "back":
            self.desk.back()
        elif wanted == "next":
            self.desk.open_next()

    def html(self) -> str:
        """The page as it is now."""
        if self.is_over:
            return _page("Ended", "<p>The marks are kept. You can close this tab.</p>")
        says = f'<p class="says" role="status">{escaped(self.message)}</p>' if self.message else ""
        sheet = self.desk.sheet
        if not sheet:
            others = ", ".join(map(str, self.desk.with_others))
            held = f" Others hold question {escaped(others)}." if others else ""
            end = f"<p>No question is left for you.{held}</p>{_form(_button('end', 'End'))}"
            return _page("Nothing is left", says + end)
        question = sheet.question
        title = f"Module {question.module}, question {question.number}: {question.title}"
        scale = f"<details><summary>What the marks mean</summary>{to_html(self.scale)}</details>"
        rubric = f"<section><h2>Rubric</h2>{to_html(question.expects)}{scale}</section>"
        shown = sheet.shown
        left = self._answer(sheet, shown) if shown else _end_of(sheet)
        return _page(title, f"{says}<main><section>{left}</section>{rubric}</main>")

    def _answer(self, sheet: Sheet, answer: Answer) -> str:
        mark = sheet.marks.get(answer.id)
        # A disabled button comes first, so that Enter in the comment field sends nothing.
        buttons = "<button disabled hidden></button>" + "".join(
            _button(value, value, pressed=bool(mark and str(mark.marks) == value))
            for value in MARKS
        )
        options = "".join(
            f'<option value="{escaped(earlier)}">' for earlier in self.desk.comments()
        )
        comment = (
            f'<p><label>Comment, kept with the mark <input name="comment" list="earlier" '
            f'autocomplete="off" maxlength="{MAX_COMMENT_CHARS}" '
            f'value="{escaped(self.desk.comment())}"></label>'
            f'<datalist id="earlier">{options}</datalist></p>'
        )
        others = _button("back", "Back") + _button("skip", "Skip") + _button("end", "End")
        form = _form(f"{comment}<p>{buttons}</p><p>{others}</p>", sheet, answer.id)
        where = f"{place_of(sheet)} Questions after this one: {self.desk.later}."
        return f'<p>{escaped(where)}</p><pre class="answer">{escaped(answer.text)}</pre>{form}'


def _end_of(sheet: Sheet) -> str:
    left = f"Answers without a mark: {sheet.left}." if sheet.left else "All answers have marks."
    buttons = _button("next", "Next question") + _button("back", "Back") + _button("end", "End")
    return f"<p>{left}</p>{_form(buttons, sheet)}"


def _form(inside: str, sheet: Sheet | None = None, answer: str = "") -> str:
    number = sheet.question.number if sheet else ""
    return (
        f'<form method="post"><input type="hidden" name="question" value="{number}">'
        f'<input type="hidden" name="answer" value="{escaped(answer)}">{inside}</form>'
    )


def _button(value: str, words: str, *, pressed: bool = False) -> str:
    name = f' class="mark{" given" if pressed else ""}"' if value in MARKS else ""
    key = words[0].lower()  # with Alt, or another key of the browser
    return f'<button name="do" value="{value}"{name} accesskey="{key}">{words}</button> '


def _page(title: str, body: str) -> str:
    return whole_page(title, f"<h1>{escaped(title)}</h1>\n{body}", _STYLE)


@contextlib.contextmanager
def serve(marking: Marking, port: int = 0) -> Iterator[str]:
    """Serve the page to this computer alone, on a free port, and yield the address, which is
    secret."""
    token = secrets.token_urlsafe(24)
    own = {"marking": marking, "path_wanted": f"/{token}/"}
    server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), own))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{token}/"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    # A browser keeps connections open; the end does not wait for them.
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A tab was closed while it loaded, or sent nothing.
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    marking: Marking
    path_wanted: str
    timeout = 60  # seconds for a client to send its request

    def do_GET(self) -> None:
        if self._is_allowed():
            with self.marking.lock:
                page = self.marking.html()
            self._send(HTTPStatus.OK, page)

    def do_POST(self) -> None:
        if not self._is_allowed():
            return
        form = self._form()
        if form is None:
            self._send(HTTPStatus.BAD_REQUEST, _page("No form", "<p>This is not a form.</p>"))
            return
        with self.marking.lock:
            self._do(lambda: self.marking.take(form))
            if self.marking.is_over:
                self._send(HTTPStatus.OK, self.marking.html())
                self.marking.ended.set()
                return
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", self.path_wanted)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _do(self, change: Callable[[], None]) -> None:
        try:
            change()
        except OSError as error:
            self.marking.message = f"The mark is not kept: {reason_of(error)}"

    def _is_allowed(self) -> bool:
        """Whether the request has the token, and its Host is this computer, by any port: one that
        was forwarded to this one has another number."""
        host = re.sub(r":\d+$", "", self.headers.get("Host", "")).lower()
        if not secrets.compare_digest(self.path.encode(), self.path_wanted.encode()):
            why = "There is nothing here. Open the whole address that g2c class mark printed."
        elif host not in LOOPBACK:
            why = (
                "This page opens only as localhost. From another computer, forward a port: "
                f"ssh -L 8080:127.0.0.1:{self.connection.getsockname()[1]} HOST, and then open the "
                "address that g2c class mark printed with localhost:8080 in it."
            )
        else:
            return True
        self._send(HTTPStatus.NOT_FOUND, _page("Not found", f"<p>{escaped(why)}</p>"))
        return False

    def _form(self) -> dict[str, str] | None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > MAX_FORM_BYTES:
            self.close_connection = True  # the rest of it is not read
            return None
        text = self.rfile.read(int(length)).decode("utf-8", "replace")
        try:
            fields = parse_qs(text, keep_blank_values=True, max_num_fields=10)
        except ValueError:
            return None
        return {name: values[-1] for name, values in fields.items()}

    def _send(self, status: HTTPStatus, page: str) -> None:
        data = page.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: each line would contain the token."""


_STYLE = """\
body { max-width: 80em; }
main { display: grid; gap: 0 2em; grid-template-columns: repeat(auto-fit, minmax(20em, 1fr)); }
main section { min-width: 0; }
.answer { font: inherit; padding: 0.75em; border: 1px solid #8886; border-radius: 4px;
  max-height: 60vh; overflow-y: auto; }
input[name=comment] { display: block; width: 100%; box-sizing: border-box; font: inherit; }
button { font: inherit; padding: 0.4em 1em; }
.mark { font-weight: bold; padding: 0.6em 1.6em; } .given { outline: 3px solid #3b7fc4; }
.says { border-left: 4px solid #c0392b; padding-left: 0.75em; }
@media (max-width: 24em) { main { display: block; } }
"""
