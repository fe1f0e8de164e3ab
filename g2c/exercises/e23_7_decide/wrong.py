"""23.7 gone wrong."""

from functools import partial
from math import sqrt

from wrong_answers import wrong

from g2c.evaluation.core.stakes import Counts, Decision

wrong = partial(wrong, "23.7")

END = 'return leader if to_name < to_pass else "no telling"'
GO_ON = "if left and min(to_name, to_pass) > next_step:"


def leader_of(seen: Counts) -> Decision:
    return "a" if seen.only_a > seen.only_b else "b"


@wrong(caught_by="test_it_reaches_the_target", says="and the target is 37")
def forty_tasks(seen: Counts, left: int, price: float) -> Decision:
    """A number of tasks that was fixed beforehand, and an honest test at its end."""
    if seen.tasks == 0 or (seen.tasks < 40 and left and price < 1):
        return "go on"
    wins, lead = seen.only_a + seen.only_b, abs(seen.only_a - seen.only_b)
    return leader_of(seen) if lead > 1.96 * sqrt(wins) else "no telling"


@wrong(caught_by="test_equals_are_given_up_before_the_last_task", says="and the next 200 tasks")
def until_it_is_clear(seen: Counts, left: int, price: float) -> Decision:
    """A comparison ends when it is clear, or when no task is left."""
    wins, lead = seen.only_a + seen.only_b, abs(seen.only_a - seen.only_b)
    if wins and lead > 3 * sqrt(wins):
        return leader_of(seen)
    return "go on" if left else "no telling"


@wrong(
    caught_by="test_tasks_without_a_winner_do_not_weaken_the_wins",
    says="what both did alike says how large it is",
)
def by_share_of_tasks(seen: Counts, left: int, price: float) -> Decision:
    """A lead counts by its share of all tasks: a tenth of them is a lead."""
    if seen.tasks < 20 and left:
        return "go on"
    lead = abs(seen.only_a - seen.only_b)
    return leader_of(seen) if lead > 0.1 * seen.tasks and lead > 4 else "no telling"


wrong(
    "Two agents are never the same, so somebody is better.",
    ("(1 - likely) * FALSE_ALARM", "0.5 ** abs(seen.only_a - seen.only_b) * 3"),
    caught_by="test_a_small_lead_is_not_named",
    says="half of the comparisons are between equals",
)
wrong(
    "A false alarm costs as much as a missed difference.",
    ("(1 - likely) * FALSE_ALARM", "(1 - likely) * 100 * lead / (seen.tasks + _FEW)"),
    caught_by="test_the_last_task_forces_no_name",
    says="a name costs 30 if there is none",
)
wrong(
    "With no task left there is nothing to decide.",
    (END, 'return leader if left and to_name < to_pass else "no telling"'),
    caught_by="test_a_clear_lead_is_named_at_the_last_task_too",
    says="whether or not a task is left",
)
wrong(
    "Only whether B is better matters.",
    (END, 'return "b" if leader == "b" and to_name < to_pass else "no telling"'),
    caught_by="test_a_clear_lead_is_named",
    says="For 38 wins of B and then of A",
)
wrong(
    "What a task costs is the caller's affair.",
    ("price * max(_FEW, seen.tasks)", "0.03 * max(_FEW, seen.tasks)"),
    caught_by="test_the_price_of_a_task_decides",
    says="more than any difference is worth",
)
wrong(
    "Where nobody leads there is no difference to be seen.",
    (GO_ON, 'if seen.only_a == seen.only_b:\n        return "no telling"\n    ' + GO_ON),
    caught_by="test_without_a_task_nothing_can_be_said",
    says="nothing was asked yet",
)
wrong(
    "An end is None when one goes on.",
    ('        return "go on"', "        return None"),
    caught_by="test_the_answer_is_one_of_four",
    says="the answer is one of",
)
wrong(
    "One look may be luck, so a name needs the same leader in the call before.",
    ("_FEW = 10\n", '_FEW = 10\n_LEADERS = ["b"]\n'),
    (
        END,
        "_LEADERS.append(leader)\n"
        "    is_same = _LEADERS[-2] == leader\n"
        '    return leader if is_same and to_name < to_pass else "no telling"',
    ),
    caught_by="test_each_comparison_is_decided_by_its_own_tasks",
    says="what is left from the call before",
)
