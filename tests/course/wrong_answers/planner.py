"""19.2 gone wrong."""

from __future__ import annotations

import re
from functools import partial

from g2c.agent import Plan

from . import wrong

wrong = partial(wrong, "19.2")

GOAL = re.compile(r"^[ \t]*goal[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
STEP = re.compile(r"^[ \t]*(\d{1,2})[ \t]*[.)-](?:[ \t](.*))?$", re.MULTILINE)


def check(user_message: str) -> None:
    if not user_message.strip():
        raise ValueError("user_message is empty")


def goal_of(text: str, user_message: str) -> str:
    found = GOAL.search(text)
    return (found and found[1].strip()) or user_message.strip()


def numbered(text: str) -> list[tuple[int, str]]:
    """Every numbered line, the empty ones included."""
    lines = STEP.findall(text.replace("\r\n", "\n"))
    return [(int(number), step.strip()) for number, step in lines]


def rising(lines: list[tuple[int, str]]) -> list[str]:
    steps, last = [], -1
    for number, step in lines:
        if step and number > last:
            steps.append(step)
            last = number
    return steps


@wrong(
    caught_by="test_an_empty_goal_does_not_take_the_next_line",
    says="'Goal:' is empty here, so the user's message is the goal",
)
def any_space_after_the_colon(text: str, user_message: str) -> Plan | None:
    r"""\s* after `Goal:` takes away stray spaces, and nothing else."""
    check(user_message)
    goal = re.search(r"^\s*goal\s*:\s*(.+)$", text, re.IGNORECASE | re.MULTILINE)
    steps = rising(numbered(text))[:5]
    return Plan(goal[1].strip() if goal else user_message.strip(), tuple(steps)) if steps else None


@wrong(
    caught_by="test_steps_without_text_are_dropped",
    says="it takes no text from the next line",
)
def any_space_after_the_number(text: str, user_message: str) -> Plan | None:
    r"""\s+ after the number is the space before the step's text."""
    check(user_message)
    lines = re.findall(r"^[ \t]*(\d{1,2})[ \t]*[.)-]\s+(\S.*)$", text, re.MULTILINE)
    steps = rising([(int(number), step.strip()) for number, step in lines])[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_a_line_that_only_looks_like_a_step_is_prose",
    says="'1.5 litres' is not a step",
)
def a_number_and_a_dot_begin_a_step(text: str, user_message: str) -> Plan | None:
    """A line that begins with a number and a separator is a step; models leave the space out."""
    check(user_message)
    lines = re.findall(r"^[ \t]*(\d{1,2})[ \t]*[.)-][ \t]*(.*)$", text, re.MULTILINE)
    steps = rising([(int(number), step.strip()) for number, step in lines])[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_a_line_that_only_looks_like_a_step_is_prose",
    says="'2024 - a year' is not a step",
)
def a_number_has_any_length(text: str, user_message: str) -> Plan | None:
    r"""\d+ is a step's number."""
    check(user_message)
    lines = re.findall(r"^[ \t]*(\d+)[ \t]*[.)-](?:[ \t]+(.*))?$", text, re.MULTILINE)
    steps = rising([(int(number), step.strip()) for number, step in lines])[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_reads_each_way_to_number",
    says="'1 -' numbers a step",
)
def steps_are_numbered_with_dots(text: str, user_message: str) -> Plan | None:
    """Models number with `1.` or `1)`, since the prompt's example does so."""
    check(user_message)
    lines = re.findall(r"^[ \t]*(\d{1,2})[.)][ \t]+(.*)$", text, re.MULTILINE)
    steps = rising([(int(number), step.strip()) for number, step in lines])[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_the_first_five_steps_that_have_text_are_kept",
    says="five steps with text are kept, the empty ones not counted",
)
def five_lines_are_five_steps(text: str, user_message: str) -> Plan | None:
    """The first five lines are the first five steps; the empty ones can be dropped afterwards."""
    check(user_message)
    steps = rising(numbered(text)[:5])
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_steps_without_text_are_dropped",
    says="the next number need not be above it",
)
def an_empty_step_uses_up_its_number(text: str, user_message: str) -> Plan | None:
    """A step is dropped if its number is not above that of the numbered line before it."""
    check(user_message)
    steps, last = [], -1
    for number, step in numbered(text):
        if number > last:
            last = number
            if step:
                steps.append(step)
    return Plan(goal_of(text, user_message), tuple(steps[:5])) if steps else None


@wrong(
    caught_by="test_steps_whose_number_does_not_rise_are_dropped",
    says="a small model that repeats its plan counts from 1 again",
)
def a_repeated_plan_has_equal_lines(text: str, user_message: str) -> Plan | None:
    """Where a model repeats its plan it writes the same lines, so a set of them is enough."""
    check(user_message)
    steps = list(dict.fromkeys(step for _, step in numbered(text) if step))[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None


@wrong(
    caught_by="test_steps_whose_number_does_not_rise_are_dropped",
    says="above that of the last step kept; you read Plan(goal='g', steps=('a', 'b', 'b again'",
)
def a_number_rises_above_the_line_before(text: str, user_message: str) -> Plan | None:
    """A number is compared with that of the line before it, kept or not."""
    check(user_message)
    lines = [(number, step) for number, step in numbered(text) if step]
    before = [-1, *(number for number, _ in lines)]
    steps = [step for last, (number, step) in zip(before, lines, strict=False) if number > last]
    return Plan(goal_of(text, user_message), tuple(steps[:5])) if steps else None


@wrong(
    caught_by="test_numbers_may_leave_gaps",
    says="numbers must rise, and need not start at 1 nor follow one another",
)
def steps_count_from_one(text: str, user_message: str) -> Plan | None:
    """The next step is the one numbered one higher; any other number is a slip."""
    check(user_message)
    steps: list[str] = []
    for number, step in numbered(text):
        if step and number == len(steps) + 1:
            steps.append(step)
    return Plan(goal_of(text, user_message), tuple(steps[:5])) if steps else None


@wrong(
    caught_by="test_numbers_are_compared_as_numbers",
    says="though the text '10' comes before the text '9'",
)
def digits_compare_like_numbers(text: str, user_message: str) -> Plan | None:
    """What the pattern captured can be compared as it is."""
    check(user_message)
    steps, last = [], ""
    for number, step in STEP.findall(text.replace("\r\n", "\n")):
        if step.strip() and number > last:
            steps.append(step.strip())
            last = number
    return Plan(goal_of(text, user_message), tuple(steps[:5])) if steps else None


@wrong(
    caught_by="test_without_a_goal_the_message_of_the_user_is_the_goal",
    says="the steps are there, only the goal is missing",
)
def a_plan_needs_its_goal(text: str, user_message: str) -> Plan | None:
    """Without `Goal:` the model has not written a plan."""
    check(user_message)
    goal = GOAL.search(text)
    steps = rising(numbered(text))[:5]
    if goal is None or not steps:
        return None
    return Plan(goal[1].strip() or user_message.strip(), tuple(steps))


@wrong(
    caught_by="test_without_steps_there_is_no_plan",
    says="return None rather than build a Plan",
)
def the_plan_checks_its_steps(text: str, user_message: str) -> Plan | None:
    """Plan refuses to be empty, so there is nothing to check here."""
    check(user_message)
    return Plan(goal_of(text, user_message), tuple(rising(numbered(text))[:5]))


@wrong(
    caught_by="test_an_empty_message_is_a_mistake_of_the_caller",
    says="is refused even if there is a goal: raise ValueError",
)
def the_plan_checks_its_goal(text: str, user_message: str) -> Plan | None:
    """The message is needed only where the text has no goal."""
    goal = goal_of(text, user_message)
    check(goal)
    steps = rising(numbered(text))[:5]
    return Plan(goal, tuple(steps)) if steps else None


@wrong(
    caught_by="test_of_two_goals_the_first_counts",
    says="the first line that starts with 'Goal:' counts, here 'Goal: g'",
)
def the_last_goal_counts(text: str, user_message: str) -> Plan | None:
    """Going through the lines, each `Goal:` sets the goal; a model may correct itself."""
    check(user_message)
    goal = ""
    for found in GOAL.findall(text):
        goal = found.strip()
    steps = rising(numbered(text))[:5]
    return Plan(goal or user_message.strip(), tuple(steps)) if steps else None


@wrong(
    caught_by="test_of_two_goals_the_first_counts",
    says="here 'Goal: ', also where it is empty: the goal is 'm'",
)
def an_empty_goal_is_passed_over(text: str, user_message: str) -> Plan | None:
    """The goal is the first one that has been written; an empty `Goal:` is none."""
    check(user_message)
    goals = [found.strip() for found in GOAL.findall(text) if found.strip()]
    steps = rising(numbered(text))[:5]
    return Plan([*goals, user_message.strip()][0], tuple(steps)) if steps else None


@wrong(
    caught_by="test_only_a_newline_ends_a_line",
    says="and not, as str.splitlines has it",
)
def splitlines_gives_the_lines(text: str, user_message: str) -> Plan | None:
    r"""str.splitlines splits at line ends, and takes care of \r\n too."""
    check(user_message)
    text = "\n".join(text.splitlines())
    steps = rising(numbered(text))[:5]
    return Plan(goal_of(text, user_message), tuple(steps)) if steps else None
