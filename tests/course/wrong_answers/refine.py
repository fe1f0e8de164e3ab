"""21.2 gone wrong."""

from __future__ import annotations

from functools import partial

from g2c.critic.base import RefinementState, Round
from g2c.inference import BackendError

from . import wrong

wrong = partial(wrong, "21.2")


def check(max_rounds: int) -> None:
    if max_rounds < 1:
        raise ValueError("max_rounds must be at least 1")


class Run:
    """A loop under way, with everything about it right; each answer below has it do one thing
    wrongly."""

    def __init__(self, task, generator, critic, refiner, on_round):
        self.task = task
        self.roles = {"generator": generator, "critic": critic, "refiner": refiner}
        self.on_round = on_round
        self.rounds = []
        self.calls = 0

    def ask(self, who, *arguments):
        self.calls += 1
        return self.roles[who](self.task, *arguments)

    def add(self, draft, critique):
        self.rounds.append(Round(len(self.rounds) + 1, draft, critique))
        if self.on_round:
            self.on_round(self.rounds[-1])

    def write(self):
        if not self.rounds:
            return self.ask("generator")
        return self.ask("refiner", self.rounds[-1].draft, self.rounds[-1].critique)

    def end(self, reason, error=None, unreviewed=None):
        final = self.rounds[-1].draft if self.rounds else None
        return RefinementState(
            tuple(self.rounds), reason == "approved", final, reason, self.calls, error, unreviewed
        )

    def go(self, max_rounds):
        check(max_rounds)
        for _ in range(max_rounds):
            draft = None
            try:
                draft = self.write()
                critique = self.ask("critic", draft)
            except BackendError as error:
                return self.end("error", str(error), draft)
            self.add(draft, critique)
            if critique.approved:
                return self.end("approved")
        return self.end("max_rounds")


@wrong(
    caught_by="test_the_last_round_is_not_followed_by_a_refinement",
    says="nobody would judge what is written after the last round",
)
def a_critique_is_always_answered(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A draft that is sent back is refined, each time."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    draft = None
    try:
        draft = run.ask("generator")
        for _ in range(max_rounds):
            critique = run.ask("critic", draft)
            run.add(draft, critique)
            if critique.approved:
                return run.end("approved")
            before, draft = draft, None
            draft = run.ask("refiner", before, critique)
    except BackendError as error:
        return run.end("error", str(error), draft)
    return run.end("max_rounds")


@wrong(
    caught_by="test_the_final_draft_is_the_last_that_the_critic_saw",
    says="the critic saw a and b, and b last; the final draft was 'c'",
)
def the_newest_draft_is_final(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """The last refinement used the last critique, so its draft is better than the one before."""
    run = Run(task, generator, critic, refiner, on_round)
    state = run.go(max_rounds)
    if state.stopped_reason != "max_rounds":
        return state
    newest = run.write()
    return RefinementState(state.rounds, False, newest, "max_rounds", run.calls)


@wrong(
    caught_by="test_the_final_draft_is_the_last_and_not_the_best_scored",
    says="a score is an opinion",
)
def the_best_score_wins(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """Where nothing was approved, the draft with the highest score is the one to keep."""
    state = Run(task, generator, critic, refiner, on_round).go(max_rounds)
    if state.stopped_reason != "max_rounds":
        return state
    best = max(state.rounds, key=lambda round: round.critique.score or 0)
    return RefinementState(state.rounds, False, best.draft, "max_rounds", state.calls)


@wrong(
    caught_by="test_an_approval_ends_the_loop_at_once",
    says="approved in round 1 means one round and two calls",
)
def there_are_rounds_left(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """An approved draft may still get better while there are rounds for it."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    for number in range(1, max_rounds + 1):
        draft = None
        try:
            draft = run.write()
            critique = run.ask("critic", draft)
        except BackendError as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved and number > 1:
            break
    return run.end("approved" if critique.approved else "max_rounds")


@wrong(
    caught_by="test_an_approval_in_the_last_round_is_an_approval",
    says="it does not matter that there was no round left",
)
def the_last_round_is_the_limit(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """After max_rounds rounds the reason is max_rounds."""
    run = Run(task, generator, critic, refiner, on_round)
    state = run.go(max_rounds)
    if len(state.rounds) == max_rounds > 1 and state.error is None:
        return run.end("max_rounds")
    return state


@wrong(
    caught_by="test_the_refiner_gets_the_newest_draft_and_its_critique",
    says="each refinement starts from the draft just judged",
)
def refine_the_first_draft(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """The refiner improves what the generator wrote."""
    first = {}

    def generate(task):
        first["draft"] = generator(task)
        return first["draft"]

    def refine(task, draft, critique):
        return refiner(task, first["draft"], critique)

    return Run(task, generate, critic, refine, on_round).go(max_rounds)


@wrong(
    caught_by="test_the_refiner_gets_the_newest_draft_and_its_critique",
    says="and from what was said of that one",
)
def the_first_critique_is_the_task(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """The issues that the critic found at first are those to be mended."""
    run = Run(task, generator, critic, refiner, on_round)

    def refine(task, draft, critique):
        return refiner(task, draft, run.rounds[0].critique)

    run.roles["refiner"] = refine
    return run.go(max_rounds)


@wrong(
    caught_by="test_the_critic_sees_the_task_and_the_draft_and_nothing_else",
    says="a critic who knows the history",
)
def the_critic_checks_its_own_issues(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A critic that is told what it found before can see whether it was mended."""
    run = Run(task, generator, critic, refiner, on_round)

    def judge(task, draft):
        if run.rounds:
            issues = "\n".join(run.rounds[-1].critique.issues)
            task = f"{task}\nYou found before:\n{issues}"
        return critic(task, draft)

    run.roles["critic"] = judge
    return run.go(max_rounds)


@wrong(
    caught_by="test_the_generator_writes_once",
    says="after the first draft it is the refiner who writes",
)
def a_fresh_draft_for_each_round(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """Where the score is low, a new draft is worth more than a mended one."""
    run = Run(task, generator, critic, refiner, on_round)

    def refine(task, draft, critique):
        if critique.score is not None and critique.score < 5 and not critique.issues:
            return generator(task)
        return refiner(task, draft, critique)

    run.roles["refiner"] = refine
    return run.go(max_rounds)


@wrong(
    caught_by="test_a_high_score_is_no_approval_and_a_low_one_no_refusal",
    says="the recommendation decides, whatever the score",
)
def a_high_score_is_an_approval(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A draft with nine points of ten is good enough."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    for _ in range(max_rounds):
        draft = None
        try:
            draft = run.write()
            critique = run.ask("critic", draft)
        except BackendError as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved or (critique.score or 0) >= 9:
            return run.end("approved")
    return run.end("max_rounds")


@wrong(
    caught_by="test_a_draft_that_did_not_change_is_judged_again",
    says="an unchanged draft is none of them",
)
def no_change_no_progress(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A refiner that changes nothing will never be approved."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    for _ in range(max_rounds):
        draft = None
        try:
            draft = run.write()
            if run.rounds and draft == run.rounds[-1].draft:
                return run.end("max_rounds")
            critique = run.ask("critic", draft)
        except BackendError as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved:
            return run.end("approved")
    return run.end("max_rounds")


@wrong(
    caught_by="test_an_empty_draft_is_a_draft",
    says="an empty draft was written and not judged, which is not None",
)
def nothing_is_none(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """An empty draft is no draft."""
    run = Run(task, generator, critic, refiner, on_round)
    state = run.go(max_rounds)
    return run.end(state.stopped_reason, state.error, state.unreviewed or None)


@wrong(
    caught_by="test_a_draft_whose_judgement_failed_is_unreviewed",
    says="no final draft, since the critic saw none",
)
def a_draft_is_better_than_none(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """After an error the newest draft is what there is, so it is the final one."""
    state = Run(task, generator, critic, refiner, on_round).go(max_rounds)
    if state.unreviewed is None:
        return state
    return RefinementState(
        state.rounds, False, state.unreviewed, "error", state.calls, state.error, state.unreviewed
    )


@wrong(
    caught_by="test_an_error_of_the_refiner_keeps_the_rounds_before",
    says="b is the final one and nothing is unreviewed",
)
def the_draft_at_hand_is_unreviewed(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """Whichever call fails, the draft that was at hand is unreviewed."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    draft = None
    for _ in range(max_rounds):
        try:
            draft = run.write()
            critique = run.ask("critic", draft)
        except BackendError as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved:
            return run.end("approved")
    return run.end("max_rounds")


@wrong(
    caught_by="test_a_generator_that_cannot_be_asked_leaves_nothing",
    says="one call was made",
)
def a_call_that_failed_is_no_call(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A call counts once there is an answer."""
    state = Run(task, generator, critic, refiner, on_round).go(max_rounds)
    calls = state.calls - (state.error is not None)
    return RefinementState(
        state.rounds,
        state.converged,
        state.final_draft,
        state.stopped_reason,
        calls,
        state.error,
        state.unreviewed,
    )


@wrong(
    caught_by="test_a_mistake_in_the_program_is_not_swallowed",
    says="a KeyError, which is a bug and no model's failure",
)
def any_exception_is_an_error(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A loop that runs for long must survive whatever is raised in it."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    for _ in range(max_rounds):
        draft = None
        try:
            draft = run.write()
            critique = run.ask("critic", draft)
        except Exception as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved:
            return run.end("approved")
    return run.end("max_rounds")


@wrong(
    caught_by="test_an_error_in_a_later_judgement_keeps_the_rounds_before",
    says="a was judged and is the final draft",
)
def an_error_undoes_the_run(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A run that failed has no result, and only says why."""
    run = Run(task, generator, critic, refiner, on_round)
    state = run.go(max_rounds)
    if state.error is None:
        return state
    return RefinementState((), False, None, "error", state.calls, state.error, state.unreviewed)


@wrong(
    caught_by="test_fewer_than_one_round_is_refused_before_any_call",
    says="is a ValueError; you returned",
)
def no_rounds_no_result(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """Without a round to run there is nothing to do, and nothing went wrong."""
    if max_rounds < 1:
        return RefinementState((), False, None, "max_rounds", 0)
    return Run(task, generator, critic, refiner, on_round).go(max_rounds)


@wrong(
    caught_by="test_fewer_than_one_round_is_refused_before_any_call",
    says="a call costs money, so ask first",
)
def the_first_draft_comes_first(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A draft is needed in any case; the bound is about the rounds after it."""
    if max_rounds < 1:
        generator(task)
    return Run(task, generator, critic, refiner, on_round).go(max_rounds)


@wrong(
    caught_by="test_on_round_hears_of_each_round_as_soon_as_it_is_complete",
    says="before the next call",
)
def report_at_the_end(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """on_round is called for each round; when does not matter."""
    state = Run(task, generator, critic, refiner, None).go(max_rounds)
    for round in state.rounds if on_round else ():
        on_round(round)
    return state


@wrong(
    caught_by="test_on_round_hears_of_each_round_as_soon_as_it_is_complete",
    says="it is called once a round, the last one included",
)
def nobody_waits_for_the_last_round(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """on_round says that the loop goes on; its end is in what is returned."""
    run = Run(task, generator, critic, refiner, None)

    def refine(task, draft, critique):
        if on_round:
            on_round(run.rounds[-1])
        return refiner(task, draft, critique)

    run.roles["refiner"] = refine
    return run.go(max_rounds)


@wrong(
    caught_by="test_what_on_round_raises_is_not_an_error_of_the_model",
    says="the caller's on_round did, and the caller must hear of it",
)
def one_try_around_it_all(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A BackendError comes from a model, wherever in the loop it is raised."""
    run = Run(task, generator, critic, refiner, on_round)
    try:
        return run.go(max_rounds)
    except BackendError as error:
        return run.end("error", str(error))


@wrong(
    caught_by="test_one_run_leaves_nothing_for_the_next",
    says="rounds is a tuple",
)
def a_list_of_rounds(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A list holds the rounds as well as a tuple does."""
    state = Run(task, generator, critic, refiner, on_round).go(max_rounds)
    return RefinementState(
        list(state.rounds),
        state.converged,
        state.final_draft,
        state.stopped_reason,
        state.calls,
        state.error,
        state.unreviewed,
    )


@wrong(
    caught_by="test_an_approval_counts_whatever_else_could_not_be_read",
    says="whether a draft was approved is what Critique.approved says",
)
def what_was_read_in_part_was_not_read(
    task, *, generator, critic, refiner, max_rounds=3, on_round=None
) -> RefinementState:
    """A critique with a parse_error approves nothing."""
    check(max_rounds)
    run = Run(task, generator, critic, refiner, on_round)
    for _ in range(max_rounds):
        draft = None
        try:
            draft = run.write()
            critique = run.ask("critic", draft)
        except BackendError as error:
            return run.end("error", str(error), draft)
        run.add(draft, critique)
        if critique.approved and critique.parse_error is None:
            return run.end("approved")
    return run.end("max_rounds")
