"""20.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.3")

READ = "block := lines.read(_BLOCK) + lines.readline()"
SEARCH = "                for place, line in matcher.lines_in(block):\n"
MATCHER = "LinePattern(pattern, ignore_case=ignore_case)"
DAYS = """\
    for day, file in log.days():
        if (today - day).days >= days_back:
            return
"""

wrong(
    "A day's file fits into memory, and one block needs no edges.", (READ, "block := lines.read()")
)
wrong(
    "A file is read line by line, and each line is searched as it comes.",
    (READ, "block := lines.readline()"),
)
wrong(
    "A block is whole lines, except for one at its edge, which hardly ever matters.",
    (READ, "block := lines.read(_BLOCK)"),
)
wrong(
    "A block ends at its last newline, and what is left after the last block is not a whole line.",
    ("lines_in(block)", 'lines_in(block[: block.rfind(b"\\n") + 1])'),
)
wrong(
    "Every block has a newline somewhere; one without is the last.",
    ("number = 1", 'number, rest = 1, b""'),
    (READ, "block := rest + lines.read(_BLOCK)"),
    (
        SEARCH,
        '                end = block.rfind(b"\\n") + 1 or len(block)\n'
        f"                block, rest = block[:end], block[end:]\n{SEARCH}",
    ),
)
wrong("lines_in says where a line stands.", ("number + place", "1 + place"))
wrong(
    "A transcript's lines are its turns; other lines are passed over before counting.",
    (
        SEARCH,
        "                block = b''.join(\n"
        "                    line for line in block.splitlines(keepends=True) if b'}' in line\n"
        f"                )\n{SEARCH}",
    ),
)
wrong(
    "Compiling is cheap, and re keeps what it has compiled.",
    ("        number = 1", f"        matcher = {MATCHER}\n        number = 1"),
)
wrong(
    "An iterator over the list of all hits is an iterator.",
    (
        "def grep(",
        "def grep(*args, **options):\n    return iter(list(hits(*args, **options)))\n\n\ndef hits(",
    ),
)
wrong(
    "Read the turns, then search them.",
    ("turn_of(line):", "turns[place]:"),
    (SEARCH, f'                turns = [turn_of(line) for line in block.split(b"\\n")]\n{SEARCH}'),
)
wrong(
    "A search is for what was said; the rest of the line is packaging.",
    (
        "turn := turn_of(line)",
        "(turn := turn_of(line)) and [*matcher.lines_in(turn.content.encode())]",
    ),
)
wrong("Seven days back from today are today and seven more.", (">= days_back", "> days_back"))
wrong(
    "There is a file a day, so the newest seven files are the last seven days.",
    (DAYS, "    for _, file in log.days()[:days_back]:\n"),
)
wrong(
    "The days are today, yesterday, and so on.",
    (DAYS, f"{DAYS}        if day > today:\n            continue\n"),
)
wrong(
    "Hits are read like the transcripts: the oldest first.",
    (DAYS, DAYS.replace("log.days()", "reversed(log.days())").replace("return", "continue")),
)
wrong(
    "Each line that matches is reported, as grep does, with its turn if it has one.",
    ("if turn := turn_of(line):", "if [turn := turn_of(line)]:"),
)
wrong(
    "There is nothing to find in no days, which needs no case of its own.",
    ("if days_back < 1:", "if False:"),
)
wrong(
    "A pattern in lower case finds words in any case, as in many editors.",
    ("ignore_case=ignore_case", "ignore_case=ignore_case or pattern.islower()"),
)
wrong(
    "The oldest day to be searched is today less days_back days.",
    ("if (today - day).days >= days_back:", "if day <= today - timedelta(days=days_back):"),
    ("import date", "import date, timedelta"),
)
wrong(
    "A block's hits are found together, so they are handed on together.",
    (
        SEARCH,
        "                hits = [\n"
        "                    GrepHit(file, number + place, turn)\n"
        "                    for place, line in matcher.lines_in(block)\n"
        "                    if (turn := turn_of(line))\n"
        "                ]\n"
        "                yield from hits\n",
    ),
    (
        "                    if turn := turn_of(line):\n"
        "                        yield GrepHit(file, number + place, turn)\n",
        "",
    ),
)
