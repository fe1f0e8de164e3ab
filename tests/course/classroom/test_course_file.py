"""An instructor's decisions in course.toml, and what follows from them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from checkout import ROOT

from g2c.classroom.classbook import read_answers
from g2c.classroom.course_file import _KEYS, Course, Due, Late, moment, read_course
from g2c.classroom.policy import Work, days_late, drop_lowest, lateness, maximum, total, worth
from g2c.course.manifest import Exercise, load_exercises

BERLIN = ZoneInfo("Europe/Berlin")
M19 = tuple(exercise for exercise in load_exercises() if exercise.module == "19")
M20 = tuple(exercise for exercise in load_exercises() if exercise.module == "20")
MODULES = {"19": M19, "20": M20}
ALL = {exercise.id: 1.0 for exercise in M19}
WHOLE = """
zone = "Europe/Berlin"
extra_credit = ["19.6"]
written_answers = 30
missing = "blank"
[weights]
"19" = 2
"19.1" = 0.5
[drop_lowest]
"20" = 1
[due]
"19" = 2026-10-16T23:59:00
"20" = 2026-10-23
"21" = 2026-10-30T12:00:00-04:00
[late]
days = 3
penalty = 10
last_day = 7
[titles]
"19" = "An agent that acts"
[canvas]
"19" = 4711
"""


def due(day: int, hour: int = 12) -> Due:
    return Due(datetime(2026, 10, day, hour), BERLIN)


def at(day: int, hour: int = 12, minute: int = 0, second: int = 0, micro: int = 0) -> datetime:
    return datetime(2026, 10, day, hour, minute, second, micro, tzinfo=BERLIN).astimezone(UTC)


def points(course: Course, shares: Mapping[str, float], **work: object) -> float | None:
    (found, _) = worth(MODULES, {"19": Work(shares, **work)}, course)  # type: ignore[arg-type]
    return found.points


def test_a_whole_file_is_read() -> None:
    course = read_course(WHOLE)
    by_id = {exercise.id: exercise for exercise in load_exercises()}
    assert course.weight(by_id["19.1"]) == 1 and course.weight(by_id["19.2"]) == 2
    assert (course.extra_credit, course.drop_lowest) == ({"19.6"}, {"20": 1})
    assert course.late == Late(3, 10, 7)
    assert course.due["19"].ends() == at(16, 23, 59)
    assert course.due["20"].ends() == at(23, 23, 59, 59), "a day alone ends with its last second"
    assert course.due["21"].ends() == datetime(2026, 10, 30, 16, tzinfo=UTC)
    assert (course.title("19"), course.title("20")) == ("An agent that acts", "Module 20")
    assert not course.missing_is_zero
    assert read_course("") == Course()


def test_the_example_of_the_docs_is_one() -> None:
    page = (ROOT / "docs/instructor.md").read_text("utf-8")
    _, example = re.findall(r"```toml\n(zone.*?)```", page, re.DOTALL)
    course = read_course(example)
    assert course.late == Late(3, 10, 7) and course.written_answers == 30
    missing = [key for key in _KEYS if not re.search(rf"^\[?{key}\b", example, re.MULTILINE)]
    assert not missing


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[late", "is not TOML"),
        ("a = " + "[" * 50_000, "is not TOML"),
        ("wieghts = 1", "'wieghts'; did you mean weights?"),
        ("[wights]", "did you mean weights?"),
        ("weights = 3", r"write \[weights\]"),
        ("[weights]\n19.5 = 2", "between quotes"),
        ('[weights]\n"19.55" = 2', "did you mean 19.5?"),
        ('[weights]\n"19" = -1', "a number from 0 to 1000"),
        ('[weights]\n"19" = nan', "a number from 0 to 1000"),
        ('[weights]\n"19" = true', "a number from 0 to 1000"),
        ('[weights]\n"19" = "2"', "a number from 0 to 1000"),
        (f'[drop_lowest]\n"19" = {"9" * 4000}', "whole number"),
        ('[drop_lowest]\n"19" = 6', "6 exercises that count; drop fewer"),
        ('extra_credit = ["19"]\n[drop_lowest]\n"19" = 1', "0 exercises that count"),
        ('[drop_lowest]\n"19" = 1.5', "whole number"),
        ('extra_credit = "19.6"', "write a list"),
        ('extra_credit = ["19.9"]', "did you mean 19.6?|did you mean"),
        ('[due]\n"19" = 2026-10-16T23:59:00', "say zone"),
        ('[due]\n"19" = "2026-10-16"', "without quotes"),
        ('[due]\n"19" = 12:00:00', "write a date"),
        ('[due]\n"19" = 0206-10-16T23:59:00Z', "is the year right?"),
        ('zone = "Berlin"', "no time zone 'Berlin'"),
        ('zone = "../../etc/passwd"', "no time zone"),
        ("zone = 1", "no time zone 1"),
        ("[late]\ndyas = 1", "did you mean days?"),
        ("[late]\ndays = -1", "from 0 to 366"),
        ("[late]\npenalty = 101", "from 0 to 100"),
        ("late = 3", r"write \[late\]"),
        ('missing = "none"', '"zero" or "blank"'),
        ("written_answers = 130", "from 0 to 100"),
        ('[titles]\n"19" = "Agents (12)"', r"below \[canvas\]"),
        ('[titles]\n"19" = "Final Score"', "column of its own"),
        ('[titles]\n"19" = "=A1"', "as a formula does"),
        ('[titles]\n"19" = "A"\n"20" = "A"', "19 and 20 have one title"),
        ('[canvas]\n"19" = 1\n"20" = 1', "have one assignment's number"),
        ('[points]\n"ada" = 3', r'as \[points."19.1"\]'),
        ("[points]\n19.2.ada = 3", r'as \[points."19.1"\]'),
        ('[points."19.2"]\nada = 11', "points.19.2, ada is 11; write a number from 0 to 10"),
        ('[points."19"]\nada = 1', "did you mean|there are"),
        ('[extensions."19"]\nada = 2026-10-20', "say zone"),
        ('[extensions]\n"19" = 2026-10-20', r'as \[extensions."19"\]'),
    ],
)
def test_an_impossible_setting_is_a_sentence(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as told:
        read_course(text)
    assert str(told.value).startswith("course.toml") and len(str(told.value)) < 600
    assert "\n" not in str(told.value)


def test_weights_change_what_counts_and_what_is_the_most() -> None:
    assert maximum(M19, Course()) == sum(exercise.points for exercise in M19)
    course = read_course('[weights]\n"19.1" = 0\n"19" = 2')
    assert maximum(M19, course) == 2 * sum(exercise.points for exercise in M19[1:])
    assert points(course, ALL | {"19.1": 0.0}) == maximum(M19, course), "it has no weight"
    none = read_course('[weights]\n"19" = 0')
    assert (maximum(M19, none), points(none, ALL)) == (0, None)


def test_a_dropped_exercise_leaves_the_share_and_not_the_maximum() -> None:
    course = read_course('[drop_lowest]\n"19" = 1')
    shares = ALL | {"19.3": 0.0}
    assert points(course, shares) == maximum(M19, Course())
    assert drop_lowest(M19, shares, 1, course) == (1.0, ("19.3",))


def test_an_exercise_that_was_not_graded_is_not_what_is_dropped() -> None:
    shares = {id_: 1.0 for id_ in ALL if id_ != "19.3"} | {"19.2": 0.5}
    assert drop_lowest(M19, shares, 1, Course()) == (1.0, ("19.2",))
    assert drop_lowest(M19, {"19.2": 0.5}, 1, Course()) == (0.5, ()), "the only one stays"
    assert drop_lowest(M19, {}, 1, Course()) == (None, ())


def test_the_drop_is_the_best_for_the_student_and_not_the_lowest_share() -> None:
    """19.1 has 15 points and 19.2 has 10: losing 6 of 15 costs more than losing 4.5 of 10."""
    one, other = M19[0], M19[1]
    assert (one.points, other.points) == (15, 10)
    share, dropped = drop_lowest(M19, ALL | {one.id: 0.6, other.id: 0.55}, 1, Course())
    assert dropped == (one.id,) and share


def test_extra_credit_that_is_not_done_lowers_nothing() -> None:
    course = read_course('extra_credit = ["19.6"]')
    most = maximum(M19, course)
    assert most == maximum(M19, Course()) - M19[-1].points
    assert points(course, ALL | {"19.6": 0.0}) == most
    assert points(course, {id_: 1.0 for id_ in ALL if id_ != "19.6"}) == most
    assert points(course, ALL) == most + M19[-1].points, "and what is done adds"
    dropping = read_course('extra_credit = ["19.6"]\n[drop_lowest]\n"19" = 1')
    assert drop_lowest(M19, ALL | {"19.6": 0.0, "19.2": 0.9}, 1, dropping)[1] == ("19.2",)


@pytest.mark.parametrize(
    ("handed_in", "days"),
    [
        (at(16), 0),
        (at(16, 12, 0, 0, 999_999), 0),  # in the very second
        (at(16, 12, 0, 1), 1),
        (at(17), 1),
        (at(17, 12, 0, 1), 2),
        (at(1), 0),
    ],
)
def test_a_day_that_was_begun_is_a_day(handed_in: datetime, days: int) -> None:
    assert days_late(due(16), handed_in) == days


def test_a_day_of_grace_ends_at_the_same_time_on_the_wall() -> None:
    """Clocks are set back in the night to October 25, so that day has 25 hours."""
    autumn = Due(datetime(2026, 10, 24, 23, 59), BERLIN)
    assert autumn.ends(1) - autumn.ends() == timedelta(hours=25)
    assert days_late(autumn, at(25, 23, 59)) == 1, "24 hours would make it two days"
    assert days_late(autumn, at(25, 23, 59, 1)) == 2
    spring = Due(datetime(2026, 3, 28, 23, 59), BERLIN)
    assert spring.ends(1) - spring.ends() == timedelta(hours=23)
    twice = Due(datetime(2026, 10, 25, 2, 30), BERLIN)
    assert twice.ends() == datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "the second half past two"
    skipped = Due(datetime(2026, 3, 29, 2, 30), BERLIN)
    assert skipped.ends() == datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "half past three"


def test_free_days_are_spent_in_the_order_of_due_dates() -> None:
    """20 is due first here, and was graded last."""
    course = Course(due={"19": due(20), "20": due(10)}, late=Late(3, 10))
    work = {"19": Work(ALL, handed_in=at(22)), "20": Work({}, handed_in=at(12))}
    found = lateness(work, course)
    assert (found["20"].late, found["20"].charged) == (2, 0)
    assert (found["19"].late, found["19"].charged) == (2, 1)


def test_a_further_day_costs_and_after_the_last_nothing_counts() -> None:
    course = Course(due={"19": due(10)}, late=Late(1, 10, 5))
    most = maximum(M19, course)
    assert points(course, ALL, handed_in=at(11)) == most
    assert points(course, ALL, handed_in=at(13)) == pytest.approx(0.8 * most)
    assert points(course, ALL, handed_in=at(15)) == pytest.approx(0.6 * most)
    assert points(course, ALL, handed_in=at(15, 12, 0, 1)) == 0
    assert points(Course(due={"19": due(1)}, late=Late(0, 50)), ALL, handed_in=at(9)) == 0
    assert points(course, ALL) == most, "a date that nobody knows is not late"


def test_uncounted_work_spends_no_free_days() -> None:
    course = Course(due={"19": due(1), "20": due(10)}, late=Late(2, 10, 5))
    late_20 = Work({}, handed_in=at(12))
    for first in (Work(ALL, handed_in=at(9)), Work({}, is_missing=True)):
        assert lateness({"19": first, "20": late_20}, course)["20"].charged == 0


def test_answers_have_their_part_and_leave_the_maximum_where_nobody_marked_them() -> None:
    course = read_course("written_answers = 40")
    most = maximum(M19, course)
    half = dict.fromkeys(ALL, 0.5)
    assert points(course, half, answers=1.0) == pytest.approx(0.7 * most)
    assert points(course, half) == pytest.approx(0.5 * most)
    assert points(course, {}, answers=0.5) == pytest.approx(0.5 * most)
    assert points(course, {}) is None
    assert points(Course(), half, answers=1.0) == pytest.approx(0.5 * most), "they have no part"


def test_an_unmeasured_exercise_leaves_the_total() -> None:
    assert total(worth(MODULES, {"19": Work(ALL)}, Course())) == (
        maximum(M19, Course()),
        maximum(M19, Course()),
    )
    missing = {"19": Work(ALL), "20": Work({}, is_missing=True)}
    both = maximum(M19, Course()) + maximum(M20, Course())
    assert total(worth(MODULES, missing, Course())) == (maximum(M19, Course()), both)
    assert total(worth(MODULES, missing, Course(missing_is_zero=False))) == (
        maximum(M19, Course()),
        maximum(M19, Course()),
    )
    assert total(worth(MODULES, {}, Course())) is None


def test_answers_are_read_as_shares() -> None:
    assert read_answers({"ada": {"19": {"points": 7, "of": 10}}}) == {"ada": {"19": 0.7}}
    for wrong in (
        {"points": 7},
        {"points": 7, "of": 0},
        {"points": -1, "of": 5},
        {"points": 70, "of": 10},
        7,
        None,
    ):
        with pytest.raises(ValueError, match="ada, module 19: write points"):
            read_answers({"ada": {"19": wrong}})


def test_a_date_needs_a_time_and_a_zone() -> None:
    assert moment("2026-10-16 12:00", BERLIN) == at(16)
    assert moment("2026-10-16T12:00:00.9Z", None) == datetime(2026, 10, 16, 12, tzinfo=UTC)
    for text, says in (
        ("yesterday", "not a date"),
        ("2026-10-16", "not a date with a time"),
        ("2026-10-16 12:00", "no offset"),
        ("9999-12-31 23:59Z", "not in the years"),
    ):
        with pytest.raises(ValueError, match=says):
            moment(text, None)


def test_each_exercise_of_a_module_can_be_named() -> None:
    def has(one: Exercise) -> bool:
        return read_course(f'[weights]\n"{one.id}" = 3').weight(one) == 3

    assert all(map(has, load_exercises()))
