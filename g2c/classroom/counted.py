"""The points that the gradebook counts, stored by the name of the submission.

A student's feedback page shows them, so that it agrees with the LMS.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from g2c.classroom.classbook import Class
from g2c.classroom.policy import Worth
from g2c.json_files import record_from


@dataclass(frozen=True)
class Counted:
    """One student's counted points by module. `given` are the exercises whose points an instructor
    gave, and `unmeasured` those that were not measured on the model and do not count."""

    worths: tuple[Worth, ...]
    given: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()

    def sentences(self) -> Iterator[str]:
        """The sentences for the student.

        >>> list(Counted((Worth("19", 41.5, 75.0, late=6, charged=4),)).sentences())
        ['Module 19 counts 41.5 of 75 points. It came 6 days late, and 4 of them took points off.']
        """
        for worth in self.worths:
            if worth.points is not None:
                points = f"{worth.points:g} of {worth.of:g} points"
                yield f"Module {worth.module} counts {points}.{_late(worth)}"
        for id_ in self.given:
            yield f"Your instructor gave the points of {id_}."
        for id_ in self.unmeasured:
            yield f"{id_} was not measured; the rest counts for the whole."


def _late(one: Worth) -> str:
    if not one.late:
        return ""
    came = f" It came {one.late} day{'s' if one.late > 1 else ''} late"
    if one.is_too_late:
        return f"{came}, which is too late to count."
    if not one.charged:
        return f"{came}, which took no points off."
    return f"{came}, and {one.charged} of them took points off."


def to_data(found: Class) -> dict[str, Any]:
    """The data to store for a class, by the names of its submissions."""
    return {
        name: asdict(Counted(row.worths, row.given, row.unmeasured))
        for row in found.rows
        for name in row.names
    }


def from_data(data: Any) -> dict[str, Counted]:
    """The counts that `to_data` turned into `data`.

    Raises:
        ValueError: it is something else.
    """
    own = data if isinstance(data, dict) else {"": data}
    found = {name: record_from(counts, Counted) for name, counts in own.items()}
    if None in found.values():
        raise ValueError("This is not what g2c class gradebook writes. Run it again.")
    return {name: counted for name, counted in found.items() if counted}
