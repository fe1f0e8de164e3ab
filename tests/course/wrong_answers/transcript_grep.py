"""20.3 gone wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial, wraps
from pathlib import Path
from typing import Any

from g2c.memory.base import GrepHit, MemoryStoreError
from g2c.memory.line_pattern import LinePattern, count_lines
from g2c.memory.lines import turn_of
from g2c.memory.transcript import TranscriptLog

from . import wrong

wrong = partial(wrong, "20.3")

BLOCK = 1 << 16


def check(days_back: int) -> None:
    if days_back < 1:
        raise MemoryStoreError("The number of days must be at least 1.")


def files(log: TranscriptLog, days_back: int, today: date) -> Iterator[Path]:
    check(days_back)
    return (file for day, file in log.days() if (today - day).days < days_back)


def blocks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as log:
        while block := log.read(BLOCK) + log.readline():
            yield block


def hits_in(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    number = 1
    for block in blocks(file):
        for place, line in matcher.lines_in(block):
            if turn := turn_of(line):
                yield GrepHit(file, number + place, turn)
        number += count_lines(block)


def in_each_file(function: Callable[[Path, LinePattern], Iterator[GrepHit]]) -> Callable[..., Any]:
    """A grep that goes through the right files, and finds in each what `function` finds."""

    @wraps(function)
    def grep(
        self: TranscriptLog,
        pattern: str,
        *,
        days_back: int = 7,
        ignore_case: bool = False,
        today: date,
    ) -> Iterator[GrepHit]:
        matcher = LinePattern(pattern, ignore_case=ignore_case)
        for file in files(self, days_back, today):
            yield from function(file, matcher)

    return grep


def through_files(
    function: Callable[[TranscriptLog, int, date], Iterator[Path]],
) -> Callable[..., Any]:
    """A grep that finds the right hits in the files that `function` gives it."""

    @wraps(function)
    def grep(
        self: TranscriptLog,
        pattern: str,
        *,
        days_back: int = 7,
        ignore_case: bool = False,
        today: date,
    ) -> Iterator[GrepHit]:
        matcher = LinePattern(pattern, ignore_case=ignore_case)
        for file in function(self, days_back, today):
            yield from hits_in(file, matcher)

    return grep


@wrong(
    caught_by="test_memory_does_not_grow_with_the_file",
    says="read a block, search it, forget it",
)
@in_each_file
def a_day_is_one_block(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A day's file fits into memory, and one block needs no edges."""
    for place, line in matcher.lines_in(file.read_bytes()):
        if turn := turn_of(line):
            yield GrepHit(file, place + 1, turn)


@wrong(
    caught_by="test_the_pattern_is_asked_about_blocks",
    says="a call for each line costs more than the search",
)
@in_each_file
def a_line_is_a_small_block(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A file is read line by line, and each line is searched as it comes."""
    with file.open("rb") as log:
        for number, line in enumerate(log, 1):
            for _ in matcher.lines_in(line):
                if turn := turn_of(line):
                    yield GrepHit(file, number, turn)


@wrong(
    caught_by="test_every_line_is_found_once",
    says="a line may begin in one block and end in the next",
)
@in_each_file
def read_stops_at_a_lines_end(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A block is whole lines, but for one at its edge, which hardly ever is the one."""
    number = 1
    with file.open("rb") as log:
        while block := log.read(BLOCK):
            for place, line in matcher.lines_in(block):
                if turn := turn_of(line):
                    yield GrepHit(file, number + place, turn)
            number += count_lines(block)


@wrong(
    caught_by="test_a_last_line_without_its_newline_is_searched",
    says="its newline is all that it lacks",
)
@in_each_file
def what_is_left_over_is_torn(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A block is cut at its last newline, and what is left goes to the next block; behind the last
    one nothing whole is left."""
    number, rest = 1, b""
    with file.open("rb") as log:
        while data := log.read(BLOCK):
            block, newline, rest = (rest + data).rpartition(b"\n")
            for place, line in matcher.lines_in(block + newline):
                if turn := turn_of(line):
                    yield GrepHit(file, number + place, turn)
            number += count_lines(block + newline)


@wrong(
    caught_by="test_a_line_may_be_longer_than_a_block",
    says="a tool's output can be longer than any block that you chose to read",
)
@in_each_file
def a_block_has_a_newline(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """Every block has a newline somewhere; one without is the last."""
    number, rest = 1, b""
    with file.open("rb") as log:
        while data := rest + log.read(BLOCK):
            cut = data.rfind(b"\n") + 1 or len(data)
            block, rest = data[:cut], data[cut:]
            if len(data) < BLOCK:
                block, rest = data, b""
            for place, line in matcher.lines_in(block):
                if turn := turn_of(line):
                    yield GrepHit(file, number + place, turn)
            number += count_lines(block)


@wrong(
    caught_by="test_lines_are_counted_through_the_whole_file",
    says="of its file is reported as line",
)
@in_each_file
def a_place_in_a_block_is_a_line_number(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """lines_in says where a line stands."""
    for block in blocks(file):
        for place, line in matcher.lines_in(block):
            if turn := turn_of(line):
                yield GrepHit(file, place + 1, turn)


@wrong(
    caught_by="test_lines_are_counted_through_the_whole_file",
    says="of its file is reported as line",
)
def lines_are_counted_through_all_files(
    self: TranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """The line's number is counted from where the search began."""
    matcher = LinePattern(pattern, ignore_case=ignore_case)
    number = 1
    for file in files(self, days_back, today):
        for block in blocks(file):
            for place, line in matcher.lines_in(block):
                if turn := turn_of(line):
                    yield GrepHit(file, number + place, turn)
            number += count_lines(block)


@wrong(
    caught_by="test_lines_that_hold_no_turn_count_as_lines",
    says="an editor shows the turn on line 4",
)
@in_each_file
def only_turns_are_counted(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A transcript's lines are its turns; what is none is passed over before counting."""
    number = 1
    for block in blocks(file):
        kept = [line for line in block.split(b"\n") if line.endswith(b"}")]
        for place, line in matcher.lines_in(b"\n".join(kept)):
            if turn := turn_of(line):
                yield GrepHit(file, number + place, turn)
        number += len(kept)


@wrong(
    caught_by="test_lines_that_hold_no_turn_count_as_lines",
    says="an editor shows the turn on line 4",
)
@in_each_file
def lines_are_counted_from_nought(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """Lines are counted from 0, like everything in Python."""
    for hit in hits_in(file, matcher):
        yield GrepHit(hit.file, hit.line - 1, hit.turn)


@wrong(
    caught_by="test_the_pattern_is_compiled_once",
    says="the pattern was compiled 6 times in one search",
)
def a_pattern_is_made_where_it_is_used(
    self: TranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """Compiling is cheap, and re keeps what it has compiled."""
    LinePattern(pattern)  # refuses a bad one
    for file in files(self, days_back, today):
        yield from hits_in(file, LinePattern(pattern, ignore_case=ignore_case))


@wrong(
    caught_by="test_hits_come_as_they_are_found",
    says="who reads one screen of hits should not wait for, or hold, all of them",
)
def a_list_is_an_iterator(
    self: TranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """An iterator over the list of all hits is an iterator."""
    matcher = LinePattern(pattern, ignore_case=ignore_case)
    found = [hit for file in files(self, days_back, today) for hit in hits_in(file, matcher)]
    return iter(found)


@wrong(
    caught_by="test_only_hits_are_parsed",
    says="parsing costs ten times what searching does",
)
@in_each_file
def a_line_is_a_turn_first(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """Read the turns, then search them."""
    number = 1
    for block in blocks(file):
        turns = [turn_of(line) for line in block.split(b"\n")]
        for place, _ in matcher.lines_in(block):
            if turn := turns[place]:
                yield GrepHit(file, number + place, turn)
        number += count_lines(block)


@wrong(
    caught_by="test_the_line_is_matched_as_it_is_stored",
    says="a person's grep sees the whole line, not only what was said",
)
@in_each_file
def what_was_said_is_searched(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """A search is for what was said; the rest of the line is packaging."""
    for hit in hits_in(file, matcher):
        if [*matcher.lines_in(hit.turn.content.encode())]:
            yield hit


@wrong(
    caught_by="test_days_back_counts_today",
    says="one day is today",
)
@through_files
def days_back_come_on_top_of_today(
    log: TranscriptLog, days_back: int, today: date
) -> Iterator[Path]:
    """Seven days back from today are today and seven more."""
    check(days_back)
    for day, file in log.days():
        if day >= today - timedelta(days=days_back):
            yield file


@wrong(
    caught_by="test_days_back_counts_days_and_not_files",
    says="a day without a file is still a day",
)
@through_files
def the_newest_files_are_the_last_days(
    log: TranscriptLog, days_back: int, today: date
) -> Iterator[Path]:
    """There is a file a day, so the newest seven files are the last seven days."""
    check(days_back)
    for _, file in log.days()[:days_back]:
        yield file


@wrong(
    caught_by="test_what_a_clock_that_ran_ahead_wrote_is_found",
    says="a search that hides the newest file is no help",
)
@through_files
def there_is_nothing_after_today(log: TranscriptLog, days_back: int, today: date) -> Iterator[Path]:
    """The days are today, yesterday, and so on."""
    check(days_back)
    for ago in range(days_back):
        file = log.path_of(today - timedelta(days=ago))
        if file.exists():
            yield file


@wrong(
    caught_by="test_the_newest_day_comes_first_and_a_day_goes_from_the_top",
    says="what was said last is asked for most",
)
@through_files
def a_story_begins_at_its_beginning(
    log: TranscriptLog, days_back: int, today: date
) -> Iterator[Path]:
    """Hits are read like the transcripts: the oldest first."""
    yield from [*files(log, days_back, today)][::-1]


@wrong(
    caught_by="test_a_torn_line_is_no_hit",
    says="the torn line matches, and holds no turn that a hit could have",
)
@in_each_file
def what_matches_is_a_hit(file: Path, matcher: LinePattern) -> Iterator[GrepHit]:
    """Each line that matches is reported, as grep does, with its turn if it has one."""
    number = 1
    for block in blocks(file):
        for place, line in matcher.lines_in(block):
            yield GrepHit(file, number + place, turn_of(line))  # type: ignore[arg-type]
        number += count_lines(block)


@wrong(
    caught_by="test_a_search_of_no_days_is_refused",
    says="finds nothing, ever: tell the caller",
)
@through_files
def no_days_have_no_hits(log: TranscriptLog, days_back: int, today: date) -> Iterator[Path]:
    """In no days there is nothing to find, which needs no case of its own."""
    for day, file in log.days():
        if (today - day).days < days_back:
            yield file


@wrong(
    caught_by="test_case_can_be_ignored",
    says="case counts unless it is said",
)
def a_person_types_in_lower_case(
    self: TranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """A pattern in lower case finds words in any case, as in many editors."""
    matcher = LinePattern(pattern, ignore_case=ignore_case or pattern.islower())
    for file in files(self, days_back, today):
        yield from hits_in(file, matcher)
