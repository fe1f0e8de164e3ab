"""Page 22.4: three equal ticks, and three that only look alike."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ('state A, look, "I had a look."', "bad", ""),
    ('state A, look, "I had a look."', "bad", ""),
    ('state A, look, "I had a look."', "bad", "stuck: all three are alike"),
    ('3 letters left, sort, "Sorted one."', "good", ""),
    ('2 letters left, sort, "Sorted one."', "good", ""),
    ('1 letter left, sort, "Sorted one."', "good", "at work: the prompts differ"),
)


def draw() -> Picture:
    return listing(
        "When a loop is stuck",
        "Above, three ticks had the same prompt, the same actions and the same answer: "
        "the loop is stuck. Below, three ticks gave the same answer, but their prompts "
        "differ, because each left another state: the loop works.",
        ("prompt, action, answer", ""),
        ROWS,
    )
