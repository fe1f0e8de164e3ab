"""20.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.1")

PATH = "log.path_of(turn.ts.astimezone(UTC).date())"
LOCKED = "with log.exclusive(), path"
UNLOCKED = "log.folder.mkdir(parents=True, exist_ok=True)\n    with path"
LOOK = """\
        if file.seek(0, os.SEEK_END) > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\\n":
                line = b"\\n" + line
"""
WRITE = """\
        while line:
            line = line[file.write(line) :]
"""

wrong(
    "A file opened for appending is written at its end, and its end is the end of a line.",
    (LOOK, ""),
    caught_by="test_a_torn_line_does_not_swallow_the_next",
    says="becomes part of a line that nobody can read",
)
wrong(
    "With O_APPEND the system keeps two writes apart, so no lock is needed.",
    (LOCKED, UNLOCKED),
    caught_by="test_the_line_is_in_the_file_when_the_next_writer_may_go",
    says="two processes that append at once need `log.exclusive()` between them",
)
wrong(
    "Reading disturbs nobody: look first, and hold the lock only to write.",
    (LOCKED, UNLOCKED),
    (
        WRITE,
        "        with log.exclusive():\n"
        "            while line:\n"
        "                line = line[file.write(line) :]\n",
    ),
    caught_by="test_one_writer_at_a_time_looks_and_writes",
    says="while you waited to have the file, another process wrote half a line and died",
)
wrong(
    "os.fsync brings all that was written to the disk.",
    (", buffering=0", ""),
    caught_by="test_with_fsync_the_line_is_on_the_disk",
    says="what still waits in a buffer of Python's is not the system's to save",
)
wrong(
    "A line that is only in the system's cache is not written yet.",
    ("if log.fsync:", "if True:"),
    caught_by="test_without_fsync_nobody_waits_for_the_disk",
    says="without log.fsync nobody asked for it",
)
wrong(
    "If the disk is full, write() raises.",
    (WRITE, "        file.write(line)\n"),
    caught_by="test_on_a_full_disk_the_caller_learns_that_a_part_is_missing",
    says="an unbuffered write says how much it wrote",
)
wrong(
    "A log is a convenience: if it cannot be written, the agent goes on without it.",
    ("import os", "import os\nfrom contextlib import suppress"),
    ("with log.exclusive()", "with suppress(OSError), log.exclusive()"),
    caught_by="test_a_failure_is_raised",
    says="its caller must learn of that",
)
wrong(
    "A log finds its file at the first turn, and keeps to it.",
    (PATH, f'vars(log).setdefault("path", {PATH})'),
    caught_by="test_midnight_may_pass_between_two_turns",
    says="an agent may run past midnight",
)
wrong(
    "A turn's time has its date, which is its day.",
    (".astimezone(UTC)", ""),
    caught_by="test_the_day_is_in_utc",
    says="in UTC, 22:00 in New York is the next day",
)
wrong(
    "With a newline before each line and one after it, no line can be glued to another.",
    ("line = line_of(turn)", 'line = b"\\n" + line_of(turn)'),
    caught_by="test_turns_stand_one_below_the_other",
    says="with no blank line anywhere",
)
wrong(
    "A torn line cannot be read, so it is cut off before the next is written.",
    ('line = b"\\n" + line', 'file.truncate(path.read_bytes().rfind(b"\\n") + 1)'),
    caught_by="test_written_lines_stay",
    says="a log is never rewritten",
)
wrong(
    "A transcript is UTF-8, so its end can be read as text to see whether it is whole.",
    ('file.read(1) != b"\\n"', 'file.read(1).decode("utf-8") != "\\n"'),
    caught_by="test_a_line_may_be_torn_inside_a_letter",
    says="half of the two bytes of é is not UTF-8, and no reason to fail",
)
wrong(
    "To know how a file ends, read it; a day's transcript is small.",
    ('file.read(1) != b"\\n"', 'not path.read_bytes().endswith(b"\\n")'),
    caught_by="test_the_file_is_not_read_as_a_whole",
    says="whether the last line is whole can be seen from its last byte",
)
wrong(
    "A crash was before this process began, so only its first append can find a torn line.",
    ("if file.seek", 'if vars(log).setdefault("first", turn) is turn and file.seek'),
    caught_by="test_another_writer_may_die_at_any_time",
    says="that the last line was whole after your last append says nothing about now",
)
wrong(
    "json.dumps and UTF-8 can say any string.",
    ("import os", "import json\nimport os"),
    ("line_of(turn)", 'json.dumps(json.loads(line_of(turn)), ensure_ascii=False) + "\\n"'),
    ("    with", '    line = line.encode("utf-8", "replace")\n    with'),
    caught_by="test_content_may_be_any_string",
    says="a turn is one line, whatever it says",
)
wrong(
    "astimezone() makes a time of this world of any other, which is all that the day needs.",
    ("turn.ts.astimezone(UTC)", "turn.ts.astimezone()"),
    caught_by="test_the_day_does_not_depend_on_where_the_computer_stands",
    says="not of the zone of the computer",
)
wrong(
    "A file that holds a line has more than one byte.",
    ("if file.seek(0, os.SEEK_END) > 0:", "if file.seek(0, os.SEEK_END) > 1:"),
    caught_by="test_a_line_may_be_torn_after_its_first_byte",
    says="the file held one byte",
)
wrong(
    "If the system takes only a part of a line, the line is written again until it goes in whole.",
    ("line = line[file.write(line) :]", "line = line if file.write(line) < len(line) else b''"),
    (
        "        while line:\n",
        "        for _ in range(1_000):\n            if not line:\n                break\n",
    ),
    caught_by="test_the_system_may_take_a_line_in_parts",
    says="an unbuffered write says how many it took",
)
