"""Computes a student's points under the decisions of `course.toml`.

All are pure functions. A module's maximum is the same for the whole class, and a student reaches a
share of it. Dropped and unmeasured exercises do not enter the share, so the columns of an LMS stay
comparable.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from g2c.classroom.course_file import Course, Due
from g2c.course.manifest import Exercise


@dataclass(frozen=True)
class Work:
    """A student's work in a module. `shares` has the reached share of each exercise's points, from
    0 to 1; a missing exercise was not measured. `answers` is the share for the written answers;
    None if they are not marked. `handed_in` is in UTC; None if it is unknown. `is_missing`: nothing
    was handed in."""

    shares: Mapping[str, float]
    answers: float | None = None
    handed_in: datetime | None = None
    is_missing: bool = False


@dataclass(frozen=True)
class Worth:
    """A module's points. `points` is None if nothing was measured; `of` is the module's maximum,
    which extra credit may exceed. `late` are the days after the due date; `charged` of them cost
    points. `is_too_late` means that nothing counts."""

    module: str
    points: float | None
    of: float
    late: int = 0
    charged: int = 0
    is_too_late: bool = False


def maximum(exercises: Iterable[Exercise], course: Course) -> float:
    """The most points of a module's exercises, without extra credit."""
    return round(
        sum(
            exercise.points * course.weight(exercise)
            for exercise in exercises
            if exercise.id not in course.extra_credit
        ),
        2,
    )


def days_late(due: Due, handed_in: datetime) -> int:
    """How many days after its due date work came; a begun day counts as a whole. Work in the last
    second is in time."""
    handed_in = handed_in.replace(microsecond=0)
    days = max((handed_in - due.ends()).days - 1, 0)
    while handed_in > due.ends(days):
        days += 1
    return days


def lateness(work: Mapping[str, Work], course: Course) -> dict[str, Worth]:
    """How late each module is, and the days that it is charged, without points.

    Free days are used in the order of the due dates. Missing work, and work too late to count, uses
    none.
    """
    found: dict[str, Worth] = {}
    left = course.late.days
    for module, due in sorted(course.due.items(), key=lambda entry: entry[1].ends()):
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
    """The share of a module's points without the `n` exercises that are best dropped for the
    student, and their ids.

    Only measured exercises can be dropped, and one always stays. The share is None if nothing was
    measured. An exercise with the weight 0 does not count.
    """
    measured = [
        exercise
        for exercise in exercises
        if exercise.id in shares
        and exercise.id not in course.extra_credit
        and course.weight(exercise)
    ]
    if not measured:
        return None, ()

    def share(kept: Sequence[Exercise]) -> float:
        most = sum(exercise.points * course.weight(exercise) for exercise in kept)
        return (
            sum(
                exercise.points * course.weight(exercise) * shares[exercise.id] for exercise in kept
            )
            / most
        )

    kept = max(combinations(measured, max(len(measured) - n, 1)), key=share)
    return share(kept), tuple(exercise.id for exercise in measured if exercise not in kept)


def module_worth(
    module: str, exercises: Sequence[Exercise], work: Work, course: Course, late: Worth | None
) -> Worth:
    """The points of one module. `late` is its entry from `lateness`."""
    most = maximum(exercises, course)
    found = replace(late or Worth(module, None, 0), of=most)
    if work.is_missing:
        return replace(found, points=0.0 if course.missing_is_zero else None)
    code, _ = drop_lowest(exercises, work.shares, course.drop_lowest.get(module, 0), course)
    share = code
    if work.answers is not None and course.written_answers:
        part = course.written_answers / 100
        share = work.answers if code is None else (1 - part) * code + part * work.answers
    extra = [
        exercise.points * course.weight(exercise) * work.shares[exercise.id]
        for exercise in exercises
        if exercise.id in course.extra_credit and exercise.id in work.shares
    ]
    if share is None and not extra:
        return found
    counts = 0.0 if found.is_too_late else max(1 - course.late.penalty / 100 * found.charged, 0)
    points = ((share or 0.0) * most + sum(extra)) * counts
    return replace(found, points=round(points, 2))


def worth(
    modules: Mapping[str, Sequence[Exercise]], work: Mapping[str, Work], course: Course
) -> tuple[Worth, ...]:
    """A student's points for each module; a module without work was not measured."""
    late = lateness(work, course)
    nothing = Work({})
    return tuple(
        module_worth(module, exercises, work.get(module, nothing), course, late.get(module))
        for module, exercises in modules.items()
    )


def total(worths: Iterable[Worth]) -> tuple[float, float] | None:
    """The points and the maximum of the measured modules; None if there are none."""
    measured = [worth for worth in worths if worth.points is not None]
    if not measured:
        return None
    return (
        round(sum(own.points or 0.0 for own in measured), 2),
        round(sum(own.of for own in measured), 2),
    )
