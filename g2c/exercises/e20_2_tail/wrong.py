"""20.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.2")

DAYS = "for _, file in log.days()"
DAYS_IN_A_ROW = """for past, (day, file) in enumerate(log.days())
        if day.toordinal() == log.days()[0][0].toordinal() - past"""
LINES = "_lines_from_the_end(file)"
TURNS = "map(turn_of, filter(None, lines))"
SPLIT = """    texts = (line.decode("utf-8", "replace") for line in lines)
    lines = (part.encode() for text in texts for part in reversed(text.splitlines()))
"""
NEWEST = "list(islice(turns, n))[::-1]"
READ = "log.read(size)"
CUT = r'log.read(size).split(b"\n")'
KEEP = "pieces.appendleft(first)"

wrong(
    "A day's transcript fits into memory; splitting it is the plainest way.",
    (LINES, r'reversed(file.read_bytes().split(b"\n"))'),
)
wrong(
    "A line is a turn: take n lines, and leave out those that cannot be read.",
    (TURNS, "map(turn_of, islice(filter(None, lines), n))"),
)
wrong(
    "The text after the last newline was not finished, so it is left alone.",
    (LINES, f"islice({LINES}, 1, None)"),
)
wrong("Newest first, as in any list of what happened last.", (NEWEST, "list(islice(turns, n))"))
wrong("The newest turns stand in the newest file.", (DAYS, f"{DAYS}[:1]"))
wrong(
    "The file before today's is yesterday's; if there is none, the log begins.",
    (DAYS, DAYS_IN_A_ROW),
)


wrong(
    "Several processes write, so the lines have to be sorted by their times.",
    (NEWEST, "sorted(list(islice(turns, 2 * n))[::-1], key=lambda turn: turn.ts)[-n:]"),
)
wrong("turns[-n:] are the last n of a list.", (NEWEST, "list(islice(turns, max(n, 1)))[::-1][-n:]"))
wrong(
    "If fewer than none are asked for, there are none to give.",
    ("    if n < 0:", "    n = max(n, 0)\n    if n < 0:"),
)
wrong("splitlines() is what cuts a text into lines.", ("    turns =", f"{SPLIT}    turns ="))
wrong(
    "A transcript is UTF-8, so what is read from it can be decoded.",
    (READ, f'{READ}.decode("utf-8", "replace").encode()'),
)
wrong(
    "The rest of a line is short: it goes behind the next block, and is cut with it.",
    (CUT, r'(log.read(size) + b"".join(pieces)).split(b"\n")' + "\n            pieces.clear()"),
)
wrong(
    "Each block is cut into lines; what cannot be read at its edges was torn.",
    (KEEP, "yield first"),
)
wrong(
    "A line that begins in a block ends in the one behind it, so one piece is to be kept.",
    (KEEP, "pieces = deque([first])"),
)
wrong(
    "Every line was written by append, so the log ends where a line cannot be read.",
    ("import chain, islice", "import chain, islice, takewhile"),
    (TURNS, "takewhile(bool, map(turn_of, filter(None, lines)))"),
)
wrong(
    "A byte cannot be a line, so one that is left over at the top need not be read.",
    ("while start > 0:", "while start > 1:"),
)
wrong(
    "One turn more shows whether there are enough.",
    ("islice(turns, n))[::-1]", "islice(turns, n + 1))[:n][::-1]"),
)
wrong(
    "A turn that stands there twice was logged by mistake.",
    ("    turns = (turn for turn in", "    turns = dict.fromkeys(turn for turn in"),
)
