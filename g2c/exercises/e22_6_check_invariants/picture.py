"""Page 22.6: changes that an agent may propose, and the rule that each would break."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("constitution.md is removed", "bad", "no file goes"),
    ("tools.md is added", "bad", "no file comes"),
    ("persona.md is emptied", "bad", "a length stays within bounds"),
    ("recovery.md: an open code fence", "bad", "fences are closed"),
    ("knowledge.md: a password", "bad", "no credentials"),
    ("knowledge.md: one line more", "good", "no rule is broken"),
)


def draw() -> Picture:
    return listing(
        "Changes, and the rules that they break",
        "Six proposed changes. Removing the constitution, adding a file, emptying a file, "
        "an open code fence and a password each break a rule. A line more in knowledge.md "
        "breaks none, which does not show that it is good.",
        ("an agent proposes", "what the rules say"),
        ROWS,
        "That no rule is broken does not show that a change is good.",
    )
