"""A class as CSV: in general, for Canvas's gradebook, and for Moodle's.

The forms follow the documentation and the code of the two imports: `GradebookImporter` of Canvas,
and `gradeimport_csv_load_data` of Moodle.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from g2c.classroom.cells import is_formula, plain_cell
from g2c.classroom.classbook import Class, Row
from g2c.classroom.course_file import Course
from g2c.classroom.policy import Worth, maximum

MOODLE_MOST = 100
"""Moodle refuses a whole file for one grade above this, unless its administrator allows more."""

POINTS_POSSIBLE = "Points Possible"

NO_GRADE = "-"
"""No grade, in Moodle. In a new column, an empty cell would be a grade."""


@dataclass(frozen=True)
class Export:
    """A file's text, and sentences about students who are not in it, and what to do."""

    text: str
    notes: tuple[str, ...] = ()


def students_csv(found: Class) -> str:
    """A line for each student, and for each submission without a student."""
    header = ["id", "name", "e-mail", "login", "section", *found.modules]
    header += ["points", "of", "per cent", "status"]
    rows: list[list[object]] = [list(header)]
    for row in found.rows:
        own = row.student
        sums = row.total
        sums_of: list[object] = ["", "", ""]
        if sums:
            share = round(100 * sums[0] / sums[1], 2) if sums[1] else ""
            sums_of = [sums[0], sums[1], share]
        named: list[object] = [own.id, own.name, own.email, own.login, own.section]
        rows.append([*named, *map(_points, row.worths), *sums_of, row.status])
    return _written(rows)


def canvas_csv(found: Class, course: Course) -> Export:
    """A file for Canvas's gradebook: its columns about a student, a column for each module, and the
    points possible in the second line. A module that was not measured stays blank, and Canvas then
    keeps what it has.

    Canvas finds a student by ID, SIS User ID or SIS Login ID, so a line needs one of them. A name
    with `Points Possible` would be read as the line of the points, and is left out.
    """
    columns = [
        f"{course.title(module)} ({course.canvas[module]})"
        if module in course.canvas
        else course.title(module)
        for module in found.modules
    ]
    most = [maximum(exercises, course) for exercises in found.modules.values()]
    rows: list[list[object]] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *columns],
        [f"    {POINTS_POSSIBLE}", "", "", "", "", *most],
    ]
    notes = []
    for row in _known(found):
        own = row.student
        # An apostrophe would change an identifier, so one that looks like a formula is left blank.
        keys = ["" if is_formula(key) else key for key in (own.canvas_id, own.id, own.login)]
        if not any(keys):
            notes.append(f"{own.called} is not in the file for Canvas: no ID, SIS ID or login.")
        elif POINTS_POSSIBLE in own.name:
            notes.append(
                f"{own.called} is not in the file for Canvas, which would misread the name."
            )
        else:
            rows.append([own.name, *keys, own.section, *map(_points, row.worths)])
    return Export(_written(rows), tuple(notes))


def moodle_csv(found: Class, course: Course) -> Export:
    """A file for Moodle: the student, and a column for each module. `-` is not a grade.

    Moodle finds a student by the exact e-mail or ID number, and an unknown student stops the whole
    import. So one of the two is used for all: the one that more students have. Students without it
    are left out.
    """
    known = _known(found)
    by_email = sum(_is_key(row.student.email) for row in known)
    by_id = sum(_is_key(row.student.id) for row in known)
    header, field = ("Email address", "email") if by_email >= by_id else ("ID number", "id")
    rows: list[list[object]] = [[header, *map(course.title, found.modules)]]
    notes = []
    for row in known:
        key = getattr(row.student, field)
        if not _is_key(key):
            notes.append(f"{row.student.called} is not in the file for Moodle: no {header}.")
            continue
        rows.append([key, *(_points(worth, NO_GRADE) for worth in row.worths)])
    highest = max((worth.points or 0 for row in known for worth in row.worths), default=0)
    if highest > MOODLE_MOST:
        notes.append(
            f"A grade is {highest:g}. Moodle takes none above {MOODLE_MOST}, unless its setting "
            "unlimitedgrades is on; a smaller weight in course.toml lowers it."
        )
    return Export(_written(rows), tuple(notes))


def _is_key(text: str) -> bool:
    return bool(text) and not is_formula(text)


def _known(found: Class) -> Sequence[Row]:
    return [row for row in found.rows if row.is_known]


def _points(one: Worth, blank: str = "") -> object:
    return blank if one.points is None else one.points


def _written(rows: Iterable[Sequence[object]]) -> str:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    for row in rows:
        table.writerow([cell if cell == NO_GRADE else plain_cell(cell) for cell in row])
    return written.getvalue()
