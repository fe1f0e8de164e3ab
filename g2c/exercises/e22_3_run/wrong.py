"""22.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.3")

EXCLUSIVE = "    with runner.exclusive():\n"
OPEN = """\
        state = runner.open(goal, budget)
        failures = runner.failures_in_a_row(state)
"""
ASK_FIRST = """\
            if state.status == "running":
                state = replace(state, status=_ask(runner, "continue", failures, state))
"""
LOOP = '            while state.status == "running":\n'
TICK = "                state, record = runner.tick(state)\n"
COMMIT = "                runner.commit(state, record)\n"
REVIEW = """\
                if state.status == "running":
                    state = runner.review(state)
"""
INTERRUPT = """\
        except KeyboardInterrupt:
            state = runner.interrupted()
"""

wrong(
    "A budget of nine ticks is a loop that goes round nine times.",
    ("state.budget,", "replace(state.budget, ticks=None),"),
    (
        LOOP,
        "            for _ in range(state.budget.ticks or 10**6):\n"
        '                if state.status != "running":\n'
        "                    break\n",
    ),
    (
        INTERRUPT,
        '            if state.status == "running":\n'
        f'                state = replace(state, status="budget_exceeded")\n{INTERRUPT}',
    ),
)
wrong("Before the first tick nothing has happened that could end the loop.", (ASK_FIRST, ""))
wrong(
    "next_status knows every reason to end, so what the status was does not matter.",
    (ASK_FIRST, ASK_FIRST.replace('state.status == "running"', "True")),
)
wrong(
    "A loop that has ended was closed when it ended.",
    (OPEN, f'{OPEN}        if state.status != "running":\n            return state\n'),
)
wrong("A new process begins with no failures.", ("runner.failures_in_a_row(state)", "0"))
wrong("A loop may have so many failures, and no more.", ("else 0", "else failures"))
wrong(
    "A tick that failed has nothing to hand on, so it is made again from the old state.",
    (TICK, f"                before = state\n{TICK}"),
    (
        COMMIT,
        '                if record.outcome == "failed":\n'
        "                    state = replace(before, status=state.status)\n"
        f"                    continue\n{COMMIT}",
    ),
)
wrong(
    "A tick is put on the disk as soon as it is over; what follows from it is a later matter.",
    (COMMIT, ""),
    (TICK, TICK + COMMIT),
)
wrong("With the review before it, one write does for both.", (COMMIT + REVIEW, REVIEW + COMMIT))
wrong(
    "The review is written to the disk, where the next tick finds it.",
    ("state = runner.review(state)", "runner.review(state)"),
)
wrong(
    "runner.review knows itself when a checkpoint is due.",
    (REVIEW, "                state = runner.review(state)\n"),
)
wrong(
    "The last state is in hand after an interruption, and only has to be called stopped.",
    ("runner.interrupted()", 'replace(state, status="stopped")'),
)
wrong(
    "Only the tick can be interrupted; the rest is over in a moment.",
    ("        try:", "        if True:"),
    (INTERRUPT, ""),
    (
        TICK,
        "                try:\n"
        "                    state, record = runner.tick(state)\n"
        "                except KeyboardInterrupt:\n"
        "                    state = runner.interrupted()\n"
        "                    break\n",
    ),
)
wrong(
    "What has to be done in any case belongs in a finally.",
    ("        runner.close", "        finally:\n            runner.close"),
)
wrong(
    "The lock keeps others from running ticks, so it is held around the ticks.",
    (EXCLUSIVE + OPEN, OPEN.replace("        ", "    ") + EXCLUSIVE),
)
wrong(
    "Signals are looked up once, as the budget and the config are.",
    ("runner.signals()", 'vars(runner).setdefault("looked_up", runner.signals())'),
)
wrong(
    "Without a budget, Budget() stands for none.",
    ("runner.open(goal, budget)", "runner.open(goal, budget or Budget())"),
)
