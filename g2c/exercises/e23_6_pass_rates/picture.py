"""Page 23.6: two agents with the same share of solved tries."""

from drawing import Kind, Picture

from g2c.exercises.e23_6_pass_rates.solution import pass_rates

TRIES = 20
AGENTS = (
    ("half of the tasks always", [[True] * TRIES, [False] * TRIES]),
    ("each task half of the time", [[True, False] * (TRIES // 2)] * 2),
)
KS = (1, 2, 4, 8)
WIDE = 1.4
COLOURS: dict[str, Kind] = {"once": "good", "every time": "bad"}


def draw() -> Picture:
    p = Picture(
        356,
        "The same share, and several tries",
        "Two agents solve half of their tries. One always solves the same half of the tasks: in "
        "1, 2, 4 or 8 tries it solves 50 % once, and 50 % every time. The other solves each task "
        "half of the time: once in 8 tries it solves nearly all, and every time nearly none.",
    )
    y = 28
    for name, tries in AGENTS:
        p.text(20, y, f"An agent that solves {name}", "head")
        p.text(100, y + 24, "once", "")
        p.text(330, y + 24, "every time", "")
        for n, k in enumerate(KS):
            found = pass_rates(tries, k)
            row = y + 34 + n * 26
            p.text(20, row + 15, f"{k} {'try' if k == 1 else 'tries'}")
            for x, share, kind in (
                (100, found.once, COLOURS["once"]),
                (330, found.every, COLOURS["every time"]),
            ):
                p.bar(x, row, max(1, 100 * share * WIDE), 18, kind)
                p.text(x + 100 * share * WIDE + 6, row + 14, f"{100 * share:.0f} %")
        y += 166
    return p
