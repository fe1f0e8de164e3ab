"""Page 25.4: what a model reads anew at each prompt of a run, if its window is cut as needed, and
if it is cut to half."""

from drawing import Picture

from g2c.exercises.e25_4_fit_window.naive import BUDGET, prompts_of
from g2c.exercises.e25_4_fit_window.naive import fit_window as as_needed
from g2c.exercises.e25_4_fit_window.solution import fit_window

LEFT, STEP, SCALE = 20, 8, 110 / BUDGET
POLICIES = (("cut as needed, at almost each step", as_needed), ("cut to half, seldom", fit_window))


def draw() -> Picture:
    runs = [(title, [*prompts_of(fit)][2::2]) for title, fit in POLICIES]
    counts = [sum(read for _, read, _ in [*prompts_of(fit)]) for _, fit in POLICIES]
    p = Picture(
        388,
        "What is read anew at each prompt",
        "Two rows of 60 bars, a bar for the prompt of each call with its output. In the first row "
        "the prompts fill the window from the 23rd on, and nearly all of most is read anew. In the "
        "second row the prompts grow, fall to half of the window and grow again, and each but the "
        f"shortened ones is read anew only at its end: {counts[1]:,} tokens in place of "
        f"{counts[0]:,}.",
    )
    p.bar(20, 16, 16, 16, "program")
    p.text(42, 29, "from the cache")
    p.bar(160, 16, 16, 16, "model")
    p.text(182, 29, "read at this step")
    for row, ((title, prompts), count) in enumerate(zip(runs, counts, strict=True)):
        top = 66 + row * 160
        p.text(LEFT, top, f"{title}: {count:,} tokens read in all", "head")
        bottom = top + 126
        p.line(
            (LEFT, bottom - BUDGET * SCALE),
            (LEFT + 60 * STEP, bottom - BUDGET * SCALE),
            dashed=True,
        )
        for n, (cached, read, _) in enumerate(prompts):
            x, y = LEFT + n * STEP, bottom - cached * SCALE
            p.bar(x, y, STEP - 2, cached * SCALE, "program")
            p.bar(x, y - read * SCALE, STEP - 2, read * SCALE, "model")
    p.text(LEFT, 376, "A bar is a prompt with the output of a call. The dashed line is the window.")
    return p
