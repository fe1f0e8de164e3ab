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
    "A day's file fits into memory, and one block needs no edges.",
    (READ, "block := lines.read()"),
    caught_by="test_memory_does_not_grow_with_the_file",
    says="read a block, search it, forget it",
)
wrong(
    "A file is read line by line, and each line is searched as it comes.",
    (READ, "block := lines.readline()"),
    caught_by="test_the_pattern_is_asked_about_blocks",
    says="a call for each line costs more than the search",
)
wrong(
    "A block is whole lines, except for one at its edge, which hardly ever matters.",
    (READ, "block := lines.read(_BLOCK)"),
    caught_by="test_every_line_is_found_once",
    says="a line may begin in one block and end in the next",
)
wrong(
    "A block ends at its last newline, and what is left after the last block is not a whole line.",
    ("lines_in(block)", 'lines_in(block[: block.rfind(b"\\n") + 1])'),
    caught_by="test_a_last_line_without_its_newline_is_searched",
    says="its newline is all that it lacks",
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
    caught_by="test_a_line_may_be_longer_than_a_block",
    says="a tool's output can be longer than any block that you chose to read",
)
wrong(
    "lines_in says where a line stands.",
    ("number + place", "1 + place"),
    caught_by="test_lines_are_counted_through_the_whole_file",
    says="of its file, blank lines included, is reported as",
)
wrong(
    "A transcript's lines are its turns; other lines are passed over before counting.",
    (
        SEARCH,
        "                block = b''.join(\n"
        "                    line for line in block.splitlines(keepends=True) if b'}' in line\n"
        f"                )\n{SEARCH}",
    ),
    caught_by="test_lines_that_hold_no_turn_count_as_lines",
    says="an editor shows the turn on line 4",
)
wrong(
    "Compiling is cheap, and re keeps what it has compiled.",
    ("        number = 1", f"        matcher = {MATCHER}\n        number = 1"),
    caught_by="test_the_pattern_is_compiled_once",
    says="was called 6 times in one search",
)
wrong(
    "An iterator over the list of all hits is an iterator.",
    (
        "def grep(",
        "def grep(*args, **options):\n    return iter(list(hits(*args, **options)))\n\n\ndef hits(",
    ),
    caught_by="test_hits_come_as_they_are_found",
    says="who reads one screen of hits should not wait for, or hold, all of them",
)
wrong(
    "Read the turns, then search them.",
    ("turn_of(line):", "turns[place]:"),
    (SEARCH, f'                turns = [turn_of(line) for line in block.split(b"\\n")]\n{SEARCH}'),
    caught_by="test_only_hits_are_parsed",
    says="parsing costs ten times what searching does",
)
wrong(
    "A search is for what was said; the rest of the line is packaging.",
    (
        "turn := turn_of(line)",
        "(turn := turn_of(line)) and [*matcher.lines_in(turn.content.encode())]",
    ),
    caught_by="test_the_line_is_matched_as_it_is_stored",
    says="a person's grep sees the whole line, not only what was said",
)
wrong(
    "Seven days back from today are today and seven more.",
    (">= days_back", "> days_back"),
    caught_by="test_days_back_counts_today",
    says="one day is today",
)
wrong(
    "There is a file a day, so the newest seven files are the last seven days.",
    (DAYS, "    for _, file in log.days()[:days_back]:\n"),
    caught_by="test_days_back_counts_days_and_not_files",
    says="a day without a file is still a day",
)
wrong(
    "The days are today, yesterday, and so on.",
    (DAYS, f"{DAYS}        if day > today:\n            continue\n"),
    caught_by="test_lines_from_a_clock_that_ran_ahead_are_found",
    says="a search that hides the newest file is not help",
)
wrong(
    "Hits are read like the transcripts: the oldest first.",
    (DAYS, DAYS.replace("log.days()", "reversed(log.days())").replace("return", "continue")),
    caught_by="test_the_newest_day_comes_first_and_a_day_goes_from_the_top",
    says="what was said last is asked for most",
)
wrong(
    "Each line that matches is reported, as grep does, with its turn if it has one.",
    ("if turn := turn_of(line):", "if [turn := turn_of(line)]:"),
    caught_by="test_a_torn_line_is_not_a_hit",
    says="the torn line matches, and holds no turn that a hit could have",
)
wrong(
    "There is nothing to find in no days, which needs no case of its own.",
    ("if days_back < 1:", "if False:"),
    caught_by="test_a_search_of_no_days_is_refused",
    says="finds nothing, ever: tell the caller",
)
wrong(
    "A pattern in lower case finds words in any case, as in many editors.",
    ("ignore_case=ignore_case", "ignore_case=ignore_case or pattern.islower()"),
    caught_by="test_case_can_be_ignored",
    says="case counts unless it is said",
)
wrong(
    "The oldest day to be searched is today less days_back days.",
    (
        "if (today - day).days >= days_back:",
        "if day <= today - timedelta(days=days_back):",
    ),
    ("import date", "import date, timedelta"),
    caught_by="test_days_back_has_no_upper_bound",
    says="is a way to say all of it",
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
    caught_by="test_a_hit_does_not_wait_for_the_next_one",
    says="its hits are not gathered",
)
