"""22.9 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.9")

REFUSED = '"refused" in kinds'
ONCE = 'effect == "once" and any(kind != "busy" for kind in kinds)'
NAMED = "max(failure.after + (failure.retry_after or 0.0) for failure in failures)"
SPREAD = "FIRST_S * 2 ** (len(failures) - 1)"
WAIT = "named - failures[-1].after + random.uniform(spread / 4, spread)"
RETURN = "return wait if wait < left else None"
TARGET = "test_it_reaches_the_target"

wrong(
    "Whoever asks often enough gets what they want.",
    (f"{REFUSED} or ", ""),
    caught_by="test_a_final_answer_is_not_asked_for_again",
    says="will refuse again",
)
wrong(
    "Only the newest answer of a service counts.",
    (REFUSED, 'kinds[-1] == "refused"'),
    caught_by="test_a_refusal_is_final_even_if_it_is_not_the_newest",
    says="refused for good",
)
wrong(
    "It failed, so it did not happen.",
    (ONCE, "False"),
    caught_by="test_an_effect_that_may_be_there_is_not_risked_again",
    says="may be there all the same",
)
wrong(
    "A service that is busy now has done nothing, whatever came before.",
    (ONCE, 'effect == "once" and kinds[-1] != "busy"'),
    caught_by="test_an_older_failure_may_have_happened_too",
    says="does not undo the others",
)
wrong(
    "What does harm twice is never asked for twice.",
    (ONCE, 'effect == "once"'),
    caught_by="test_a_busy_service_has_done_nothing",
    says="busy was said before anything was done",
)
wrong(
    "Whatever may have happened is not asked for again.",
    (ONCE, 'any(kind != "busy" for kind in kinds)'),
    caught_by="test_a_second_call_that_does_no_harm_may_be_made",
    says="a second time does no harm",
)
wrong(
    "The service's time is advice, and one's own waits are good enough.",
    (NAMED, "failures[-1].after"),
    caught_by="test_the_service_is_not_asked_before_the_time_it_named",
    says="wants no call for 30 s",
)
wrong(
    "The newest failure names the time.",
    (NAMED, "failures[-1].after + (failures[-1].retry_after or 0.0)"),
    caught_by="test_a_time_that_was_named_earlier_still_holds",
    says="that is 50 s more",
)
wrong(
    "A named time counts from the first call on.",
    (WAIT, WAIT.replace("named - failures[-1].after", "named")),
    caught_by="test_a_named_time_counts_from_its_own_failure",
    says="not 102",
)
wrong(
    "The service knows best when to come, so come exactly then.",
    (
        WAIT,
        "named - failures[-1].after or random.uniform(spread / 4, spread)",
    ),
    caught_by="test_callers_that_failed_together_do_not_come_back_together",
    says="heard the same",
)
wrong(
    "A second by chance is enough for everybody.",
    (SPREAD, "2 * FIRST_S"),
    caught_by=TARGET,
    says="others in the same moment",
)
wrong(
    "A caller who has waited so long can wait a little longer.",
    (RETURN, "return wait"),
    caught_by="test_a_named_time_after_the_end_is_not_waited_for",
    says="no answer can come in time",
)
wrong(
    "A wait that is too long is cut to what is left.",
    (RETURN, "return min(wait, left)"),
    caught_by="test_no_wait_is_longer_than_what_is_left",
    says="give up instead",
)
wrong(
    "The end of the caller's patience is the only end.",
    (" or len(kinds) >= MAX_TRIES", ""),
    caught_by="test_a_patient_caller_does_not_ask_for_ever",
    says="the first included",
)


@wrong(
    caught_by="test_chance_comes_from_the_random_that_is_given", says="so that a test can repeat"
)
def try_again(failures, effect, left, random):
    """Chance is chance, wherever it comes from."""
    from random import Random

    from g2c.exercises.e22_9_try_again.solution import try_again as reference

    return reference(failures, effect, left, Random())
