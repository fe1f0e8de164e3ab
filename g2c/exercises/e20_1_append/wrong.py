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
)
wrong("With O_APPEND the system keeps two writes apart, so no lock is needed.", (LOCKED, UNLOCKED))
wrong(
    "Reading disturbs nobody: look first, and hold the lock only to write.",
    (LOCKED, UNLOCKED),
    (
        WRITE,
        "        with log.exclusive():\n"
        "            while line:\n"
        "                line = line[file.write(line) :]\n",
    ),
)
wrong("os.fsync brings all that was written to the disk.", (", buffering=0", ""))
wrong(
    "A line that is only in the system's cache is not written yet.", ("if log.fsync:", "if True:")
)
wrong("If the disk is full, write() raises.", (WRITE, "        file.write(line)\n"))
wrong(
    "A log is a convenience: if it cannot be written, the agent goes on without it.",
    ("import os", "import os\nfrom contextlib import suppress"),
    ("with log.exclusive()", "with suppress(OSError), log.exclusive()"),
)
wrong(
    "A log finds its file at the first turn, and keeps to it.",
    (PATH, f'vars(log).setdefault("path", {PATH})'),
)
wrong("A turn's time has its date, which is its day.", (".astimezone(UTC)", ""))
wrong(
    "With a newline before each line and one after it, no line can be glued to another.",
    ("line = line_of(turn)", 'line = b"\\n" + line_of(turn)'),
)
wrong(
    "A torn line cannot be read, so it is cut off before the next is written.",
    ('line = b"\\n" + line', 'file.truncate(path.read_bytes().rfind(b"\\n") + 1)'),
)
wrong(
    "A transcript is UTF-8, so its end can be read as text to see whether it is whole.",
    ('file.read(1) != b"\\n"', 'file.read(1).decode("utf-8") != "\\n"'),
)
wrong(
    "To know how a file ends, read it; a day's transcript is small.",
    ('file.read(1) != b"\\n"', 'not path.read_bytes().endswith(b"\\n")'),
)
wrong(
    "A crash was before this process began, so only its first append can find a torn line.",
    ("if file.seek", 'if vars(log).setdefault("first", turn) is turn and file.seek'),
)
wrong(
    "json.dumps and UTF-8 can say any string.",
    ("import os", "import json\nimport os"),
    ("line_of(turn)", 'json.dumps(json.loads(line_of(turn)), ensure_ascii=False) + "\\n"'),
    ("    with", '    line = line.encode("utf-8", "replace")\n    with'),
)
wrong(
    "astimezone() makes a time of this world of any other, which is all that the day needs.",
    ("turn.ts.astimezone(UTC)", "turn.ts.astimezone()"),
)
wrong(
    "A file that holds a line has more than one byte.",
    ("if file.seek(0, os.SEEK_END) > 0:", "if file.seek(0, os.SEEK_END) > 1:"),
)
wrong(
    "If the system takes only a part of a line, the line is written again until it goes in whole.",
    ("line = line[file.write(line) :]", "line = line if file.write(line) < len(line) else b''"),
    (
        "        while line:\n",
        "        for _ in range(1_000):\n            if not line:\n                break\n",
    ),
)
