"""The words of an HTML page, in linear time.

The page's author may mean harm, and Python's html.parser needs hours for some texts of 300 kB: it
searches for the end of each tag anew. Here each search goes on where the last one ended. An element
that never ends swallows the rest of the page, as in a browser.
"""

import re
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_IN_TAG = re.compile(r"""=\s*"[^"]*"|=\s*'[^']*'|>""")
"""A value in quotes may contain the `>` that ends a tag."""
_UNSEEN = ("script", "style", "noscript", "iframe", "noembed", "noframes")
"""The contents of these are not words, and nothing in them is parsed up to the end tag."""
_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _UNSEEN}
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
))  # fmt: skip
"""Inline tags. Every other tag begins a line."""
_CELLS = ("td", "th")
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LONG_NUMBER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
"""No character has such a number, and Python refuses to read the longest of them."""
_FIXED = "\xa0"
"""A space that stays, as in code that is indented."""


def text_of_html(page: str) -> str:
    """The visible text of the page, a line for each block.

    >>> text_of_html("<h1>Mill</h1><script>x()</script><p>7 &lt; <b>8</b><br>sails")
    'Mill\\n7 < 8\\nsails'
    """
    lines = "".join(_pieces(page)).split("\n")
    stripped = (re.sub(" +", " ", line).strip(" ").replace(_FIXED, " ").rstrip() for line in lines)
    return "\n".join(line for line in stripped if line)


def _pieces(page: str) -> Iterator[str]:
    hidden = code = 0  # how many <template> and <pre> are open
    at = 0
    while at < len(page):
        start = page.find("<", at)
        start = len(page) if start < 0 else start
        if start > at and not hidden:
            yield _words(page[at:start], is_code=code > 0)
        if page.startswith("<!--", start):
            end = page.find("-->", start + 2)  # <!--> is a whole comment
            at = len(page) if end < 0 else end + 3
        elif tag := _TAG.match(page, start):
            name, closes = tag[1].lower(), page[start + 1] == "/"
            at = _end_of_tag(page, tag.end())
            if name in _ENDS and not closes:
                end_tag = _ENDS[name].search(page, at)
                at = _end_of_tag(page, end_tag.end()) if end_tag else len(page)
            elif name == "template":
                hidden = max(0, hidden + (-1 if closes else 1))
            elif name == "pre":
                code = max(0, code + (-1 if closes else 1))
            if name not in _INLINE and not hidden:
                yield " " if name in _CELLS else "\n"
        elif page.startswith(("<!", "<?", "</"), start):
            end = page.find(">", start)
            at = len(page) if end < 0 else end + 1
        else:
            at = start + 1
            if start < len(page) and not hidden:
                yield "<"


def _end_of_tag(page: str, at: int) -> int:
    """The position after the tag whose name ends at `at`."""
    for found in _IN_TAG.finditer(page, at):
        if found[0] == ">":
            return found.end()
    return len(page)


def _words(text: str, is_code: bool) -> str:
    text = unescape(_LONG_NUMBER.sub("\ufffd", text))
    if is_code:
        return text.replace("\r\n", "\n").replace(" ", _FIXED).replace("\t", 4 * _FIXED)
    return _SPACE.sub(" ", text)
