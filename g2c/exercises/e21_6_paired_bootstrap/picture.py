"""Page 21.6: one gain and two intervals, from the same twelve numbers."""

from drawing import Kind, Picture

from g2c.critic import Interval
from g2c.exercises.e21_6_paired_bootstrap.solution import paired_bootstrap

OFF = (20, 35, 50, 65, 80, 95)
PAIRED = (26, 37, 58, 67, 84, 99)
MIXED = (67, 26, 99, 37, 84, 58)
ZERO, SCALE = 290, 5.6


def draw() -> Picture:
    paired: Interval = paired_bootstrap(OFF, PAIRED)
    mixed: Interval = paired_bootstrap(OFF, MIXED)
    p = Picture(
        194,
        "The same gain, and two intervals",
        f"The mean gain is {paired.estimate:.1f} in both. With each result beside that of its own "
        f"task the interval is {paired.low:.1f} to {paired.high:.1f}, above zero. With the same "
        f"numbers in another order it is {mixed.low:.1f} to {mixed.high:.1f}, on both sides of "
        "zero.",
    )
    p.text(20, 28, "gain in points, with its 95 % interval", "head")
    kinds: tuple[Kind, Kind] = ("good", "bad")
    labels = ("paired, task by task", "the same numbers, not paired")
    for n, (found, kind, label) in enumerate(zip((paired, mixed), kinds, labels, strict=True)):
        y = 66 + n * 62
        p.text(20, y - 8, f"{label}: {found.low:.1f} to {found.high:.1f}", "")
        p.bar(ZERO + found.low * SCALE, y, (found.high - found.low) * SCALE, 22, kind)
        p.line((ZERO, y - 4), (ZERO, y + 28), dashed=True)
        middle = ZERO + found.estimate * SCALE
        p.line((middle, y - 3), (middle, y + 25))
    p.text(ZERO, 176, "0: no gain", "soft middle")
    return p
