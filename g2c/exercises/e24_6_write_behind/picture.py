"""Page 24.6: six lines that arrive while the disk is busy, written one by one and together."""

from collections.abc import Sequence

from drawing import Picture

ARRIVE = (0, 2, 3, 5, 6, 8)
"""When each line arrives, in milliseconds."""
DISK = 10
"""How long a write takes, whatever is in it."""
LEFT, SCALE = 90, 6.6


def writes(one_at_a_time: bool) -> list[tuple[float, Sequence[int]]]:
    """When each write begins, and which lines are in it."""
    waiting, now, found = list(range(len(ARRIVE))), 0.0, []
    while waiting:
        now = max(now, ARRIVE[waiting[0]])
        here = [n for n in waiting if ARRIVE[n] <= now]
        batch = here[:1] if one_at_a_time else here
        found.append((now, batch))
        waiting = [n for n in waiting if n not in batch]
        now += DISK
    return found


def draw() -> Picture:
    alone, together = writes(True), writes(False)
    ends = [plan[-1][0] + DISK for plan in (alone, together)]
    p = Picture(
        236,
        "A write for each line, and for all that wait",
        f"Six agents bring a line each within {ARRIVE[-1]} milliseconds, and a write takes {DISK}. "
        f"With a write for each line there are {len(alone)}, and the last ends after "
        f"{ends[0]:.0f}. "
        f"If all lines that wait are one write, there are {len(together)}, of one line and of "
        f"five, and the last ends after {ends[1]:.0f}.",
    )
    p.text(20, 28, f"six lines within {ARRIVE[-1]} ms; a write takes {DISK} ms", "head")
    p.text(20, 56, "they come")
    for at in ARRIVE:
        p.line((LEFT + at * SCALE, 46), (LEFT + at * SCALE, 60))
    for y, name, plan in ((76, "one each", alone), (146, "together", together)):
        p.text(20, y + 22, name)
        for at, lines in plan:
            x = round(LEFT + at * SCALE)
            first, last = lines[0] + 1, lines[-1] + 1
            text = f"line {first}" if first == last else f"{first} to {last}"
            p.box(x, y, round(DISK * SCALE) - 2, 36, text, kind="program")
        end = plan[-1][0] + DISK
        p.text(LEFT, y + 54, f"the last agent is told after {end:.0f} ms", "soft")
    p.text(20, 226, "No line is told before the write that has it in it is over.", "soft")
    return p
