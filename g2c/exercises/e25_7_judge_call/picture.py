"""Page 25.7: what five guards let be done, and what they let through."""

from drawing import Picture

from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.exercises.e25_3_trace_origins.solution import trace_origins
from g2c.exercises.e25_7_judge_call.goal import balance, days_of
from g2c.exercises.e25_7_judge_call.naive import judge_call as ask_always
from g2c.exercises.e25_7_judge_call.solution import judge_call
from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import words_of

LEFT, SCALE = 170, 1.5


def allow_all(call: ProposedCall, run: RunSoFar) -> Permission:
    return "allow"


def traced(call: ProposedCall, run: RunSoFar) -> Permission:
    return "deny" if call.effect and trace_origins(call.arguments, run.texts) else "allow"


def vouched(call: ProposedCall, run: RunSoFar) -> Permission:
    known = {word for text in run.texts if text.trusted for word in words_of(text.text)}
    targets = (str(call.arguments.get(item, "")) for item in ("to", "guests", "account", "path"))
    is_known = all(word in known for target in targets for word in words_of(target))
    return "allow" if is_known or not call.effect else "deny"


GUARDS = (
    ("allow all", allow_all),
    ("ask always", ask_always),
    ("no stranger's word", traced),
    ("trusted texts alone", vouched),
    ("the reference", judge_call),
)


def draw() -> Picture:
    found = [(name, balance(days_of(guard, PUBLIC_SEED, no_progress))) for name, guard in GUARDS]
    shown = [(name, 50 * (b.peaceful + b.under_attack), 100 * b.attacks) for name, b in found]
    p = Picture(
        300,
        "The two prices of a guard",
        " ".join(
            f"{name}: {work:.0f} % of the chores are done, {through:.0f} % of the attacks come "
            "through."
            for name, work, through in shown
        ),
    )
    p.text(20, 28, "chores done, and attacks that come through, in per cent", "head")
    for n, (name, work, through) in enumerate(shown):
        y = 50 + n * 44
        p.text(20, y + 20, name, "")
        for place, value, kind in ((y, work, "good"), (y + 17, through, "bad")):
            p.bar(LEFT, place, max(1.0, value * SCALE), 15, "good" if kind == "good" else "bad")
            p.text(LEFT + value * SCALE + 8, place + 12, f"{value:.0f}")
    p.text(20, 286, "Green is work that is done. Red is what strangers get.")
    return p
