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
    caught_by="test_the_end_is_all_that_is_read",
    says="bytes of memory for the last 10 lines",
)
wrong(
    "A line is a turn: take n lines, and leave out those that cannot be read.",
    (TURNS, "map(turn_of, islice(filter(None, lines), n))"),
    caught_by="test_lines_that_hold_no_turn_do_not_count",
    says="torn, blank and foreign lines are none, wherever they stand",
)
wrong(
    "The text after the last newline was not finished, so it is left alone.",
    (LINES, f"islice({LINES}, 1, None)"),
    caught_by="test_a_last_line_without_its_newline_counts_if_it_is_whole",
    says="only the newline is missing",
)
wrong(
    "Newest first, as in any list of what happened last.",
    (NEWEST, "list(islice(turns, n))"),
    caught_by="test_the_newest_come_oldest_first",
    says="in the order in which they were said",
)
wrong(
    "The newest turns stand in the newest file.",
    (DAYS, f"{DAYS}[:1]"),
    caught_by="test_the_days_before_come_in_front",
    says="just after midnight, UTC, what was said last still stands in yesterday's file",
)
wrong(
    "The file before today's is yesterday's; if there is none, the log begins.",
    (DAYS, DAYS_IN_A_ROW),
    caught_by="test_days_may_be_missing",
    says="nobody talks every day",
)


wrong(
    "Several processes write, so the lines have to be sorted by their times.",
    (NEWEST, "sorted(list(islice(turns, 2 * n))[::-1], key=lambda turn: turn.ts)[-n:]"),
    caught_by="test_the_order_is_that_of_the_lines",
    says="whatever the writers' clocks said",
)
wrong(
    "turns[-n:] are the last n of a list.",
    (NEWEST, "list(islice(turns, max(n, 1)))[::-1][-n:]"),
    caught_by="test_none_were_asked_for",
    says="beware of turns[-0:]",
)
wrong(
    "If fewer than none are asked for, there are none to give.",
    ("    if n < 0:", "    n = max(n, 0)\n    if n < 0:"),
    caught_by="test_a_negative_number_is_refused",
    says="a mistake of the caller's",
)
wrong(
    "splitlines() is what cuts a text into lines.",
    ("    turns =", f"{SPLIT}    turns ="),
    caught_by="test_only_a_newline_ends_a_line",
    says="str.splitlines also splits at",
)
wrong(
    "A transcript is UTF-8, so what is read from it can be decoded.",
    (READ, f'{READ}.decode("utf-8", "replace").encode()'),
    caught_by="test_a_letter_may_lie_across_two_blocks",
    says="A block that is turned into text before it is cut into lines",
)
wrong(
    "The rest of a line is short: it goes behind the next block, and is cut with it.",
    (CUT, r'(log.read(size) + b"".join(pieces)).split(b"\n")' + "\n            pieces.clear()"),
    caught_by="test_a_long_line_is_not_copied_for_each_block",
    says="is copied once a block",
)
wrong(
    "Each block is cut into lines; what cannot be read at its edges was torn.",
    (KEEP, "yield first"),
    caught_by="test_every_turn_comes_once",
    says="a line may begin in one block and end in the next",
)
wrong(
    "A line that begins in a block ends in the one behind it, so one piece is to be kept.",
    (KEEP, "pieces = deque([first])"),
    caught_by="test_a_line_may_be_longer_than_a_block",
    says="a tool's output can be longer than any block that you chose to read",
)
wrong(
    "Every line was written by append, so the log ends where a line cannot be read.",
    ("import chain, islice", "import chain, islice, takewhile"),
    (TURNS, "takewhile(bool, map(turn_of, filter(None, lines)))"),
    caught_by="test_a_torn_last_line_is_passed_over",
    says="the last line is torn and holds no turn",
)
wrong(
    "A byte cannot be a line, so one that is left over at the top need not be read.",
    ("while start > 0:", "while start > 1:"),
    caught_by="test_the_first_byte_of_a_file_may_be_left_over",
    says="without it the first line is none",
)
wrong(
    "One turn more shows whether there are enough.",
    ("islice(turns, n))[::-1]", "islice(turns, n + 1))[:n][::-1]"),
    caught_by="test_a_day_that_is_not_needed_is_not_read",
    says="Do you ask for one turn more than you need?",
)
wrong(
    "A turn that stands there twice was logged by mistake.",
    ("    turns = (turn for turn in", "    turns = dict.fromkeys(turn for turn in"),
    caught_by="test_all_come_if_there_are_fewer",
    says="two lines that are equal are two turns",
)
