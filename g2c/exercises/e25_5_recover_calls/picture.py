"""Page 25.5: a journal, and what is to be done about its call if the machine dies at each line."""

from drawing import Kind, Picture, Row, listing

from g2c.exercises.e25_5_recover_calls.solution import recover_calls
from g2c.guard.core.unanswered import Began, Ended, JournalLine, Told

JOURNAL: tuple[tuple[JournalLine, str], ...] = (
    (Began("c2", "send_bill"), "Began send_bill"),
    (Told("c2", happened=False), "Told: it did not happen"),
    (Began("c2", "send_bill"), "Began send_bill"),
    (Told("c2", happened=True), "Told: it happened"),
    (Ended("c2"), "Ended"),
)
WHY = {
    "ask": "nobody has looked since",
    "repeat": "so it is safe to send it",
    "tell": "only its answer is lost",
    "": "it has its answer",
}
KINDS: dict[str, Kind] = {"ask": "bad", "repeat": "program", "tell": "program", "": "good"}


def draw() -> Picture:
    rows: list[Row] = []
    for n, (_, text) in enumerate(JOURNAL, start=1):
        found = recover_calls([line for line, _ in JOURNAL[:n]], {"read_file"})
        action = found[0].action if found else ""
        rows.append((text, KINDS[action], f"{action or 'nothing'}: {WHY[action]}"))
    return listing(
        "What to do if the machine dies now",
        "Five lines of a journal about one bill, and what is to be done if the machine dies after "
        "each. It began: ask. Somebody said that it did not happen: repeat. It began again: ask. "
        "Somebody said that it happened: tell the model. It ended: nothing.",
        ("the journal of one call", "if the machine dies here"),
        rows,
        "Red is where two different pasts have left the same journal.",
    )
