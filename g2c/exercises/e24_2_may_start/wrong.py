"""24.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "24.2")

FREE = "free = budget - spent - sum(task.grant for task in running)"
SPENT = 'sum(progress.spent for progress in at.values() if progress.state in ("done", "failed"))'
FITS = "if is_ready and task.grant <= free and len(running) + len(now) < at_once:"
PAYABLE = "[task for task in waiting if task.grant <= budget - spent]"
CAN_END = 'queue = [name for name, one in at.items() if one.state in ("done", "running")]'
WALK = """    for name in queue:
        for other in needed_by[name]:
            open_needs[other] -= 1
            queue += [] if open_needs[other] else [other]
    return {*queue}
"""

wrong(
    "A running task has used what it has spent so far.",
    (FREE, "free = budget - spent - sum(at[task.name].spent for task in running)"),
    caught_by="test_a_running_task_holds_its_whole_grant",
    says="`a` may still spend its 60, of which the 5 are a part",
)
wrong(
    "What was spent counts, whoever spent it.",
    (
        SPENT,
        SPENT.replace("at.values()", "{**progress, **at}.values()")
        .replace("progress.s", "other.s")
        .replace("for progress", "for other"),
    ),
    caught_by="test_progress_of_tasks_that_are_not_in_the_list_counts_for_nothing",
    says="`gone` is not in the list",
)
wrong(
    "A task that costs nothing can always be paid.",
    ("if task.grant <= budget - spent", "if task.grant <= max(0, budget - spent)"),
    caught_by="test_an_overdrawn_budget_pays_for_nothing",
    says="9 of 5 tokens are spent",
)
wrong(
    "An ended task has used its grant.",
    (
        SPENT,
        "sum(task.grant for task in tasks if at[task.name].state in ('done', 'failed'))",
    ),
    caught_by="test_an_ended_task_counts_what_it_spent",
    says="`a` was granted 60 and spent 50",
)
wrong(
    "Each grant is compared with what is left.",
    ("            free -= task.grant\n", ""),
    caught_by="test_many_small_grants_are_one_large_one",
    says="each grant fits by itself; five are 50 tokens",
)
wrong(
    "The order is the order: where one does not fit, the later ones wait behind it.",
    (FITS, f"if is_ready and task.grant > free:\n            break\n        {FITS}"),
    caught_by="test_a_task_that_does_not_fit_lets_later_ones_pass",
    says="`b` does not fit beside `a` and waits",
)
wrong(
    "at_once is how many may start at once.",
    ("len(running) + len(now) < at_once", "len(now) < at_once"),
    caught_by="test_those_that_run_already_are_counted",
    says="of two places one is free",
)
wrong(
    "A need that runs is being taken care of.",
    (
        'all(at[name].state == "done" for name in task.needs)',
        'all(at[name].state in ("done", "running") for name in task.needs)',
    ),
    caught_by="test_a_task_waits_until_all_that_it_needs_is_done",
    says="one of the two still runs, and gave nothing yet",
)
wrong(
    "A need that failed has ended, and whoever waited can go on.",
    (
        'all(at[name].state == "done" for name in task.needs)',
        'all(at[name].state in ("done", "failed") for name in task.needs)',
    ),
    (CAN_END, 'queue = [name for name, one in at.items() if one.state != "waiting"]'),
    caught_by="test_whatever_needs_a_failed_or_unknown_task_is_lost",
    says="`a` failed, so `b` cannot start",
)
wrong(
    "A need that nobody knows is nothing to wait for.",
    (
        "        open_needs[task.name] = len({*task.needs})\n",
        "        open_needs[task.name] = len({n for n in task.needs if n in at})\n",
    ),
    ("[] if task.needs else [task.name]", "[task.name] if not open_needs[task.name] else []"),
    ("for name in task.needs)", "for name in task.needs if name in at)"),
    caught_by="test_ready_tasks_start_and_lost_ones_are_named",
    says="Nobody knows `paint`, so `print` waits for ever",
)
wrong(
    "Lost is who waits for a lost one, again and again. A circle only waits.",
    (
        "    never = [task.name for task in waiting if task.name not in possible]\n",
        "    lost = {name for name, one in at.items() if one.state == 'failed'}\n"
        "    lost |= {name for task in tasks for name in task.needs if name not in at}\n"
        "    lost |= {task.name for task in waiting if task.grant > budget - spent}\n"
        "    todo = list(lost)\n"
        "    behind = defaultdict(list)\n"
        "    for task in waiting:\n"
        "        for name in task.needs:\n"
        "            behind[name].append(task.name)\n"
        "    for name in todo:\n"
        "        fresh = [other for other in behind[name] if other not in lost]\n"
        "        lost |= {*fresh}\n"
        "        todo += fresh\n"
        "    never = [task.name for task in waiting if task.name in lost]\n",
    ),
    caught_by="test_a_circle_never_starts_and_nobody_behind_it",
    says="a, b and c each wait for another, so none can be first",
)
wrong(
    "A plan with a circle in it is wrong, whoever runs.",
    (CAN_END, 'queue = [name for name, one in at.items() if one.state == "done"]'),
    caught_by="test_a_circle_through_a_task_that_runs_is_none",
    says="`a` runs, whatever it needed",
)
wrong(
    "Whatever needs what is lost is lost, in which state it is.",
    (
        "never = [task.name for task in waiting if task.name not in possible]",
        "never = [task.name for task in tasks if task.name not in possible]",
    ),
    caught_by="test_only_waiting_tasks_are_named",
    says="what ended or runs is neither started nor lost",
)
wrong(
    "A task that does not fit waits. It may fit one day.",
    (PAYABLE, "waiting"),
    caught_by="test_a_grant_that_can_never_be_paid_is_lost",
    says="never for the 41 of `b`",
)
wrong(
    "The mapping knows all tasks, and gives them in its order.",
    (
        'waiting = [task for task in tasks if at[task.name].state == "waiting"]',
        "by_name = {task.name: task for task in tasks}\n"
        "    names = [*progress, *(name for name in by_name if name not in progress)]\n"
        '    waiting = [by_name[name] for name in names if at[name].state == "waiting"]',
    ),
    caught_by="test_the_order_is_that_of_the_tasks",
    says="the list of tasks says who comes first, and no mapping",
)
wrong(
    "Each need in the list is one that has to end.",
    (
        "        open_needs[task.name] = len({*task.needs})\n",
        "        open_needs[task.name] = len(task.needs)\n",
    ),
    caught_by="test_a_need_that_stands_twice_is_one_need",
    says="one end of `a` is enough",
)
wrong(
    "Go over all tasks again until nothing changes.",
    (
        WALK,
        "    found, before = {*queue}, -1\n"
        "    while len(found) > before:\n"
        "        before = len(found)\n"
        "        found |= {task.name for task in payable if {*task.needs} <= found}\n"
        "    return found\n",
    ),
    caught_by="test_a_long_chain_takes_no_long_time",
    says="going through all of them again for each task is too slow",
)
