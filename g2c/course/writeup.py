"""The catalogue of failures: entries that begin with a recorded run, and what each still lacks.

The idea to take away: a transcript is evidence only as long as it can be compared with the run.
An entry names its run and quotes it; whoever checks looks whether the run says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from g2c.course.answers import PLACEHOLDER, written
from g2c.course.runs import list_runs, read_transcript
from g2c.files import replace_text
from g2c.paths import project_root

ENTRIES_WANTED = 3
FEWEST_WORDS = 5
"""Of a hypothesis and of a mitigation: what is shorter does not say what, and of what."""

LEFT_OUT = "[...]"
"""A line of a quotation that stands for lines of the run which were left out."""

_HEADING = re.compile(r"(#{1,4})[ \t]+(.*?)[ \t#]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RUN = re.compile(r"Run:[ \t]*`?([^`]+?)`?[ \t]*")
_QUOTED = re.compile(r" {0,3}> ?(.*)")


@dataclass(frozen=True)
class Entry:
    """One failure: its title, the name of its run, the lines that are quoted, and what was written.

    Each is empty where it is missing.
    """

    title: str
    run: str = ""
    quoted: tuple[str, ...] = ()
    hypothesis: str = ""
    mitigation: str = ""


@dataclass(frozen=True)
class CheckedEntry:
    """An entry, and a sentence for each thing that it lacks."""

    entry: Entry
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """What is in the catalogue, and a sentence for each thing that the whole of it lacks."""

    entries: tuple[CheckedEntry, ...]
    lacks: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether there are enough complete entries; further ones may be unfinished."""
        return not self.lacks


def writeup_file() -> Path:
    """The file of the catalogue."""
    return project_root() / "docs" / "agent-failure-modes.md"


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
        f"#### Hypothesis\n\n{PLACEHOLDER}\n\n#### Mitigation\n\n{PLACEHOLDER}\n"
    )


def append_entry(file: Path, entry: str) -> None:
    """Put `entry` at the end of `file`; what stands there already stays as it is.

    Raises:
        ValueError: the file is not UTF-8 text.
    """
    text = _read(file) if file.exists() else "# How my agent fails\n"
    between = "\n" if text.endswith("\n") else "\n\n"
    replace_text(file, text + between + entry)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")  # as bytes: line ends are the writer's own
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not UTF-8 text; save it as UTF-8 and try again.") from None


def read_entries(text: str) -> tuple[Entry, ...]:
    """The entries of a catalogue: what stands under each heading of the third level."""
    entries: list[tuple[str, dict[str, list[str]]]] = []
    part: list[str] = []  # where the next line belongs
    for line, heading in _lines(text):
        if heading is None:
            part.append(line)
            continue
        level, title = heading
        part = []
        if level == 3:
            entries.append((title, {"": part}))
        elif level == 4 and entries:
            part = entries[-1][1].setdefault(title.lower(), part)
    return tuple(_entry(title, parts) for title, parts in entries)


def _lines(text: str) -> Iterator[tuple[str, tuple[int, str] | None]]:
    """Each line, with its level and title where it is a heading and not code."""
    fence = ""
    for line in text.splitlines():
        if found := _FENCE.match(line):
            if not fence:
                fence = found[1]
            elif found[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        heading = None if fence else _HEADING.fullmatch(line)
        yield line, (len(heading[1]), heading[2]) if heading else None


def _entry(title: str, parts: dict[str, list[str]]) -> Entry:
    lines = parts[""]
    return Entry(
        title=title,
        run=next((found[1] for line in lines if (found := _RUN.fullmatch(line.strip()))), ""),
        quoted=tuple(found[1] for line in lines if (found := _QUOTED.fullmatch(line))),
        hypothesis=written("\n".join(parts.get("hypothesis", []))),
        mitigation=written("\n".join(parts.get("mitigation", []))),
    )


def check_writeup(file: Path, runs: Path) -> Check:
    """What the catalogue in `file` lacks, compared with the runs in the folder `runs`.

    Raises:
        ValueError: the file is not UTF-8 text.
        OSError: it cannot be read.
    """
    recorded = {path.stem: path for path in list_runs(runs)}

    def transcript_of(name: str) -> str:
        if name not in recorded:
            raise ValueError(f"There is no run {name!r} in {runs.name}/.")
        return read_transcript(recorded[name])

    return check_entries(read_entries(_read(file)), transcript_of)


def check_entries(entries: Sequence[Entry], transcript_of: Callable[[str], str]) -> Check:
    """What the entries lack.

    `transcript_of` gives the transcript of the run of that name, and raises ValueError with a
    sentence where there is none.
    """
    checked = tuple(CheckedEntry(entry, tuple(_lacks(entry, transcript_of))) for entry in entries)
    complete = sum(not one.lacks for one in checked)
    lacks = [
        f"{count} entries are about the one run {run}: are they different failures?"
        for run, count in Counter(entry.run for entry in entries if entry.run).items()
        if count >= ENTRIES_WANTED
    ]
    if complete < ENTRIES_WANTED:
        lacks.insert(0, f"{complete} of {ENTRIES_WANTED} failures are complete.")
    return Check(checked, tuple(lacks))


def _lacks(entry: Entry, transcript_of: Callable[[str], str]) -> Iterator[str]:
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
        elif len(text.split()) < FEWEST_WORDS:
            yield f"The {what} is too short for anybody to see whether it is right."


def first_strange_line(quoted: Sequence[str], transcript: str) -> str | None:
    """The first line of a quotation that the transcript does not have there; None if it has all.

    The lines follow one another as in the transcript; a line `[...]` stands for any number of
    them. Blank lines, and blanks around a line, do not matter.

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
        places = range(start, len(lines) - len(passage) + 1)
        place = next((i for i in places if lines[i : i + len(passage)] == passage), None)
        if place is None:
            return _first_difference(passage, lines[start:])
        start = place + len(passage)
        passage = []
    return None


def _first_difference(passage: Sequence[str], lines: Sequence[str]) -> str:
    """The line of `passage` up to which some place in `lines` goes along the longest."""
    best = 0
    for i in range(len(lines)):
        together = zip(passage, lines[i:], strict=False)
        same = next((n for n, (one, other) in enumerate(together) if one != other), None)
        best = max(best, min(len(passage), len(lines) - i) if same is None else same)
    return passage[best]
