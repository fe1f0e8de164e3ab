"""20.4 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.4")

TEXT = '" ".join(description.split())'
IS_OTHER = "(pointer := pointer_of(other)) is None or pointer.file != file"
KEPT = "[*others, line]"
SURPLUS = "max(0, len(others) + 1 - MAX_LINES)"

wrong(
    "The line that has the topic's name in it is its pointer.",
    (IS_OTHER, 'file.removesuffix(".md") not in other'),
    caught_by="test_a_name_is_matched_whole",
    says="auth is neither auth-module nor oauth",
)
wrong(
    "The line that has the whole link in it is the file's pointer.",
    (IS_OTHER, 'f"]({file})" not in other'),
    caught_by="test_a_description_may_name_another_file",
    says="not to any that it mentions",
)
wrong(
    "A pointer begins as link_to makes it.",
    (IS_OTHER, "not other.startswith(link_to(file))"),
    caught_by="test_a_link_that_a_person_named_is_replaced_too",
    says="where it leads is what counts",
)
wrong(
    "The newest pointer is read last, so the old one does no harm until it is dropped.",
    ("[*others, line]", "[*lines, line]"),
    caught_by="test_a_pointer_is_replaced_and_not_repeated",
    says="two lines that disagree cost twice",
)
wrong(
    "To replace a line is to write it where it stood.",
    (KEPT, f"[o if o in others else line for o in lines] if others != lines else {KEPT}"),
    caught_by="test_a_pointer_that_is_replaced_is_the_newest",
    says="in its old place it would be the first",
)
wrong(
    "The first 200 lines stay; what comes later has no room.",
    (SURPLUS, "0"),
    (KEPT, f"{KEPT}[:MAX_LINES]"),
    caught_by="test_beyond_the_limit_the_oldest_go",
    says="the newest is what was just learnt",
)
wrong(
    "If the index is full, the oldest line goes, and then there is room for one more.",
    ("index.read()", "index.read()[1 - MAX_LINES :]"),
    caught_by="test_at_the_limit_a_pointer_can_be_replaced",
    says="one pointer took the place of another, so there is room for all",
)
wrong(
    "The index grows by one line at a time, so there is at most one too many.",
    (SURPLUS, "int(len(others) >= MAX_LINES)"),
    caught_by="test_an_index_that_grew_by_hand_is_cut_to_its_limit",
    says="where there were 30 too many",
)
wrong(
    "A line that is not a pointer does not belong in the index.",
    ("is None or pointer.file != file", "is not None and pointer.file != file"),
    caught_by="test_lines_that_are_not_pointers_stay",
    says="a person may have written them",
)
wrong(
    "An index is in the order of the alphabet, as in any book.",
    (KEPT, f"sorted({KEPT}, key=str.casefold)"),
    caught_by="test_the_newest_stands_last",
    says="pointers stand in the order in which they came",
)
wrong(
    "A description has no line ends in it; only spaces around it can be wrong.",
    (TEXT, "description.strip()"),
    caught_by="test_a_description_becomes_one_line",
    says="writes lines of every prompt",
)
wrong(
    "The line is cut at 150 characters, and then … says that it was.",
    ("[: MAX_LINE_CHARS - 1]", "[:MAX_LINE_CHARS]"),
    caught_by="test_a_long_description_is_cut",
    says="the link and the … count",
)
wrong(
    "A line must stay below the limit.",
    ("if len(line) > MAX", "if len(line) >= MAX"),
    caught_by="test_a_line_as_long_as_the_limit_fits",
    says="is not too long",
)
wrong(
    "The limit is on what the line takes on the disk.",
    ("if len(line)", "if len(line.encode())"),
    caught_by="test_characters_are_counted_and_not_bytes",
    says="ü is one character, though two bytes",
)
wrong(
    "A pointer is new if its description is new; what is cut off belongs to it.",
    ("line in lines and", f"link_to(file) + {TEXT} in lines and"),
    caught_by="test_a_difference_beyond_the_cut_changes_nothing",
    says="the line is the same",
)
wrong(
    "If the line is in the index, the index is as it should be, and nothing is to be done.",
    (" and len(others) + 1 == len(lines)", ""),
    caught_by="test_a_duplicate_pointer_goes_and_the_other_stays",
    says="a second pointer to its file, which somebody put in by hand",
)
wrong(
    "If no line is added, there cannot be one too many.",
    ("        surplus", "        if line in lines:\n            return\n        surplus"),
    caught_by="test_an_index_that_grew_by_hand_is_cut_where_the_line_is_in_it_too",
    says="only where the index is within its limit can it stay as it is",
)
wrong(
    "The oldest lines go, whoever wrote them.",
    ("[*filter(pointer_of, others)]", "others"),
    caught_by="test_beyond_the_limit_only_pointers_go",
    says="nobody else has it",
)
wrong(
    "A limit is a limit: lines that are not pointers go once no pointer is left.",
    (KEPT, f"{KEPT}[-MAX_LINES:]"),
    caught_by="test_lines_that_are_not_pointers_stay_beyond_the_limit",
    says="nobody else has them",
)
wrong(
    "A file that is written again as it was has not changed.",
    ("            return", "            return index.write(lines)"),
    caught_by="test_the_same_line_again_changes_nothing",
    says="the file was written again, as it was",
)
wrong(
    "The file is replaced in one step, so there is nothing to lock.",
    ("with index.exclusive():", "if True:"),
    caught_by="test_one_at_a_time_reads_and_writes",
    says="two processes that change the index need",
)
wrong(
    "A process that has the index to itself can write the file as it likes.",
    (f"index.write({KEPT})", f'index.file.write_text("\\n".join({KEPT}) + "\\n", "utf-8")'),
    caught_by="test_a_reader_never_sees_half_an_index",
    says="the file was written over while somebody read it",
)
wrong(
    "One character more than the limit is the room for the ….",
    ("if len(line) > MAX_LINE_CHARS:", "if len(line) > MAX_LINE_CHARS + 1:"),
    caught_by="test_a_line_one_character_too_long_is_cut",
    says="is one too long",
)
