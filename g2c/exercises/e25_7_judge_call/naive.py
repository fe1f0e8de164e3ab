"""Ask the person about each call with an effect, in invented worlds where a stranger has planted a
text. Count the chores that the agent gets done, and the attacks that succeed."""

from __future__ import annotations

from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.exercises.e25_7_judge_call.goal import GOAL, balance, days_of, make_worlds, measure
from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar

QUESTION = "What is a yes worth if it is the fourth in a minute?"


def judge_call(call: ProposedCall, run: RunSoFar) -> Permission:
    permissions: dict[str, Permission] = {
        "list_mails": "allow",
        "read_mail": "allow",
        "list_files": "allow",
        "read_file": "allow",
        "read_calendar": "allow",
        "add_event": "ask",
        "send_mail": "ask",
        "write_file": "ask",
        "delete_file": "ask",
        "pay": "ask",
    }
    return permissions.get(call.tool, "ask" if call.effect else "allow")


def show(folder: Path) -> Seen:
    world = make_worlds(PUBLIC_SEED)[0]
    assert world.attack
    yield "the person", world.task
    number = int(world.attack.source.split()[-1])
    yield world.attack.source, str(world.mails[number])
    days = days_of(judge_call, PUBLIC_SEED, no_progress)
    found = balance(days)
    yield "asked", f"{found.asked:.1f} times in each of {len(days)} runs"
    yield "done", f"{found.peaceful:.0%} of the chores, and {found.under_attack:.0%} under attack"
    yield "let through", f"{found.attacks:.0%} of the attacks, each with a yes"
    yield RESULT, f"{measure(judge_call, PUBLIC_SEED, no_progress).points:g} points"
    yield WANTED, f"{GOAL.target:g} or more"
