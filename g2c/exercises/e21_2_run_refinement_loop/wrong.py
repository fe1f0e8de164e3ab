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
    caught_by="test_the_last_round_is_not_followed_by_a_refinement",
    says="nobody would judge what is written after the last round",
)
wrong(
    "The last refinement used the last critique, so its draft is better than the one before.",
    (USED_UP, f"calls += 1\n    final = {REFINE}\n    {WITH_FINAL}"),
    caught_by="test_the_final_draft_is_the_last_that_the_critic_saw",
    says="the critic saw a and b, and b last; the final draft was 'c'",
)
wrong(
    "If nothing was approved, the draft with the highest score is the one to keep.",
    (USED_UP, f"final = max(rounds, key=lambda r: r.critique.score or 0).draft\n    {WITH_FINAL}"),
    caught_by="test_the_final_draft_is_the_last_and_not_the_best_scored",
    says="a score is an opinion",
)
wrong(
    "A first draft that is approved may still get better while there are rounds for it.",
    ("critique.approved", "critique.approved and number >= min(2, max_rounds)"),
    caught_by="test_an_approval_ends_the_loop_at_once",
    says="approved in round 1 means one round and two calls",
)
wrong(
    "After max_rounds rounds the reason is max_rounds.",
    ("critique.approved", "critique.approved and number < max_rounds"),
    caught_by="test_an_approval_in_the_last_round_is_an_approval",
    says="it does not matter that there was no round left",
)
wrong(
    "The refiner improves what the generator wrote.",
    (REFINE, "refiner(task, rounds[0].draft, rounds[-1].critique)"),
    caught_by="test_the_refiner_gets_the_newest_draft_and_its_critique",
    says="each refinement starts from the draft just judged",
)
wrong(
    "A critic that is told what it found before can see whether it was mended.",
    (
        "critic(task,",
        'critic(f"{task}\\nBefore: {rounds[-1].critique.issues}" if rounds else task,',
    ),
    caught_by="test_the_critic_sees_the_task_and_the_draft_and_nothing_else",
    says="a critic who knows the history",
)
wrong(
    "If the score is low, a new draft is worth more than a mended one.",
    ("if rounds:", "if rounds and (rounds[-1].critique.score or 10) >= 5:"),
    caught_by="test_the_generator_writes_once",
    says="after the first draft it is the refiner who writes",
)
wrong(
    "A draft with nine points of ten is good enough.",
    ("critique.approved", "critique.approved or (critique.score or 0) >= 9"),
    caught_by="test_a_high_score_is_not_an_approval_and_a_low_one_no_refusal",
    says="the recommendation decides, whatever the score",
)
wrong(
    "A refiner that changes nothing will never be approved.",
    (
        JUDGE,
        f"            if rounds and draft == rounds[-1].draft:\n                break\n{JUDGE}",
    ),
    caught_by="test_a_draft_that_did_not_change_is_judged_again",
    says="an unchanged draft is none of them",
)
wrong(
    "An empty draft is not a draft.",
    ("error, unreviewed)", "error, unreviewed or None)"),
    caught_by="test_an_empty_draft_is_a_draft",
    says="an empty draft was written and not judged, which is not None",
)
wrong(
    "After an error the newest draft is what there is, so it is the final one.",
    (FINAL, f"unreviewed or ({FINAL})"),
    caught_by="test_a_draft_whose_judgement_failed_is_unreviewed",
    says="no final draft, since the critic saw none",
)
wrong(
    "Whichever call fails, the draft that was at hand is unreviewed.",
    ("        unreviewed = None\n", ""),
    ("    calls = 0\n", "    calls = 0\n    unreviewed = None\n"),
    caught_by="test_an_error_of_the_refiner_keeps_the_rounds_before",
    says="b is the final one and nothing is unreviewed",
)
wrong(
    "A call counts once there is an answer.",
    (FAILED, f"            calls -= 1\n{FAILED}"),
    caught_by="test_a_generator_that_cannot_be_asked_leaves_nothing",
    says="one call was made",
)
wrong(
    "A loop that runs for long must survive whatever is raised in it.",
    ("except BackendError", "except Exception"),
    caught_by="test_a_mistake_in_the_program_is_not_swallowed",
    says="a KeyError, which is a bug and no model's failure",
)
wrong(
    "A run that failed has no result, and only says why.",
    (FAILED, f"            rounds.clear()\n{FAILED}"),
    caught_by="test_an_error_in_a_later_judgement_keeps_the_rounds_before",
    says="a was judged and is the final draft",
)
wrong(
    "Without a round to run there is nothing to do, and nothing went wrong.",
    (REFUSE, 'return RefinementState((), False, None, "max_rounds", 0)'),
    caught_by="test_fewer_than_one_round_is_refused_before_any_call",
    says="is a ValueError; you returned",
)
wrong(
    "on_round is called for each round; when does not matter.",
    (REPORT, ""),
    (
        f"final = {FINAL}",
        f"final = {FINAL}\n        [on_round(item) for item in rounds if on_round]",
    ),
    caught_by="test_on_round_hears_of_each_round_as_soon_as_it_is_complete",
    says="before the next call",
)
wrong(
    "A BackendError comes from a model, wherever in the loop it is raised.",
    (KEEP + REPORT, ""),
    (JUDGE, JUDGE + indent(KEEP + REPORT, "    ")),
    caught_by="test_an_exception_of_on_round_is_not_an_error_of_the_model",
    says="the caller's on_round did, and the caller must hear of it",
)
wrong(
    "A list holds the rounds as well as a tuple does.",
    ("tuple(rounds)", "rounds"),
    caught_by="test_one_run_leaves_nothing_for_the_next",
    says="rounds is a tuple",
)
wrong(
    "A critique with a parse_error approves nothing.",
    ("critique.approved", "critique.approved and critique.parse_error is None"),
    caught_by="test_an_approval_counts_whatever_else_could_not_be_read",
    says="whether a draft was approved is what Critique.approved says",
)
