"""The roster: who is in a class, and who handed in what."""

import pytest
from grade_results import MAX_SCORE, class_of, result

from g2c.classroom.classbook import graded_in, make_class
from g2c.classroom.course_file import Course, read_course
from g2c.classroom.measurement import UNMEASURED
from g2c.classroom.roster import Student, join, read_roster
from g2c.course.manifest import load_exercises

CANVAS = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Agents (17),Current Score
    Points Possible,,,,,10,(read only)
"Lovelace, Ada",901,u1,ada@x.edu,"CS 1, A",7,70
"Hopper, Grace",902,u2,grace@x.edu,B,,
"Student, Test",903,,,B,,
"""
MOODLE = """First name,Last name,ID number,Institution,Department,Email address,Course total
Ada,Lovelace,u1,,,ada@x.edu,-
Grace,Hopper,u2,,,grace@x.edu,-
"""
PARTICIPANTS = "First name;Surname;Email address;Groups\nAda;Lovelace;ada@x.edu;A\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_roster_of_ones_own_is_read(delimiter: str, encoding: str, end: str) -> None:
    lines = ["ID|Name|E-Mail|Login|Section|submitted 19", "u1|Jörg Ä|j@x.edu|jo|A|2026-10-16 12:00"]
    text = end.join(lines).replace("|", delimiter) + end + delimiter * 5 + end
    (student,) = read_roster(text.encode(encoding))
    assert (student.id, student.name, student.email) == ("u1", "Jörg Ä", "j@x.edu")
    assert (student.login, student.section) == ("jo", "A")
    assert student.submitted == {"19": "2026-10-16 12:00"}


def test_exports_of_canvas_and_moodle_are_read() -> None:
    ada, grace = read_roster(CANVAS.encode())
    assert ada == Student("u1", "Lovelace, Ada", "", "ada@x.edu", "CS 1, A", "901")
    assert grace.canvas_id == "902"
    ada, _ = read_roster(MOODLE.encode())
    assert ada == Student("u1", "Ada Lovelace", "ada@x.edu")
    assert read_roster(PARTICIPANTS.encode()) == (
        Student("", "Ada Lovelace", "ada@x.edu", section="A"),
    )


def test_rosters_of_a_spreadsheet_and_of_github_classroom_are_read() -> None:
    (grace,) = read_roster("id\tname\r\n1\tGräce\r\n".encode("utf-16"))
    assert grace == Student("1", "Gräce")
    assert read_roster("sep=;\r\nid;name\r\n1;Gräce\r\n".encode("utf-8-sig")) == (grace,)
    (ada,) = read_roster(b'"identifier","github_username","github_id","name"\n"1","al","7","Ada"\n')
    assert ada == Student("1", "Ada", login="al")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"id,name\n", "no student below"),
        (b"a,b\n1,2\n", "one of the columns id, name"),
        ("id,name\n1,Jörg\n".encode("latin-1"), "CSV UTF-8"),
        (b'id,name\n1,"Ada\n', "is not CSV"),
        (b"id,name\n" + b"1," + b"x" * 200_000 + b"\n", "is not CSV"),
        (b"id,name\nU1,Ada\nu1,Grace\n", "2 lines with the id u1"),
        (b"name,e-mail\nAda,a@x\nGrace,A@x\n", "2 lines with the email a@x"),
    ],
)
def test_a_roster_that_cannot_be_read_says_why(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says) as told:
        read_roster(data)
    assert len(str(told.value)) < 400


ROSTER = (
    Student("u1", "Lovelace, Ada", "ada@x.edu", "al", canvas_id="901"),
    Student("u2", "Grace Hopper", "grace@x.edu", "gh", canvas_id="902"),
    Student("u3", "Jörg Meier", "jm@x.edu", "jm", canvas_id="903"),
    Student("u4", "Jörg Meier", "jm2@x.edu", "jm2", canvas_id="904"),
)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("u1", 0),
        ("U1", 0),
        ("AL", 0),
        ("Ada@X.edu", 0),
        ("Ada Lovelace", 0),
        ("lovelace ada", 0),
        ("Lovelace, Ada", 0),
        ("lovelaceada", 0),
        ("\uff47race  hopper", 1),
        ("hoppergrace_902_55_submission", 1),
        ("hoppergrace_LATE_902_55_submission-2", 1),
        ("renamed_902_55_submission", 1),
        ("hoppergrace_77777_55_submission", 1),
        ("meierjörg_904_55_submission", 3),
        ("Grace Hopper_8123_assignsubmission_file_", 1),
        ("Ada Lovelace_8123_assignsubmission_file", 0),
        ("u1.rar", 0),
        *(
            (name, 1)
            for name in ("gh.pdf", "gh (1)", "gh (2).zip", "Grace Hopper - Copy", "gh.docx")
        ),
        ("hoppergrace_902_55_course.tar.gz", 1),
        ("Ada@X.edu.zip", 0),
        ("1234-567 - Grace Hopper - Oct 16, 2026 904 PM", 1),
    ],
)
def test_a_name_finds_its_student(name: str, place: int) -> None:
    assert join(ROSTER, [name]).by_student == {place: (name,)}


@pytest.mark.parametrize(
    "end", ["", "_attempt_2026-10-16-21-04-33", "_attempt_2026-10-16-21-04-33_a.zip"]
)
@pytest.mark.parametrize("assignment", ["module-19-", "HW_1_"])
def test_an_assignment_before_every_login_is_left_out(assignment: str, end: str) -> None:
    """GitHub Classroom and Blackboard write it there."""
    names = [f"{assignment}{login}{end}" for login in ("al", "gh", "jm-gh", "u3")]
    found = join(ROSTER, names)
    assert found.by_student == {0: (names[0],), 1: (names[1],)}
    assert found.unknown == tuple(names[2:]), "an end of a login and an id are nobody's login"
    assert join(ROSTER, ["module-19-al", "x"]).unknown == ("module-19-al", "x")


@pytest.mark.parametrize(
    ("student", "name"),
    [
        ("O'Neil-Byrne, Mary Ann", "oneilbyrnemaryann_12_55_course"),
        ("O\u2019Neil, Zoë", "oneilzoë_LATE_12_55_course"),
        ("Ada St. John", "johnadast_12_55_course"),
        ("D'Arcy", "darcy_12_55_course"),
        ("Mary-Ann O'Neil", "Mary-Ann ONeil_8123_assignsubmission_file"),
        ("Anna van der Berg", "vanderberganna_12_55_course"),
        ("Juan Garc\u00eda M\u00e1rquez", "garc\u00edam\u00e1rquezjuan_12_55_course"),
    ],
)
def test_an_lms_leaves_out_apostrophes_and_hyphens(student: str, name: str) -> None:
    joined = join([Student("1", "Somebody Else"), Student("2", student)], [name])
    assert joined.by_student == {1: (name,)}


@pytest.mark.parametrize("number", ["1.23457E+17", "1,23457E+17", "2e+09"])
@pytest.mark.parametrize("column", ["id", "login", "canvas id"])
def test_a_number_that_a_spreadsheet_shortened_is_told(column: str, number: str) -> None:
    roster = f'name;{column}\nAda;"{number}"\nBob;"{number}"\n'
    with pytest.raises(ValueError, match="a number that a spreadsheet shortened"):
        read_roster(roster.encode())


def test_moodle_tells_two_of_one_name_by_number_and_writes_a_group_before_it() -> None:
    found = read_roster(
        "Identifier,Full name,Groups\nParticipant 71,Jan Nov\u00e1k,A-1\n"
        "Participant 72,Jan Nov\u00e1k,B\nParticipant 73,Ada Lee,B\n".encode()
    )
    own = [f"{name}_assignsubmission_file" for name in ("Jan Nov\u00e1k_72", "Participant_71")]
    assert join(found, own).by_student == {1: (own[0],), 0: (own[1],)}
    for name in ("A-1-Jan Nov\u00e1k_9", "B-Jan Nov\u00e1k_9", "B-Ada Lee_9"):
        assert len(join(found, [f"{name}_assignsubmission_file"]).by_student) == 1, name
    assert join(found, ["A-1-Ada Lee_9_assignsubmission_file"]).unknown


@pytest.mark.parametrize(
    "text",
    [
        "OrgDefinedId,Username,Last Name,First Name,Email\n#007,#al,Lee,Ada,a@x\n",
        "\r\n\nFirst Name,Last Name,SID,Email,Login\nAda,Lee,007,a@x,al\n",
        "student_id,last_name,first_name,email,login\n007,Lee,Ada,a@x,al\n",
        "name,github_username,roster_identifier,email\nAda Lee,al,007,a@x\n",
        '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Email"\nLee\tAda\tal\t007\ta@x\n',
    ],
)
def test_rosters_of_other_platforms_are_read(text: str) -> None:
    assert read_roster(text.encode()) == (Student("007", "Ada Lee", "a@x", "al"),)


def test_nobody_is_guessed() -> None:
    names = ["Jörg Meier", "ada", "lovelaceada_902_55_x", "meierjörg_1_2_x", "Grace", ""]
    found = join(ROSTER, names)
    assert not found.by_student
    assert found.unknown == ("ada", "Grace", "")
    assert found.unclear == {
        "Jörg Meier": (2, 3),
        "lovelaceada_902_55_x": (0, 1),
        "meierjörg_1_2_x": (2, 3),
    }
    crossed = (Student("ada", "Grace"), Student("u2", "Ada", login="ada"))
    assert list(join(crossed, ["ada"]).unclear) == ["ada"], "one's id is another's login"


def test_every_student_has_a_row_and_every_stranger_too() -> None:
    found = class_of(
        [
            result("u1", look="19.2"),
            {"name": "gh", "not_graded": "no\nzip"},
            result("jm"),
            result("u3"),
            result("mallory", share=0.5),
            result("Jörg Meier"),
        ],
        (*ROSTER, Student("u5", "Zoe")),
    )
    rows = {(row.student.id or row.student.name): row for row in found.rows}
    assert rows["u1"].status == "graded; needs review: 19.2"
    assert rows["u1"].total == (MAX_SCORE, MAX_SCORE)
    assert rows["u2"].status == "not graded: no zip" and rows["u2"].total is None
    assert rows["u3"].status.startswith(
        "not graded: handed in twice, as jm and u3; leave the right"
    )
    assert rows["u4"].status == "not graded: Jörg Meier may be this student's"
    assert rows["u4"].total is None, "it is not known that nothing came"
    assert rows["u5"].status == "missing" and rows["u5"].total == (0, MAX_SCORE)
    assert rows["mallory"].status == "not in the roster; graded" and not rows["mallory"].is_known
    assert rows["Jörg Meier"].status.startswith("fits several of the roster; ")
    assert found.notes == (
        "Jörg Meier may be Jörg Meier or Jörg Meier; give it one's id.",
        "mallory is in no line of the roster; whoever handed it in counts as missing.",
    )


def test_without_a_roster_each_name_is_a_student() -> None:
    found = class_of([result("ada"), result("bob", 0.5)], other_settings=("bob",))
    assert [(row.student.name, row.status) for row in found.rows] == [
        ("ada", "graded"),
        ("bob", "graded; graded with other settings"),
    ]
    assert not found.notes


def test_the_roster_is_believed_before_the_date_of_a_file() -> None:
    course = read_course(
        'zone = "Europe/Berlin"\n[due]\n"19" = 2026-10-16T12:00:00\n[late]\npenalty = 10'
    )
    at_12, a_day_after = "2026-10-16T10:00:00+00:00", "2026-10-17T10:00:00+00:00"
    for submitted, file, status, part in (
        ({}, at_12, "graded", 1),
        ({}, a_day_after, "graded; late: 19 by 1 day, 1 charged", 0.9),
        ({"": "2026-10-16 12:00:00"}, a_day_after, "graded", 1),
        ({"19": "2026-10-18 12:00"}, at_12, "graded; late: 19 by 2 days, 2 charged", 0.8),
        ({"20": "2026-10-18 12:00"}, at_12, "graded", 1),
        ({}, "", "graded; nobody knows when it came: 19", 1),
    ):
        student = Student("ada", submitted=submitted)
        (row,) = class_of([result("ada", handed_in=file)], (student,), course).rows
        assert row.status == status
        assert row.total == (part * MAX_SCORE, MAX_SCORE)
    wrong = (Student("ada", submitted={"": "soon"}),)
    with pytest.raises(ValueError, match="The roster, ada, submitted: 'soon' is not a date"):
        class_of([result("ada")], wrong, course)


def test_modules_that_were_graded_apart_are_one_class() -> None:
    nineteen = graded_in([result("ada")], {})
    twenty = [exercise for exercise in load_exercises() if exercise.module == "20"]
    exercises = [
        {"id": exercise.id, "status": "failing", "score": 0, "max_score": 5, "look": []}
        for exercise in twenty
    ]
    other = graded_in(
        [{"name": "ada", "exercises": exercises}, {**result("bob"), "exercises": []}], {}
    )
    found = make_class([other, nineteen], Course())
    assert list(found.modules) == ["19", "20"]
    ada, bob = found.rows
    assert [worth.points for worth in ada.worths] == [MAX_SCORE, 0]
    assert bob.status.endswith("missing: 19")
    with pytest.raises(ValueError, match="Module 19 was graded in two"):
        make_class([nineteen, nineteen], Course())


def test_answers_that_a_person_marked_are_part_of_the_points() -> None:
    course = read_course("written_answers = 50")
    marks = {"ada": {"19": {"points": 5, "of": 10}}}
    ada, bob = class_of([result("ada"), result("bob")], course=course, answers=marks).rows
    assert ada.total == (0.75 * MAX_SCORE, MAX_SCORE)
    assert bob.total == (MAX_SCORE, MAX_SCORE), "nobody has marked them"


def test_marks_that_count_nothing_are_told() -> None:
    marks = {"adda": {"19": {"points": 5, "of": 10}}, "ada": {"20": {"points": 5, "of": 10}}}
    assert class_of([result("ada")], course=Course(written_answers=30), answers=marks).notes == (
        "answers.json names adda, who has no result beside it.",
        "answers.json, ada: module 20 was not graded beside it.",
    )
    marks = {"ada": {"19": {"points": 5, "of": 10}}}
    (says,) = class_of([result("ada")], answers=marks).notes
    assert "written_answers in course.toml is 0" in says


LATER = """
zone = "Europe/Berlin"
[due]
"19" = 2026-10-16T23:59:00
[late]
penalty = 10
[extensions."19"]
u1 = 2026-10-20
[points."19.2"]
"Lovelace, Ada" = 4
"""


def test_an_extension_moves_the_due_date_of_one_student() -> None:
    roster = (Student("u1", "Lovelace, Ada"), Student("u2", "Hopper, Grace"))
    came = [result(id_, handed_in="2026-10-19T12:00:00+00:00") for id_ in ("u1", "u2")]
    ada, grace = class_of(came, roster, read_course(LATER)).rows
    assert "late" not in ada.status
    assert "late: 19 by 3 days, 3 charged" in grace.status


def test_points_of_a_person_stand_in_place_of_the_graders() -> None:
    """Without them, an exercise that is to be looked at has none, and nobody can give it any."""
    roster = (Student("u1", "Lovelace, Ada"), Student("u2", "Hopper, Grace"))
    ada, grace = class_of(
        [result("u1", 0.0, look="19.2"), result("u2", 0.0, look="19.2")], roster, read_course(LATER)
    ).rows
    assert ada.worths[0].points == 4 and grace.worths[0].points == 0
    assert "points by course.toml: 19.2" in ada.status and "review" not in ada.status
    assert "needs review: 19.2" in grace.status


def test_a_decision_about_nobody_is_told() -> None:
    course = read_course('[points."19.2"]\nadda = 4\n[points."20.1"]\nu1 = 1\nu9 = 1')
    found = class_of([result("u1")], (Student("u1"), Student("u9")), course)
    assert found.notes == (
        "course.toml names adda, who is in no line of the roster; write the student's id.",
    )
    assert all("has points for what was not graded: 20.1" in row.status for row in found.rows)


def test_a_wait_for_the_model_costs_nobody_anything() -> None:
    """With --no-model the tests about the score fail for the whole class."""
    results = [result(id_, 0.5, made_with={"model": False}) for id_ in ("u1", "u2")]
    for own in results:
        for exercise in own["exercises"]:
            is_of_model = exercise["id"] == "19.5"
            exercise |= {"score": 0 if is_of_model else exercise["max_score"]}
            exercise |= {"status": "failing" if is_of_model else "passing"}
    results[1]["exercises"][4]["status"] = "not started"
    waits, not_started = class_of(results).rows
    assert waits.total == (MAX_SCORE, MAX_SCORE) and "not measured: 19.5" in waits.status
    assert not_started.total == (MAX_SCORE - 15, MAX_SCORE) and "measured" not in not_started.status
    results[0]["exercises"][4]["failures"] = [{"says": UNMEASURED}, {"says": "It has no example."}]
    assert class_of(results).rows[0].total == (MAX_SCORE - 15, MAX_SCORE), (
        "it would earn nothing there either"
    )
    results[0]["exercises"][4]["failures"] = [{"says": f"{UNMEASURED} Nobody asked."}]
    results[0]["made_with"]["model"] = True
    (measured, _) = class_of(results).rows
    assert measured.total == (MAX_SCORE - 15, MAX_SCORE)
    given = read_course('[points."19.5"]\nu1 = 9')
    results[0]["made_with"]["model"] = False
    assert class_of(results, course=given).rows[0].total == (MAX_SCORE - 6, MAX_SCORE)
