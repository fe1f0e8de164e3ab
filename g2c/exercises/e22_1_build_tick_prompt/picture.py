"""Page 22.1: the parts of a tick's prompt, and which of them the cache keeps."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("who it is, rules, what it knows", "program", "the same: from the cache"),
    ("Your budget", "program", "new: computed from here on"),
    ("what helped, what it remembers", "program", "computed"),
    ("Goal", "program", "computed"),
    ("Your state", "model", "computed"),
    ("Reviewer feedback", "model", "computed"),
)


def draw() -> Picture:
    return listing(
        "The parts of a tick's prompt",
        "The parts of a prompt from front to end: who the agent is, its rules and what it knows, "
        "its budget, what helped and what it remembers, the goal, the state, and the feedback of "
        "a reviewer. "
        "What is the same in each tick stands in front and comes from the cache. What "
        "differs stands at the end and is computed.",
        ("from front to end", "in the next tick"),
        ROWS,
    )
