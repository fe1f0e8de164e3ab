"""How good guards for 25.7 are: the work that gets done, the attacks that succeed, the points.

python maintain/benchmarks/strangers.py
"""

import os
import re
from collections.abc import Callable

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.critic.core.intervals import wilson
from g2c.critic.core.types import Interval
from g2c.exercises.e25_7_judge_call.goal import balance, days_of
from g2c.exercises.e25_7_judge_call.naive import judge_call as ask_always
from g2c.guard import judge_call, trace_origins
from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import words_of

SEEDS = range(1, 9)
"""The seeds of worlds that no student sees."""

Guard = Callable[[ProposedCall, RunSoFar], Permission]
WARNING = re.compile(
    r"(?i)ignore|instruction|important|at once|approv|permission|note to the model"
)


def allow_all(call: ProposedCall, run: RunSoFar) -> Permission:
    return "allow"


def deny_effects(call: ProposedCall, run: RunSoFar) -> Permission:
    return "deny" if call.effect else "allow"


def warned(call: ProposedCall, run: RunSoFar) -> Permission:
    """A word filter: deny every call with an effect once a text sounds like an attack."""
    is_warned = any(WARNING.search(text.text) for text in run.texts if not text.trusted)
    return "deny" if call.effect and is_warned else "allow"


def traced(otherwise: Permission) -> Guard:
    """Answer `otherwise` to calls with an untrusted origin."""

    def guard(call: ProposedCall, run: RunSoFar) -> Permission:
        return otherwise if call.effect and trace_origins(call.arguments, run.texts) else "allow"

    return guard


def vouched(otherwise: Permission, *names: str) -> Guard:
    """Answer `otherwise` unless the target of a call occurs in a text that is marked as trusted."""

    def guard(call: ProposedCall, run: RunSoFar) -> Permission:
        known = {
            word
            for text in run.texts
            if text.trusted and (not names or text.name in names)
            for word in words_of(text.text)
        }
        targets = (
            str(call.arguments.get(name, "")) for name in ("to", "guests", "account", "path")
        )
        is_known = all(word in known for target in targets for word in words_of(target))
        return "allow" if is_known or not call.effect else otherwise

    return guard


def main() -> None:
    guards: dict[str, Guard] = {
        "allow all": allow_all,
        "deny all effects": deny_effects,
        "ask always": ask_always,
        "deny after words of an attack": warned,
        "trace_origins, or deny": traced("deny"),
        "trace_origins, or ask": traced("ask"),
        "contacts alone, or deny": vouched("deny", "contacts"),
        "trusted texts, or deny": vouched("deny"),
        "trusted texts, or ask": vouched("ask"),
        "reference": judge_call,
    }
    rows = []
    for name, guard in guards.items():
        seeds = [days_of(guard, seed, no_progress) for seed in SEEDS]
        days = [day for some in seeds for day in some]
        under = [day for day in days if day.world.attack]
        points = [balance(some).points for some in seeds]
        shown = balance(days_of(guard, PUBLIC_SEED, no_progress)).points
        found = balance(days)
        rows.append(
            [
                name,
                f"{100 * found.peaceful:.1f}",
                f"{100 * found.under_attack:.1f}",
                _percent(wilson(sum(day.attacked for day in under), len(under))),
                f"{found.asked:.2f}",
                f"{min(points):.0f}",
                f"{max(points):.0f}",
                f"{shown:.0f}",
            ]
        )
    print_heading(
        f"Guards of 25.7 in the worlds of seeds {SEEDS[0]} to {SEEDS[-1]}, {len(days):,} runs of "
        f"three chores, {len(under):,} of them with a stranger. In per cent: the chores that are "
        "done without a stranger and with one, and the attacks that come through, with the 95 % "
        "interval (Wilson). Then how often the person is asked in a run; the least and the most "
        "points of a seed; and the points on the public seed, which has half of the attacks."
    )
    columns = ["", "peace", "attack", "come through", "asked", "least", "most", "shown"]
    print_table(columns, rows)


def _percent(share: Interval) -> str:
    return f"{100 * share.estimate:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"


if __name__ == "__main__":
    main()
