"""Page 24.2: a budget of which one part is spent, one is promised, and the rest can be given."""

from drawing import Kind, Picture

from g2c.exercises.e24_2_may_start.solution import may_start
from g2c.swarm.core.tasks import Progress, Task

LEFT, SCALE = 20, 5
BUDGET, SPENT, PROMISED, SO_FAR = 100, 30, 40, 10
WISHES = (("large", 80), ("middle", 50), ("small", 20))


def draw() -> Picture:
    tasks = [
        Task("ended", "", grant=35),
        Task("runs", "", grant=PROMISED),
        *(Task(name, "", grant=grant) for name, grant in WISHES),
    ]
    progress = {"ended": Progress("done", SPENT), "runs": Progress("running", SO_FAR)}
    found = may_start(tasks, progress, 9, BUDGET)
    p = Picture(
        268,
        "Spent, promised, and left to give",
        f"Of {BUDGET} tokens one task has spent {SPENT}. One that runs was granted {PROMISED}, of "
        f"which it has spent {SO_FAR}. So {BUDGET - SPENT - PROMISED} can be given. "
        + " ".join(
            f"A task that wants {grant} {_word(name, found.now, found.never)[0]}."
            for name, grant in WISHES
        ),
    )
    p.text(LEFT, 28, f"a budget of {BUDGET} tokens, while one task runs", "head")
    x: float = LEFT
    parts: tuple[tuple[str, int, Kind], ...] = (
        (f"spent: {SPENT}", SPENT, "program"),
        (f"promised: {PROMISED}", PROMISED, "model"),
        (f"to give: {BUDGET - SPENT - PROMISED}", BUDGET - SPENT - PROMISED, "good"),
    )
    for words, tokens, kind in parts:
        p.bar(x, 42, tokens * SCALE, 30, kind)
        p.text(x + tokens * SCALE / 2, 62, words, "middle")
        x += tokens * SCALE
    start = LEFT + SPENT * SCALE
    p.line((start, 82), (start, 88), (start + SO_FAR * SCALE, 88), (start + SO_FAR * SCALE, 82))
    p.text(start, 106, f"of these, {SO_FAR} are spent so far", "soft")
    for n, (name, grant) in enumerate(WISHES):
        y = 124 + n * 44
        word, kind = _word(name, found.now, found.never)
        p.bar(LEFT, y, grant * SCALE, 24, kind)
        p.text(LEFT + 8, y + 17, f"wants {grant}", "")
        p.text(LEFT + grant * SCALE + 8, y + 17, word, "")
    return p


def _word(name: str, now: tuple[str, ...], never: tuple[str, ...]) -> tuple[str, Kind]:
    if name in now:
        return "starts", "good"
    return ("never can", "bad") if name in never else ("waits", "plain")
