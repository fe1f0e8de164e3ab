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
)
wrong("What has to be protected is what stands in `before`.", (FILES, "sorted(before)"))
wrong(
    "An agent can only write what is writable, so the rest need not be looked at.",
    (FILES, "sorted(writable)"),
)
wrong(
    "A newline at the end comes and goes with the editor, and is not a change.",
    ("if old == new", "if old == new or old and new and old.strip() == new.strip()"),
)
wrong(
    "The constitution is not in `writable`, so it needs no rule of its own.",
    ("file == CONSTITUTION or ", ""),
)
wrong(
    "There are five files, and all but the constitution are the agent's.",
    ("not in writable", "not in WRITABLE"),
)
wrong(
    "A file's length is its number of bytes.",
    (GREW, "len(new.encode()) > max(GROWTH * len(old.encode()), ROOM)"),
)
wrong(
    "A file that is twice as long has doubled, which it must not.",
    (GREW, "len(new) > ROOM and len(new) >= GROWTH * len(old)"),
)
wrong(
    "Twice the length is the bound, for short files as for long ones.",
    (GREW, "len(new) > GROWTH * len(old)"),
)
wrong("Half of n is n // 2.", ("2 * len(new) < len(old)", "len(new) < len(old) // 2"))
wrong("A short file has even less to lose, so it keeps half too.", ("len(old) > ROOM and ", ""))
wrong("The bound is for long files, and a short one may become nothing.", (f" or {VANISHED}", ""))
wrong(
    "What counts is how long all files are together, for they all go into one prompt.",
    (
        RULES,
        f'{RULES} if rule != "growth"'
        ' or len("".join(after.values())) > GROWTH * len("".join(before.values()))',
    ),
)
wrong("Fences are what `count` finds of three backticks.", (OPEN, 'new.count("```") % 2'))
wrong("A line is a fence if it starts with three backticks.", (FENCE, "line.startswith"))
wrong(
    "The files are joined into one prompt, so fences are counted there.",
    (RULES, rf'{RULES} if rule != "fences" or "\n".join(after.values()).count("\n```") % 2'),
)
wrong(
    "What is in `after` must be sound, all of it.",
    ("return []", 'return ["fences"] if new and new.count("```") % 2 else []'),
)
wrong(
    "A fence that was open before was not opened by this change.",
    (OPEN, f'{OPEN} and not old.count("```") % 2'),
)
wrong("A file with a key in it is not to be written.", (LEAKED, "find_credentials(new)"))
wrong(
    "There may not be more keys than there were.",
    (LEAKED, "len(find_credentials(new)) > len(find_credentials(old))"),
)
wrong(
    "A key that stands in one of the files is not a secret to the others.",
    (
        RULES,
        f'{RULES} if rule != "credentials"'
        r' or find_credentials(after[name]) - find_credentials("\n".join(before.values()))',
    ),
)
wrong(
    "A file that breaks one rule is refused, and the others need not be asked.",
    (RULES, f"{RULES}[:1]"),
)
wrong(
    "Files that are gone or new come first, then what is wrong with the others.",
    (FILES, "sorted(before.keys() ^ after) + sorted(before.keys() & after)"),
)
wrong("A file that had characters had something to lose.", (VANISHED, "(old and not new.strip())"))
wrong("A fence may be indented, with whatever one indents.", (FENCE, "line.lstrip().startswith"))
wrong(
    "splitlines is how a text is taken apart into lines.", (r'new.split("\n")', "new.splitlines()")
)
wrong("A line is a fence if it begins with a backtick or two more.", ('("```")', '("``")'))
