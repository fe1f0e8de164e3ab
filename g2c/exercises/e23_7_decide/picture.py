"""Page 23.7: comparisons that look alike after twenty tasks, and how they go on."""

from drawing import Picture, Row, listing

from g2c.course.scored import PUBLIC_SEED
from g2c.exercises.e23_7_decide.goal import make_comparisons, tallies

CHOSEN: dict[int, str] = {
    1046: "B is better by {gain:.0f}",
    1099: "equals: 30 points, if named",
    648: "B is better by {gain:.0f}",
    163: "equals: 30 points, if named",
    376: "B is better by {gain:.0f}: worth it?",
}
"""Comparisons of the public seed, by their numbers."""


def row(number: int, note: str) -> Row:
    case = make_comparisons(PUBLIC_SEED)[number - 1]
    seen = list(tallies(case.pairs))
    early, late = seen[20], seen[80]
    text = f"{early.only_a} to {early.only_b}  | {late.only_a:2} to {late.only_b}"
    return text, "good" if case.gain else "bad", note.format(gain=abs(case.gain))


def draw() -> Picture:
    return listing(
        "Two leads, and what becomes of them",
        "Five comparisons, with the tasks that only A and only B solved after 20 tasks and after "
        "80. Three stand at 0 to 3 after 20. One of them goes on to 0 to 24, since B is much "
        "better, one to 5 to 8, since the two are equals, and one to 4 to 5, where B is better by "
        "5 points. Two stand at 1 to 5. One goes on to 2 to 25, and one to 9 to 9.",
        ("after 20 | after 80 tasks", "who is better?"),
        tuple(row(number, note) for number, note in CHOSEN.items()),
    )
