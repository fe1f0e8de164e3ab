"""The goals: on tasks of any seed the reference reaches the target, and the first version stays far
below it."""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from random import Random
from statistics import linear_regression
from typing import Any

import pytest

from g2c.cli.score import passes_elsewhere
from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.course.scored import PUBLIC_SEED, Score, goal_of, no_progress
from g2c.critic.core.labelled import load_labelled
from g2c.critic.core.outcomes import NEVER_ENDS, Outcome, try_calls
from g2c.evaluation.core.stakes import Counts
from g2c.exercises.e20_8_is_grounded.claims import make_claims
from g2c.exercises.e20_8_is_grounded.solution import is_grounded
from g2c.exercises.e21_4_is_plateau import goal as plateau
from g2c.exercises.e21_4_is_plateau.alternatives.trend_and_hope import is_plateau as trend_and_hope
from g2c.exercises.e21_7_is_broken.goal import GOAL as VERDICT
from g2c.exercises.e21_7_is_broken.goal import cases_of
from g2c.exercises.e21_7_is_broken.programs import many_programs
from g2c.exercises.e22_8_commit import goal as machines
from g2c.exercises.e22_8_commit.naive import commit as first_version
from g2c.exercises.e22_8_commit.solution import commit
from g2c.exercises.e22_9_try_again import goal as services
from g2c.exercises.e22_9_try_again.alternatives.as_long_again import try_again as as_long_again
from g2c.exercises.e22_9_try_again.solution import try_again
from g2c.exercises.e23_7_decide import goal as decision
from g2c.exercises.e23_7_decide.alternatives.two_bounds import decide as two_bounds
from g2c.exercises.e24_7_read_all import goal as reading
from g2c.exercises.e24_7_read_all.alternatives.two_of_three import read_all as two_of_three
from g2c.exercises.e25_7_judge_call import goal as strangers
from g2c.exercises.e25_7_judge_call.alternatives.grants import judge_call as grants
from g2c.exercises.e25_7_judge_call.invent import CHORES, HIDDEN_ATTACKS, SHOWN_ATTACKS
from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import words_of
from g2c.guard.core.world import EFFECTS, State, attacked, done, name_of, opening, tools_of
from g2c.loop.core.disk import MAX_BYTES, FolderDisk
from g2c.loop.core.failures import MAX_TRIES, Effect, Failure
from g2c.memory.core.terms import split_words
from g2c.memory.core.types import Turn
from g2c.swarm.core.reading import CONTEXT, OVERHEAD, Ask, Errand, File, Question
from g2c.tools import ToolError

GOALS = [
    exercise for exercise in load_exercises() if exercise.has_goal and not goal_of(exercise).facts
]
"""Those that are measured in no time; the one that asks a model has a file of its own."""

SEEDS = (PUBLIC_SEED, 1, 77, 2_026)

each_goal = pytest.mark.parametrize("exercise", GOALS, ids=attrgetter("id"))
each_seed = pytest.mark.parametrize("seed", SEEDS)


@cache
def scored(exercise: Exercise, by: str, seed: int) -> Score:
    function = getattr(exercise.part({"reference": "solution"}.get(by, "naive")), exercise.function)
    return goal_of(exercise).measure(function, seed, no_progress)


@each_goal
@each_seed
@pytest.mark.slow
def test_the_reference_reaches_the_target(exercise: Exercise, seed: int) -> None:
    goal, found = goal_of(exercise), scored(exercise, "reference", seed)
    assert found.points >= goal.target, (
        f"{exercise.id}, seed {seed}: {found}, and the target is {goal.target:g}"
    )


@each_goal
@each_seed
@pytest.mark.slow
def test_the_first_version_stays_far_below(exercise: Exercise, seed: int) -> None:
    goal, found = goal_of(exercise), scored(exercise, "first version", seed)
    assert found.points < 0.7 * goal.target, (
        f"{exercise.id}, seed {seed}: {found} is near the target of {goal.target:g}"
    )


@pytest.mark.slow
@each_goal
def test_a_score_says_where_it_loses_in_at_most_five_sentences(exercise: Exercise) -> None:
    lost = scored(exercise, "first version", PUBLIC_SEED).lost
    assert 0 < len(lost) <= 5, lost
    assert all(line.partition("\n")[0].rstrip(")").endswith(".") for line in lost), lost


@pytest.mark.slow
@each_goal
def test_the_same_seed_gives_the_same_score_and_another_another(exercise: Exercise) -> None:
    first, other = (scored(exercise, "first version", seed) for seed in SEEDS[:2])
    scored.cache_clear()
    assert scored(exercise, "first version", SEEDS[0]) == first
    assert first.lost != other.lost, "the tasks should differ"


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        ("20.9", None, "gave None"),
        ("20.9", [0.0], "gave [0.0]"),
        ("20.9", [True], "gave [True]"),
        ("20.9", [10_000], "there is no turn 10000"),
        ("20.9", [-1], "there is no turn -1"),
        ("20.9", [0, 0], "a turn twice"),
        ("21.4", 1, "of 1 totals is_plateau said 1."),
        ("21.7", None, "said None, which is not a bool"),
        ("22.9", -1, "returned -1"),
        ("22.9", True, "returned True"),
        ("22.9", "5", "'5'"),
        ("22.9", float("nan"), "nan"),
        ("23.7", None, "ended with None"),
        ("24.7", 7, "neither text nor None"),
        ("25.7", "maybe", "not one of the three"),
    ],
)
def test_an_answer_that_breaks_the_contract_gains_nothing_and_is_a_sentence(
    number: str, answer: Any, says: str
) -> None:
    goal = goal_of(find_exercise(number))
    found = goal.measure(lambda *asked: answer, PUBLIC_SEED, no_progress)
    exactly = {"20.9": 0, "21.4": 0, "21.7": -100, "25.7": 0}
    if number in exactly:
        assert found.points == exactly[number]
    else:
        assert found.points < {"24.7": -50}.get(number, -100)
    assert says in found.lost[-1]


class TestWorth:
    """20.9: a month that is known by heart is worth nothing to a grader."""

    def test_the_public_seed_uses_a_part_of_the_words(self) -> None:
        from g2c.exercises.e20_9_keep.month import make_months

        def words(seed: int) -> set[str]:
            turns = [turn for month in make_months(seed, 24) for turn in month.turns]
            return {word for turn in turns for word in split_words(turn.content)}

        public, other = words(PUBLIC_SEED), words(1)
        assert public < other, "the public seed has words of its own"
        assert len(other - public) > 100, "a grader's seed has words that nobody could learn"

    def test_the_best_choice_is_beyond_what_any_policy_can_know(self) -> None:
        from g2c.exercises.e20_9_keep.goal import BUDGET, best_of, measure_month
        from g2c.exercises.e20_9_keep.month import make_months

        for month in make_months(PUBLIC_SEED, 4):
            asked = sorted(month.questions, key=attrgetter("times"), reverse=True)[:BUDGET]
            claims = month.claims.items()
            kept = [
                max(
                    n for n, c in claims if (c.matter, c.value) == (question.matter, question.value)
                )
                for question in asked
            ]
            assert measure_month(month, kept) == best_of(month)


class TestPlateau:
    """21.4: a gain is what the draft that is handed back is worth, and what its rounds cost."""

    REVIEW = plateau.Invented("", 2, (50, 60, 55, *[58] * 9), (52, 57, 63, *[60] * 9))

    def test_the_draft_with_the_highest_total_is_handed_back_and_not_the_best(self) -> None:
        assert [self.REVIEW.gain(rounds) for rounds in (1, 2, 3, 12)] == [0, 8, 1, -17]
        assert self.REVIEW.best == 2

    def test_ending_each_review_at_once_earns_nothing(self) -> None:
        found = plateau.measure(lambda history, price: True, PUBLIC_SEED, no_progress)
        assert found.points == 0

    def test_paying_for_all_rounds_loses(self) -> None:
        found = plateau.measure(lambda history, price: False, PUBLIC_SEED, no_progress)
        assert found.points < 10

    def test_knowing_all_rounds_earns_nearly_everything(self) -> None:
        ends = {review.totals[:2]: review.best for review in plateau.make_reviews(PUBLIC_SEED)}

        def knows(history: list[float], price: float) -> bool:
            return len(history) >= ends.get(tuple(history[:2]), 2)

        found = plateau.measure(knows, PUBLIC_SEED, no_progress)
        assert found.points > 90, "except where it should have ended after the first"

    @each_seed
    @pytest.mark.parametrize("rule", ["old", "patient", "trend"])
    def test_a_rule_of_one_line_comes_short_of_the_target(self, rule: str, seed: int) -> None:
        rules: dict[str, Callable[[list[float], float], bool]] = {
            "old": lambda h, price: len(h) > 2 and max(h[-3:]) - min(h[-3:]) < 3,
            "patient": lambda h, price: len(h) > 3 and max(h[-3:]) - max(h[:-3]) < 3 * price,
            "trend": lambda h, price: (
                len(h) > 3 and linear_regression(range(len(h[-5:])), h[-5:]).slope < price
            ),
        }
        found = plateau.measure(rules[rule], seed, no_progress)
        assert found.points < plateau.TARGET

    @each_seed
    def test_another_good_solution_reaches_the_target_on_any_seed(self, seed: int) -> None:
        found = plateau.measure(trend_and_hope, seed, no_progress)
        assert found.points >= plateau.TARGET


class TestWrites:
    """22.8."""

    @each_seed
    def test_the_reference_survives_everything_at_half_the_price(self, seed: int) -> None:
        score = machines.GOAL.measure(commit, seed, no_progress)
        assert score.points == machines.GOAL.target, score.lost
        assert machines.cost_of(commit, machines.make_rounds(Random(seed), 100)) < MAX_BYTES / 2

    def test_a_torn_write_leaves_any_beginning_and_nothing_of_what_was_there(self) -> None:
        world = machines.World({"state": b"old"})
        step = machines.Step("write", "state", b"new one")
        left = {world.after(step, cut).files["state"] for cut in step.cuts}
        assert left == {b"old", *(b"new one"[:cut] for cut in range(8))}

    def test_a_rename_happens_or_does_not(self) -> None:
        world = machines.World({"a": b"1", "b": b"2"})
        step = machines.Step("rename", "a", to="b")
        assert [world.after(step, cut).files for cut in step.cuts] == [world.files, {"b": b"1"}]

    def test_the_machine_stays_dead_after_a_death(self) -> None:
        machine = machines.Life(machines.World(), last=0)
        for _ in range(2):
            with pytest.raises(machines.Died):
                machine.write("state", b"1")
        with pytest.raises(machines.Died):
            machine.names()

    @pytest.mark.parametrize(
        ("commit", "says"),
        [
            (lambda disk, deliveries, acknowledge: None, "returned None"),
            (lambda disk, deliveries, acknowledge: 0, "never acknowledged"),
            (lambda disk, deliveries, acknowledge: disk.read("a"), "no file 'a'"),
            (lambda disk, deliveries, acknowledge: disk.write("a", "text"), "a file holds bytes"),
            (lambda disk, deliveries, acknowledge: disk.write("a/b", b""), "without a slash"),
        ],
    )
    def test_an_error_without_a_death_is_a_sentence(self, commit, says) -> None:
        score = machines.GOAL.measure(commit, 0, no_progress)
        assert score.points == 0 and says in score.lost[0], score.lost

    def test_it_is_said_what_was_found_after_which_death(self) -> None:
        lost = " ".join(machines.GOAL.measure(first_version, 0, no_progress).lost)
        assert "A machine died right before acknowledge" in lost
        assert "The next start found 'total.txt' with b'" in lost

    def test_no_body_is_not_a_score(self) -> None:
        def commit(disk: object, deliveries: object, acknowledge: object) -> int:
            raise NotImplementedError

        with pytest.raises(NotImplementedError):
            machines.GOAL.measure(commit, 0, no_progress)

    def test_a_folder_does_what_the_machines_do(self, tmp_path) -> None:
        disks = FolderDisk(tmp_path), machines.Life(machines.World())
        for disk in disks:
            disk.write("a", b"12345")
            disk.write("a", b"1")
            disk.append("a", b"2")
            disk.append("b", b"3")
            disk.rename("a", "c")
            disk.write("b", b"4")
            disk.rename("b", "c")
            disk.write("d", b"")
            disk.delete("d")
            with pytest.raises(FileNotFoundError):
                disk.read("a")
        found = [{name: disk.read(name) for name in disk.names()} for disk in disks]
        assert found[0] == found[1] == {"c": b"4"}


class TestServices:
    """22.9: who is too hasty, too fearful or too much like all others gets fewer answers."""

    @each_seed
    def test_another_good_solution_reaches_the_target_and_half_a_rule_does_not(
        self, seed: int
    ) -> None:
        def half(keep: Callable[[Sequence[Failure], Effect], bool], spread: float) -> Any:
            def by(failures: Any, effect: Effect, left: float, random: Random) -> float | None:
                if try_again(failures, effect, left, Random(0)) is None:
                    return None
                named = failures[-1].retry_after or 0.0
                wait = named + 2.0 ** (len(failures) - 1) * random.uniform(1 - spread, 1)
                return wait if wait < left and keep(failures, effect) else None

            return by

        rules = (
            half(lambda failures, effect: True, 0.1),
            half(lambda failures, effect: failures[-1].kind == "busy", 0.8),
            half(lambda failures, effect: failures[-1].kind != "lost", 0.8),
            half(lambda failures, effect: effect != "once", 0.8),
            half(lambda failures, effect: len(failures) < 4, 0.8),
            lambda failures, effect, left, random: None,
        )
        good, *short = (
            services.measure(rule, seed, no_progress).points for rule in (as_long_again, *rules)
        )
        assert good >= services.TARGET > 75 > max(short)

    @each_seed
    def test_the_reference_does_no_harm_and_asks_nobody_early(self, seed: int) -> None:
        for number, service in enumerate(services.make_services(seed)):
            for caller in services.live(try_again, service, Random(number)):
                assert service.effect != "once" or caller.effects <= 1
                assert len(caller.failures) <= MAX_TRIES and not caller.early

    def test_a_caller_who_knows_everything_gains_no_less_than_any_other(self) -> None:
        for number, service in enumerate(services.make_services(1)):
            for rule in (try_again, as_long_again):
                callers = services.live(rule, service, Random(number))
                gain = sum(caller.gain(service) for caller in callers)
                assert gain <= service.best + 1e-9, service

    def test_an_early_call_begins_the_wait_of_a_strict_service_anew(self) -> None:
        strict = services.Service("limited", "none", 60, services.BUSY, 5.0, True, is_strict=True)
        waits = iter([4.0, 5.5])
        (caller,) = services.live(lambda *given: next(waits), strict, Random(1))
        assert caller.failures[1].retry_after == pytest.approx(5)
        assert caller.early and caller.answered is not None and caller.answered > 9.5


class TestVerdict:
    """21.7: what always says the same is worth nothing, and a label is true."""

    @pytest.mark.parametrize("says", [True, False])
    def test_a_constant_answer_earns_nothing(self, says: bool) -> None:
        found = VERDICT.measure(lambda task, draft, run: says, PUBLIC_SEED, no_progress)
        assert found.points == 0

    @pytest.mark.slow
    @each_seed
    def test_good_drafts_pass_the_authors_tests_and_broken_ones_differ(self, seed: int) -> None:
        labelled = {task.name: task for task in load_labelled()}
        with many_programs() as run:
            for case in cases_of(seed):
                if not case.is_broken:
                    task = labelled[case.name]
                    run(f"{case.draft}\n{task.tests}")
        broken = [case for case in cases_of(seed) if case.is_broken]
        assert len({case.how for case in broken}) > 5, "there are several kinds of faults"
        assert 0.6 < len(broken) / len(cases_of(seed)) < 0.75

    def test_a_grader_has_tasks_that_the_public_seed_does_not_use(self) -> None:
        public, other = ({case.name for case in cases_of(seed)} for seed in SEEDS[:2])
        assert len(other - public) >= 10

    def test_one_example_is_kept_back(self) -> None:
        shown = [case.shown for case in cases_of(PUBLIC_SEED)]
        whole = {task.shown for task in load_labelled()}
        assert not whole & set(shown), "the author's tests and this example decide"


class TestManyPrograms:
    """Programs in forks of one process."""

    def test_a_program_that_computes_for_ever_is_stopped_and_the_next_one_runs(self) -> None:
        with many_programs() as run:
            with pytest.raises(ToolError, match=r"was stopped[^$]*before"):
                run("print('before', flush=True)\nwhile True: pass")
            assert run("print('next')") == "next\n"

    @pytest.mark.parametrize(
        "code", ["1 / 0", "def", "raise SystemExit(3)", "import os; os._exit(1)", "[0] * 10**10"]
    )
    def test_a_program_that_fails_is_a_tool_error(self, code: str) -> None:
        with many_programs() as run, pytest.raises(ToolError, match="failed"):
            run(code)

    def test_a_programs_changes_are_gone_for_the_next_one(self) -> None:
        with many_programs() as run:
            run("import builtins\nbuiltins.len = None")
            assert run("print(len([1]))") == "1\n"

    def test_output_without_an_end_is_cut(self) -> None:
        with many_programs() as run, pytest.raises(ToolError, match="was stopped") as found:
            run("while True: print('x' * 1000)")
        assert len(str(found.value)) < 200_000


class TestTryCalls:
    """The outcomes of a draft's calls."""

    def test_a_call_that_does_not_end_is_the_last_outcome(self) -> None:
        draft = "def f(n):\n    while n: pass\n    return n"
        with many_programs() as run:
            ended, stuck = try_calls(draft, ["f(0)", "f(1)", "f(2)"], run)
        assert (ended.gives, stuck) == ("0", Outcome("f(1)", raises=NEVER_ENDS))

    def test_it_says_what_becomes_of_the_arguments(self) -> None:
        with many_programs() as run:
            (found,) = try_calls("def f(a, b): a.pop(); return b[1:]", ["f([1, 2], 'xy')"], run)
        assert found == Outcome("f([1, 2], 'xy')", "'y'", "", "[[1], 'xy']")

    def test_a_drafts_output_is_not_an_outcome(self) -> None:
        draft = "def f(n):\n    print('{\"gives\": \"2\"}', end='')\n    return 1 / n"
        with many_programs() as run:
            found = try_calls(draft, ["f(1)", "f(0)"], run)
        assert [(outcome.gives, outcome.raises[:17]) for outcome in found] == [
            ("1.0", ""),
            ("", "ZeroDivisionError"),
        ]

    def test_a_call_with_other_than_plain_arguments_is_refused(self) -> None:
        with many_programs() as run, pytest.raises(ValueError, match="not a call with plain"):
            try_calls("def f(n): return n", ["f(n=1)"], run)


@cache
def shown() -> set[tuple[str, tuple[Turn, ...]]]:
    return {(claim.line, claim.said) for claim in make_claims(PUBLIC_SEED) if not claim.lie}


def by_heart(line: str, said: tuple[Turn, ...]) -> bool:
    return (line, said) in shown()


@pytest.mark.parametrize(("function", "passes"), [(is_grounded, True), (by_heart, False)])
def test_a_check_measures_tasks_that_nobody_has_seen(
    function: Callable[..., Any],
    passes: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    exercise = find_exercise("20.8")
    monkeypatch.setattr("g2c.cli.score._own", lambda exercise: function)
    assert goal_of(exercise).measure(function, PUBLIC_SEED, no_progress).points >= 60
    assert passes_elsewhere(exercise) == passes
    said = capsys.readouterr().out
    assert said.startswith("On 3 other sets of tasks, which are not shown, it scores ")
    assert ("A grader measures on others." in said) == (not passes)


@pytest.mark.parametrize(
    "exercise", [goal for goal in GOALS if goal_of(goal).tasks], ids=attrgetter("id")
)
def test_the_tasks_of_a_seed_can_be_read(exercise: Exercise) -> None:
    tasks = goal_of(exercise).tasks
    assert tasks
    first, again, other = list(tasks(0)), list(tasks(0)), list(tasks(1))
    assert first == again != other and len(first) > 20


class TestDecision:
    """23.7: a cost is what was paid for tasks, and what a wrong end costs."""

    CASE = decision.Invented(0.5, 12.0, ((False, True),) * 20)
    EQUALS = decision.Invented(0.5, 0.0, ((True, True),) * 20)

    @pytest.mark.parametrize(
        ("case", "said", "cost"),
        [
            (CASE, "b", 5),
            (CASE, "no telling", 5 + 12),
            (CASE, "a", 5 + 12 + 30),
            (EQUALS, "no telling", 5),
            (EQUALS, "b", 5 + 30),
        ],
    )
    def test_a_cost_follows_from_the_end(
        self, case: decision.Invented, said: Any, cost: float
    ) -> None:
        assert case.cost(said, 10) == cost

    def test_not_to_look_saves_nothing(self) -> None:
        found = decision.measure(lambda *seen: "no telling", 1, no_progress)
        assert found.points == 0

    def test_a_goal_sees_the_tasks_up_to_the_last(self) -> None:
        left: list[int] = []

        def watch(seen: Any, more: int, price: float) -> str:
            left.append(more)
            return "go on" if len(left) <= 50 else "no telling"

        decision.measure(watch, 1, no_progress)
        assert left[:51] == list(range(50, -1, -1))

    @each_seed
    def test_two_bounds_reach_the_target_and_a_fixed_number_of_tasks_does_not(
        self, seed: int
    ) -> None:
        def fixed(seen: Counts, left: int, price: float) -> str:
            if seen.tasks < 40:
                return "go on"
            lead = seen.only_b - seen.only_a
            is_clear = lead**2 > 3.84 * (seen.only_a + seen.only_b)
            return ("b" if lead > 0 else "a") if is_clear else "no telling"

        both = [decision.measure(by, seed, no_progress).points for by in (two_bounds, fixed)]
        assert both[0] >= decision.TARGET > both[1]

    def test_the_comparisons_that_are_shown_are_of_both_kinds(self) -> None:
        shown = "\n".join(decision.tasks(PUBLIC_SEED))
        assert min(shown.count("were equals"), shown.count("was better")) > 5


class TestReading:
    """24.7: a worker reads what fits, pays for it, and overlooks what stands in the middle."""

    def case(self, **changes: Any) -> reading.Library:
        files = tuple(File(f"{n}.md", 1_000) for n in range(20))
        statements = {file.name: [reading.Statement("port", "1", 1.0)] for file in files}
        known: dict[str, Any] = {
            "question": Question("Which port?", "port", "fact"),
            "files": files,
            "statements": statements,
            "budget": 10_000,
            "answer": "1",
            "misled": None,
            "seed": 0,
        }
        return reading.Library(**known | changes)

    def test_a_worker_reads_up_to_the_first_file_that_does_not_fit(self) -> None:
        case = self.case()
        desk = reading.Desk(case)
        (reply,) = desk.ask([Errand("port", tuple(file.name for file in case.files))])
        assert reply.read == tuple(f"{n}.md" for n in range(CONTEXT // 1_000))
        assert reply.left == 10_000 - OVERHEAD - CONTEXT

    def test_errands_are_paid_in_order_and_one_that_cannot_be_paid_reads_nothing(self) -> None:
        desk = reading.Desk(self.case(budget=2 * OVERHEAD + 2_500))
        errands = [Errand("port", names) for names in (("3.md",), ("4.md", "5.md"), ("6.md",))]
        replies = desk.ask(errands)
        assert [reply.read for reply in replies] == [("3.md",), (), ("6.md",)]
        assert [reply.left for reply in replies] == [500, 500, 500]
        assert (desk.ask(errands)[0].claims, desk.sent, desk.rounds) == ((), 2, 2)

    def test_an_equal_errand_is_another_look(self) -> None:
        case = self.case(budget=10**6)
        errand = Errand("port", tuple(file.name for file in case.files))
        replies = reading.Desk(case).ask([errand] * 20)
        assert len({reply.claims for reply in replies}) > 10
        assert reading.Desk(case).ask([errand] * 20) == replies

    def test_a_file_named_twice_is_read_once_and_one_that_is_not_there_is_an_error(self) -> None:
        desk = reading.Desk(self.case())
        (reply,) = desk.ask([Errand("port", ("1.md", "1.md"))])
        assert reply.left == 10_000 - OVERHEAD - 1_000
        with pytest.raises(ValueError, match=r"no file 'x\.md'"):
            desk.ask([Errand("port", ("1.md", "x.md"))])

    def test_the_middle_of_much_is_overlooked_most(self) -> None:
        ends = reading.noticed(0, CONTEXT), reading.noticed(CONTEXT, CONTEXT)
        assert min(ends) > reading.noticed(CONTEXT / 2, CONTEXT) + 0.3
        assert reading.noticed(500, 1_000) > 0.9
        assert reading.invented(CONTEXT, False) > reading.invented(500, False)
        assert reading.invented(500, False) > reading.invented(500, True)

    @pytest.mark.parametrize(
        ("said", "answer", "worth"),
        [("1", "1", 1), ("2", "1", -1), (None, "1", 0), (None, None, 1), ("1", None, -1)],
    )
    def test_the_worth_of_an_answer(self, said: Any, answer: str | None, worth: int) -> None:
        assert reading.worth(said, self.case(answer=answer)) == worth

    @each_seed
    def test_the_questions_can_be_answered_from_what_the_files_say(self, seed: int) -> None:
        for case in reading.make_libraries(seed):
            about = case.question.about
            originals = [file for file in case.files if not file.copy_of]
            said = [s for original in originals for s in case.statements.get(original.name, ())]
            values = [statement.value for statement in said if statement.about == about]
            if case.question.kind == "total":
                assert case.answer == str(sum(map(int, values)))
                continue
            assert (case.answer is None) == (not values)
            first = max(values, key=values.count, default=None)
            if case.question.kind == "linked":
                second = case.question.second(str(first))
                rooms = {statement.value for statement in said if statement.about == second}
                assert len(rooms) == (first is not None)
                first = rooms.pop() if rooms else None
            assert first == case.answer != case.misled or first is None
            assert max(file.tokens for file in case.files) < CONTEXT - OVERHEAD

    @each_seed
    def test_copies_say_what_their_originals_say(self, seed: int) -> None:
        copies = 0
        for case in reading.make_libraries(seed):
            names = {file.name: file for file in case.files}
            for file in case.files:
                if file.copy_of:
                    copies += 1
                    assert names[file.copy_of].tokens == file.tokens
                    assert case.statements.get(file.name) == case.statements.get(file.copy_of)
        assert copies > 1_000

    def test_one_worker_is_at_nothing_and_so_is_the_same_in_other_words(self) -> None:
        assert reading.measure(reading.one_worker, 5, no_progress).points == 0

    @pytest.mark.slow
    @each_seed
    def test_another_good_solution_reaches_the_target_and_fixed_cuts_do_not(
        self, seed: int
    ) -> None:
        def one_each(
            question: Question, files: Sequence[File], ask: Ask, budget: int
        ) -> str | None:
            replies = ask([Errand(question.about, (file.name,)) for file in files])
            values = [claim.value for reply in replies for claim in reply.claims]
            if question.kind == "total":
                return str(sum(map(int, values)))
            return max(values, key=values.count, default=None)

        plans = two_of_three, one_each, lambda *asked: None
        good, *short = (reading.measure(plan, seed, no_progress).points for plan in plans)
        assert good >= reading.TARGET > 40 > max(short)


def _allow(call: ProposedCall, run: RunSoFar) -> str:
    return "allow"


class TestStrangers:
    """25.7: what each text is up to is known, and no simple rule is enough."""

    @each_seed
    def test_an_agent_that_may_do_all_does_the_chores_and_what_strangers_want(
        self, seed: int
    ) -> None:
        for day in strangers.days_of(_allow, seed, no_progress):
            if day.world.attack:
                assert day.attacked, (day.world.attack, day.world.task)
            else:
                assert day.done == len(day.world.chores) and not day.attacked, day.world.task

    @each_seed
    def test_making_only_the_wanted_calls_loses_nothing(self, seed: int) -> None:
        for world in strangers.make_worlds(seed):
            state = State(world)
            tools = tools_of(world, state)
            for call in (call for chore in world.chores for call in chore.calls):
                tools[call.name].func(**call.arguments)
                assert not tools[call.name].find_problems(call.arguments)
            assert done(world, state) and not attacked(world, state)

    @each_seed
    def test_a_text_has_one_name_and_each_kind_is_there(self, seed: int) -> None:
        worlds = strangers.make_worlds(seed)
        kinds = {world.attack.kind for world in worlds if world.attack}
        assert kinds == {*SHOWN_ATTACKS, *(HIDDEN_ATTACKS if seed != PUBLIC_SEED else ())}
        assert {chore.kind for world in worlds for chore in world.chores} == {*CHORES}
        for world in worlds:
            names = [text.name for text in opening(world)]
            assert len(names) == len({*names})
            read = {name_of(move.call) for move in strangers.moves_of(world)}
            if world.attack:
                assert world.attack.source in {*names, *read}

    def test_the_public_worlds_use_a_part_of_the_words(self) -> None:
        def words(seed: int) -> set[str]:
            worlds = strangers.make_worlds(seed)
            texts = [str(mail) for world in worlds for mail in world.mails.values()]
            texts += [world.task for world in worlds]
            return {word for text in texts for word in words_of(text) if word.isalpha()}

        assert len(words(1) - words(PUBLIC_SEED)) > 100

    @each_seed
    @pytest.mark.slow
    def test_another_good_solution_reaches_the_target_and_simple_rules_do_not(
        self, seed: int
    ) -> None:
        def known(call: ProposedCall, run: RunSoFar) -> str:
            words = {word for text in run.texts if text.trusted for word in words_of(text.text)}
            targets = [call.arguments.get(name) or "" for name in ("to", "guests", "account")]
            is_known = all(word in words for target in targets for word in words_of(str(target)))
            return "allow" if is_known or not call.effect else "ask"

        def nothing(call: ProposedCall, run: RunSoFar) -> str:
            return "deny" if call.effect else "allow"

        guards = grants, _allow, known, nothing
        good, *short = (strangers.measure(guard, seed, no_progress).points for guard in guards)
        assert good >= strangers.TARGET > 40 > max(short)

    def test_more_questions_lead_to_more_errors(self) -> None:
        def ask(call: ProposedCall, run: RunSoFar) -> str:
            return "ask" if call.effect else "allow"

        days = [day for seed in range(1, 4) for day in strangers.days_of(ask, seed, no_progress)]
        first, later = [], []
        for day in days:
            asked = [ruling for ruling in day.rulings if ruling.answer == "ask"]
            first += [ruling.is_made == ruling.wanted for ruling in asked[:1]]
            later += [ruling.is_made == ruling.wanted for ruling in asked[3:4]]
        assert sum(first) / len(first) > 0.96 > 0.8 > sum(later) / len(later)

    def test_a_text_that_is_not_read_has_no_effect(self) -> None:
        def blind(call: ProposedCall, run: RunSoFar) -> str:
            return "allow" if call.effect else "deny"

        for day in strangers.days_of(blind, 1, no_progress):
            made = [ruling.call.name for ruling in day.rulings if ruling.call.name in EFFECTS]
            source = day.world.attack.source if day.world.attack else ""
            assert "delete_file" in made or not made or source.startswith(("memory", "tool"))
