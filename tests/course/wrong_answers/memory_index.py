"""20.4 gone wrong."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from g2c.memory.index import MAX_LINE_CHARS, MAX_LINES, MemoryIndex, link_to, pointer_of

from . import wrong

wrong = partial(wrong, "20.4")


def line_for(file: str, description: str) -> str:
    line = link_to(file) + " ".join(description.split())
    return line if len(line) <= MAX_LINE_CHARS else line[: MAX_LINE_CHARS - 1] + "…"


def points_to(line: str, file: str) -> bool:
    pointer = pointer_of(line)
    return pointer is not None and pointer.file == file


def without(lines: list[str], file: str) -> list[str]:
    return [line for line in lines if not points_to(line, file)]


def is_right(lines: list[str], file: str, line: str) -> bool:
    return line in lines and len(without(lines, file)) + 1 == len(lines) <= MAX_LINES


def put(index: MemoryIndex, file: str, line: str) -> None:
    """Have the index end with this line, as `upsert` should."""
    with index._exclusive():
        lines = index._read()
        if not is_right(lines, file, line):
            index._write([*without(lines, file), line][-MAX_LINES:])


def of_lines(function: Callable[[list[str], str, str], list[str]]) -> Callable[..., Any]:
    """An upsert that makes the right line, and has `function` put it among the others."""

    @wraps(function)
    def upsert(self: MemoryIndex, file: str, description: str) -> None:
        line = line_for(file, description)
        with self._exclusive():
            lines = self._read()
            if not is_right(lines, file, line):
                self._write(function(lines, file, line))

    return upsert


@wrong(
    caught_by="test_a_name_is_matched_whole",
    says="auth is neither auth-module nor oauth",
)
@of_lines
def a_name_is_found_in_its_line(lines: list[str], file: str, line: str) -> list[str]:
    """The line that has the topic's name in it is its pointer."""
    name = file.removeprefix("topics/").removesuffix(".md")
    return [*(other for other in lines if f"topics/{name}" not in other), line][-MAX_LINES:]


@wrong(
    caught_by="test_a_description_may_name_another_file",
    says="not to any that it mentions",
)
@of_lines
def a_link_is_found_in_its_line(lines: list[str], file: str, line: str) -> list[str]:
    """The line that has the whole link in it is the file's pointer."""
    kept = [other for other in lines if f"]({file})" not in other]
    return [*kept, line][-MAX_LINES:]


@wrong(
    caught_by="test_a_link_that_a_person_named_is_replaced_too",
    says="where it leads is what counts",
)
@of_lines
def all_pointers_look_like_ours(lines: list[str], file: str, line: str) -> list[str]:
    """A pointer begins as link_to makes it."""
    kept = [other for other in lines if not other.startswith(link_to(file))]
    return [*kept, line][-MAX_LINES:]


@wrong(
    caught_by="test_a_pointer_is_replaced_and_not_repeated",
    says="two lines that disagree cost twice",
)
@of_lines
def the_newest_is_what_counts(lines: list[str], file: str, line: str) -> list[str]:
    """The newest pointer is read last, so the old one does no harm until it is dropped."""
    return [*lines, line][-MAX_LINES:]


@wrong(
    caught_by="test_a_pointer_that_is_replaced_is_the_newest",
    says="in its old place it would be the first",
)
@of_lines
def a_pointer_has_its_place(lines: list[str], file: str, line: str) -> list[str]:
    """To replace a line is to write it where it stood."""
    if any(points_to(other, file) for other in lines):
        return [line if points_to(other, file) else other for other in lines]
    return [*lines, line][-MAX_LINES:]


@wrong(
    caught_by="test_beyond_the_limit_the_oldest_go",
    says="the newest is what was just learnt",
)
@of_lines
def what_is_full_takes_no_more(lines: list[str], file: str, line: str) -> list[str]:
    """The first 200 lines stay; what comes later has no room."""
    return [*without(lines, file), line][:MAX_LINES]


@wrong(
    caught_by="test_at_the_limit_a_pointer_can_be_replaced",
    says="one pointer took the place of another, so there is room for all",
)
@of_lines
def first_make_room(lines: list[str], file: str, line: str) -> list[str]:
    """Where the index is full, the oldest goes, and then there is room for one more."""
    while len(lines) >= MAX_LINES:
        del lines[0]
    return [*without(lines, file), line]


@wrong(
    caught_by="test_an_index_that_grew_by_hand_is_cut_to_its_limit",
    says="where there were 30 too many",
)
@of_lines
def one_comes_and_one_goes(lines: list[str], file: str, line: str) -> list[str]:
    """The index grows by one line at a time, so there is at most one too many."""
    kept = [*without(lines, file), line]
    return kept[1:] if len(kept) > MAX_LINES else kept


@wrong(
    caught_by="test_lines_that_are_no_pointers_stay",
    says="a person may have written them",
)
@of_lines
def an_index_holds_pointers(lines: list[str], file: str, line: str) -> list[str]:
    """A line that is no pointer does not belong into the index."""
    return [*(other for other in without(lines, file) if pointer_of(other)), line][-MAX_LINES:]


@wrong(
    caught_by="test_the_newest_stands_last",
    says="pointers stand in the order in which they came",
)
@of_lines
def an_index_is_sorted(lines: list[str], file: str, line: str) -> list[str]:
    """An index is in the order of the alphabet, as in any book."""
    return sorted([*without(lines, file), line][-MAX_LINES:], key=str.casefold)


@wrong(
    caught_by="test_a_description_becomes_one_line",
    says="writes lines of every prompt",
)
def a_description_is_one_line(self: MemoryIndex, file: str, description: str) -> None:
    """A description has no line ends in it; spaces around it are all that can be wrong."""
    line = link_to(file) + description.strip()
    put(self, file, line if len(line) <= MAX_LINE_CHARS else line_for(file, description))


@wrong(
    caught_by="test_a_description_becomes_one_line",
    says="writes lines of every prompt",
)
def a_line_ends_with_a_newline(self: MemoryIndex, file: str, description: str) -> None:
    """What ends a line is a newline; with all of them replaced the text is one line."""
    line = link_to(file) + description.replace("\n", " ").strip()
    put(self, file, line if len(line) <= MAX_LINE_CHARS else line_for(file, description))


@wrong(
    caught_by="test_a_long_description_is_cut",
    says="the link and the … count",
)
def the_ellipsis_comes_on_top(self: MemoryIndex, file: str, description: str) -> None:
    """The line is cut at 150 characters, and then … says that it was."""
    line = link_to(file) + " ".join(description.split())
    put(self, file, line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + "…")


@wrong(
    caught_by="test_a_long_description_is_cut",
    says="the link and the … count",
)
def the_limit_is_the_descriptions(self: MemoryIndex, file: str, description: str) -> None:
    """150 characters are for the description; the link is not what makes an index long."""
    text = " ".join(description.split())
    if len(text) > MAX_LINE_CHARS:
        text = text[: MAX_LINE_CHARS - 1] + "…"
    put(self, file, link_to(file) + text)


@wrong(
    caught_by="test_a_long_description_is_cut",
    says="… says that there was more",
)
def what_is_cut_off_is_gone(self: MemoryIndex, file: str, description: str) -> None:
    """A line of 150 characters is full, as everybody can see."""
    put(self, file, (link_to(file) + " ".join(description.split()))[:MAX_LINE_CHARS])


@wrong(
    caught_by="test_a_line_as_long_as_the_limit_fits",
    says="is not too long",
)
def the_limit_is_out_of_bounds(self: MemoryIndex, file: str, description: str) -> None:
    """A line must stay below the limit."""
    line = link_to(file) + " ".join(description.split())
    put(self, file, line if len(line) < MAX_LINE_CHARS else line[: MAX_LINE_CHARS - 2] + "…")


@wrong(
    caught_by="test_characters_are_counted_and_not_bytes",
    says="ü is one character, though two bytes",
)
def a_character_is_a_byte(self: MemoryIndex, file: str, description: str) -> None:
    """The limit is on what the line takes on the disk."""
    line = link_to(file) + " ".join(description.split())
    if len(line.encode()) > MAX_LINE_CHARS + 2:  # the dash is three bytes
        line = line.encode()[: MAX_LINE_CHARS - 1].decode("utf-8", "ignore") + "…"
    put(self, file, line)


@wrong(
    caught_by="test_a_difference_beyond_the_cut_changes_nothing",
    says="the line is the same",
)
def a_new_description_is_a_new_pointer(self: MemoryIndex, file: str, description: str) -> None:
    """A pointer is new where its description is; what it looks like is a matter of the line."""
    said: dict[str, str] = self.__dict__.setdefault("_said", {})
    with self._exclusive():
        lines = self._read()
        line = line_for(file, description)
        if said.get(file, description) == description and is_right(lines, file, line):
            return
        said[file] = description
        self._write([*without(lines, file), line][-MAX_LINES:])


@wrong(
    caught_by="test_of_two_pointers_to_a_file_one_is_left_where_the_line_is_one_of_them",
    says="a second pointer to its file, which somebody put in by hand",
)
def what_is_there_is_there(self: MemoryIndex, file: str, description: str) -> None:
    """If the line is in the index, the index is as it should be, and nothing is to be done."""
    line = line_for(file, description)
    with self._exclusive():
        lines = self._read()
        if line not in lines:
            self._write([*without(lines, file), line][-MAX_LINES:])


@wrong(
    caught_by="test_an_index_that_grew_by_hand_is_cut_where_the_line_is_in_it_too",
    says="only where the index is within its limit can it stay as it is",
)
def only_what_is_added_makes_an_index_long(self: MemoryIndex, file: str, description: str) -> None:
    """Where no line is added, there cannot be one too many."""
    line = line_for(file, description)
    with self._exclusive():
        lines = self._read()
        others = without(lines, file)
        if line not in lines or len(others) + 1 < len(lines):
            self._write([*others, line][-MAX_LINES:])


@wrong(
    caught_by="test_the_same_line_again_changes_nothing",
    says="the file was written again, as it was",
)
def writing_the_same_is_no_change(self: MemoryIndex, file: str, description: str) -> None:
    """A file that is written again as it was has not changed."""
    line = line_for(file, description)
    with self._exclusive():
        lines = self._read()
        if not is_right(lines, file, line):
            lines = [*without(lines, file), line][-MAX_LINES:]
        self._write(lines)


@wrong(
    caught_by="test_the_same_line_again_changes_nothing",
    says="nothing is new, so nothing moves",
)
def what_is_said_again_is_newest(self: MemoryIndex, file: str, description: str) -> None:
    """What was said again just now is the newest, the same or not."""
    line = line_for(file, description)
    with self._exclusive():
        lines = self._read()
        if lines[-1:] != [line] or not is_right(lines, file, line):
            self._write([*without(lines, file), line][-MAX_LINES:])


@wrong(
    caught_by="test_one_at_a_time_reads_and_writes",
    says="two processes that change the index need",
)
def a_rename_needs_no_lock(self: MemoryIndex, file: str, description: str) -> None:
    """The file is replaced in one step, so there is nothing to lock."""
    line = line_for(file, description)
    lines = self._read()
    if not is_right(lines, file, line):
        self._write([*without(lines, file), line][-MAX_LINES:])


@wrong(
    caught_by="test_one_at_a_time_reads_and_writes",
    says="writing it took the pointer out again",
)
def only_the_write_needs_the_lock(self: MemoryIndex, file: str, description: str) -> None:
    """Reading disturbs nobody: only the write is to be made alone."""
    line = line_for(file, description)
    lines = self._read()
    if not is_right(lines, file, line):
        with self._exclusive():
            self._write([*without(lines, file), line][-MAX_LINES:])


@wrong(
    caught_by="test_a_reader_never_sees_half_an_index",
    says="the file was written over while somebody read it",
)
def writing_is_writing(self: MemoryIndex, file: str, description: str) -> None:
    """With the index to itself, a process can write the file as it likes."""
    line = line_for(file, description)
    with self._exclusive():
        lines = self._read()
        if not is_right(lines, file, line):
            kept = [*without(lines, file), line][-MAX_LINES:]
            self.file.write_text("\n".join(kept) + "\n", encoding="utf-8")


@wrong(
    caught_by="test_a_long_description_is_cut",
    says="… says that there was more",
)
def shorten_shortens(self: MemoryIndex, file: str, description: str) -> None:
    """textwrap.shorten is what makes a text short, and collapses its whitespace, too."""
    room = MAX_LINE_CHARS - len(link_to(file))
    put(self, file, link_to(file) + textwrap.shorten(description, room))
