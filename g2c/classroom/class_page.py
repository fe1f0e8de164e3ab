"""A class on one page: `class.html`, which needs no server and loads nothing.

Students' texts, such as names and messages, are escaped, never markup.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from g2c.classroom.classbook import Class, Row
from g2c.classroom.gradebook import MAX_BELIEFS, Belief, Doubt
from g2c.course.manifest import Exercise
from g2c.page import escaped, whole_page
from g2c.text import one_line, printable

MIN_STUDENTS = 10
"""With fewer students, a correlation is chance."""

_BAR, _HEIGHT = 46, 160
"""The width of a bar with its gap, and the height of the tallest bar, in pixels."""

_STYLE = """\
:root { --ink: #1b1f24; --paper: #ffffff; --faint: #57606a; --bar: #2a6f97; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117;
  --faint: #9aa4af; --bar: #6cb6e0; } }
body { color: var(--ink); background: var(--paper); max-width: 60rem; }
td:first-child { min-width: 8em; }
td.name { min-width: 6em; white-space: normal; }
@media (max-width: 40rem) { body { font-size: 14px; } th, td { padding: .2rem; } }
.faint, svg text.faint { color: var(--faint); fill: var(--faint); }
svg { max-width: 100%; height: auto; } svg rect { fill: var(--bar); }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
"""


@dataclass(frozen=True)
class Item:
    """An exercise's statistics: `students` were graded in it and reached the share `difficulty` of
    its points on average. `discrimination` is the correlation of passing it with the rest of the
    points; None if there is not enough data."""

    id: str
    title: str
    students: int
    difficulty: float
    discrimination: float | None


def items(found: Class) -> list[Item]:
    """The statistics of each exercise in which somebody was graded."""
    every = [exercise for exercises in found.modules.values() for exercise in exercises]
    points = {entry.id: entry.points for entry in every}
    rows = [row for row in found.rows if row.is_known]
    sums = [(row, sum(points[id_] * share for id_, share in row.shares.items())) for row in rows]
    return [item for entry in every if (item := _item(entry, sums))]


def _item(exercise: Exercise, sums: Iterable[tuple[Row, float]]) -> Item | None:
    """An exercise, from each student's line and sum of points."""
    own = [(row, points) for row, points in sums if exercise.id in row.shares]
    if not own:
        return None
    rest = [points - exercise.points * row.shares[exercise.id] for row, points in own]
    passed = [exercise.id in row.passing for row, _ in own]
    difficulty = sum(row.shares[exercise.id] for row, _ in own) / len(own)
    correlation = point_biserial(passed, rest)
    return Item(exercise.id, exercise.title, len(own), difficulty, correlation)


def point_biserial(passed: Sequence[bool], rest: Sequence[float]) -> float | None:
    """The correlation of passing an exercise with the points of all others, from -1 to 1.

    Above 0.3, students who do well elsewhere pass it more often; near 0 or below, look at the
    exercise. None for fewer than ten students, or if all or none passed, or all have equal points.
    """
    n, n_passed = len(passed), sum(passed)
    if n < MIN_STUDENTS or n_passed in (0, n):
        return None
    mean = math.fsum(rest) / n
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in rest) / n)
    if spread < 1e-9:
        return None
    those = math.fsum(value for value, did in zip(rest, passed, strict=True) if did) / n_passed
    others = math.fsum(value for value, did in zip(rest, passed, strict=True) if not did) / (
        n - n_passed
    )
    share = n_passed / n
    return (those - others) / spread * math.sqrt(share * (1 - share))


def histogram(shares: Iterable[float]) -> list[int]:
    """How many totals are in each tenth, and above the maximum. A total on a border counts in the
    higher tenth, the maximum itself in the highest.

    >>> histogram([0, 0.1, 0.95, 1.0, 1.2])
    [1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 1]
    """
    counts = [0] * 11
    for share in shares:
        # Rounded, since 0.7 * 10 is below 7 in floating point.
        counts[10 if share > 1 else min(int(round(share * 10, 9)), 9)] += 1
    return counts


def as_html(
    found: Class,
    beliefs: Sequence[Belief],
    without: Sequence[dict[str, Any]] = (),
    doubts: Sequence[Doubt] = (),
) -> str:
    """The page. `without` are the results without a grade, and `doubts` are cases for a person to
    look at."""
    known = [row for row in found.rows if row.is_known]
    totals = [row.total for row in known if row.shares]
    shares = [points / of for points, of in filter(None, totals) if of]
    parts = [
        f"<h1>{len(known)} students</h1>",
        f"<p>{len(shares)} of them have a grade. Modules: {_text(', '.join(found.modules))}.</p>",
        "<h2>Totals</h2>",
        _picture(histogram(shares)),
        "<h2>Exercises</h2>",
        "<p class=faint>Reached is the share of an exercise's points that the class reached. "
        "Discrimination is the point-biserial correlation of passing it with the points of all "
        f"others; blank with fewer than {MIN_STUDENTS} students, or where all or none pass. "
        "Near 0 or below, the exercise does not tell who can do the rest: look at its tests.</p>",
        _table(
            ("exercise", "students", "reached", "discrimination"),
            [
                (f"{item.id} {item.title}", str(item.students), f"{item.difficulty:.0%}", _r(item))
                for item in items(found)
            ],
        ),
        "<h2>What the failures say</h2>",
        _table(
            ("message", "exercise", "students"),
            [
                (belief.example, belief.exercise, str(belief.students))
                for belief in beliefs[:MAX_BELIEFS]
            ],
        ),
    ]
    if doubts:
        parts += [
            "<h2>Needs review</h2>",
            "<p class=faint>An exercise without points has none until you decide: write yours into "
            "course.toml, below [points]. The others keep theirs; read the file at that line.</p>",
            _table(
                ("why", "points", "exercise", "name"),
                [
                    (doubt.why, "none yet" if doubt.counts else "kept", doubt.exercise, doubt.name)
                    for doubt in doubts
                ],
            ),
        ]
    if found.notes:
        items_ = "".join(f"<li>{_text(words)}</li>" for words in found.notes)
        parts += ["<h2>To clear up</h2>", f"<ul>{items_}</ul>"]
    if without:
        rows = [(str(result["not_graded"]), str(result["name"])) for result in without]
        parts += ["<h2>Not graded</h2>", _table(("why", "name"), rows)]
    return whole_page("A class", "\n".join(parts), _STYLE)


def _r(one: Item) -> str:
    return "" if one.discrimination is None else f"{one.discrimination:.2f}"


def _text(words: str) -> str:
    return escaped(one_line(printable(words))[:500])


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with words in the first column and short cells in the others; a name may be long."""
    kinds = ["n name" if cell == "name" else "n" for cell in header[1:]]

    def line(cells: Sequence[str], tag: str) -> str:
        first, *others = map(_text, cells)
        return f"<tr><{tag}>{first}</{tag}>" + "".join(
            f'<{tag} class="{kind}">{cell}</{tag}>'
            for kind, cell in zip(kinds, others, strict=True)
        )

    body = "\n".join(line(row, "td") for row in rows)
    return f"<table>\n{line(header, 'th')}\n{body}\n</table>"


def _picture(counts: Sequence[int]) -> str:
    """The distribution as bars, each with its number above it."""
    names = [f"{n * 10}-{n * 10 + 10}" for n in range(10)] + ["over"]
    tallest = max(*counts, 1)
    bars = []
    for place, (name, count) in enumerate(zip(names, counts, strict=True)):
        height = round(count / tallest * _HEIGHT)
        x, y = place * _BAR, 20 + _HEIGHT - height
        middle = x + _BAR // 2
        bars.append(
            f'<rect x="{x + 4}" y="{y}" width="{_BAR - 8}" height="{height}" />'
            f'<text x="{middle}" y="{y - 5}" text-anchor="middle">{count or ""}</text>'
            f'<text class="faint" x="{middle}" y="{_HEIGHT + 36}" text-anchor="middle">'
            f"{name}</text>"
        )
    width, height = _BAR * len(counts), _HEIGHT + 62
    spoken = ", ".join(f"{n}: {count}" for n, count in zip(names, counts, strict=True) if count)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">'
        f"<title>Students by total in per cent: {spoken or 'none'}</title>{''.join(bars)}"
        f'<text class="faint" x="{width // 2}" y="{_HEIGHT + 56}" text-anchor="middle">'
        "total in per cent of the maximum</text></svg>"
    )
