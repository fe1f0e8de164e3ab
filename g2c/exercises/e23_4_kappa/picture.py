"""Page 23.4: three judges' agreement with a person, and the part of it that chance explains."""

from operator import eq

from drawing import Picture

from g2c.evaluation.core.ratings import Label
from g2c.exercises.e23_4_kappa.solution import kappa

LEFT, SCALE = 150, 3.4
PERSON: list[Label] = ["good"] * 95 + ["bad"] * 5
JUDGES: tuple[tuple[str, list[Label], list[Label]], ...] = (
    ("nods", PERSON, ["good"] * 100),
    ("reads", PERSON, ["good"] * 90 + ["bad"] * 9 + ["good"]),
    ("reads, half bad", ["good", "bad"] * 50, ["good", "bad"] * 44 + ["bad", "good"] * 6),
)


def draw() -> Picture:
    shown = []
    for name, person, judge in JUDGES:
        agreed = sum(map(eq, person, judge)) / len(person)
        found = kappa(person, judge)
        assert found is not None
        shown.append((name, agreed, (agreed - found) / (1 - found), found))
    p = Picture(
        250,
        "Agreement, chance, and kappa",
        " ".join(
            f"A judge that {name} agrees on {100 * agreed:.0f} % of the answers. By chance it "
            f"would on {100 * chance:.0f} %, so kappa is {found:.2f}."
            for name, agreed, chance, found in shown
        ),
    )
    p.text(20, 28, "how often a judge agrees with a person, of 100 answers", "head")
    for n, (name, agreed, chance, found) in enumerate(shown):
        y = 56 + n * 56
        p.text(20, y + 16, name, "")
        p.bar(LEFT, y, chance * 100 * SCALE, 22, "program")
        p.bar(LEFT + chance * 100 * SCALE, y, (agreed - chance) * 100 * SCALE, 22, "good")
        p.line((LEFT + round(100 * SCALE), y - 4), (LEFT + round(100 * SCALE), y + 26), dashed=True)
        p.text(
            LEFT,
            y + 40,
            f"{100 * agreed:.0f} %, by chance {100 * chance:.0f} %: kappa {found:.2f}",
            "soft",
        )
    p.text(20, 234, "Blue is what chance explains. Kappa is the green part of the rest.", "soft")
    return p
