"""Lesson 21, "Three bars": a total over 75, and a dimension under 60, from the lesson's numbers."""

from drawing import Picture

WEIGHTS = (0.5, 0.3, 0.2)
MEANS = (100, 75, 15)
TOTAL_BAR, FLOOR = 75, 60
LEFT, SCALE = 150, 3.2


def draw() -> Picture:
    total = sum(weight * mean for weight, mean in zip(WEIGHTS, MEANS, strict=True))
    p = Picture(
        390,
        "Weights, means and bars",
        f"Three dimensions have the weights {WEIGHTS} and the means {MEANS}. The total, the sum of "
        f"weight times mean, is {total:g}, over the bar of {TOTAL_BAR}. The third mean, "
        f"{MEANS[2]}, is under the floor of {FLOOR}, so the draft has not converged. Every "
        "reviewer must also approve.",
    )
    p.text(20, 28, "dimension", "head")
    p.text(LEFT, 28, "mean of the reviewers, 0 to 100", "head")
    for n, (weight, mean) in enumerate(zip(WEIGHTS, MEANS, strict=True)):
        y = 48 + n * 48
        p.text(20, y + 22, f"weight {weight:g}", "")
        p.bar(LEFT, y, 100 * SCALE, 32, "plain")
        p.bar(LEFT, y, mean * SCALE, 32, "good" if mean >= FLOOR else "bad")
        p.text(LEFT + 100 * SCALE + 10, y + 22, str(mean), "")
    floor = LEFT + FLOOR * SCALE
    p.line((floor, 40), (floor, 190), dashed=True)
    p.text(floor, 208, f"floor: each mean is {FLOOR} or more", "soft middle")
    p.text(20, 256, "total", "head")
    p.bar(LEFT, 234, 100 * SCALE, 32, "plain")
    x = float(LEFT)
    for kind, weight, mean in zip(("good", "program", "bad"), WEIGHTS, MEANS, strict=True):
        p.bar(x, 234, weight * mean * SCALE, 32, kind)
        x += weight * mean * SCALE
    p.text(LEFT + 100 * SCALE + 10, 256, f"{total:g}", "")
    bar = LEFT + TOTAL_BAR * SCALE
    p.line((bar, 226), (bar, 276), dashed=True)
    p.text(bar, 294, f"bar: the total is {TOTAL_BAR} or more", "soft middle")
    p.text(
        20, 334, f"The total of {total:g} clears its bar. The mean of {MEANS[2]} does not clear", ""
    )
    p.text(20, 353, "the floor: the draft has not converged. A total can be bought.", "")
    p.text(20, 378, "The third condition: every reviewer approved.")
    return p
