"""20.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.5")

PASSED = "now.astimezone(UTC) - last.astimezone(UTC)"
IS_EARLY = "passed.total_seconds() < min_hours * 3600"

wrong(
    "The seconds of a timedelta are its length in seconds.",
    ("passed.total_seconds()", "passed.seconds"),
    caught_by="test_many_days_are_many_hours",
    says="timedelta.seconds is only what is left over beside the whole days",
)
wrong(
    "24 hours are a day, and a timedelta has its days.",
    (IS_EARLY, "passed.days < 1"),
    caught_by="test_the_bounds_are_arguments",
    says="1.7 hours and 1 session do",
)
wrong(
    "What is gathered in a list can be handed over as it is.",
    ("tuple(closed)", "closed"),
    caught_by="test_too_early_closes_the_time_gate",
    says="the gates of a GateDecision are a tuple, such as ('time',), and these are a list",
)
wrong(
    "One closed gate holds the dream back, so the others need not be looked at.",
    ("tuple(closed)", "tuple(closed[:1])"),
    caught_by="test_every_closed_gate_is_named",
    says="should hear all reasons, in the order time, sessions, lock",
)
wrong(
    "The hours must be over before it is time.",
    ("< min_hours", "<= min_hours"),
    caught_by="test_at_24_hours_it_is_time",
    says="at least 24 hours: 24 hours are enough",
)
wrong(
    "The session under way does not count, so it takes one more.",
    ("< min_sessions", "<= min_sessions"),
    caught_by="test_five_sessions_are_enough",
    says="at least 5: 5 are enough",
)
wrong(
    "A store that never dreamed should do so as soon as it can.",
    ("if last is not None:", "if last is None:\n        return GateDecision()\n    else:"),
    caught_by="test_a_store_that_never_dreamed_passes_no_other_gate",
    says="a first dream also needs sessions to dream of, and to be alone",
)
wrong(
    "Without a last dream the hours count from now on.",
    ("last = state.last_dream", "last = state.last_dream or now"),
    caught_by="test_a_store_that_never_dreamed_passes_the_time_gate",
    says="no store would ever have its first",
)
wrong(
    "How far apart two times are does not depend on which comes first.",
    (PASSED, f"abs({PASSED})"),
    caught_by="test_a_dream_in_the_future_closes_the_time_gate",
    says="no time has passed that could be counted",
)
wrong(
    "Fractions of an hour are noise.",
    (IS_EARLY, "round(passed.total_seconds() / 3600, 1) < min_hours"),
    caught_by="test_a_second_less_is_too_early",
    says="is there rounding in it?",
)
wrong(
    "Times with a zone can be subtracted, and Python does what is right.",
    (PASSED, "now - last"),
    caught_by="test_hours_are_hours_that_passed",
    says="over the night in which summer time begins 23 hours pass",
)
wrong(
    "Once it is sure that both have a zone, the zone is in the way of subtracting them.",
    (PASSED, "now.replace(tzinfo=None) - last.replace(tzinfo=None)"),
    caught_by="test_times_of_different_zones_are_compared_as_moments",
    says="clocks of two zones show different hours at one moment",
)
wrong(
    "A time without a zone is UTC, as on any server.",
    (
        "last = state.last_dream",
        "moments = (now, state.last_dream)\n"
        "    now, last = (m and (m if m.tzinfo else m.replace(tzinfo=UTC)) for m in moments)",
    ),
    caught_by="test_a_time_without_a_zone_is_refused",
    says="a time without a zone may be off by hours, so it is refused",
)
wrong(
    "After a week even a few sessions are worth a dream.",
    ("< min_sessions", "< min_sessions and not (last and (now - last).days >= 7)"),
    caught_by="test_too_few_sessions_close_theirs",
    says="4 sessions are less than 5, however long ago the last dream was",
)
wrong(
    "A bound of 0 hours switches the time gate off.",
    (IS_EARLY, f"min_hours > 0 and {IS_EARLY}"),
    caught_by="test_a_bound_of_no_hours_does_not_let_the_future_pass",
    says="the future closes the gate whatever the bound",
)
