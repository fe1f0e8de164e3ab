"""21.2 gone wrong."""

from functools import partial
from textwrap import indent

from wrong_answers import wrong

wrong = partial(wrong, "21.2")

REFUSE = 'raise ValueError(f"max_rounds must be at least 1, got {max_rounds}")'
FINAL = "rounds[-1].draft if rounds else None"
REFINE = "refiner(task, rounds[-1].draft, rounds[-1].critique)"
JUDGE = "            calls += 1\n            critique = critic(task, draft)\n"
FAILED = '            return end("error", str(error), unreviewed)\n'
KEEP = "        rounds.append(Round(number, draft, critique))\n"
REPORT = "        if on_round:\n            on_round(rounds[-1])\n"
USED_UP = 'return end("max_rounds")'
WITH_FINAL = 'return RefinementState(tuple(rounds), False, final, "max_rounds", calls)'

wrong(
    "A draft that is sent back is refined, each time.",
    (USED_UP, f"calls += 1\n    {REFINE}\n    {USED_UP}"),
)
wrong(
    "The last refinement used the last critique, so its draft is better than the one before.",
    (USED_UP, f"calls += 1\n    final = {REFINE}\n    {WITH_FINAL}"),
)
wrong(
    "If nothing was approved, the draft with the highest score is the one to keep.",
    (USED_UP, f"final = max(rounds, key=lambda r: r.critique.score or 0).draft\n    {WITH_FINAL}"),
)
wrong(
    "A first draft that is approved may still get better while there are rounds for it.",
    ("critique.approved", "critique.approved and number >= min(2, max_rounds)"),
)
wrong(
    "After max_rounds rounds the reason is max_rounds.",
    ("critique.approved", "critique.approved and number < max_rounds"),
)
wrong(
    "The refiner improves what the generator wrote.",
    (REFINE, "refiner(task, rounds[0].draft, rounds[-1].critique)"),
)
wrong(
    "A critic that is told what it found before can see whether it was mended.",
    (
        "critic(task,",
        'critic(f"{task}\\nBefore: {rounds[-1].critique.issues}" if rounds else task,',
    ),
)
wrong(
    "If the score is low, a new draft is worth more than a mended one.",
    ("if rounds:", "if rounds and (rounds[-1].critique.score or 10) >= 5:"),
)
wrong(
    "A draft with nine points of ten is good enough.",
    ("critique.approved", "critique.approved or (critique.score or 0) >= 9"),
)
wrong(
    "A refiner that changes nothing will never be approved.",
    (
        JUDGE,
        f"            if rounds and draft == rounds[-1].draft:\n                break\n{JUDGE}",
    ),
)
wrong("An empty draft is not a draft.", ("error, unreviewed)", "error, unreviewed or None)"))
wrong(
    "After an error the newest draft is what there is, so it is the final one.",
    (FINAL, f"unreviewed or ({FINAL})"),
)
wrong(
    "Whichever call fails, the draft that was at hand is unreviewed.",
    ("        unreviewed = None\n", ""),
    ("    calls = 0\n", "    calls = 0\n    unreviewed = None\n"),
)
wrong("A call counts once there is an answer.", (FAILED, f"            calls -= 1\n{FAILED}"))
wrong(
    "A loop that runs for long must survive whatever is raised in it.",
    ("except BackendError", "except Exception"),
)
wrong(
    "A run that failed has no result, and only says why.",
    (FAILED, f"            rounds.clear()\n{FAILED}"),
)
wrong(
    "Without a round to run there is nothing to do, and nothing went wrong.",
    (REFUSE, 'return RefinementState((), False, None, "max_rounds", 0)'),
)
wrong(
    "on_round is called for each round; when does not matter.",
    (REPORT, ""),
    (
        f"final = {FINAL}",
        f"final = {FINAL}\n        [on_round(item) for item in rounds if on_round]",
    ),
)
wrong(
    "A BackendError comes from a model, wherever in the loop it is raised.",
    (KEEP + REPORT, ""),
    (JUDGE, JUDGE + indent(KEEP + REPORT, "    ")),
)
wrong("A list holds the rounds as well as a tuple does.", ("tuple(rounds)", "rounds"))
wrong(
    "A critique with a parse_error approves nothing.",
    ("critique.approved", "critique.approved and critique.parse_error is None"),
)
