"""The exercises, by module: how long each takes, how hard it is, and what it needs first."""

from drawing import Kind, Picture

from g2c.course.manifest import Exercise, find_exercises, modules

TITLES = {
    "19": "an agent that acts",
    "20": "an agent that remembers",
    "21": "a second pair of eyes",
    "22": "an agent that keeps going",
    "23": "an agent that is measured",
    "24": "several agents, one memory",
    "25": "an agent among strangers",
}
KINDS: tuple[Kind, ...] = ("good", "program", "bad")
"""The colours of easy, middling and hard."""

ROW, SECOND_ROW, HEAD = 24, 18, 44
BAR, PER_MINUTE = 400, 1.5
GAP = 20


def draw() -> Picture:
    rows = [exercise for name in modules() for exercise in find_exercises(name)]
    height = 136 + HEAD * len(modules()) + sum(map(height_of, rows))
    p = Picture(height, "A map of the course", in_words())
    chain(p)
    y = 116
    for kind, label, x in zip(KINDS, ("easy", "middling", "hard"), (20, 90, 190), strict=True):
        p.bar(x, y - 11, 14, 12, kind)
        p.text(x + 20, y, label)
    p.text(520, y, "minutes", "soft end")
    y += 4
    for name in modules():
        y += HEAD
        p.text(20, y - 12, f"{name} {TITLES[name]}", "head")
        for exercise in find_exercises(name):
            row(p, exercise, y + 12)
            y += height_of(exercise)
    return p


def height_of(one: Exercise) -> int:
    return ROW + SECOND_ROW * bool(one.needs)


def chain(p: Picture) -> None:
    """The modules in their order, with the minutes of each."""
    step = (500 + GAP) / (1 + len(modules()))
    width = round(step) - GAP
    p.box(20, 20, width, 52, "16, 18", "to read")
    for n, name in enumerate(modules(), 1):
        x = round(20 + n * step)
        p.arrow((x - GAP, 46), (x, 46))
        minutes = sum(exercise.minutes for exercise in find_exercises(name))
        p.box(x, 20, width, 52, name, f"{minutes} min", kind="yours")


def row(p: Picture, one: Exercise, y: int) -> None:
    p.text(20, y + 5, one.id, "")
    p.text(62, y + 5, one.title, "")
    p.bar(BAR, y - 8, one.minutes * PER_MINUTE, 16, KINDS[one.difficulty - 1])
    p.text(BAR + one.minutes * PER_MINUTE + 6, y + 5, str(one.minutes))
    if one.needs:
        p.text(62, y + 5 + SECOND_ROW, f"needs {needs(one)}")


def needs(one: Exercise) -> str:
    """The exercises that it needs first, in short: neighbours in a row as the first and the last.

    >>> from g2c.course.manifest import find_exercise
    >>> needs(find_exercise("19.4")), needs(find_exercise("19.1"))
    ('19.1 to 19.3', '')
    """
    runs: list[list[str]] = []
    for name in one.needs:
        module, _, number = name.partition(".")
        if runs and runs[-1][-1] == f"{module}.{int(number) - 1}":
            runs[-1].append(name)
        else:
            runs.append([name])
    short = (f"{run[0]} to {run[-1]}" if run[1:] else run[0] for run in runs)
    return ", ".join(short)


def in_words() -> str:
    """The map for somebody who does not see it."""
    said = []
    for name in modules():
        found = find_exercises(name)
        minutes = sum(exercise.minutes for exercise in found)
        said.append(f"Module {name}, {TITLES[name]}, about {minutes} minutes:")
        for exercise in found:
            after = f", after {', '.join(exercise.needs)}" if exercise.needs else ""
            costs = f"{exercise.minutes} minutes, difficulty {exercise.difficulty}"
            said.append(f"{exercise.id} {exercise.title}, {costs}{after};")
    return "The modules in their order, after 16 and 18. " + " ".join(said).rstrip(";") + "."
