"""Page 23.3: the nine pairs of replies that a judge can give, and which three name a winner."""

from drawing import Kind, Picture

from g2c.evaluation.core.preferences import Pair
from g2c.exercises.e23_3_judge_pairs.solution import judge_pairs

REPLIES = ("first", "second", "tie")
LEFT, TOP, W, H = 150, 78, 118, 40
KINDS: dict[str, Kind] = {"a": "good", "b": "good", "tie": "yours", "split": "quiet"}


def winner(a_first: str, b_first: str) -> str:
    replies = iter((a_first, b_first))
    [verdict] = judge_pairs([Pair("", "", "")], lambda *_: next(replies)).verdicts
    return verdict.winner


def draw() -> Picture:
    p = Picture(
        262,
        "Nine pairs of replies, and who wins by them",
        "With a first the judge says first, second or tie, and again with b first. First and then "
        "second is a win for a. Second and then first is a win for b. Tie twice is a tie. The "
        "other six are splits; among them is a judge who says first both times.",
    )
    p.text(LEFT + 3 * W // 2, 28, "what it says with b first", "head middle")
    p.text(20, 62, "with a first", "head")
    for n, reply in enumerate(REPLIES):
        p.text(LEFT + n * W + W // 2, 62, reply, "code middle")
        p.text(60, TOP + n * (H + 6) + 25, reply, "code")
        for m, other in enumerate(REPLIES):
            won = winner(reply, other)
            said = f"{won} wins" if won in "ab" else won
            p.box(LEFT + m * W + 4, TOP + n * (H + 6), W - 8, H, said, kind=KINDS[won])
    p.text(20, 244, "A judge that always says first stands in the upper left field.", "soft")
    return p
