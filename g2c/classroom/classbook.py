"""A class as a table: each student of the roster, the points of each module, and notes.

Combines results, roster, answers and decisions. Nothing is read from the disk.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from g2c.classroom.course_file import Course, Due, moment
from g2c.classroom.policy import Work, Worth, total, worth
from g2c.classroom.regrade import was_measured
from g2c.classroom.roster import Joined, Student, join
from g2c.course.manifest import Exercise, load_exercises
from g2c.text import one_line, printable

V = TypeVar("V")

Result = Mapping[str, Any]
Answers = Mapping[str, Mapping[str, float]]
"""The share of points for written answers, by a submission's name and module."""


@dataclass(frozen=True)
class Graded:
    """One folder of grades: the graded modules, and the results by name."""

    modules: tuple[str, ...]
    results: Mapping[str, Result]
    answers: Answers


@dataclass(frozen=True)
class Entries:
    """One student's entries in `course.toml`: due dates by module, and points by exercise."""

    due: Mapping[str, Due] = field(default_factory=dict)
    points: Mapping[str, float] = field(default_factory=dict)


NO_ENTRIES = Entries()


@dataclass(frozen=True)
class Row:
    """A student's line. `shares` has the reached share of each exercise's points, and `passing` the
    exercises that pass. `is_known` is False for a submission without a line in the roster. `names`
    are the student's submissions, `given` the exercises whose points `course.toml` has, and
    `unmeasured` those that were not measured on the model."""

    student: Student
    worths: tuple[Worth, ...]
    status: str
    shares: Mapping[str, float]
    passing: frozenset[str]
    is_known: bool = True
    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()

    @property
    def total(self) -> tuple[float, float] | None:
        return total(self.worths)


@dataclass(frozen=True)
class Class:
    """The lines of a class; `notes` has sentences about things that an instructor has to clear
    up."""

    modules: Mapping[str, tuple[Exercise, ...]]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def graded_in(results: Iterable[Result], answers: Answers) -> Graded:
    """A folder's content, from its results."""
    by_name = {str(item["name"]): item for item in results}
    ids = {
        exercise["id"] for result in by_name.values() for exercise in result.get("exercises", ())
    }
    modules = dict.fromkeys(exercise.module for exercise in load_exercises() if exercise.id in ids)
    return Graded(tuple(modules), by_name, answers)


def read_answers(data: Any) -> dict[str, dict[str, float]]:
    """The shares in the data of a folder's `answers.json`, by name and module.

    Raises:
        ValueError: an entry does not have points from 0 to a maximum above 0.
    """
    if not isinstance(data, dict):
        raise ValueError('answers.json is not a table; it has {"NAME": {"19": {...}}}.')
    return {
        str(name): {str(module): _share(name, module, marks) for module, marks in own.items()}
        for name, own in data.items()
        if isinstance(own, dict)
    }


def _share(name: str, module: str, marks: Any) -> float:
    try:
        points, of = marks["points"], marks["of"]
        share = float(points) / float(of)
        is_fit = math.isfinite(share) and of > 0 and 0 <= share <= 1
    except (TypeError, KeyError, ValueError, ArithmeticError):
        is_fit = False
    if not is_fit:
        raise ValueError(
            f"answers.json, {printable(str(name))[:60]}, module {printable(str(module))[:20]}: "
            'write points from 0 to the maximum, as {"points": 7, "of": 10}.'
        )
    return share


def make_class(
    folders: Sequence[Graded],
    course: Course,
    roster: Sequence[Student] | None = None,
    other_settings: Iterable[str] = (),
) -> Class:
    """Make the table of a class.

    Without a roster, each submission's name is a student. `other_settings` are the names of
    results that were made with other settings.

    Raises:
        ValueError: a module was graded in two of the folders, or a date of the roster cannot be
            read.
    """
    modules = _modules(folders)
    names = list(dict.fromkeys(name for folder in folders for name in folder.results))
    if roster is None:
        students: Sequence[Student] = [Student(name=name) for name in names]
        joined = Joined({place: (name,) for place, name in enumerate(names)})
    else:
        students, joined = roster, join(roster, names)
    changed = set(other_settings)
    of_students, unmatched = entries_of_students(students, course)
    rows = [
        _row(
            student,
            joined.by_student.get(place, ()),
            folders,
            modules,
            course,
            changed,
            of_students.get(place, NO_ENTRIES),
            [name for name, places in joined.unclear.items() if place in places],
        )
        for place, student in enumerate(students)
    ]
    notes = [
        f"{printable(name)} may be {_listed([students[number].called for number in places])}; "
        "give it one's id."
        for name, places in joined.unclear.items()
    ]
    notes += [
        f"{printable(name)} is in no line of the roster; whoever handed it in counts as missing."
        for name in joined.unknown
    ]
    notes += [words for folder in folders for words in _about_answers(folder, course)]
    notes += unmatched
    for name in (*joined.unknown, *joined.unclear):
        row = _row(Student(name=printable(name)), (name,), folders, modules, course, changed)
        why = "fits several of the roster" if name in joined.unclear else "not in the roster"
        rows.append(replace(row, status=f"{why}; {row.status}", is_known=False))
    return Class(modules, tuple(rows), tuple(notes))


def entries_of_students(
    students: Sequence[Student], course: Course
) -> tuple[dict[int, Entries], list[str]]:
    """The entries of `extensions` and `points`, by a student's index, and a sentence for each name
    that does not fit exactly one student."""
    tables: tuple[Mapping[str, Mapping[str, Any]], ...] = (course.extensions, course.points)
    names = sorted({name for table in tables for said in table.values() for name in said})
    joined = join(students, names)
    found = {
        place: Entries(*(_of_student(table, set(same)) for table in tables))
        for place, same in joined.by_student.items()
    }
    notes = [
        f"course.toml names {printable(name)[:60]}, who is {who}; write the student's id."
        for called, who in (
            (joined.unknown, "in no line of the roster"),
            (joined.unclear, "in several lines of the roster"),
        )
        for name in called
    ]
    return found, notes


def _of_student(table: Mapping[str, Mapping[str, V]], names: set[str]) -> dict[str, V]:
    """A table's entries about one student, who may have several names."""
    return {
        key: value for key, said in table.items() for name, value in said.items() if name in names
    }


def _about_answers(folder: Graded, course: Course) -> list[str]:
    """Sentences on marks of written answers that do not count."""
    says = []
    if folder.answers and not course.written_answers:
        says.append("answers.json counts nothing, as written_answers in course.toml is 0.")
    for name, marks in folder.answers.items():
        if name not in folder.results:
            says.append(f"answers.json names {printable(name)}, who has no result beside it.")
        elif others := [module for module in marks if module not in folder.modules]:
            modules = printable(" and ".join(others))
            says.append(
                f"answers.json, {printable(name)}: module {modules} was not graded beside it."
            )
    return says


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _modules(folders: Sequence[Graded]) -> dict[str, tuple[Exercise, ...]]:
    all_ = [module for folder in folders for module in folder.modules]
    for module in all_:
        if all_.count(module) > 1:
            raise ValueError(
                f"Module {module} was graded in two of these folders; name the one that counts."
            )
    return {
        module: tuple(exercise for exercise in load_exercises() if exercise.module == module)
        for module in dict.fromkeys(exercise.module for exercise in load_exercises())
        if module in all_
    }


def _row(
    student: Student,
    names: Sequence[str],
    folders: Sequence[Graded],
    modules: Mapping[str, tuple[Exercise, ...]],
    course: Course,
    other_settings: set[str],
    entries: Entries = NO_ENTRIES,
    ambiguous: Sequence[str] = (),
) -> Row:
    """A student's line. `names` are all submissions that fit the student, in any folder; those in
    `ambiguous` fit others as well. `entries` are the student's entries in `course.toml`."""
    course = replace(course, due={**course.due, **entries.due})
    work: dict[str, Work] = {}
    says: list[str] = []
    look: list[str] = []
    decided: list[str] = []
    unmeasured: list[str] = []
    shares: dict[str, float] = {}
    passing: set[str] = set()
    missing: list[str] = []
    for folder in folders:
        own = [name for name in names if name in folder.results]
        if len(own) > 1:
            says.append(
                f"not graded: handed in twice, as {' and '.join(own)}; leave the right one in the "
                "folder, and run g2c class grade again"
            )
            continue
        if not own and (theirs := [name for name in ambiguous if name in folder.results]):
            says.append(f"not graded: {printable(' and '.join(theirs))} may be this student's")
            continue
        if not own:
            missing += folder.modules
            work |= {module: Work({}, is_missing=True) for module in folder.modules}
            continue
        result = folder.results[own[0]]
        if why := result.get("not_graded"):
            says.append(f"not graded: {one_line(printable(str(why)))}")
            continue
        own_points = {exercise["id"] for exercise in result["exercises"]} & entries.points.keys()
        unmeasured += [
            exercise["id"]
            for exercise in result["exercises"]
            if exercise["id"] not in own_points and not was_measured(result, exercise)
        ]
        reached = {
            exercise["id"]: _reached(exercise, entries.points)
            for exercise in result["exercises"]
            if exercise["id"] not in unmeasured
        }
        shares |= reached
        passing |= {
            exercise["id"] for exercise in result["exercises"] if exercise["status"] == "passing"
        }
        look += [exercise["id"] for exercise in result["exercises"] if exercise["look"]]
        decided += sorted(own_points)
        marks = folder.answers.get(own[0], {})
        for module in folder.modules:
            ids = {exercise.id for exercise in modules[module]}
            work[module] = Work(
                {id_: share for id_, share in reached.items() if id_ in ids},
                marks.get(module),
                _handed_in(student, module, result, course),
            )
    worths = worth(modules, work, course)
    is_graded = any(not module_work.is_missing for module_work in work.values())
    if len(missing) == len(modules) and missing:
        says.append("missing")
    elif missing:
        says.append(f"missing: {' '.join(missing)}")
    says = (["graded"] if is_graded else []) + says
    says += [_late_in_words(module_worth) for module_worth in worths if module_worth.late]
    if unknown := [
        module
        for module in course.due
        if module in work and not work[module].is_missing and work[module].handed_in is None
    ]:
        says.append(f"nobody knows when it came: {' '.join(unknown)}")
    if unmeasured:
        says.append(f"not measured: {' '.join(unmeasured)}")
    if decided:
        says.append(f"points by course.toml: {' '.join(decided)}")
    if undecided := [id_ for id_ in look if id_ not in decided]:
        says.append(f"needs review: {' '.join(undecided)}")
    if nowhere := [id_ for id_ in entries.points if id_ not in decided]:
        says.append(f"course.toml has points for what was not graded: {' '.join(nowhere)}")
    if other_settings & set(names):
        says.append("graded with other settings")
    return Row(
        *(student, worths, "; ".join(says) or "missing", shares, frozenset(passing)),
        names=tuple(names),
        given=tuple(decided),
        unmeasured=tuple(unmeasured),
    )


def _reached(exercise: Mapping[str, Any], points: Mapping[str, float]) -> float:
    """The share of an exercise's points; a person's decision comes first."""
    most = exercise.get("max_score") or 0
    score = points.get(exercise["id"], exercise["score"])
    return min(max(float(score) / most, 0.0), 1.0) if most else 0.0


def _handed_in(student: Student, module: str, result: Result, course: Course) -> datetime | None:
    """The roster's date comes before the file's, which a download may have set."""
    said = student.submitted.get(module) or student.submitted.get("")
    try:
        if said:
            return moment(said, course.zone)
    except ValueError as error:
        raise ValueError(f"The roster, {student.called}, submitted: {error}") from error
    try:
        return moment(str(result["handed_in"]), None)
    except (KeyError, ValueError):
        return None


def _late_in_words(one: Worth) -> str:
    days = f"{one.late} day{'s' if one.late > 1 else ''}"
    if one.is_too_late:
        return f"late: {one.module} by {days}, too late to count"
    return f"late: {one.module} by {days}, {one.charged} charged"
