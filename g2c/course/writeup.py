"""The catalogue of failures: entries that begin with a recorded run, and checks of what each lacks.

An entry names its run and quotes it. The check compares the quotation with the run, because a
transcript that cannot be compared is not evidence. It asks for a later run, too, because a
mitigation that was not tried is a guess.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from g2c.course.bounded import read_at_most
from g2c.course.runs import SECOND, began_at, list_runs, read_transcript
from g2c.files import read_bytes, replace_bytes
from g2c.paths import project_root
from g2c.written import text_of

PLACEHOLDER = "*Write here.*"
"""The shipped placeholder for text to be written, here and in a notebook's answers."""
_PLACEHOLDER = re.compile(
    rf"{re.escape(PLACEHOLDER)}|^[ \t>*_#]*(?:write here|todo|tbd)[.:]?[ \t*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Alone in its line, the placeholder may be written otherwise: a formatter changes its marks."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)

ENTRIES_WANTED = 3
MIN_WORDS = 5
"""A shorter hypothesis or mitigation does not say enough."""

MAX_BYTES = 2**20
"""Three failures with their transcripts are a twentieth of this."""

MAX_ENTRIES = 100
"""Further entries are not compared with their runs."""

LEFT_OUT = "[...]"
"""A quotation's line that stands for omitted lines of the run."""

# The text is a student's, so each expression reads a line once: a repeated part is followed by
# something that it cannot match, or by anything at all.
_HEADING = re.compile(r"(#{1,4})[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = (0, "")
_PART = re.compile(
    r"[ \t]*(?:(?:#{1,6}|<h[1-6]>|\*\*|__)[ \t]*(?:\*\*|__)?(hypothesis|mitigation)(?![^\W_])[ \t]*"
    r"(?:[:#*_]|</h[1-6]>)*|(hypothesis|mitigation)[ \t]*:)[ \t]*(.*)",
    re.IGNORECASE,
)
"""The heading of an entry's part."""
_QUOTED = re.compile(r" {0,3}> ?(.*)")


@dataclass(frozen=True)
class Entry:
    """One failure: its title, the name of its run, the lines that are quoted, what was written, and
    the name of the run in which the mitigation was tried.

    A missing part is empty.
    """

    title: str
    run: str = ""
    quoted: tuple[str, ...] = ()
    hypothesis: str = ""
    mitigation: str = ""
    tried: str = ""


@dataclass(frozen=True)
class CheckedEntry:
    """An entry, and a sentence for each thing that it lacks."""

    entry: Entry
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class CheckedWriteup:
    """The checked entries, and a sentence for each thing that the catalogue as a whole lacks."""

    entries: tuple[CheckedEntry, ...]
    lacks: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether there are enough complete entries; further ones may be unfinished."""
        return not self.lacks


def writeup_file() -> Path:
    """The file of the catalogue."""
    return project_root() / "docs" / "agent-failure-modes.md"


def written(text: str) -> str:
    """The text that somebody wrote in place of the placeholder, or beside it.

    >>> written("*Write here.*\\n"), written(" It stopped. "), written("**Write here**\\n\\n---")
    ('', 'It stopped.', '')
    >>> written("<!-- TODO -->"), written("It <!-- why? --> stopped."), written("# TODO")
    ('', 'It <!-- why? --> stopped.', '')
    """
    text = _PLACEHOLDER.sub("", text).strip()
    shown = _PLACEHOLDER.sub("", _COMMENT.sub("", text))
    # Invisible characters, rules and the marks of a formatter are not an answer; an arrow may be.
    return text if any(unicodedata.category(char)[0] in "LNS" for char in shown) else ""


def render_entry(title: str, run: str, transcript: str) -> str:
    """A new entry about the run of that name, with the transcript quoted.

    Raises:
        ValueError: the title is blank.
    """
    title = " ".join(title.split())
    if not title:
        raise ValueError('An entry needs a title: --title "What went wrong"')
    quotation = "\n".join(f"> {line}".rstrip() for line in transcript.splitlines())
    return (
        f"### {title}\n\nRun: `{run}`\n\n{quotation}\n\n"
        f"#### Hypothesis\n\n{PLACEHOLDER}\n\n#### Mitigation\n\nTried: ``\n\n{PLACEHOLDER}\n"
    )


def append_entry(file: Path, entry: str) -> None:
    """Add `entry` at the end of `file`; the existing text stays unchanged.

    Raises:
        ValueError: the file is not UTF-8 text, or has more than `MAX_BYTES`.
    """
    text = _read(file) if file.exists() else "# How my agent fails\n"
    between = "\n" if text.endswith("\n") else "\n\n"
    before = read_bytes(file) if file.exists() else text.encode()
    replace_bytes(file.resolve(), before + (between + entry).encode("utf-8", "surrogatepass"))


def _read(file: Path) -> str:
    return text_of(read_at_most(file, MAX_BYTES), file)


def read_entries(text: str) -> tuple[Entry, ...]:
    """The entries of a catalogue: the text below each heading of the third level. A part of one
    begins where its name stands alone, or before a colon, whatever the heading; other headings
    belong to the text."""
    entries: list[tuple[str, dict[str, list[str]]]] = []
    part: list[str] = []  # where the next line belongs
    for line, heading in _lines(text):
        if entries and heading != _CODE and (named := _PART.fullmatch(line)):
            part = entries[-1][1].setdefault((named[1] or named[2]).lower(), [])
            part.append(named[3])
        elif heading == _CODE or heading is None or heading[0] == 4:
            part.append(line)
        else:
            part = []
            if heading[0] == 3:
                entries.append((heading[1], {"": part}))
    return tuple(_entry(title, parts) for title, parts in entries)


def _lines(text: str) -> Iterator[tuple[str, tuple[int, str] | None]]:
    """Each line, with its level and title if it is a heading; `_CODE` for a line of code."""
    fence = ""
    for line in text.splitlines():
        if found := _FENCE.match(line):
            if not fence:
                fence = found[1]
            elif found[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        heading = _HEADING.fullmatch(line)
        own = (len(heading[1]), heading[2].rstrip(" \t#")) if heading else None
        yield line, _CODE if fence else own


def _entry(title: str, parts: dict[str, list[str]]) -> Entry:
    lines, mitigation = parts[""], parts.get("mitigation", [])
    return Entry(
        title=title,
        run=_run_named("Run", lines),
        quoted=tuple(found[1] for line in lines if (found := _QUOTED.fullmatch(line))),
        hypothesis=written("\n".join(parts.get("hypothesis", []))),
        mitigation=written("\n".join(line for line in mitigation if not _is_mark("Tried", line))),
        tried=_run_named("Tried", mitigation),
    )


def _is_mark(mark: str, line: str) -> bool:
    return line.strip().startswith(f"{mark}:")


def _run_named(mark: str, lines: Iterable[str]) -> str:
    """The run that the first of the lines names; empty if none does.

    >>> [_run_named("Run", [line]) for line in ("Run: `one`", " Run: two ", "Run: ``", "Runs: one")]
    ['one', 'two', '', '']
    """
    marked = (line.partition(":")[2].strip() for line in lines if _is_mark(mark, line))
    names = (name.removeprefix("`").removesuffix("`") for name in marked)
    return next((name for name in names if name and "`" not in name), "")


def check_writeup(file: Path, runs: Path) -> CheckedWriteup:
    """Check the catalogue in `file` against the runs in the folder `runs`.

    Raises:
        ValueError: the file is not UTF-8 text, or has more than `MAX_BYTES`.
        OSError: it cannot be read.
    """
    recorded = {path.stem: path for path in list_runs(runs)}

    @cache
    def transcript_of(name: str) -> str:
        if name not in recorded:
            raise ValueError(f"There is no run {name!r} in {runs.name}/.")
        return read_transcript(recorded[name])

    def second_of(name: str) -> str:
        return began_at(recorded[name]) if name in recorded else name[:SECOND]

    return check_entries(read_entries(_read(file)), transcript_of, second_of)


def check_entries(
    entries: Sequence[Entry],
    transcript_of: Callable[[str], str],
    second_of: Callable[[str], str] = lambda name: name[:SECOND],
) -> CheckedWriteup:
    """Check the entries.

    `transcript_of` gives the transcript of the run of that name. If there is no such run, it raises
    ValueError with a sentence. `second_of` says when the run of a name began.
    """
    checked = tuple(
        CheckedEntry(entry, tuple(_lacks(entry, transcript_of, second_of)))
        for entry in entries[:MAX_ENTRIES]
    )
    complete = sum(not entry.lacks for entry in checked)
    lacks = [
        f"{count} entries are about the one run {run}: are they different failures?"
        for run, count in Counter(entry.run for entry in entries if entry.run).items()
        if count >= ENTRIES_WANTED
    ]
    if complete < ENTRIES_WANTED:
        lacks.insert(0, f"{complete} of {ENTRIES_WANTED} failures are complete.")
        if len(entries) > MAX_ENTRIES:
            lacks.append(f"Only the first {MAX_ENTRIES} of {len(entries)} entries were read.")
    return CheckedWriteup(checked, tuple(lacks))


def _lacks(
    entry: Entry, transcript_of: Callable[[str], str], second_of: Callable[[str], str]
) -> Iterator[str]:
    if not entry.title:
        yield "The title is missing."
    if not entry.run:
        yield "The line that names the run is missing: Run: `NAME`"
    else:
        try:
            strange = first_strange_line(entry.quoted, transcript_of(entry.run))
        except ValueError as error:
            yield str(error)
        else:
            if strange is not None:
                yield f"The run does not say, at this place: {strange}"
    if not any(line.strip() not in ("", LEFT_OUT) for line in entry.quoted):
        yield "The transcript is missing: lines of the run, each after a >"
    for what, text in (("hypothesis", entry.hypothesis), ("mitigation", entry.mitigation)):
        if not text:
            yield f"The {what} is to be written."
        elif len(text.split()) < MIN_WORDS:
            yield f"The {what} is too short for anybody to see whether it is right."
    if entry.mitigation:
        yield from _untried(entry, transcript_of, second_of)


def _untried(
    entry: Entry, transcript_of: Callable[[str], str], second_of: Callable[[str], str]
) -> Iterator[str]:
    """Yield a sentence for each missing proof that the mitigation was tried."""
    if not entry.tried:
        yield "The mitigation names no run in which you tried it: Tried: `NAME`"
    elif entry.tried == entry.run or second_of(entry.tried) < second_of(entry.run):
        yield f"{entry.tried} is not later than the failure, so the mitigation was not tried in it."
    else:
        try:
            transcript_of(entry.tried)
        except ValueError as error:
            yield str(error)


def first_strange_line(quoted: Sequence[str], transcript: str) -> str | None:
    """The first line of a quotation that does not match the transcript there; None if all match.

    The lines must follow one another as in the transcript. A line `[...]` stands for any number of
    lines. Blank lines, and spaces around a line, do not matter.

    >>> first_strange_line(["a", "[...]", "c"], "a\\nb\\nc")
    >>> first_strange_line(["a", "c"], "a\\nb\\nc")
    'c'
    """
    lines = [line.strip() for line in transcript.splitlines() if line.strip()]
    passage: list[str] = []
    start = 0
    for line in [*(line.strip() for line in quoted), LEFT_OUT]:
        if line != LEFT_OUT:
            passage += [line] if line else []
            continue
        start, n_found = _find(passage, lines, start)
        if n_found < len(passage):
            return passage[n_found]
        passage = []
    return None


def _find(passage: Sequence[str], lines: Sequence[str], start: int) -> tuple[int, int]:
    """Look for `passage` in `lines` from `start` on: the index behind it, and its length.

    If it is not there, the second number is the length of its longest beginning that is there. This
    is the search of Knuth, Morris and Pratt, which compares each line at most twice.
    """
    if not passage:
        return start, 0
    shorter = [0]  # for each prefix: its longest border
    same = 0
    for line in passage[1:]:
        while same and line != passage[same]:
            same = shorter[same - 1]
        same += line == passage[same]
        shorter.append(same)
    same = longest = 0
    for i in range(start, len(lines)):
        while same and lines[i] != passage[same]:
            same = shorter[same - 1]
        same += lines[i] == passage[same]
        longest = max(longest, same)
        if same == len(passage):
            return i + 1, same
    return len(lines), longest
