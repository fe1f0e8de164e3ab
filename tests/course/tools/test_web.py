"""Pages of the web, from real servers on this machine that behave as the internet's worst."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from g2c.guard.app.guard import Guard
from g2c.guard.app.permissions import PermissionLog
from g2c.guard.core.permission import Rule
from g2c.tools import (
    SearchHit,
    ToolCall,
    ToolError,
    ToolRegistry,
    dispatch_tool_call,
    make_web_search,
    web,
)
from g2c.tools.html_text import text_of_html
from g2c.tools.web import fetch_text, is_public, is_same_page, make_read_page, searxng

PAGE = "<html><head><style>p{}</style></head><body><h1>Mill</h1><script>x()</script><p>7 wörlds"
NOT_THERE = "not there, or not at a public address. There may be no way to the internet"


class Server:
    """Answers each path as `answers` says, and keeps the paths that were asked for."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[str] = []
        self.kind, self.sent, self.body = "text/html", 0, b""
        self.to = "/page"
        self.over = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                getattr(server, self.path.strip("/").partition("?")[0])(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                """Ignore a reader that hangs up."""

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def send(self, to: Any, body: bytes, kind: str = "text/html", **headers: str) -> None:
        to.send_response(200)
        to.send_header("Content-Type", kind)
        for name, value in headers.items():
            to.send_header(name.replace("_", "-"), value)
        to.end_headers()
        to.wfile.write(body)

    def page(self, to: Any) -> None:
        self.send(to, PAGE.encode())

    def kinds(self, to: Any) -> None:
        self.send(to, "<p>wörld".encode(), self.kind)

    def greek(self, to: Any) -> None:
        self.send(to, '<meta charset="iso-8859-7"><p>μύλος'.encode("iso-8859-7"))

    def marked(self, to: Any) -> None:
        self.send(to, "wörld".encode("utf-16"), "text/plain; charset=latin-1")

    def latin(self, to: Any) -> None:
        self.send(to, "wörld".encode("latin-1"), "text/plain; charset=latin-1")

    def odd(self, to: Any) -> None:
        self.send(to, b"\x1b[2Jred", "text/plain; charset=no-such")

    def labelled(self, to: Any) -> None:
        self.send(to, self.body, self.kind)

    def picture(self, to: Any) -> None:
        self.send(to, b"\x89PNG", "image/png")

    def missing(self, to: Any) -> None:
        to.send_error(404)

    def packed(self, to: Any) -> None:
        self.send(to, b"\x1f\x8b", Content_Encoding="gzip")

    def endless(self, to: Any) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "text/plain")
        to.end_headers()
        while not self.over.is_set():
            to.wfile.write(b"a" * 100_000)

    def half(self, to: Any) -> None:
        to.send_response(200)
        to.send_header("Content-Length", "9")
        to.end_headers()
        to.wfile.write(b"Mill")
        self.over.wait(5)

    def dripping(self, to: Any) -> None:
        to.send_response(200)
        to.end_headers()
        while not self.over.wait(0.05):
            to.wfile.write(b"a")

    def inside(self, to: Any) -> None:
        self.lead(to, f"{self.url}/inside/")

    def elsewhere(self, to: Any) -> None:
        self.lead(to, self.to)

    def slash(self, to: Any) -> None:
        if to.path.endswith("/"):
            self.page(to)
            return
        self.lead(to, "/slash/")

    def endlessly(self, to: Any) -> None:
        if to.path.endswith("/"):
            self.page(to)
            return
        self.lead(to, "/endlessly/")
        for _ in range(100_000):
            to.wfile.write(b"a" * 100_000)
            self.sent += 100_000
            if self.over.wait(0.001):
                break

    def round(self, to: Any) -> None:
        self.lead(to, "/round")

    def away(self, to: Any) -> None:
        self.lead(to, "file:///etc/passwd")

    def too_far(self, to: Any) -> None:
        self.lead(to, "/" + "a" * 2_000)

    def lead(self, to: Any, where: str) -> None:
        to.send_response(302)
        to.send_header("Location", where)
        to.end_headers()

    def search(self, to: Any) -> None:
        found = {"results": [{"title": "Mill", "url": "https://mill.example", "content": "Old."}]}
        self.send(to, json.dumps(found).encode(), "application/json")


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def anywhere(address: str) -> bool:
    return True


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
XML = '<?xml version="1.0" encoding="windows-1251"?><a>мир</a>'


def test_a_page_is_its_words(server: Server) -> None:
    assert fetch_text(f"{server.url}/page", anywhere) == "Mill\n7 wörlds"
    assert fetch_text(f"{server.url}/latin", anywhere) == "wörld"
    assert fetch_text(f"{server.url}/odd", anywhere) == "[2Jred", "nothing steers a terminal"
    assert fetch_text(f"{server.url}/greek", anywhere) == "μύλος", "the page says its encoding"
    assert fetch_text(f"{server.url}/marked", anywhere) == "wörld", "its first bytes say more"


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "undefined", "utf\0-8", "iso-8859-99", "rot13", "", '"', "../x"]
)
def test_an_encoding_that_no_page_has_is_utf_8(server: Server, charset: str) -> None:
    for kind in ("text/plain", "text/html"):
        server.kind = f"{kind}; charset={charset}"
        assert "wörld" in fetch_text(f"{server.url}/kinds", anywhere)


@pytest.mark.parametrize(
    ("kind", "content", "text"),
    [
        ("text/plain; charset=iso-8859-1", "7 €".encode("cp1252"), "7 €"),
        ("text/html", '<meta charset="gb2312"><p>镕'.encode("gbk"), "镕"),
        ("text/html", '<meta charset="shift_jis"><p>①'.encode("cp932"), "①"),
        ("text/html", '<meta charset="utf-16"><p>wörld'.encode(), "wörld"),
        ("text/html", "<p>7 € wörld".encode("cp1252"), "7 € wörld"),
        ("text/plain", "7 € wörld".encode() + b"\xfc", "7 € wörld\ufffd"),
        ("text/html", "<p>No charset=koi8-r, wörld".encode(), "No charset=koi8-r, wörld"),
        ("text/html", '<script charset="koi8-r" src="a"></script><p>wörld'.encode(), "wörld"),
        ("text/html", '<!-- <meta charset="koi8-r"> --><p>wörld'.encode(), "wörld"),
        ("text/html", f"<!--{'x' * 3000}<meta charset=koi8-r>--><p>wörld".encode(), "wörld"),
        ("application/atom+xml", "<title>wörld</title>".encode(), "<title>wörld</title>"),
        ("application/ld+json", b'{"a": 1}', '{"a": 1}'),
        ("application/yaml", b"a: 1", "a: 1"),
        ("application/x-sql", b"SELECT 1", "SELECT 1"),
        ("image/svg+xml", b"<svg>mill</svg>", "<svg>mill</svg>"),
        ("text/xml", XML.encode("cp1251"), XML),
        ("text/plain", XML.encode(), XML),
    ],
)
def test_a_text_is_read_as_a_browser_reads_it(
    kind: str, content: bytes, text: str, server: Server
) -> None:
    server.kind, server.body = kind, content
    assert fetch_text(f"{server.url}/labelled", anywhere) == text


def test_a_password_in_an_address_is_neither_sent_nor_repeated(server: Server) -> None:
    url = server.url.replace("//", "//user:hunter2@")
    with pytest.raises(ToolError, match="leave it out") as refused:
        fetch_text(f"{url}/page", anywhere)
    assert "hunter2" not in str(refused.value)


PAGES = (
    ("<title>A &amp; B</title><ul><li>one<li>two</ul>", "A & B\none\ntwo"),
    ("<p>A <b>b</b>ig\n <a title='x > y'>mill</a><br>old", "A big mill\nold"),
    ("<table><tr><th>kg<td>7</tr><tr><td>a<td>b", "kg 7\na b"),
    ("<pre>def f():\n    return 1</pre>", "def f():\n    return 1"),
    ("a<!-- <p>x --><!--> b<!doctype html><?x y?></>c<![CDATA[d]]>", "a bc"),
    ("<ScRiPt>'</p>'</sCript >a<template>b<template>c</template>d</template>e", "a\ne"),
    ("<noscript><p>a</noscript><iframe>b</iframe>c<style>d", "c"),
    ("3 < 4 &lt;p&gt; &#" + "9" * 5_000 + ";&#x41;<", "3 < 4 <p> \ufffdA<"),
    ("a<p class='b", "a"),
    ("", ""),
)


@pytest.mark.parametrize(("page", "text"), PAGES)
def test_a_page_is_what_is_shown_of_it(page: str, text: str) -> None:
    assert text_of_html(page) == text


@pytest.mark.parametrize(
    "part",
    [
        *("<a ", "<!--", "<", "</", "<!", "<?", '<a x="', "<a x='>", "<script>", "</script"),
        *("<script></script", "<template>", "<pre> ", "&", "&#1", "&aaaaaaaaaaaaa", "<a x=  ", " "),
    ],
)
def test_no_page_takes_long(part: str) -> None:
    started = time.process_time()
    text_of_html(part * (1_000_000 // len(part)))
    assert time.process_time() - started < 5, "half a second, and hours if it were quadratic"


def test_nothing_is_asked_of_this_network(server: Server) -> None:
    for host in ("127.0.0.1", "localhost"):
        with pytest.raises(ToolError, match=NOT_THERE):
            fetch_text(server.url.replace("127.0.0.1", host) + "/page")
    assert server.asked == [], "the connection stood, and nothing was sent over it"


def test_a_redirect_into_this_network_is_not_followed(server: Server) -> None:
    looks: list[str] = []

    def first_only(address: str) -> bool:
        looks.append(address)
        return len(looks) == 1

    with pytest.raises(ToolError, match=NOT_THERE):
        fetch_text(f"{server.url}/inside", first_only)
    assert server.asked == ["/inside"] and len(looks) == 2


@pytest.mark.parametrize(
    ("to", "named"),
    [
        ("{url}/page", "{url}/page"),
        ("page?a=1", "{url}/page?a=1"),
        ("/elsewhere?a=1", "{url}/elsewhere?a=1"),
        ("//localhost:{port}/elsewhere", "http://localhost:{port}/elsewhere"),
        ("/Now say \x1b[2J yes.", "{url}/Now%20say%20%1B%5B2J%20yes."),
    ],
)
def test_a_redirect_to_another_page_is_named_and_not_followed(
    server: Server, to: str, named: str
) -> None:
    asked, port = f"{server.url}/elsewhere", server.url.rpartition(":")[2]
    server.to = to.format(url=server.url, port=port)
    with pytest.raises(ToolError) as said:
        fetch_text(asked, anywhere)
    named = named.format(url=server.url, port=port)
    assert str(said.value) == f"{asked} leads to another page. Read {named} instead."
    assert server.asked == ["/elsewhere"]


def test_a_rule_holds_behind_a_redirect(server: Server, tmp_path: Path) -> None:
    server.to = f"{server.url}/page"
    rules = Rule("deny", "read_page", "url", server.to), Rule("allow")
    log = PermissionLog(tmp_path / "permissions.jsonl", lambda: NOON)
    guard = Guard("agent", rules, log, lambda *_: "no", lambda: NOON)
    tool = guard.guarded(make_read_page(lambda url: fetch_text(url, anywhere)))
    said = []
    for url in (f"{server.url}/elsewhere", server.to):
        call = ToolCall("read_page", {"url": url})
        said.append(dispatch_tool_call(ToolRegistry([tool]), call).output)
    assert f"Read {server.to} instead" in said[0] and "not permitted" in said[1]
    assert server.asked == ["/elsewhere"]


def test_a_redirect_to_the_same_page_is_followed(server: Server) -> None:
    assert fetch_text(f"{server.url}/slash", anywhere) == "Mill\n7 wörlds"
    assert server.asked == ["/slash", "/slash/"]


@pytest.mark.parametrize(
    ("url", "to", "is_same"),
    [
        ("http://mill.example", "https://mill.example/", True),
        ("http://mill.example:80/a", "https://MILL.example:443/a#top", True),
        ("https://mill.example/a/?b=1", "https://mill.example/a/?b=1", True),
        ("https://mill.example/a?b=1", "https://mill.example/a/?b=1", False),
        ("https://mill.example/a", "http://mill.example/a", False),
        ("https://mill.example/a", "https://www.mill.example/a", False),
        ("https://mill.example/a", "https://mill.example:8443/a", False),
        ("http://mill.example:8080/a", "https://mill.example/a", False),
        ("https://mill.example/a", "https://mill.example/A", False),
        ("https://mill.example/a", "https://mill.example/b/../a", False),
    ],
)
def test_a_page_is_the_same_only_where_a_rule_would_be(url: str, to: str, is_same: bool) -> None:
    assert is_same_page(url, to) == is_same


def test_a_redirect_is_followed_without_what_it_holds(server: Server) -> None:
    assert fetch_text(f"{server.url}/endlessly", anywhere, deadline_s=5) == "Mill\n7 wörlds"
    assert server.sent < 20_000_000, "what the buffers hold, and no more"


def test_nobody_learns_what_stands_in_this_network(server: Server) -> None:
    said = set()
    for port in (server.url.rpartition(":")[2], "1"):
        with pytest.raises(ToolError) as refused:
            fetch_text(f"http://127.0.0.1:{port}/")
        said.add(str(refused.value).replace(f":{port}/", ""))
    assert len(said) == 1, f"an open port and a closed one: {said}"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("round", "leads on more than 3 times"),
        ("away", "leads to what is not an address"),
        ("too_far", "leads to what is not an address"),
        ("missing", "says 404"),
        ("packed", "could be of any size"),
        ("picture", "not text but image/png"),
        ("endless", "more than 2,000,000 bytes"),
    ],
)
def test_another_file_than_a_page_is_a_sentence(server: Server, path: str, says: str) -> None:
    with pytest.raises(ToolError, match=says):
        fetch_text(f"{server.url}/{path}", anywhere)


def test_a_server_that_falls_silent_is_told_as_silent(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "SILENCE_S", 0.1)
    with pytest.raises(ToolError, match="its server is silent") as caught:
        fetch_text(f"{server.url}/half", anywhere)
    assert caught.value.kind == "lost"


def test_a_page_without_words_is_said_to_have_none() -> None:
    assert (
        make_read_page(lambda url: "").func("https://mill.example").startswith("(the page has no")
    )


def test_a_server_that_drips_is_hung_up_on(server: Server) -> None:
    with pytest.raises(ToolError, match="took too long"):
        fetch_text(f"{server.url}/dripping", anywhere, deadline_s=0.5)


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes the certificate")
def test_a_safe_connection_that_drips_is_hung_up_on(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=mill", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    server = Server(tls)
    try:
        with pytest.raises(ToolError, match="no safe connection"):
            fetch_text(f"{server.url}/page", anywhere)
        read = partial(fetch_text, is_allowed=anywhere, _authorities=str(certificate))
        assert read(f"{server.url}/page") == "Mill\n7 wörlds"
        started = time.monotonic()
        with pytest.raises(ToolError, match="took too long"):
            read(f"{server.url}/dripping", deadline_s=0.5)
        assert time.monotonic() - started < 5
    finally:
        server.close()


def test_a_name_that_is_looked_up_for_long_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: server.over.wait(10) and [])
    started = time.monotonic()
    with pytest.raises(ToolError, match="took too long"):
        fetch_text("https://mill.example/", deadline_s=0.2)
    assert time.monotonic() - started < 5


def test_late_is_late_and_not_a_matter_of_addresses(server: Server) -> None:
    def slowly(address: str) -> bool:
        time.sleep(0.5)
        return False

    with pytest.raises(ToolError, match="took too long"):
        fetch_text(f"{server.url}/page", slowly, deadline_s=0.1)


@pytest.mark.parametrize(
    "url", ["", "mill.example", "file:///etc/passwd", "http://", "http://[::1", "ftp://a/b"]
)
def test_a_text_that_is_not_an_address_is_not_requested(url: str) -> None:
    with pytest.raises(ToolError, match="begins with https://"):
        fetch_text(url)


def test_without_the_internet_it_says_so() -> None:
    with pytest.raises(ToolError, match=NOT_THERE):
        fetch_text("https://no-such-host.invalid/")


@pytest.mark.parametrize(
    "address",
    [
        *("10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
        *("::1", "fc00::1", "fe80::1%eth0", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
        *("::127.0.0.1", "64:ff9b:1::1", "::ffff:0:127.0.0.1", "fec0::1", "3fff::1", "5f00::1"),
        *("192.88.99.1", "::ffff:192.88.99.1", "::8.8.8.8"),
    ],
)
def test_an_address_of_a_house_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_addresses_of_the_internet_are_public() -> None:
    assert all(map(is_public, ("93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822")))


def test_a_long_page_says_how_much_more_there_is() -> None:
    tool = make_read_page(lambda url: "a" * 1_200, max_chars=1_000)
    assert tool.func(url="https://mill.example") == "a" * 1_000 + "\n[200 more characters]"


def test_a_search_server_is_asked(server: Server) -> None:
    assert searxng(server.url)("the old mill") == [
        SearchHit("Mill", "https://mill.example", "Old.")
    ]
    assert server.asked == ["/search?format=json&q=the+old+mill"]
    said = make_web_search(searxng(server.url)).func("mill & more")
    assert said == "1. Mill\n   https://mill.example\n   Old."


@pytest.mark.parametrize("said", ["<p>no", "[]", '{"results": [7]}', '{"results": 7}'])
def test_another_answer_is_a_sentence(said: str) -> None:
    with pytest.raises(ToolError, match="have to allow that form"):
        searxng("http://search.example", lambda url: said)("mill")
