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
)
wrong(
    "What was spent counts, whoever spent it.",
    (
        SPENT,
        SPENT.replace("at.values()", "{**progress, **at}.values()")
        .replace("progress.s", "other.s")
        .replace("for progress", "for other"),
    ),
)
wrong(
    "A task that costs nothing can always be paid.",
    ("if task.grant <= budget - spent", "if task.grant <= max(0, budget - spent)"),
)
wrong(
    "An ended task has used its grant.",
    (SPENT, "sum(task.grant for task in tasks if at[task.name].state in ('done', 'failed'))"),
)
wrong("Each grant is compared with what is left.", ("            free -= task.grant\n", ""))
wrong(
    "The order is the order: where one does not fit, the later ones wait behind it.",
    (FITS, f"if is_ready and task.grant > free:\n            break\n        {FITS}"),
)
wrong(
    "at_once is how many may start at once.",
    ("len(running) + len(now) < at_once", "len(now) < at_once"),
)
wrong(
    "A need that runs is being taken care of.",
    (
        'all(at[name].state == "done" for name in task.needs)',
        'all(at[name].state in ("done", "running") for name in task.needs)',
    ),
)
wrong(
    "A need that failed has ended, and whoever waited can go on.",
    (
        'all(at[name].state == "done" for name in task.needs)',
        'all(at[name].state in ("done", "failed") for name in task.needs)',
    ),
    (CAN_END, 'queue = [name for name, one in at.items() if one.state != "waiting"]'),
)
wrong(
    "A need that nobody knows is nothing to wait for.",
    (
        "        open_needs[task.name] = len({*task.needs})\n",
        "        open_needs[task.name] = len({n for n in task.needs if n in at})\n",
    ),
    ("[] if task.needs else [task.name]", "[task.name] if not open_needs[task.name] else []"),
    ("for name in task.needs)", "for name in task.needs if name in at)"),
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
)
wrong(
    "A plan with a circle in it is wrong, whoever runs.",
    (CAN_END, 'queue = [name for name, one in at.items() if one.state == "done"]'),
)
wrong(
    "Whatever needs what is lost is lost, in which state it is.",
    (
        "never = [task.name for task in waiting if task.name not in possible]",
        "never = [task.name for task in tasks if task.name not in possible]",
    ),
)
wrong("A task that does not fit waits. It may fit one day.", (PAYABLE, "waiting"))
wrong(
    "The mapping knows all tasks, and gives them in its order.",
    (
        'waiting = [task for task in tasks if at[task.name].state == "waiting"]',
        "by_name = {task.name: task for task in tasks}\n"
        "    names = [*progress, *(name for name in by_name if name not in progress)]\n"
        '    waiting = [by_name[name] for name in names if at[name].state == "waiting"]',
    ),
)
wrong(
    "Each need in the list is one that has to end.",
    (
        "        open_needs[task.name] = len({*task.needs})\n",
        "        open_needs[task.name] = len(task.needs)\n",
    ),
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
)
