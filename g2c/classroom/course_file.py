"""An instructor's decisions about a class, read from `course.toml`.

The file has only decisions. `g2c.classroom.policy` applies them.
"""

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from g2c.classroom.cells import is_formula
from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.text import printable

V = TypeVar("V")

NAME = "course.toml"

MAX_BYTES = 2**20

MAX_WEIGHT = 1000.0

MAX_DAYS = 366
"""The longest time of grace, in days, that a file may give."""

YEARS = range(2000, 2201)
"""A date outside these years is a slip, and some have no date in UTC."""

_KEYS = (
    *("zone", "weights", "drop_lowest", "extra_credit", "due", "late", "written_answers"),
    *("missing", "titles", "canvas", "extensions", "points"),
)

_LATE_KEYS = ("days", "penalty", "last_day")

_CANVAS_OWN = re.compile(
    r"(current|final|override) (score|points|grade|status)|points possible", re.IGNORECASE
)
"""Headers that Canvas's import reads as its own columns."""


@dataclass(frozen=True)
class Due:
    """When a module is due: the local time, and its time zone."""

    wall: datetime
    zone: tzinfo

    def ends(self, days: int = 0) -> datetime:
        """The last second in time, in UTC, with so many days of grace.

        A day of grace ends at the same local time, so the day on which clocks are set back has 25
        hours. A local time that occurs twice means the second; a skipped one means as long after
        the skip.

        >>> Due(datetime(2026, 10, 24, 23, 59), ZoneInfo("Europe/Berlin")).ends(1).isoformat()
        '2026-10-25T22:59:00+00:00'
        """
        wall = self.wall + timedelta(days=days)
        readings = (wall.replace(tzinfo=self.zone, fold=n).astimezone(UTC) for n in (0, 1))
        return max(readings)


@dataclass(frozen=True)
class Late:
    """The rules for late work. `days` are free, for all modules together. Each further day costs
    `penalty` per cent. Work that is more than `last_day` days late does not count; None means no
    limit."""

    days: int = 0
    penalty: float = 0.0
    last_day: int | None = None


@dataclass(frozen=True)
class Course:
    """The decisions. `weights` are factors by exercise or module, 1 where there is none.
    `drop_lowest` is how many exercises of a module do not count. `extra_credit` are the ids of
    exercises that add points and not to the maximum. `written_answers` is their part of a module's
    points, in per cent. `missing_is_zero`: missing work counts as 0 and not as unmeasured. `titles`
    and `canvas` are a module's name and assignment in an LMS.

    `extensions` has other due dates, by module and by what a student is called in the roster.
    `points` has a person's points that replace the grader's, by exercise and student.
    """

    zone: ZoneInfo | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    drop_lowest: Mapping[str, int] = field(default_factory=dict)
    extra_credit: frozenset[str] = frozenset()
    due: Mapping[str, Due] = field(default_factory=dict)
    late: Late = Late()
    written_answers: float = 0.0
    missing_is_zero: bool = True
    titles: Mapping[str, str] = field(default_factory=dict)
    canvas: Mapping[str, int] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, Due]] = field(default_factory=dict)
    points: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def weight(self, exercise: Exercise) -> float:
        """The factor of an exercise's points."""
        return self.weights.get(exercise.id, 1.0) * self.weights.get(exercise.module, 1.0)

    def title(self, module: str) -> str:
        """The module's name in an LMS."""
        return self.titles.get(module, f"Module {module}")


def read_course(text: str) -> Course:
    """The decisions in the text of a `course.toml`.

    Raises:
        ValueError: the text is not TOML, or has an invalid key or value; the message says which,
            and what to write.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ValueError(f"{NAME} is not TOML: {printable(str(error))[:200]}") from error
    _known("key", data, _KEYS)
    zone = _zone(data["zone"]) if "zone" in data else None
    course = Course(
        zone=zone,
        weights=_table(data, "weights", _both(), partial(_number, most=MAX_WEIGHT)),
        drop_lowest=_table(data, "drop_lowest", _modules(), partial(_whole, most=100)),
        extra_credit=_extra(data.get("extra_credit", [])),
        due=_table(data, "due", _modules(), lambda where, value: _due(where, value, zone)),
        late=_late(data.get("late", {})),
        written_answers=_number("written_answers", data.get("written_answers", 0), 100),
        missing_is_zero=_missing(data.get("missing", "zero")),
        titles=_table(data, "titles", _modules(), _title),
        canvas=_table(data, "canvas", _modules(), partial(_whole, most=10**18)),
        extensions=_by_student(
            data, "extensions", _modules(), lambda _, where, value: _due(where, value, zone)
        ),
        points=_by_student(data, "points", [exercise.id for exercise in load_exercises()], _points),
    )
    for module, n in course.drop_lowest.items():
        counting = [
            exercise
            for exercise in load_exercises()
            if exercise.module == module and exercise.id not in course.extra_credit
        ]
        if n and n >= len(counting):
            raise ValueError(
                f"{NAME}: drop_lowest.{module} is {n}, and module {module} has {len(counting)} "
                "exercises that count; drop fewer."
            )
    _unlike("title", course.titles)
    _unlike("assignment's number", course.canvas)
    return course


def moment(text: str, zone: tzinfo | None) -> datetime:
    """Read a date with a time in ISO 8601 as UTC, in whole seconds.

    >>> moment("2026-10-16 23:59:07.5+02:00", None).isoformat()
    '2026-10-16T21:59:07+00:00'

    Raises:
        ValueError: it is not a date with a time; or it has no offset, and there is no zone.
    """
    words = printable(text)[:60]
    try:
        found = datetime.fromisoformat(re.sub(" ?UTC$", "Z", text.strip()))
        if ":" not in text:
            raise ValueError("no time")
    except ValueError as error:
        raise ValueError(
            f"{words!r} is not a date with a time, such as 2026-10-16 23:59:00."
        ) from error
    if found.year not in YEARS:
        raise ValueError(f"{words!r} is not in the years {YEARS[0]} to {YEARS[-1]}.")
    if found.tzinfo is None:
        if zone is None:
            raise ValueError(
                f'{words!r} has no offset from UTC; write one, or say zone = "Europe/Berlin" in '
                f"{NAME}."
            )
        return Due(found, zone).ends().replace(microsecond=0)
    return found.astimezone(UTC).replace(microsecond=0)


def _modules() -> list[str]:
    return list(dict.fromkeys(exercise.module for exercise in load_exercises()))


def _both() -> list[str]:
    return [*_modules(), *(exercise.id for exercise in load_exercises())]


def _known(what: str, names: Iterable[str], known: Iterable[str], where: str = "") -> None:
    known = list(known)
    for name in names:
        if name not in known:
            near = get_close_matches(name[:100], known, n=1)
            meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
            raise ValueError(f"{NAME}{where} has the {what} {printable(name)[:60]!r}; {meant}")


def _table(
    data: Mapping[str, Any], key: str, known: Iterable[str], read: Callable[[str, Any], V]
) -> dict[str, V]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(f'{NAME}: {key} is a table; write [{key}], and below it lines "19" = ...')
    if any(isinstance(value, dict) for value in found.values()):
        raise ValueError(f'{NAME}: put the names in [{key}] between quotes, as "19.5" = ...')
    _known("name", found, known, f", [{key}],")
    return {name: read(f"{key}.{name}", value) for name, value in found.items()}


def _by_student(
    data: Mapping[str, Any], key: str, known: Iterable[str], read: Callable[[str, str, Any], V]
) -> dict[str, dict[str, V]]:
    """Tables such as `[points."19.2"]`, each with a line for a student."""
    tables = data.get(key, {})
    first = next(iter(known := list(known)))
    is_fit = isinstance(tables, dict) and all(isinstance(table, dict) for table in tables.values())
    if not is_fit or any(isinstance(v, dict) for own in tables.values() for v in own.values()):
        raise ValueError(
            f'{NAME}: {key} needs a table for each of its names, as [{key}."{first}"], and below '
            'it lines "student" = ...'
        )
    _known("name", tables, known, f", [{key}],")
    return {
        name: {
            student: read(name, f"{key}.{name}, {printable(student)[:60]}", value)
            for student, value in own.items()
        }
        for name, own in tables.items()
    }


def _points(exercise: str, where: str, value: Any) -> float:
    return _number(where, value, find_exercise(exercise).points)


def _number(where: str, value: Any, most: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not 0 <= value <= most:
        raise ValueError(f"{NAME}: {where} is {_shown(value)}; write a number from 0 to {most:g}.")
    return float(value)


def _whole(where: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(
            f"{NAME}: {where} is {_shown(value)}; write a whole number from 0 to {most:,}."
        )
    return value


def _shown(value: Any) -> str:
    try:
        return printable(repr(value))[:60]
    except ValueError:  # an integer of more digits than Python writes
        return "a very long number"


def _zone(value: Any) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except Exception as error:  # each kind of wrong name raises another error
        raise ValueError(
            f"{NAME}: there is no time zone {_shown(value)}; write one such as "
            '"Europe/Berlin" or "America/New_York".'
        ) from error


def _due(where: str, value: Any, zone: ZoneInfo | None) -> Due:
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    if not isinstance(value, datetime):
        raise ValueError(
            f"{NAME}: {where} is {_shown(value)}; write a date and a time without quotes, such as "
            "2026-10-16T23:59:00."
        )
    if value.year not in YEARS:
        raise ValueError(f"{NAME}: {where} is in {value.year}; is the year right?")
    offset = value.utcoffset()
    if offset is None and zone is None:
        raise ValueError(
            f'{NAME}: {where} has no time zone; say zone = "Europe/Berlin" at the beginning of '
            "the file."
        )
    wall = value.replace(tzinfo=None, microsecond=0)
    return Due(wall, zone if offset is None and zone else timezone(offset or timedelta()))


def _extra(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ValueError(
            f'{NAME}: extra_credit is {_shown(value)}; write a list, such as ["21.7"].'
        )
    _known("exercise", value, _both(), ", extra_credit,")
    return frozenset(
        exercise.id for exercise in load_exercises() if {exercise.id, exercise.module} & set(value)
    )


def _late(value: Any) -> Late:
    if not isinstance(value, dict):
        raise ValueError(f"{NAME}: late is a table; write [late], and below it days = 3.")
    _known("key", value, _LATE_KEYS, ", [late],")
    last = value.get("last_day")
    return Late(
        days=_whole("late.days", value.get("days", 0), MAX_DAYS),
        penalty=_number("late.penalty", value.get("penalty", 0), 100),
        last_day=None if last is None else _whole("late.last_day", last, MAX_DAYS),
    )


def _missing(value: Any) -> bool:
    if value not in ("zero", "blank"):
        raise ValueError(f'{NAME}: missing is {_shown(value)}; write "zero" or "blank".')
    return bool(value == "zero")


def _title(where: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise ValueError(f"{NAME}: {where} is {_shown(value)}; write a title of 1 to 200 letters.")
    words = " ".join(printable(value).split())
    if is_formula(words):
        raise ValueError(f"{NAME}: {where} begins as a formula does; begin with a letter.")
    if re.search(r"\(\d+\)$", words):
        raise ValueError(
            f"{NAME}: {where} ends with a number in brackets, which Canvas takes for an "
            "assignment's; put that number below [canvas]."
        )
    if found := _CANVAS_OWN.search(words):
        raise ValueError(
            f"{NAME}: {where} has the words {found[0]!r}, which Canvas takes for a column of its "
            "own; choose others."
        )
    return words


def _unlike(what: str, values: Mapping[str, object]) -> None:
    by_value: dict[object, str] = {}
    for module, value in values.items():
        if other := by_value.get(value):
            raise ValueError(f"{NAME}: modules {other} and {module} have one {what}; change one.")
        by_value[value] = module
