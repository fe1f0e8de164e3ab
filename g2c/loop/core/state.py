"""The state file: a YAML head that the program keeps, and below it the page that the agent writes.

The file is the only thing that one tick hands to the next, so it is replaced in one move or not at
all. A state that cannot be read stops the loop: a fresh one in its place would look like a loop
that has not begun.
"""

import functools
import re
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from g2c.files import read_bytes, replace_text
from g2c.loop.core.types import Budget, LoopError, LoopState, LoopStatus, Spent

_HEAD = re.compile(r"---[ \t\r]*\n(.*?)^---[ \t\r]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TEXTS = {"goal", "directive", "feedback", "note_seen"}
_TIMES = {"started", "updated"}
_OPTIONAL = {"directive", "feedback", "note_seen"}
MAX_PLAIN_CHARS = 64
"""The longest number or time. YAML reads 1:1:1 as a number in base 60, in quadratic time."""

_FIELDS = [field.name for field in fields(LoopState) if field.name != "body"]


class StateError(LoopError):
    """The state file cannot be read. The message names the line at fault."""


class _Fault(Exception):
    """The error, and the line of the file, counted from 1."""

    def __init__(self, line: int, what: str) -> None:
        self.line = line
        self.what = what


def read_state(file: Path) -> LoopState:
    """The state in `file`.

    A file that is not a state stays as it is. A copy is put beside it, for the person who mends it.

    Raises:
        StateError: the file is not a state; the message names the line at fault and the copy.
        FileNotFoundError: there is no such file.
    """
    data = read_bytes(file)
    try:
        return _parse(_decode(data))
    except _Fault as fault:
        copy = _keep_copy(file, data)
        raise StateError(
            f"{file}, line {fault.line}: {fault.what}. Mend that line to go on"
            + (f"; a copy of the file is in {copy.name}." if copy else ".")
        ) from None


def write_state(file: Path, state: LoopState) -> None:
    """Replace what `file` holds by `state`. A crash at any moment leaves the old or the new.

    Raises:
        LoopError: a time of the state has no time zone.
        OSError: the file cannot be written.
    """
    replace_text(file, render_state(state))


def render_state(state: LoopState) -> str:
    r"""The state as the text of its file.

    >>> noon = datetime(2026, 4, 21, 12, tzinfo=UTC)
    >>> state = LoopState("Tidy up.", "running", 0, Budget(ticks=9), Spent(), noon, noon, "# Done")
    >>> print(render_state(state), end="")
    ---
    goal: Tidy up.
    status: running
    tick: 0
    budget:
      ticks: 9
      tokens: null
      seconds: null
    spent:
      ticks: 0
      tokens: 0
      seconds: 0.0
    started: 2026-04-21 12:00:00+00:00
    updated: 2026-04-21 12:00:00+00:00
    directive: ''
    feedback: ''
    note_seen: ''
    ---
    <BLANKLINE>
    # Done
    """
    import yaml

    head = {name: getattr(state, name) for name in _FIELDS}
    for name in _TIMES:
        if head[name].utcoffset() is None:
            raise LoopError(f"The time {name!r} of a state needs a time zone; got {head[name]}.")
        head[name] = head[name].astimezone(UTC)
    head |= {"budget": vars(state.budget), "spent": vars(state.spent)}
    width = float("inf")
    text = yaml.dump(head, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=width)
    return f"---\n{text}---\n\n{state.body}\n"


@functools.cache
def _dumper() -> Any:
    """A dumper that writes a text of many lines as many lines, where YAML keeps them unchanged."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True  # or a time that stands there twice would be a reference to the first

    def represent(dumper: Any, text: str) -> Any:
        # YAML preserves only one of the characters that break lines, the newline.
        is_odd = any(char.isspace() and char not in " \n" for char in text)
        style = '"' if is_odd else "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent)
    return Dumper


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Fault(line, "it holds bytes that are not UTF-8") from None


def _parse(text: str) -> LoopState:
    found = _HEAD.match(text)
    if not found:
        what = "never ends" if text.startswith("---") else "is missing"
        raise _Fault(1, f"the head between two lines of --- {what}")
    values = {}
    for name, (line, value) in _items(found[1], first_line=2).items():
        values[name] = _checked(name, value, line)
    if missing := set(_FIELDS) - values.keys() - _OPTIONAL:
        raise _Fault(1, f"the head has no {min(missing, key=_FIELDS.index)}")
    body = text[found.end() :].removeprefix("\n").removesuffix("\n")
    return LoopState(**values, body=body)


def _items(head: str, first_line: int) -> dict[str, tuple[int, Any]]:
    """The head's fields, each with the line that it stands in."""
    import yaml

    loader = None
    try:
        loader = _loader()(head)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise _Fault(first_line + line, f"it is not YAML: {error.problem}") from None
    except yaml.reader.ReaderError as error:
        line = head.count("\n", 0, error.position)
        raise _Fault(first_line + line, "it holds a control character") from None
    except RecursionError:
        raise _Fault(first_line, "the head is nested too deep") from None
    finally:
        if loader:
            loader.dispose()
    if not isinstance(node, yaml.MappingNode):
        raise _Fault(first_line, "the head is not a list of fields such as `goal: ...`")
    items: dict[str, tuple[int, Any]] = {}
    for key, value in node.value:
        name, line = key.value, first_line + key.start_mark.line
        if name not in _FIELDS:
            raise _Fault(line, f"there is no field {name!r}; there are: {', '.join(_FIELDS)}")
        if name in items:
            raise _Fault(line, f"{name} stands there a second time")
        items[name] = line, _construct(loader, value, line)
    return items


@functools.cache
def _loader() -> Any:
    """A loader of plain values. It refuses what costs more time than its length: aliases, which can
    repeat a value without end, and very long numbers."""
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.peek_event()  # type: ignore[no-untyped-call]
            if isinstance(event, yaml.AliasEvent):
                raise yaml.composer.ComposerError(
                    None,
                    None,
                    "an alias has no place here",
                    event.start_mark,  # type: ignore[arg-type]
                )
            return super().compose_node(parent, index)

        def construct_scalar(self, node: Any) -> Any:
            value = super().construct_scalar(node)
            if not node.tag.endswith(":str") and len(value) > MAX_PLAIN_CHARS:
                raise ValueError("it is too long")
            return value

    return Loader


def _construct(loader: Any, node: Any, line: int) -> Any:
    import yaml

    try:
        return loader.construct_object(node, deep=True)
    except (ValueError, OverflowError, RecursionError, yaml.YAMLError):
        value = repr(node.value[:60]) if isinstance(node.value, str) else "a list"
        raise _Fault(line, f"{value} is not a value that it can have") from None


def _checked(name: str, value: Any, line: int) -> Any:
    """`value` as the state's field `name` has it."""
    if name in _TEXTS:
        if not isinstance(value, str):
            raise _Fault(line, f"{name} must be text; put it in quotes")
    elif name == "status":
        if value not in get_args(LoopStatus):
            raise _Fault(line, f"the status must be one of {', '.join(get_args(LoopStatus))}")
    elif name in _TIMES:
        if not isinstance(value, datetime) or not _has_utc(value):
            raise _Fault(line, f"{name} must be a time with its zone: 2026-04-21 09:00:00+00:00")
    elif name == "tick":
        if not _is_count(value):
            raise _Fault(line, "tick must be a whole number of 0 or more")
    else:
        return _amounts(name, value, line)
    return value


def _amounts(name: str, value: Any, line: int) -> Budget | Spent:
    kind = Budget if name == "budget" else Spent
    known = {field.name for field in fields(kind)}
    if not isinstance(value, dict) or not known.issuperset(value):
        raise _Fault(line, f"{name} must have the fields ticks, tokens and seconds")
    for field, amount in value.items():
        is_number = _is_count(amount) or (field == "seconds" and isinstance(amount, float))
        is_free = amount is None and kind is Budget
        if not is_free and not (is_number and amount >= 0):
            raise _Fault(line, f"the {field} of {name} must be a number of 0 or more")
    try:
        return kind(**value)
    except LoopError as error:
        raise _Fault(line, str(error).removesuffix(".")) from None


def _has_utc(time: datetime) -> bool:
    """Whether it has a zone, and is a time in UTC as well: year 1 in Asia is year 0 there."""
    try:
        return time.tzinfo is not None and time.astimezone(UTC).tzinfo is UTC
    except OverflowError:
        return False


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _keep_copy(file: Path, data: bytes) -> Path | None:
    """Copy a file that cannot be read, unless such a copy exists; None if that fails."""
    number = 1
    with suppress(OSError):
        while True:
            copy = file.with_name(f"{file.name}.unreadable-{number}")
            if not copy.exists():
                copy.write_bytes(data)
            if read_bytes(copy) == data:
                return copy
            number += 1
    return None
