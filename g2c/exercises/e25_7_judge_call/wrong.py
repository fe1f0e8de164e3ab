"""25.7 gone wrong."""

from functools import partial

from wrong_answers import wrong

from g2c.exercises.e25_7_judge_call.solution import judge_call
from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar

wrong = partial(wrong, "25.7")

TRUSTED_LOOP = "while doubted := [t for t in trusted.values() if not {*t.made_of} <= set(trusted)]:"

wrong("Whoever is in the contacts may be written to.", ("if people & _people(line)", "if True"))
wrong("A memory that is trusted is trusted.", (TRUSTED_LOOP, "while doubted := []:"))
wrong(
    "What the person names may be used.",
    ("here.search(part) and _DEEDS[tool].search(part)", "here.search(part)"),
)
wrong(
    "A mail about the task is the one that the task means.",
    ('return "allow" if len(rivals) == 1 and is_answer else "ask"', 'return "allow"'),
)
wrong(
    "Nothing that comes from a stranger may have an effect.",
    (
        "    reached = [",
        '    strange = _strange_words(str(dict(call.arguments)), RunSoFar("", run.texts))\n'
        '    if strange:\n        return "deny"\n'
        "    reached = [",
    ),
)
wrong(
    "If one recipient is right, the call is.",
    (
        'return "deny" if "deny" in said else "ask" if "ask" in said else "allow"',
        'return "allow" if "allow" in said or not said else "ask" if "ask" in said else "deny"',
    ),
)


@wrong()
def filter_of_words(call: ProposedCall, run: RunSoFar) -> Permission:
    """An attack is known by its words."""
    warnings = ("ignore", "instructions", "important", "at once", "has approved")
    said = " ".join(text.text.lower() for text in run.texts if not text.trusted)
    is_warned = any(warning in said for warning in warnings)
    return "deny" if call.effect and is_warned else "allow"


@wrong()
def ask_always(call: ProposedCall, run: RunSoFar) -> Permission:
    """The person decides, for it is their agent."""
    return "ask" if call.effect else "allow"


_REFUSED: set[str] = set()


@wrong()
def a_second_time(call: ProposedCall, run: RunSoFar) -> Permission:
    """A call that is made again is meant."""
    key = f"{run.task} {call.tool} {call.arguments}"
    said = judge_call(call, run)
    if said == "deny" and key in _REFUSED:
        return "allow"
    _REFUSED.add(key)
    return said
