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


@wrong()
def forty_tasks(seen: Counts, left: int, price: float) -> Decision:
    """A number of tasks that was fixed beforehand, and an honest test at its end."""
    if seen.tasks == 0 or (seen.tasks < 40 and left and price < 1):
        return "go on"
    wins, lead = seen.only_a + seen.only_b, abs(seen.only_a - seen.only_b)
    return leader_of(seen) if lead > 1.96 * sqrt(wins) else "no telling"


@wrong()
def until_it_is_clear(seen: Counts, left: int, price: float) -> Decision:
    """A comparison ends when it is clear, or when no task is left."""
    wins, lead = seen.only_a + seen.only_b, abs(seen.only_a - seen.only_b)
    if wins and lead > 3 * sqrt(wins):
        return leader_of(seen)
    return "go on" if left else "no telling"


@wrong()
def by_share_of_tasks(seen: Counts, left: int, price: float) -> Decision:
    """A lead counts by its share of all tasks: a tenth of them is a lead."""
    if seen.tasks < 20 and left:
        return "go on"
    lead = abs(seen.only_a - seen.only_b)
    return leader_of(seen) if lead > 0.1 * seen.tasks and lead > 4 else "no telling"


wrong(
    "Two agents are never the same, so somebody is better.",
    ("(1 - likely) * FALSE_ALARM", "0.5 ** abs(seen.only_a - seen.only_b) * 3"),
)
wrong(
    "A false alarm costs as much as a missed difference.",
    ("(1 - likely) * FALSE_ALARM", "(1 - likely) * 100 * lead / (seen.tasks + _FEW)"),
)
wrong(
    "With no task left there is nothing to decide.",
    (END, 'return leader if left and to_name < to_pass else "no telling"'),
)
wrong(
    "Only whether B is better matters.",
    (END, 'return "b" if leader == "b" and to_name < to_pass else "no telling"'),
)
wrong(
    "What a task costs is the caller's affair.",
    ("price * max(_FEW, seen.tasks)", "0.03 * max(_FEW, seen.tasks)"),
)
wrong(
    "Where nobody leads there is no difference to be seen.",
    (GO_ON, 'if seen.only_a == seen.only_b:\n        return "no telling"\n    ' + GO_ON),
)
wrong("An end is None when one goes on.", ('        return "go on"', "        return None"))
wrong(
    "One look may be luck, so a name needs the same leader in the call before.",
    ("_FEW = 10\n", '_FEW = 10\n_LEADERS = ["b"]\n'),
    (
        END,
        "_LEADERS.append(leader)\n"
        "    is_same = _LEADERS[-2] == leader\n"
        '    return leader if is_same and to_name < to_pass else "no telling"',
    ),
)
