"""Page 23.5: how often two equals get a winner, by how often one looks."""

from collections.abc import Callable
from math import comb

from drawing import Kind, Picture

from g2c.exercises.e23_5_sequential_test.naive import chance_of

LOOKS = (10, 40, 100, 200)
BAD: Kind = "bad"
GOOD: Kind = "good"
LEFT, SCALE = 130, 9


def is_low(won: int, lost: int) -> bool:
    return chance_of(min(won, lost), won + lost) < 0.05


def is_rich(won: int, lost: int) -> bool:
    """Whether the reference's fortune is 20 or more: of the order of the wins it is independent."""
    tasks = won + lost
    return 2**tasks >= 20 * (tasks + 1) * comb(tasks, won)


def named(stops: Callable[[int, int], bool], looks: int) -> list[float]:
    """The share of runs between equals that were stopped at each look or before. It is exact."""
    open_runs, stopped, shares = {(0, 0): 1.0}, 0.0, [0.0]
    for _ in range(looks):
        after: dict[tuple[int, int], float] = {}
        for (won, lost), share in open_runs.items():
            for at in ((won + 1, lost), (won, lost + 1)):
                if stops(*at):
                    stopped += share / 2
                else:
                    after[at] = after.get(at, 0) + share / 2
        open_runs = after
        shares.append(stopped)
    return shares


def draw() -> Picture:
    peeked = named(is_low, LOOKS[-1])
    bets = named(is_rich, LOOKS[-1])
    p = Picture(
        316,
        "Two equals, and who looks how often",
        "The share of runs in which two equals get a winner. With p below 0.05 at any look: "
        + ", ".join(f"{100 * peeked[n]:.0f} % after {n} looks" for n in LOOKS)
        + ". With a fair bet it stays below 5 %: "
        + ", ".join(f"{100 * bets[n]:.1f} %" for n in LOOKS)
        + ".",
    )
    p.text(20, 28, "equals that get a winner, in 100 runs", "head")
    for n, looks in enumerate(LOOKS):
        y = 52 + n * 58
        p.text(20, y + 22, f"{looks:,} looks", "")
        for m, (shares, kind, label) in enumerate(
            ((peeked, BAD, "p < 0.05 at a look"), (bets, GOOD, "a fair bet"))
        ):
            share = 100 * shares[looks]
            p.bar(LEFT, y + m * 22, share * SCALE, 18, kind)
            p.text(
                LEFT + max(share, 5) * SCALE + 6,
                y + m * 22 + 14,
                f"{share:.1f}  {label}" if n == 0 else f"{share:.1f}",
            )
    x = LEFT + 5 * SCALE
    p.line((x, 44), (x, 284), dashed=True)
    p.text(x, 303, "5: what was promised", "soft middle")
    return p
