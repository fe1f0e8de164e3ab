"""22.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.6")

FILES = "sorted(before.keys() | after.keys())"
RULES = "for rule in _broken(name, before.get(name), after.get(name), writable)"
GREW = "len(new) > max(GROWTH * len(old), ROOM)"
VANISHED = "(old.strip() and not new.strip())"
FENCE = 'line.lstrip(" ").startswith'
OPEN = "len(fences) % 2"
LEAKED = "find_credentials(new) - find_credentials(old)"

wrong(
    "The change is what stands in `after`, so only that has to be looked at.",
    (FILES, "sorted(after)"),
    caught_by="test_no_file_may_be_removed",
    says="a loop over these never meets it",
)
wrong(
    "What has to be protected is what stands in `before`.",
    (FILES, "sorted(before)"),
    caught_by="test_no_file_may_be_added",
    says="a loop over these never meets it",
)
wrong(
    "An agent can only write what is writable, so the rest need not be looked at.",
    (FILES, "sorted(writable)"),
    caught_by="test_the_constitution_may_not_change",
    says="look at every file that there is, and not only at those that may change",
)
wrong(
    "A newline at the end comes and goes with the editor, and is not a change.",
    ("if old == new", "if old == new or old and new and old.strip() == new.strip()"),
    caught_by="test_the_constitution_stays_to_the_last_character",
    says="stripping or folding them before comparing lets small changes through",
)
wrong(
    "The constitution is not in `writable`, so it needs no rule of its own.",
    ("file == CONSTITUTION or ", ""),
    caught_by="test_the_constitution_is_closed_even_where_writable_names_it",
    says="one wrong argument must not open the constitution",
)
wrong(
    "There are five files, and all but the constitution are the agent's.",
    ("not in writable", "not in WRITABLE"),
    caught_by="test_only_the_files_in_writable_may_change",
    says="writable is an argument: here it holds identity.md alone",
)
wrong(
    "A file's length is its number of bytes.",
    (GREW, "len(new.encode()) > max(GROWTH * len(old.encode()), ROOM)"),
    caught_by="test_lengths_are_in_characters",
    says="500 characters are 500 in any alphabet",
)
wrong(
    "A file that is twice as long has doubled, which it must not.",
    (GREW, "len(new) > ROOM and len(new) >= GROWTH * len(old)"),
    caught_by="test_twice_as_long_is_within_the_bound",
    says="at most twice: from 600 characters to 1200 is twice",
)
wrong(
    "Twice the length is the bound, for short files as for long ones.",
    (GREW, "len(new) > GROWTH * len(old)"),
    caught_by="test_a_short_file_may_grow_to_500_characters",
    says="or it could never begin to grow",
)
wrong(
    "Half of n is n // 2.",
    ("2 * len(new) < len(old)", "len(new) < len(old) // 2"),
    caught_by="test_a_long_file_keeps_half_of_its_text",
    says="where 1001 is odd, old // 2 is rounded down",
)
wrong(
    "A short file has even less to lose, so it keeps half too.",
    ("len(old) > ROOM and ", ""),
    caught_by="test_a_short_file_may_become_shorter",
    says="a file of 12 characters, at most 500, is soon said in fewer words",
)
wrong(
    "The bound is for long files, and a short one may become nothing.",
    (f" or {VANISHED}", ""),
    caught_by="test_a_short_file_may_not_be_emptied",
    says="what vanishes altogether is not tidied up but lost",
)
wrong(
    "What counts is how long all files are together, for they all go into one prompt.",
    (
        RULES,
        f'{RULES} if rule != "growth"'
        ' or len("".join(after.values())) > GROWTH * len("".join(before.values()))',
    ),
    caught_by="test_each_file_has_bounds_of_its_own",
    says="persona.md has still more than doubled",
)
wrong(
    "Fences are what `count` finds of three backticks.",
    (OPEN, 'new.count("```") % 2'),
    caught_by="test_backticks_inside_a_line_are_not_a_fence",
    says="counting all ``` in a text finds those in a sentence",
)
wrong(
    "A line is a fence if it starts with three backticks.",
    (FENCE, "line.startswith"),
    caught_by="test_a_fence_may_be_indented",
    says="in a list a fence has spaces before it",
)
wrong(
    "The files are joined into one prompt, so fences are counted there.",
    (RULES, rf'{RULES} if rule != "fences" or "\n".join(after.values()).count("\n```") % 2'),
    caught_by="test_each_file_closes_its_own_fences",
    says="two open fences in two files are even in number and close nothing",
)
wrong(
    "What is in `after` must be sound, all of it.",
    ("return []", 'return ["fences"] if new and new.count("```") % 2 else []'),
    caught_by="test_an_old_fault_in_a_file_that_did_not_change_is_not_a_fault_of_the_change",
    says="if that counted, no edit could ever be made again",
)
wrong(
    "A fence that was open before was not opened by this change.",
    (OPEN, f'{OPEN} and not old.count("```") % 2'),
    caught_by="test_a_changed_file_must_be_sound_whatever_it_was",
    says="the fence was open before and is open now, in a file that was changed",
)
wrong(
    "A file with a key in it is not to be written.",
    (LEAKED, "find_credentials(new)"),
    caught_by="test_a_credential_that_was_there_is_no_fault_of_the_change",
    says="only what was not in the file before counts",
)
wrong(
    "There may not be more keys than there were.",
    (LEAKED, "len(find_credentials(new)) > len(find_credentials(old))"),
    caught_by="test_a_credential_in_place_of_another_is_new",
    says="compare what was found and not how much",
)
wrong(
    "A key that stands in one of the files is not a secret to the others.",
    (
        RULES,
        f'{RULES} if rule != "credentials"'
        r' or find_credentials(after[name]) - find_credentials("\n".join(before.values()))',
    ),
    caught_by="test_a_credential_of_another_file_is_new_to_this_one",
    says="now a second file has it",
)
wrong(
    "A file that breaks one rule is refused, and the others need not be asked.",
    (RULES, f"{RULES}[:1]"),
    caught_by="test_every_broken_rule_is_named",
    says="should hear all reasons",
)
wrong(
    "Files that are gone or new come first, then what is wrong with the others.",
    (FILES, "sorted(before.keys() ^ after) + sorted(before.keys() & after)"),
    caught_by="test_files_come_in_alphabetical_order",
    says="file by file in alphabetical order, be they of before or of after",
)
wrong(
    "A file that had characters had something to lose.",
    (VANISHED, "(old and not new.strip())"),
    caught_by="test_a_file_that_was_blank_may_stay_so",
    says="a file that is blank has no text that could vanish",
)
wrong(
    "A fence may be indented, with whatever one indents.",
    (FENCE, "line.lstrip().startswith"),
    caught_by="test_only_spaces_may_stand_before_a_fence",
    says="the rule names spaces",
)
wrong(
    "splitlines is how a text is taken apart into lines.",
    (r'new.split("\n")', "new.splitlines()"),
    caught_by="test_a_line_begins_after_a_newline_and_nowhere_else",
    says="finds a fence inside this line",
)
wrong(
    "A line is a fence if it begins with a backtick or two more.",
    ('("```")', '("``")'),
    caught_by="test_a_line_that_begins_with_anything_but_three_backticks_is_not_a_fence",
    says="a fence is three backticks with at most spaces before them",
)
