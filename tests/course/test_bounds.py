"""Input that is far too long or nested far too deep ends with a sentence, at once."""

import http.client
import shutil
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from g2c.cli.review import read_panel
from g2c.course.browser.serve import serve
from g2c.files import locked
from g2c.home.settings import read_settings
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served._openai_address import base_url_of
from g2c.loop.core.folder import holder
from g2c.loop.core.success import parse_success
from g2c.loop.core.types import LoopError
from g2c.memory import MemoryStoreError
from g2c.memory.core.line_pattern import LinePattern
from g2c.written import code_written

DIGITS = "1" * 15_000


def test_a_port_of_many_digits_is_not_a_port() -> None:
    assert base_url_from(f"localhost:{DIGITS}") == "http://localhost:11434"
    with pytest.raises(ValueError, match="must be an http:// or https:// address"):
        base_url_of(f"http://localhost:{DIGITS}")


KEYS = "a." * 3_000 + "a = 1"


@pytest.mark.parametrize(
    "text",
    [
        f"task = {'[' * 50_000}",
        f"rubric.{KEYS}",
        f'task = "x"\n[[reviewers]]\nname.{KEYS}',
        f'task = "x"\n[[reviewers]]\nname = "x"\npersona.{KEYS}',
        f"rubric = 0x{'f' * 20_000}",
        f"rubric = {DIGITS}",
        f"tools.{KEYS}",
        f"mcp.{KEYS}",
        f"tools = [[0x{'f' * 20_000}]]",
    ],
)
def test_settings_and_panels_that_are_too_deep_or_too_long_cannot_be_read(
    tmp_path: Path, text: str
) -> None:
    with pytest.raises(ValueError, match=r"panel\.toml cannot be read"):
        read_panel(text, "panel.toml")
    (tmp_path / "agent.toml").write_text(text)
    with pytest.raises(ValueError, match=r"agent\.toml"):
        read_settings(tmp_path / "agent.toml")


def test_a_long_pattern_is_refused_before_it_is_read() -> None:
    with pytest.raises(MemoryStoreError, match="at most 1,000 are read"):
        LinePattern("(a?)" * 50_000)


def test_a_long_success_command_is_refused_before_it_is_read() -> None:
    with pytest.raises(LoopError, match="at most 4,000 are read"):
        parse_success("grep a " * 50_000)


@pytest.mark.parametrize(
    "path", ["/%00", "/a%00b.html", "/%ED%A0%80", "/" + "a" * 5_000, "/..%2f..%2fetc"]
)
def test_an_odd_address_of_the_site_is_not_found(tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text("here")
    with serve(tmp_path) as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc)
        for asked, status in ((path, 404), ("/index.html", 200)):
            connection.request("GET", asked)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status, asked


def test_the_site_has_its_address_again_unless_another_program_has_it(tmp_path: Path) -> None:
    with serve(tmp_path) as address:
        port = urlsplit(address).port
        assert port
        with serve(tmp_path, port) as other:
            assert other != address
    with serve(tmp_path, port) as again:
        assert again == address, "a browser keeps a student's work by the address"


def test_a_tab_that_is_closed_while_it_loads_is_not_trouble(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wheel").write_bytes(bytes(50_000_000))
    others = set(threading.enumerate())
    with (
        serve(tmp_path) as address,
        socket.create_connection((urlsplit(address).hostname, urlsplit(address).port)) as tab,
    ):
        tab.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        tab.sendall(b"GET /wheel HTTP/1.0\r\n\r\n")
        assert tab.recv(1)
        tab.close()  # with a reset
        for thread in set(threading.enumerate()) - others:
            if "process_request" in thread.name:
                thread.join()
    assert not capfd.readouterr().err


@pytest.mark.skipif(not shutil.which("bwrap"), reason="it needs bubblewrap")
def test_a_lock_holder_is_readable_on_a_readonly_disk(tmp_path: Path) -> None:
    lock = tmp_path / "loop.lock"
    lock.write_text("7\n")
    code = (
        "from pathlib import Path; from g2c.loop.core.folder import holder; "
        f"print(holder(Path({str(lock)!r})))"
    )
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", sys.executable, "-c", code]

    def seen() -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    with locked(lock):
        assert holder(lock) == "7" and seen() == "7"
    assert seen() == "None"


@pytest.mark.parametrize("name", ["rot13", "zlib", "hex", "undefined", "no-such-encoding"])
def test_an_encoding_that_is_none_of_text_is_told(name: str) -> None:
    found = code_written(f"# coding: {name}\n# \xe9\n".encode("latin-1"))
    assert "is not UTF-8" in found.trouble and "coding" in found.text
