"""Properties of every set of reviews and every trajectory."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.critic.app.panel import review_until_converged
from g2c.critic.core.rounds import optimal_rounds
from g2c.critic.core.types import TOLERANCE, Dimension, Review, Rubric
from g2c.exercises.e21_3_aggregate.solution import aggregate
from g2c.exercises.e21_4_is_plateau.solution import is_plateau
from g2c.exercises.e21_5_disputed.solution import disputed
from g2c.inference import BackendError

# The same examples each time, and no limit by the clock: a failure here is never by chance.
repeatable = settings(derandomize=True, max_examples=200)

SCORES = st.floats(0, 100) | st.integers(0, 100)
totals = st.lists(st.integers(0, 400).map(lambda quarter: quarter / 4), max_size=8)


def rubric_of(weights: Sequence[float]) -> Rubric:
    whole = sum(weights)
    return Rubric(tuple(Dimension(f"d{i}", w / whole) for i, w in enumerate(weights)))


@st.composite
def reviewed(draw: st.DrawFn) -> tuple[list[float], list[Review]]:
    """Weights, not of sum 1, and reviews that score each dimension."""
    weights = draw(st.lists(st.floats(0.1, 10), min_size=1, max_size=4))
    row = st.fixed_dictionaries({f"d{i}": SCORES for i in range(len(weights))})
    rows = draw(st.lists(st.tuples(row, st.booleans()), min_size=1, max_size=5))
    return weights, [Review(f"r{i}", *said) for i, said in enumerate(rows)]


@repeatable
@given(reviewed(), st.floats(0.01, 100))
def test_scaled_and_renormalised_weights_give_the_same(
    case: tuple[list[float], list[Review]], factor: float
) -> None:
    weights, reviews = case
    one = aggregate(reviews, rubric_of(weights))
    other = aggregate(reviews, rubric_of([weight * factor for weight in weights]))
    assert one.means == other.means
    assert one.total == pytest.approx(other.total, abs=TOLERANCE)


@repeatable
@given(reviewed(), st.randoms(use_true_random=False))
def test_the_order_of_the_reviewers_does_not_matter(
    case: tuple[list[float], list[Review]], random: Any
) -> None:
    weights, reviews = case
    shuffled = random.sample(reviews, len(reviews))
    rubric = rubric_of(weights)
    assert aggregate(shuffled, rubric) == aggregate(reviews, rubric)
    gaps = [
        {(dispute.dimension, dispute.low, dispute.high) for dispute in disputed(given)}
        for given in (shuffled, reviews)
    ]
    assert gaps[0] == gaps[1]


@repeatable
@given(reviewed())
def test_a_total_lies_between_the_lowest_and_the_highest_score(
    case: tuple[list[float], list[Review]],
) -> None:
    weights, reviews = case
    scores = [score for review in reviews for score in review.scores.values()]
    total = aggregate(reviews, rubric_of(weights)).total
    assert min(scores) - TOLERANCE <= total <= max(scores) + TOLERANCE


@repeatable
@given(reviewed(), st.floats(1, 60))
def test_a_dispute_is_as_wide_as_the_widest_pair(
    case: tuple[list[float], list[Review]], gap: float
) -> None:
    _, reviews = case
    widest = {
        name: max(abs(a.scores[name] - b.scores[name]) for a in reviews for b in reviews)
        for name in reviews[0].scores
    }
    far = {name: width for name, width in widest.items() if width >= gap - TOLERANCE}
    found = disputed(reviews, gap)
    assert {dispute.dimension: dispute.gap for dispute in found} == far
    assert [dispute.gap for dispute in found] == sorted(far.values(), reverse=True)


@repeatable
@given(totals.filter(bool), st.floats(0, 50), st.floats(0, 50))
def test_no_number_of_rounds_is_cheaper_than_the_optimum(
    scores: list[float], cost: float, penalty: float
) -> None:
    prices = [max(0, 75 - score) * penalty + n * cost for n, score in enumerate(scores, 1)]
    assert prices.index(min(prices)) + 1 == optimal_rounds(scores, cost, penalty)


@repeatable
@given(
    st.lists(st.tuples(st.integers(0, 100), st.booleans(), st.booleans()), max_size=24),
    st.integers(1, 3),
    st.integers(1, 6),
)
def test_a_review_ends_for_one_reason_and_within_its_calls(
    script: list[tuple[int, bool, bool]], reviewers: int, max_rounds: int
) -> None:
    """Models that score, approve, and now and then fail, as the script says; it ends in failure."""
    said = iter(script)
    calls = 0

    def ask() -> tuple[int, bool]:
        nonlocal calls
        calls += 1
        score, approved, works = next(said, (0, False, False))
        if not works:
            raise BackendError("gone")
        return score, approved

    def judge(task: str, draft: str) -> Review:
        score, approved = ask()
        return Review("r", {"d0": score}, approved)

    state = review_until_converged(
        "a task",
        generator=lambda task: f"draft {ask()}",
        reviewers=[judge] * reviewers,
        reviser=lambda task, draft, reviews: f"{draft} {ask()}",
        rubric=rubric_of([1]),
        max_rounds=max_rounds,
    )
    scored = [round.scored for round in state.rounds]
    history = [review.total for review in scored]
    flat = [is_plateau(history[:n]) for n in range(1, len(history) + 1)]
    done = [review.passes for review in scored]
    assert not any(flat[:-1]) and not any(done[:-1]), "it went on after it was to stop"
    if state.error is None:
        reason = "converged" if done[-1] else "plateau" if flat[-1] else "max_rounds"
        assert state.stopped_reason == reason
        assert calls == len(scored) * (1 + reviewers)
        assert reason != "max_rounds" or len(scored) == max_rounds
    else:
        assert state.stopped_reason == "error" and not any(flat + done)
    assert state.calls == calls <= max_rounds * (1 + reviewers)
    assert state.final_draft in [round.draft for round in state.rounds] or not state.rounds
    if state.rounds and state.stopped_reason != "converged":
        best = state.rounds[history.index(max(history))]
        assert state.final_draft == best.draft
