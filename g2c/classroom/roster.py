"""The students of a class, read from a CSV file, and their submissions.

Nobody is guessed: a name that fits two students, or none, is reported.
"""

import codecs
import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from g2c.text import fold, one_line, printable, search_fold

MAX_BYTES = 8 * 2**20
"""A line of a roster has some hundred bytes, so this is a class of tens of thousands."""

_HEADERS = {
    "id": (
        *("id", "student id", "id number", "idnumber", "sis user id", "sis id", "identifier"),
        *("roster identifier", "sid", "orgdefinedid"),
    ),
    "name": ("name", "student", "student name", "full name", "fullname"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "email": ("e-mail", "email", "e-mail address", "email address", "mail"),
    "login": ("login", "login id", "sis login id", "username", "user name", "github username"),
    "section": ("section", "sections", "group", "groups"),
    "canvas_id": ("canvas id", "canvas user id"),
}
"""The known headers, in lower case, with spaces for underscores. Canvas's gradebook has Student,
ID, SIS User ID, SIS Login ID and Section. Moodle's grades have First name, Last name (or Surname),
ID number and Email address; its list of participants has Groups as well; GitHub Classroom's has
identifier (or roster_identifier) and github_username; Gradescope's SID; Brightspace's
OrgDefinedId."""

_OF_CANVAS = {"sis user id", "sis login id"}
"""Beside one of these headers, `ID` is Canvas's own number of a user."""

_FROM_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<canvas_id>\d+)_\d+(?:_.*)?", re.DOTALL)
_FROM_MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_\w+.*", re.DOTALL)
_FROM_BRIGHTSPACE = re.compile(r"\d+-\d+ - (?P<name>.+?) - .*\d{4}.*", re.DOTALL)
"""The names of files in their downloads for all students."""

_OF_BLACKBOARD = re.compile(r"_attempt_\d{4}(-\d\d){5}(_.*)?", re.DOTALL)
"""The end of a name in Blackboard's downloads, after the assignment and the login."""

_SHORTENED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)
"""A long number as a spreadsheet shows it, and saves it as CSV."""

_ENDING = re.compile(
    r"( ?\(\d+\)| - copy)?"
    r"(\.(zip|rar|7z|tar|tgz|(tar\.)?(gz|bz2|xz|zst)|pdf|docx?|odt|rtf|txt|md|html?|py|ipynb))?$",
    re.IGNORECASE,
)
"""The mark of a second copy and the endings of names that have a twin, or that cannot be opened."""


@dataclass(frozen=True)
class Student:
    """A line of the roster; missing fields are "". `submitted` has the text of the column
    `submitted` under "", and of `submitted 19` under "19"."""

    id: str = ""
    name: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    canvas_id: str = ""
    submitted: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def called(self) -> str:
        """The name by which an instructor knows the student."""
        return self.name or self.email or self.login or self.id or self.canvas_id


@dataclass(frozen=True)
class Joined:
    """The names of each student's submissions, by the student's index in the roster. `unknown` are
    names that fit nobody, and `unclear` those that fit several, with their indexes."""

    by_student: Mapping[int, tuple[str, ...]]
    unknown: tuple[str, ...] = ()
    unclear: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def read_roster(data: bytes) -> tuple[Student, ...]:
    """The students of a roster, in its order.

    Lines that name no student are skipped, and so are Canvas's line of possible points and its test
    student.

    Raises:
        ValueError: the file is neither UTF-8 nor UTF-16, has no known header, has two students with
            one id, e-mail or login, or cannot be read.
    """
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            "The roster is not UTF-8; save it as CSV UTF-8, as spreadsheets call it."
        ) from error
    text = re.sub(r"\Asep=.\r?\n", "", text).lstrip("\r\n")  # a line for Excel alone
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ValueError(f"The roster is not CSV: {error}.") from error
    if not rows:
        raise ValueError("The roster is empty; its first line names the columns.")
    columns = _columns(rows[0])
    students = tuple(filter(None, (_student(row, columns) for row in rows[1:])))
    if not students:
        raise ValueError("The roster has no student below the names of its columns.")
    _refuse_twins(students)
    return students


def _columns(header: Sequence[str]) -> list[str]:
    """The meaning of each column: a field of `Student`, `first`, `last`, or "submitted 19"; "" for
    any other."""
    names = [one_line(fold(printable(cell)).replace("_", " ")) for cell in header]
    meaning = {name: own for own, all_ in _HEADERS.items() for name in all_}
    if _OF_CANVAS & set(names):
        meaning["id"] = "canvas_id"
    found = [
        name if re.fullmatch(r"submitted( \d+)?", name) else meaning.get(name, "") for name in names
    ]
    if not {"id", "name", "last", "email", "login"} & set(found):
        shown = ", ".join(names)[:200]
        raise ValueError(
            "The roster needs one of the columns id, name, e-mail and login in its first line; "
            f"there are {shown or 'none'}."
        )
    return found


def _student(row: Sequence[str], columns: Sequence[str]) -> Student | None:
    cells: dict[str, str] = {}
    for column, cell in zip(columns, row, strict=False):
        if words := one_line(printable(cell)):
            cells.setdefault(column, words)
    name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
    if name == "Student, Test" or name.startswith("Points Possible"):
        return None
    if cells.get("login", "").startswith("#"):  # Brightspace writes it before both
        cells |= {key: cells[key].removeprefix("#") for key in ("id", "login") if key in cells}
    found = Student(
        id=cells.get("id", ""),
        name=name,
        email=cells.get("email", ""),
        login=cells.get("login", ""),
        section=cells.get("section", ""),
        canvas_id=cells.get("canvas_id", ""),
        submitted={
            column.partition(" ")[2]: cell
            for column, cell in cells.items()
            if column.startswith("submitted")
        },
    )
    return found if found.called else None


def _refuse_twins(students: Sequence[Student]) -> None:
    for what in ("id", "email", "login", "canvas_id"):
        for student in students:
            if _SHORTENED.fullmatch(number := getattr(student, what)):
                raise ValueError(
                    f"The roster has the {what.replace('_', ' ')} {number}, a number that a "
                    "spreadsheet shortened, so that others may be equal to it. Take the roster as "
                    "it was exported, or import that column as text."
                )
        values = Counter(fold(getattr(student, what)) for student in students)
        del values[""]
        if values and (twice := values.most_common(1)[0])[1] > 1:
            raise ValueError(
                f"The roster has {twice[1]} lines with the {what.replace('_', ' ')} {twice[0]}; "
                "leave the right one. If a spreadsheet rounded them, take the roster as it was "
                "exported."
            )


def join(students: Sequence[Student], names: Iterable[str]) -> Joined:
    """Find the student of each submission, by id, login, e-mail or name, ignoring case.

    A name may be written `Ada Lovelace`, `Lovelace, Ada`, or without spaces, or be part of a name
    in a download of Canvas, Moodle or Brightspace. GitHub Classroom and Blackboard write the
    assignment before a login: a beginning that all names share, up to a `-` or `_`.
    """
    names = list(names)
    ends = [mark.end() for mark in re.finditer("[-_]", names[0])] if len(names) > 1 else []
    cuts = [cut for cut in ends if all(name.startswith(names[0][:cut]) for name in names)]
    by_key: dict[str, set[int]] = defaultdict(set)
    by_canvas: dict[str, int] = {}
    for place, student in enumerate(students):
        for key in _keys(student):
            by_key[key].add(place)
        if student.canvas_id:
            by_canvas[student.canvas_id] = place
    found: dict[int, list[str]] = defaultdict(list)
    unknown: list[str] = []
    unclear: dict[str, tuple[int, ...]] = {}
    for name in names:
        called = name if _plain(name) in by_key else _ENDING.sub("", name, count=1)
        places = by_key.get(_plain(called), set())
        if not places and (parts := _FROM_CANVAS.fullmatch(called)):
            places = by_key.get(_plain(parts["name"]), set())
            own = by_canvas.get(parts["canvas_id"])
            if own is not None:  # a number may distinguish two of one name
                places = {own} if own in places or not places else {own, *places}
        if not places and (parts := _FROM_MOODLE.fullmatch(called)):
            letters = re.sub(r"\W", "", parts["name"])  # Moodle leaves apostrophes out
            # In its grading worksheet, the number is the id: it distinguishes two of one name.
            keys = (f"Participant {parts['number']}", parts["name"], letters)
            places = next(filter(None, (by_key.get(_plain(key)) for key in keys)), set())
        if not places and (parts := _FROM_BRIGHTSPACE.fullmatch(called)):
            places = by_key.get(_plain(parts["name"]), set())
        if not places:
            logins = {_plain(_OF_BLACKBOARD.sub("", called)[cut:]) for cut in cuts}
            places = {n for n, one in enumerate(students) if _plain(one.login) in logins - {""}}
        if len(places) == 1:
            found[next(iter(places))].append(name)
        elif places:
            unclear[name] = tuple(sorted(places))
        else:
            unknown.append(name)
    return Joined({place: tuple(own) for place, own in found.items()}, tuple(unknown), unclear)


def _keys(student: Student) -> set[str]:
    names = {student.name}
    if "," in student.name:
        last, _, first = student.name.partition(",")
        names |= {f"{first} {last}", f"{last} {first}"}
    else:
        words = student.name.split()  # a last name may have several
        names |= {" ".join(words[n:] + words[:n]) for n in range(1, len(words))}
    if student.section:  # Moodle writes a group before the name
        names |= {f"{student.section}-{name}" for name in names if name}
    ids = {student.id, student.login, student.email, student.canvas_id}
    together = {key.replace(" ", "").replace(",", "") for key in ids | names}
    # Canvas leaves only letters and digits of a name: O'Neil-Byrne, Ada is oneilbyrneada.
    together |= {re.sub(r"\W", "", key) for key in names}
    return {_plain(key) for key in ids | names | together} - {""}


def _plain(text: str) -> str:
    """A name without meaningless differences: case, forms of letters, spaces."""
    return one_line(search_fold(text).replace(",", " "))
