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
)
wrong(
    "The line that has the whole link in it is the file's pointer.",
    (IS_OTHER, 'f"]({file})" not in other'),
)
wrong("A pointer begins as link_to makes it.", (IS_OTHER, "not other.startswith(link_to(file))"))
wrong(
    "The newest pointer is read last, so the old one does no harm until it is dropped.",
    ("[*others, line]", "[*lines, line]"),
)
wrong(
    "To replace a line is to write it where it stood.",
    (KEPT, f"[o if o in others else line for o in lines] if others != lines else {KEPT}"),
)
wrong(
    "The first 200 lines stay; what comes later has no room.",
    (SURPLUS, "0"),
    (KEPT, f"{KEPT}[:MAX_LINES]"),
)
wrong(
    "If the index is full, the oldest line goes, and then there is room for one more.",
    ("index.read()", "index.read()[1 - MAX_LINES :]"),
)
wrong(
    "The index grows by one line at a time, so there is at most one too many.",
    (SURPLUS, "int(len(others) >= MAX_LINES)"),
)
wrong(
    "A line that is not a pointer does not belong in the index.",
    ("is None or pointer.file != file", "is not None and pointer.file != file"),
)
wrong(
    "An index is in the order of the alphabet, as in any book.",
    (KEPT, f"sorted({KEPT}, key=str.casefold)"),
)
wrong(
    "A description has no line ends in it; only spaces around it can be wrong.",
    (TEXT, "description.strip()"),
)
wrong(
    "The line is cut at 150 characters, and then … says that it was.",
    ("[: MAX_LINE_CHARS - 1]", "[:MAX_LINE_CHARS]"),
)
wrong("A line must stay below the limit.", ("if len(line) > MAX", "if len(line) >= MAX"))
wrong("The limit is on what the line takes on the disk.", ("if len(line)", "if len(line.encode())"))
wrong(
    "A pointer is new if its description is new; what is cut off belongs to it.",
    ("line in lines and", f"link_to(file) + {TEXT} in lines and"),
)
wrong(
    "If the line is in the index, the index is as it should be, and nothing is to be done.",
    (" and len(others) + 1 == len(lines)", ""),
)
wrong(
    "If no line is added, there cannot be one too many.",
    ("        surplus", "        if line in lines:\n            return\n        surplus"),
)
wrong("The oldest lines go, whoever wrote them.", ("[*filter(pointer_of, others)]", "others"))
wrong(
    "A limit is a limit: lines that are not pointers go once no pointer is left.",
    (KEPT, f"{KEPT}[-MAX_LINES:]"),
)
wrong(
    "A file that is written again as it was has not changed.",
    ("            return", "            return index.write(lines)"),
)
wrong(
    "The file is replaced in one step, so there is nothing to lock.",
    ("with index.exclusive():", "if True:"),
)
wrong(
    "A process that has the index to itself can write the file as it likes.",
    (f"index.write({KEPT})", f'index.file.write_text("\\n".join({KEPT}) + "\\n", "utf-8")'),
)
wrong(
    "One character more than the limit is the room for the ….",
    ("if len(line) > MAX_LINE_CHARS:", "if len(line) > MAX_LINE_CHARS + 1:"),
)
