"""What a student's results are worth under the decisions of `course.toml`.

All are pure functions. A module has a maximum that is the same for the whole class, and a student
reaches a share of it. So what was dropped or not measured leaves the share, and the columns of an
LMS stay comparable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from g2c.course.manifest import Exercise
from g2c.grade.course_file import Course, Due


@dataclass(frozen=True)
class Work:
    """What a student did in a module. `shares` has the part of its points that each exercise
    reached, from 0 to 1; an exercise that is not in it was not measured. `answers` is the part that
    the written answers reached, None if nobody has marked them. `handed_in` is in UTC; None if
    nobody knows. `is_missing`: nothing was handed in."""

    shares: Mapping[str, float]
    answers: float | None = None
    handed_in: datetime | None = None
    is_missing: bool = False


@dataclass(frozen=True)
class Worth:
    """What a module is worth. `points` is None where nothing was measured; `of` is the module's
    maximum, which extra credit may exceed. `late` are the days after the due date, of which
    `charged` cost points; `is_too_late` says that nothing counts."""

    module: str
    points: float | None
    of: float
    dropped: tuple[str, ...] = ()
    late: int = 0
    charged: int = 0
    is_too_late: bool = False


def maximum(exercises: Iterable[Exercise], course: Course) -> float:
    """The most points of a module's exercises, without extra credit."""
    return round(
        sum(
            one.points * course.weight(one)
            for one in exercises
            if one.id not in course.extra_credit
        ),
        2,
    )


def days_late(due: Due, handed_in: datetime) -> int:
    """How many days after its due date something came, each one that was begun. What comes in the
    very second is in time."""
    handed_in = handed_in.replace(microsecond=0)
    days = max((handed_in - due.ends()).days - 1, 0)
    while handed_in > due.ends(days):
        days += 1
    return days


def lateness(work: Mapping[str, Work], course: Course) -> dict[str, Worth]:
    """How late each module is, and what that costs, without its points.

    Free days are spent in the order of the due dates. What is missing, or too late to count, spends
    none.
    """
    found: dict[str, Worth] = {}
    left = course.late.days
    for module, due in sorted(course.due.items(), key=lambda one: one[1].ends()):
        own = work.get(module)
        if not own or own.is_missing or own.handed_in is None:
            continue
        late = days_late(due, own.handed_in)
        last = course.late.last_day
        if last is not None and late > last:
            found[module] = Worth(module, None, 0, late=late, is_too_late=True)
            continue
        spent = min(late, left)
        left -= spent
        found[module] = Worth(module, None, 0, late=late, charged=late - spent)
    return found


def drop_lowest(
    exercises: Sequence[Exercise], shares: Mapping[str, float], n: int, course: Course
) -> tuple[float | None, tuple[str, ...]]:
    """The share of a module's points without the `n` exercises whose loss is best for the student,
    and their ids.

    Only what was measured can be dropped, and one always stays. The share is None if nothing was
    measured. What has the weight 0 does not count.
    """
    measured = [
        one
        for one in exercises
        if one.id in shares and one.id not in course.extra_credit and course.weight(one)
    ]
    if not measured:
        return None, ()

    def share(kept: Sequence[Exercise]) -> float:
        most = sum(one.points * course.weight(one) for one in kept)
        return sum(one.points * course.weight(one) * shares[one.id] for one in kept) / most

    kept = max(combinations(measured, max(len(measured) - n, 1)), key=share)
    return share(kept), tuple(one.id for one in measured if one not in kept)


def module_worth(
    module: str, exercises: Sequence[Exercise], work: Work, course: Course, late: Worth | None
) -> Worth:
    """What one module is worth. `late` is what `lateness` says of it."""
    most = maximum(exercises, course)
    found = replace(late or Worth(module, None, 0), of=most)
    if work.is_missing:
        return replace(found, points=0.0 if course.missing_is_zero else None)
    code, dropped = drop_lowest(exercises, work.shares, course.drop_lowest.get(module, 0), course)
    share = code
    if work.answers is not None and course.written_answers:
        part = course.written_answers / 100
        share = work.answers if code is None else (1 - part) * code + part * work.answers
    extra = [
        one.points * course.weight(one) * work.shares[one.id]
        for one in exercises
        if one.id in course.extra_credit and one.id in work.shares
    ]
    if share is None and not extra:
        return replace(found, dropped=dropped)
    counts = 0.0 if found.is_too_late else max(1 - course.late.penalty / 100 * found.charged, 0)
    points = ((share or 0.0) * most + sum(extra)) * counts
    return replace(found, points=round(points, 2), dropped=dropped)


def worth(
    modules: Mapping[str, Sequence[Exercise]], work: Mapping[str, Work], course: Course
) -> tuple[Worth, ...]:
    """What each of the modules is worth to a student; a module without work was not measured."""
    late = lateness(work, course)
    nothing = Work({})
    return tuple(
        module_worth(module, exercises, work.get(module, nothing), course, late.get(module))
        for module, exercises in modules.items()
    )


def total(worths: Iterable[Worth]) -> tuple[float, float] | None:
    """The points and the maximum of what was measured; None if nothing was."""
    measured = [one for one in worths if one.points is not None]
    if not measured:
        return None
    return round(sum(one.points or 0.0 for one in measured), 2), round(
        sum(one.of for one in measured), 2
    )
