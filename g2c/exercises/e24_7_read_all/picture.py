"""Page 24.7: what three ways of sending workers answer: right, "nobody can tell", wrong."""

from collections import Counter
from collections.abc import Callable, Sequence

from drawing import Kind, Picture

from g2c.course.scored import PUBLIC_SEED
from g2c.exercises.e24_7_read_all.goal import KINDS, Desk, make_libraries, one_worker
from g2c.exercises.e24_7_read_all.solution import read_all
from g2c.swarm.core.reading import Ask, Errand, File, Question

LEFT, WIDE = 160, 350
END: dict[str, Kind] = {"right": "good", "None": "plain", "wrong": "bad"}


def one_each(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """A worker for each file; what most of them claim is the answer."""

    def voices(about: str) -> list[str]:
        replies = ask([Errand(about, (file.name,)) for file in files])
        return [claim.value for reply in replies for claim in reply.claims]

    values = voices(question.about)
    if question.kind == "total":
        return str(sum(map(int, values))) if values else None
    if values and question.kind == "linked":
        values = voices(question.second(max(values, key=values.count)))
    return max(values, key=values.count) if values else None


PLANS: tuple[tuple[str, Callable[..., str | None]], ...] = (
    ("one worker", one_worker),
    ("one for each file", one_each),
    ("packs, checked", read_all),
)


def ends(plan: Callable[..., str | None], kind: str) -> Counter[str]:
    """How many questions of a kind end how."""
    found: Counter[str] = Counter()
    for case in make_libraries(PUBLIC_SEED):
        if case.question.kind == kind:
            said = plan(case.question, case.files, Desk(case).ask, case.budget)
            is_right = said == case.answer
            found["right" if is_right else "None" if said is None else "wrong"] += 1
    return found


def draw() -> Picture:
    shown = [(kind, name, ends(plan, kind)) for kind in KINDS for name, plan in PLANS]
    p = Picture(
        356,
        "Three cuts, three kinds of questions",
        " ".join(
            f"{kind}, {name}: {end['right']} right, {end['None']} None, {end['wrong']} wrong."
            for kind, name, end in shown
        ),
    )
    p.text(20, 26, "of 360 questions of a kind: right, None, wrong", "head")
    y = 34
    for n, (kind, name, end) in enumerate(shown):
        if n % len(PLANS) == 0:
            y += 22
            p.text(20, y, kind, "")
            y += 8
        p.text(36, y + 14, name, "soft")
        x = float(LEFT)
        for what, color in END.items():
            width = WIDE * end[what] / end.total()
            if width:
                p.bar(x, y, width, 18, color)
            if width > 30:
                p.text(x + width / 2, y + 14, str(end[what]), "soft middle")
            x += width
        y += 24
    p.text(20, 344, "Green is right, red is wrong. Between them it says None.", "soft")
    return p
