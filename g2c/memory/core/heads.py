"""The YAML head of a Markdown file that a person edits, too: a writer changes only its own keys.

A library that reads YAML and writes it again keeps the data but not the text: it changes
indentation, quotes and blank lines. So here the text stays, and only the changed values are cut out
and replaced, at the positions that the YAML parser reports.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_BREAK = r"(?:\r\n?|\n)"
_HEAD = re.compile(rf"\ufeff?---[ \t]*{_BREAK}((?:.*?[\r\n])??)---[ \t]*(?:{_BREAK}|\Z)", re.DOTALL)
_BEGINS = re.compile(r"\ufeff?---(?!-)")
_ANCHOR_OR_TAG = re.compile(r"(?:[&!]\S*(?:\s+|\Z)(?:#[^\r\n]*\s+)*)*")
_COMMENT = re.compile(r"(?<!\S)#[^\r\n]*")
_LINE = re.compile(r"[^\r\n]*")

_Event = Any
"""One of yaml.events; its marks say where it stands in the head."""


class HeadError(ValueError):
    """A head that cannot be read; the message says what is wrong with it."""


def find_head(text: str) -> re.Match[str] | None:
    r"""The head at the start of `text`; None without one. Group 1 has the lines between the two
    `---`.

    Raises:
        HeadError: the head has no end.

    >>> find_head("---\nname: Tea\n---\n\nNo milk.")[1], find_head("No milk.")
    ('name: Tea\n', None)
    """
    found = _HEAD.match(text)
    if found is None and _BEGINS.match(text):
        raise HeadError("no line of --- ends it")
    return found


def read_head(head: str) -> dict[str, Any]:
    """The keys and values of a head, each scalar as text.

    Raises:
        HeadError: the head is not YAML, or has no keys.
    """
    import yaml

    try:
        fields = yaml.load(head, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 2}: " if mark else ""  # counted from 1, below the line of ---
        raise HeadError(f"{where}{error.problem}") from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise HeadError(str(error).partition("\n")[0]) from error
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise HeadError("it has no keys, such as name:")
    return fields


def change_head(head: str, values: Mapping[str, Any], newline: str = "\n") -> str:
    r"""`head` with these values, each a text, a time, or a list of texts. All other text stays as
    it is. A key that is not there yet comes last.

    A comment inside a value that is replaced moves above its key.

    Raises:
        HeadError: the head cannot be read, or its form is too odd to be changed.

    >>> change_head("# mine\nname:  'Tea' # hot\ntags: [a]\n", {"name": "Mint", "type": "note"})
    '# mine\nname:  Mint # hot\ntags: [a]\ntype: note\n'
    """
    old = there = read_head(head)
    wanted = {key: _as_read(value) for key, value in values.items()}
    try:
        for _ in range(2):  # a value that refers to another one may change with it
            changed = {key: values[key] for key in values if there.get(key) != wanted[key]}
            head = _changed(head, changed, newline) if changed else head
            there = read_head(head)
    except HeadError:
        there = {}
    if there.keys() != old.keys() | wanted.keys() or {**there, **wanted} != there:
        raise HeadError("its form is too odd; write one line for each key, as in name: Tea")
    return head


def _as_read(value: Any) -> Any:
    return [*value] if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class _Entry:
    """A key of a head and its value, as events of the YAML parser."""

    key: _Event
    value: Sequence[_Event]

    @property
    def is_block_list(self) -> bool:
        first = self.value[0]
        return hasattr(first, "flow_style") and not first.flow_style

    @property
    def parts(self) -> Sequence[_Event]:
        """The value's events; for a block list without the end event, which stands at the next
        key."""
        return self.value[:-1] if self.is_block_list else self.value

    @property
    def end(self) -> int:
        return int(self.parts[-1].end_mark.index)


def _changed(head: str, values: Mapping[str, Any], newline: str) -> str:
    import yaml

    events: list[_Event] = list(yaml.parse(head, Loader=yaml.BaseLoader))
    entries = list(_entries(events[3:-3]))
    is_flow = bool(entries) and getattr(events[2], "flow_style", False)
    by_key = {getattr(entry.key, "value", None): entry for entry in entries}
    edits: list[tuple[int, int, str]] = []
    for key, value in values.items():
        if entry := by_key.get(key):
            edits += _edits(head, entry, value, is_flow, newline)
        elif is_flow:
            edits.append((entries[-1].end, entries[-1].end, f", {key}: {_inline(value, True)}"))
        else:
            indent = " " * (events[2].start_mark.column if entries else 0)
            lines = _dumped({key: value}, False).splitlines()
            new = "".join(f"{indent}{line}{newline}" for line in lines)
            edits.append((len(head), len(head), new))
    # From the end, so that earlier positions stay valid; two edits at one position keep their
    # order.
    for start, end, new in reversed(sorted(edits, key=lambda edit: edit[0])):
        head = head[:start] + new + head[end:]
    return head


def _entries(events: Sequence[_Event]) -> Iterator[_Entry]:
    """The entries of a mapping. `events` are all of its events but the first and the last."""
    from yaml.events import CollectionEndEvent, CollectionStartEvent

    nodes: list[list[_Event]] = []
    depth = 0
    for event in events:
        if depth == 0:
            nodes.append([])
        nodes[-1].append(event)
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
    for key, value in zip(nodes[::2], nodes[1::2], strict=True):
        yield _Entry(key[0], value)


def _edits(
    head: str, entry: _Entry, value: Any, is_flow: bool, newline: str
) -> Iterator[tuple[int, int, str]]:
    """The edits (start, end, new text) that give `entry` this `value`."""
    start, end = int(entry.value[0].start_mark.index), entry.end
    if said := _ANCHOR_OR_TAG.match(head, start, end):
        start = said.end()
    end = start + len(head[start:end].rstrip())
    column = start - 1 - max(head.rfind("\n", 0, start), head.rfind("\r", 0, start))
    between = newline + " " * column
    if entry.is_block_list:
        items = [getattr(part, "value", None) for part in entry.parts[1:]]
        new = [f"- {_inline(element, False)}" for element in value]
        if value[: len(items)] == items:
            below = _end_of_line(head, end)
            yield below, below, "".join(between + line for line in new[len(items) :])
            return
        yield start, end, between.join(new) or " []"
    else:
        space = "" if head[start - 1 : start].isspace() else " "
        yield start, end, space + _inline(value, is_flow or isinstance(value, list))
    if comments := _comments(head, start, entry.parts):
        key = int(entry.key.start_mark.index)
        indent = newline + " " * entry.key.start_mark.column
        yield key, key, "".join(comment + indent for comment in comments)


def _comments(head: str, start: int, parts: Sequence[_Event]) -> list[str]:
    """The comments inside a value: between its parts, or behind the `|` of a text in lines."""
    if getattr(parts[0], "style", None) in ("|", ">"):
        return _COMMENT.findall(head[start : _end_of_line(head, start)])
    gaps = [head[one.end_mark.index : two.start_mark.index] for one, two in pairwise(parts)]
    return [comment for gap in gaps for comment in _COMMENT.findall(gap)]


def _end_of_line(head: str, place: int) -> int:
    found = _LINE.match(head, place)
    return found.end() if found else place


def _inline(value: Any, is_flow: bool) -> str:
    """A text, a time or a list of texts on one line, as it stands behind a key."""
    text = _dumped({"k": value}, is_flow).strip()
    return text.removeprefix("{k: ").removesuffix("}") if is_flow else text.removeprefix("k: ")


def _dumped(values: Mapping[str, Any], is_flow: bool) -> str:
    import yaml

    return yaml.safe_dump(
        values, allow_unicode=True, sort_keys=False, width=float("inf"), default_flow_style=is_flow
    )
