"""Small days: what each part of an agent changes, and what `g2c compare --parts` says."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from checkout import Checkout
from command import g2c

from g2c.days.errands import KINDS, Errand, make_day
from g2c.days.erring import ErringModel
from g2c.days.lives import LADDER, End, Lived, live

PAGE = Path(__file__).parents[3] / "docs" / "modules" / "23-evaluation" / "parts.md"
PARTS = dict(LADDER)
DAYS = [make_day(number) for number in range(8)]


@pytest.fixture
def ends(tmp_path: Path) -> Callable[..., list[Lived]]:
    """The ends of the chosen errands with an agent, on a model that errs at `rate`."""

    def lived(agent: str, chosen: Callable[[Errand], bool], rate: float = 0.0) -> list[Lived]:
        errands = [errand for day in DAYS for errand in day]
        model = ErringModel(errands, rate)
        return [
            live(errand, PARTS[agent], model, tmp_path / agent / errand.id)
            for errand in errands
            if chosen(errand)
        ]

    return lived


def only(lived: Sequence[Lived]) -> set[End]:
    assert lived
    return {life.end for life in lived}


def test_a_day_is_the_same_each_time_and_has_each_kind_once() -> None:
    assert make_day(3) == make_day(3) != make_day(4)
    assert [errand.kind for errand in make_day(3)] == list(KINDS)


@pytest.mark.parametrize(
    ("kind", "without", "its_part"),
    [("later", "19", "+ 20 memory"), ("busy", "+ 21 critic", "+ 22 loop")],
)
def test_a_part_ends_the_loss_that_it_is_for(
    kind: str, without: str, its_part: str, ends: Callable[..., list[Lived]]
) -> None:
    assert only(ends(without, lambda errand: errand.kind == kind)) == {"lost"}
    found = Counter(life.end for life in ends(its_part, lambda errand: errand.kind == kind))
    # A right answer may be withheld, if the check of 20.8 cannot follow its sentence.
    assert found["solved"] >= len(DAYS) - 1 and set(found) <= {"solved", "lost"}


@pytest.mark.parametrize(
    ("killed", "agent", "end"),
    [
        ("before", "19", "lost"),
        ("before", "+ 22 loop", "solved"),
        ("before", "+ 25 guard", "solved"),
        ("after", "19", "solved"),
        ("after", "+ 22 loop", "harmed"),
        ("after", "+ 25 guard", "solved"),
    ],
)
def test_a_loop_doubles_a_mail_after_a_crash_unless_the_journal_asks(
    killed: str, agent: str, end: End, ends: Callable[..., list[Lived]]
) -> None:
    found = ends(agent, lambda errand: errand.killed == killed)
    assert only(found) == {end}
    assert {life.asked for life in found} == {int(agent == "+ 25 guard")}


def test_workers_find_what_one_agent_has_no_steps_for(ends: Callable[..., list[Lived]]) -> None:
    found = ends("+ 24 swarm", lambda errand: errand.kind == "many")
    assert only(found) == {"solved"}


def test_a_strangers_order_is_followed_unless_there_is_a_guard(
    ends: Callable[..., list[Lived]],
) -> None:
    obeyed = ends("19", lambda errand: errand.kind == "letter", 0.5)
    assert "harmed" in only(obeyed)
    assert "harmed" not in only(ends("+ 25 guard", lambda errand: errand.kind == "letter", 0.5))


def test_the_outcomes_are_written_once(tmp_path: Path) -> None:
    asked = ("compare", "--parts", "-n", "2", "--fresh", "9", "--json", "days.json")
    done = g2c(*asked, root=tmp_path)
    assert "12 errands of 2 small days, drawn from 9" in done.stdout, done.stderr
    stored = json.loads((tmp_path / "days.json").read_text("utf-8"))["lived"]
    assert Counter(map(len, stored.values())) == {12: len(LADDER)}
    again = g2c(*asked, root=tmp_path)
    assert again.returncode == 1 and "days.json exists" in again.stderr


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("embedded",), "Name the two models to compare, or give --parts."),
        (("a", "b", "--parts"), "leave a model B out"),
        (("--parts", "--gate"), "leave --gate out"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    given: Sequence[str], says: str, tmp_path: Path
) -> None:
    done = g2c("compare", *given, root=tmp_path)
    assert done.returncode == 1 and says in done.stderr


@pytest.mark.slow
def test_the_page_shows_what_the_command_prints(tmp_path: Path) -> None:
    done = g2c("compare", "--parts", "--limit", "40", "--fresh", "1", root=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]
    assert _without_seconds(shown) == _without_seconds(done.stdout)


def test_written_functions_are_used_and_references_stand_in_for_the_rest(tmp_path: Path) -> None:
    course = Checkout(tmp_path)
    mine = course.file_of("21.2")
    body = 'raise RuntimeError("so it is mine")'
    mine.write_text(mine.read_text("utf-8").replace("raise NotImplementedError", body), "utf-8")
    done = course.g2c("compare", "--parts", "-n", "1", "--fresh", "1")
    assert done.returncode == 0, done.stderr
    assert "stands in: 19.1" in done.stderr and "21.2," not in done.stderr
    assert "with: RuntimeError: so it is mine" in done.stdout


def _without_seconds(report: str) -> list[str]:
    lines = [line.strip() for line in report.strip().splitlines()]
    costs = re.compile(r"(\| (?:agent|19|\+ 2\d \w+) +\|.*\|)[^|]+\|$")
    return [costs.sub(r"\1", line) if "%" in line or "agent" in line else line for line in lines]
