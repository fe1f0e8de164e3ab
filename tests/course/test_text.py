"""Properties of any text, whoever wrote it."""

import ast
import builtins
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import g2c
from g2c.files import read_text, replace_text
from g2c.text import named_reason, reason_of, within, without_citations
from g2c.visible import visible

repeatable = settings(derandomize=True, max_examples=200)


@pytest.mark.parametrize(
    ("text", "rest"),
    {
        "Tea. (2026-04-21.jsonl:1) (2026-04-21.jsonl:12)": "Tea.",
        "Tea.(house.md:9)(house.md:10)": "Tea.",
        "(日本.md:3)": "",
        "One (a.md:1)\nTwo (b.md:2)  \nThree": "One\nTwo\nThree",
        "As (house.md:9) says, it is green.": "As (house.md:9) says, it is green.",
        "See (house.txt:9)": "See (house.txt:9)",
        "It is (very) green (house.md:0)": "It is (very) green (house.md:0)",
    }.items(),
)
def test_places_that_recall_wrote_are_taken_off(text: str, rest: str) -> None:
    assert without_citations(text) == rest


@repeatable
@given(st.text(alphabet="a (b.md:1)\n"))
def test_lines_stay_lines_and_nothing_is_left_to_take_off(text: str) -> None:
    rest = without_citations(text)
    assert rest.count("\n") == text.count("\n")
    assert without_citations(rest) == rest


PLAIN = '{"url": "https://bank.example/pay", "to": "ada@mill.example"}'


@pytest.mark.parametrize("place", [8, 18, 40, 55])
def test_no_character_that_nobody_sees_leaves_a_question_as_it_was(place: int) -> None:
    """Tried with each format character, filler, blank and selector of Unicode."""
    unseen = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cf", "Zs", "Zl", "Zp") and char != " "
    ]
    for char in [*unseen, *"\u034f\u115f\u1160\u2800\u3164\uffa0\ufe0f\U000e0100"]:
        shown = visible(PLAIN[:place] + char + PLAIN[place:])
        assert shown != PLAIN and shown.isascii(), hex(ord(char))


@pytest.mark.parametrize(
    ("text", "shown"),
    {
        "https://b\u0430nk.example/pay": "https://xn--bnk-6cd.example/pay",
        "https://\u0430\u0440\u0440\u04cf\u0435.com": "https://xn--80ak6aa92e.com",
        "https://bank\uff0eexample": "https://bank\\uff0eexample",
        "ada@b\u0430nk.example": "ada@xn--bnk-6cd.example",
        "p\u0430y": "p\\u0430y",
        "http://stra\xdfe.example:80/": "http://xn--strae-oqa.example:80/",
        "ftp://b\u0430nk.example:21/": "ftp://xn--bnk-6cd.example:21/",
        "https://b\u0430nk@mill.example/": "https://b\\u0430nk@mill.example/",
        "\u0261oogle \u1d00dmin": "\\u0261oogle \\u1d00dmin",
        "\u24d6oogle \u210aoogle": "\\u24d6oogle \\u210aoogle",
        "a\u2215b a\u2024txt": "a\\u2215b a\\u2024txt",
        "10 m\xb2, k\u0131z, \u6771\u4eac\uff01": "10 m\xb2, k\u0131z, \u6771\u4eac\uff01",
        "Gr\u00f6\u00dfe \u65e5 \u043f\u0440\u0438": "Gr\u00f6\u00dfe \u65e5 \u043f\u0440\u0438",
        "\u0431\u0430\u043d\u043a.\u0440\u0444": "xn--80ab2al.xn--p1ai",
        '"\u0430\u0440\u0440\u04cf\u0435.com"': '"xn--80ak6aa92e.com"',
        "https:/\u0431\u0430\u043d\u043a.md/x": "https:/xn--80ab2al.md/x",
        "\u0431\u0430\u043d\u043a.py:80": "xn--80ab2al.py:80",
        "b\xfccher.example": "xn--bcher-kva.example",
        "\u0438 \u0442.\u0434. \u043c\u0438\u0440.\u041a\u0430\u043a": (
            "\u0438 \u0442.\u0434. \u043c\u0438\u0440.\u041a\u0430\u043a"
        ),
        "notes/\u043e.\u0440\u0444 \u043e.md": "notes/\u043e.\u0440\u0444 \u043e.md",
        "\u0436" * 100_000: "\u0436" * 100_000,  # in linear time
        PLAIN: PLAIN,
    }.items(),
)
def test_a_letter_that_looks_like_another_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("most", [20, 120, 300])
def test_two_texts_never_have_one_name(most: int) -> None:
    texts = ["a" * length for length in range(most - 12, most + 12)]
    names = [within(text, most) for text in texts]
    assert len(set(names)) == len(texts) and all(len(name) <= most for name in names)


AS_IT_IS = {
    "course/breaks.py": "what came of a first version, whatever it is",
    "files.py": "the stand-in for another system's error",
    "inference/structured/constrained.py": "a library's own errors",
    "tools/_mcp_relay.py": "a process without the course",
}
"""Files that tell errors in another way, and why."""
WIDE = {
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and (issubclass(kind, OSError) or issubclass(OSError, kind))
}


WIDE |= {"ConnectError", "ConnectTimeout", "HTTPError", "HTTPException", "NetworkError"}
WIDE |= {"ProtocolError", "ProxyError", "RequestException", "TimeoutException"}
"""Errors that a handler meets in place of one of the system, or with one inside."""


def test_an_error_of_the_system_is_told_without_its_number() -> None:
    root, found = Path(g2c.__file__).parent, set()
    for file in root.rglob("*.py"):
        name = file.relative_to(root).as_posix()
        if name.startswith("exercises/"):
            continue
        for handler in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(handler, ast.ExceptHandler) or not (handler.name and handler.type):
                continue
            if not WIDE.isdisjoint(re.split(r"\W+", ast.unparse(handler.type))):
                found |= {name for node in ast.walk(handler) if _tells(node, handler.name)}
    assert found == set(AS_IT_IS), "use reason_of, short_reason or named_reason"


@pytest.mark.parametrize(
    "write",
    [
        lambda file: replace_text(file / "below/a.json", ""),
        lambda file: (file / "below").mkdir(parents=True, exist_ok=True),
        lambda file: file.mkdir(exist_ok=True),
        lambda file: read_text(file / "a.json"),
    ],
)
def test_a_file_in_the_way_of_a_folder_is_named_with_what_to_do(
    tmp_path: Path, write: Callable[[Path], object]
) -> None:
    file = tmp_path / ".g2c"
    file.touch()
    with pytest.raises(OSError) as raised:
        write(file)
    assert reason_of(raised.value).startswith(f"{file} is not a folder, and one is needed there. M")


def test_a_number_inside_a_librarys_error_is_not_told() -> None:
    refused = RuntimeError("[Errno 111] Connection refused")
    assert (reason_of(refused), named_reason(refused)) == (
        "Connection refused",
        "RuntimeError: Connection refused",
    )


class Mute(Exception):
    """An error of a person's own, whose text cannot be had."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [Mute(), AssertionError(), OSError("")], ids=repr)
def test_an_error_without_a_text_is_named_by_its_type(error: Exception) -> None:
    assert reason_of(error) == named_reason(error) == type(error).__name__


def _tells(node: ast.AST, error: str) -> bool:
    """Whether Python's own text of an error is used: formatted, converted, printed, or chosen."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) not in ("str", "repr", "print"):
        return False
    if not isinstance(node, (ast.Call, ast.FormattedValue, ast.BoolOp)):
        return False
    parts = node.args if isinstance(node, ast.Call) else [*ast.iter_child_nodes(node)]
    return any(_names(part, error) for part in parts)


def _names(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
