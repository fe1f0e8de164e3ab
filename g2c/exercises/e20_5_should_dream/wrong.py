"""20.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.5")

PASSED = "now.astimezone(UTC) - last.astimezone(UTC)"
IS_EARLY = "passed.total_seconds() < min_hours * 3600"

wrong(
    "The seconds of a timedelta are its length in seconds.",
    ("passed.total_seconds()", "passed.seconds"),
)
wrong("24 hours are a day, and a timedelta has its days.", (IS_EARLY, "passed.days < 1"))
wrong("What is gathered in a list can be handed over as it is.", ("tuple(closed)", "closed"))
wrong(
    "One closed gate holds the dream back, so the others need not be looked at.",
    ("tuple(closed)", "tuple(closed[:1])"),
)
wrong("The hours must be over before it is time.", ("< min_hours", "<= min_hours"))
wrong(
    "The session under way does not count, so it takes one more.",
    ("< min_sessions", "<= min_sessions"),
)
wrong(
    "A store that never dreamed should do so as soon as it can.",
    ("if last is not None:", "if last is None:\n        return GateDecision()\n    else:"),
)
wrong(
    "Without a last dream the hours count from now on.",
    ("last = state.last_dream", "last = state.last_dream or now"),
)
wrong(
    "How far apart two times are does not depend on which comes first.", (PASSED, f"abs({PASSED})")
)
wrong(
    "Fractions of an hour are noise.",
    (IS_EARLY, "round(passed.total_seconds() / 3600, 1) < min_hours"),
)
wrong("Times with a zone can be subtracted, and Python does what is right.", (PASSED, "now - last"))
wrong(
    "Once it is sure that both have a zone, the zone is in the way of subtracting them.",
    (PASSED, "now.replace(tzinfo=None) - last.replace(tzinfo=None)"),
)
wrong(
    "A time without a zone is UTC, as on any server.",
    (
        "last = state.last_dream",
        "moments = (now, state.last_dream)\n"
        "    now, last = (m and (m if m.tzinfo else m.replace(tzinfo=UTC)) for m in moments)",
    ),
)
wrong(
    "After a week even a few sessions are worth a dream.",
    ("< min_sessions", "< min_sessions and not (last and (now - last).days >= 7)"),
)
wrong("A bound of 0 hours switches the time gate off.", (IS_EARLY, f"min_hours > 0 and {IS_EARLY}"))
