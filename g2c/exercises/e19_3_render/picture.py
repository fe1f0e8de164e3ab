"""Lesson 19, "The scratchpad": what an engine computes anew at each step, in three layouts."""

from drawing import Picture

HEAD, BLOCK = 150, 52
STEPS = 4


def draw() -> Picture:
    p = Picture(
        545,
        "How the prompt grows, and what the cache keeps",
        "Three rows of bars, one bar for the prompt of each of four steps. In the first, each "
        "prompt begins with the whole of the last one, so only the newest block is computed. In "
        "the second, something at the front has changed, so each prompt is computed as a whole. "
        "In the third, a cap drops the oldest block at the fourth step; everything behind the "
        "question is computed again.",
    )
    p.bar(20, 16, 16, 16, "program")
    p.text(42, 29, "from the cache")
    p.bar(160, 16, 16, 16, "model")
    p.text(182, 29, "computed at this step")
    top = layout(p, 66, "It grows at its end", [head + new(n) for n, head in grown()])
    top = layout(p, top, "The step's number stands at the top", [[(False, w)] for w in widths()])
    layout(p, top, "A cap drops the oldest block at step 4", capped())
    return p


Bar = list[tuple[bool, float]]
"""Pieces of a prompt from its start: whether the cache has it, and its width."""


def widths() -> list[float]:
    return [HEAD + BLOCK * n for n in range(STEPS)]


def grown() -> list[tuple[int, Bar]]:
    return [(n, [(True, HEAD + BLOCK * (n - 1))] if n else []) for n in range(STEPS)]


def new(n: int) -> Bar:
    return [(False, BLOCK if n else HEAD)]


def capped() -> list[Bar]:
    kept = [head + new(n) for n, head in grown()][:-1]
    return [*kept, [(True, HEAD), (False, BLOCK * 2)]]


def layout(p: Picture, top: int, title: str, bars: list[Bar]) -> int:
    """Draw the rows under their title; returns where the next layout begins."""
    p.text(20, top, title, "head")
    for n, bar in enumerate(bars):
        y, x = top + 14 + n * 28, 80.0
        p.text(20, y + 15, f"step {n + 1}")
        for is_cached, width in bar:
            p.bar(x, y, width, 20, "program" if is_cached else "model")
            x += width
        computed = sum(width for is_cached, width in bar if not is_cached)
        whole = "all of it" if computed == sum(width for _, width in bar) else "the new block"
        again = "behind the question" if n == 3 and computed == BLOCK * 2 else whole
        p.text(x + 10, y + 15, again)
    return top + 170
