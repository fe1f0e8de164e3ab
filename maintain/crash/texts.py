"""Texts as a model, a file or a student might write them, made from the formats' own pieces.

A random text is refused at its first character. So each text starts from a good one, or from pieces
of its format, and is then damaged.
"""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

ODD_TEXTS = (
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\v",
    "\x00",
    "\x1b[2J",
    "\x85",
    "\u2028",
    "\ufeff",
    "\u202e",
    "\ud800",
    "\udcff",
    "e\u0301",
    "\u0301" * 40,
    "İ",
    "ß",
    "ﷺ",
    "٣",
    "²",
    "日本",
    "😀",
    "../",
    "/etc/passwd",
    "C:\\",
    "-1",
    "0",
    "00",
    "1e999",
    "-1e-999",
    "9" * 400,
    "9" * 5_000,
    "NaN",
    "Infinity",
    "1:1:1:1",
    "1_0",
    "0x1f",
    "null",
    "true",
    "~",
    "{}",
    "[]",
    "[" * 3_000,
    '{"a":' * 3_000,
    "(" * 200,
    "- " * 300,
    "&a [*a, *a]",
    "!!python/object:os.system",
    "---",
    "```",
    "```json\n",
    "~~~",
    "`",
    "#" * 50,
    ">",
    "*" * 50,
    " " * 500,
    "\n" * 500,
    '"',
    "'",
    "\\",
    ":",
    "|",
    "2026-04-21T12:00:00+00:00",
    "2026-04-21T12:00:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "2026-02-30",
)

ODD_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.sampled_from([None, True, False, [], {}, [[]], [None], {"": None}, {"a": {"a": 1}}]),
    st.sampled_from([0, -1, 1, 10**18, -(10**18), 10**400, 2**63, 0.5, -0.0, 1e308]),
    st.sampled_from([float("nan"), float("inf"), float("-inf")]),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.lists(st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
"""With surrogates, which the strategy leaves out by itself."""


def pieces(*own: str) -> st.SearchStrategy[str]:
    """Texts of the pieces `own`, odd ones and random ones."""
    piece = st.one_of(st.sampled_from(own), st.sampled_from(ODD_TEXTS), ANY_TEXT)
    return st.lists(piece, max_size=12).map("".join)


@st.composite
def damaged(draw: st.DrawFn, *good: str) -> str:
    """One of the texts `good`, cut, joined, or with odd pieces inserted."""
    text = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from([0, 0, 1, 5, len(text)]))
        new = draw(st.one_of(st.sampled_from(ODD_TEXTS), st.sampled_from(good), ANY_TEXT))
        text = text[:at] + new + text[at + gone :]
    return text


@st.composite
def damaged_json(draw: st.DrawFn, good: Any, *, lines: bool = False) -> str:
    """`good` as JSON, with odd values and missing fields. With `lines` it is a list, and each item
    becomes a line."""
    data = [copy.deepcopy(good)]
    for _ in range(draw(st.integers(0, 3))):
        holder, key = draw(st.sampled_from(list(_places(data))))
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = copy.deepcopy(draw(ODD_VALUES))  # the next turn may change it
    if lines and isinstance(data[0], list):
        text = "".join(json.dumps(entry) + "\n" for entry in data[0])
    else:
        text = json.dumps(data[0], ensure_ascii=draw(st.booleans()))
    return draw(st.one_of(st.just(text), damaged(text), st.just(f"```json\n{text}\n```")))


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in lists and objects: the list or object, and the index or key."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from _places(data[key])
