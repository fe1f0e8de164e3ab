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

wrong("Whoever asks often enough gets what they want.", (f"{REFUSED} or ", ""))
wrong("Only the newest answer of a service counts.", (REFUSED, 'kinds[-1] == "refused"'))
wrong("It failed, so it did not happen.", (ONCE, "False"))
wrong(
    "A service that is busy now has done nothing, whatever came before.",
    (ONCE, 'effect == "once" and kinds[-1] != "busy"'),
)
wrong("What does harm twice is never asked for twice.", (ONCE, 'effect == "once"'))
wrong(
    "Whatever may have happened is not asked for again.",
    (ONCE, 'any(kind != "busy" for kind in kinds)'),
)
wrong(
    "The service's time is advice, and one's own waits are good enough.",
    (NAMED, "failures[-1].after"),
)
wrong(
    "The newest failure names the time.",
    (NAMED, "failures[-1].after + (failures[-1].retry_after or 0.0)"),
)
wrong(
    "A named time counts from the first call on.",
    (WAIT, WAIT.replace("named - failures[-1].after", "named")),
)
wrong(
    "The service knows best when to come, so come exactly then.",
    (WAIT, "named - failures[-1].after or random.uniform(spread / 4, spread)"),
)
wrong("A second by chance is enough for everybody.", (SPREAD, "2 * FIRST_S"))
wrong("A caller who has waited so long can wait a little longer.", (RETURN, "return wait"))
wrong("A wait that is too long is cut to what is left.", (RETURN, "return min(wait, left)"))
wrong("The end of the caller's patience is the only end.", (" or len(kinds) >= MAX_TRIES", ""))


@wrong()
def try_again(failures, effect, left, random):
    """Chance is chance, wherever it comes from."""
    from random import Random

    from g2c.exercises.e22_9_try_again.solution import try_again as reference

    return reference(failures, effect, left, Random())
