"""21.7 gone wrong."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import partial
from statistics import NormalDist, fmean, quantiles, stdev

from g2c.critic.base import Interval

from . import wrong

wrong = partial(wrong, "21.7")

Numbers = Sequence[float]


def check(a: Numbers, b: Numbers, resamples: int, confidence: float) -> None:
    if len(a) != len(b) or not a or resamples < 1 or not 0 < confidence < 1:
        raise ValueError("out of bounds")


def differences(a: Numbers, b: Numbers) -> list[float]:
    return [y - x for x, y in zip(a, b, strict=True)]


def middle(means: Iterable[float], estimate: float, confidence: float) -> Interval:
    """The percentile interval."""
    ordered = sorted(means)
    cut = int((1 - confidence) / 2 * len(ordered))
    return Interval(estimate, ordered[cut], ordered[-1 - cut], confidence)


def drawn(values: Numbers, resamples: int, generator: random.Random, k: int = 0) -> list[float]:
    """The means of resamples, of as many values as there are, or of `k`."""
    size = k or len(values)
    return [fmean(generator.choices(values, k=size)) for _ in range(resamples)]


@wrong(
    caught_by="test_an_equal_gain_on_every_task_leaves_no_doubt",
    says="a task is drawn with both of its results",
)
def each_list_by_itself(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """A resample draws anew from the results of a, and anew from those of b."""
    check(a, b, resamples, confidence)
    generator = random.Random(seed)
    of_a, of_b = drawn(a, resamples, generator), drawn(b, resamples, generator)
    return middle(differences(of_a, of_b), fmean(b) - fmean(a), confidence)


@wrong(
    caught_by="test_the_estimate_is_what_b_gains_on_a",
    says="the mean of b less the mean of a, as they were measured",
)
def a_minus_b(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The difference of a and b is a minus b."""
    check(a, b, resamples, confidence)
    gains = differences(b, a)
    return middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)


@wrong(caught_by="test_results_that_do_not_pair_are_refused", says="some task has no pair")
def the_shorter_list_counts(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """zip makes the pairs, and stops where there are no more."""
    gains = [y - x for x, y in zip(a, b, strict=False)]
    check(gains, gains, resamples, confidence)
    return middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)


@wrong(caught_by="test_results_that_do_not_pair_are_refused", says="or there is none at all")
def no_tasks_no_gain(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """Without tasks nobody gains anything: 0, from 0 to 0."""
    if len(a) == len(b) == 0:
        return Interval(0.0, 0.0, 0.0, confidence)
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    return middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)


@wrong(
    caught_by="test_as_much_is_left_out_below_as_above",
    says="the 5 % outside are 2.5 % at each end",
)
def five_per_cent_at_each_end(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """At 95 % the bounds are the 5th and the 95th percentile."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = sorted(drawn(gains, resamples, random.Random(seed)))
    cut = min(int((1 - confidence) * resamples), (resamples - 1) // 2)
    return Interval(fmean(gains), means[cut], means[-1 - cut], confidence)


@wrong(
    caught_by="test_as_much_is_left_out_below_as_above",
    says="2.5 % at each end, 1.96 spreads away",
)
def all_of_it_above(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The interval is the lowest 95 % of the resamples."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = sorted(drawn(gains, resamples, random.Random(seed)))
    last = max(0, round(confidence * resamples) - 1)
    return Interval(fmean(gains), means[0], means[last], confidence)


@wrong(
    caught_by="test_the_random_numbers_of_others_are_left_alone",
    says="share one generator with the whole program",
)
def a_seed_is_set_once(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """random.seed makes what follows repeatable."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    random.seed(seed)
    means = [fmean(random.choices(gains, k=len(gains))) for _ in range(resamples)]
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_the_same_arguments_give_the_same_interval",
    says="whoever repeats your measurement must find what you found",
)
def chance_is_chance(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """With enough resamples it does not matter which they are."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = [fmean(random.choices(gains, k=len(gains))) for _ in range(resamples)]
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_another_seed_draws_other_resamples", says="with five seeds yours are the same"
)
def always_the_same_numbers(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """For the same interval each time, the generator starts from one fixed number."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    return middle(drawn(gains, resamples, random.Random(42)), fmean(gains), confidence)


@wrong(
    caught_by="test_resamples_are_drawn_with_replacement_and_are_as_large_as_the_experiment",
    says="or the same tasks in another order",
)
def no_task_twice(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """In an experiment no task comes twice, so none does in a resample."""
    check(a, b, resamples, confidence)
    gains, generator = differences(a, b), random.Random(seed)
    means = [fmean(generator.sample(gains, len(gains))) for _ in range(resamples)]
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_resamples_are_drawn_with_replacement_and_are_as_large_as_the_experiment",
    says="are they smaller",
)
def half_the_tasks(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """A resample is a part of the experiment, such as half of the tasks."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = drawn(gains, resamples, random.Random(seed), k=max(1, len(gains) // 2))
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_resamples_are_drawn_with_replacement_and_are_as_large_as_the_experiment",
    says="are resamples larger than the experiment",
)
def a_hundred_and_fifty_are_better(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The larger a resample, the less chance is in it."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = drawn(gains, resamples, random.Random(seed), k=max(150, len(gains)))
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_more_confidence_takes_a_wider_interval",
    says="intervals of 50, 80 and 99 % are about",
)
def ninety_five_is_usual(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The bounds are the percentiles 2.5 and 97.5."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    found = middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), 0.95)
    return Interval(found.estimate, found.low, found.high, confidence)


@wrong(
    caught_by="test_more_confidence_takes_a_wider_interval",
    says="the interval says which confidence it has",
)
def the_default_is_said(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """An interval is three numbers; the rest of it may stay as it is."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    found = middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)
    return Interval(found.estimate, found.low, found.high)


@wrong(
    caught_by="test_no_bound_lies_beyond_what_was_seen",
    says="A formula of mean and standard deviation assumes a symmetry",
)
def two_standard_errors(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The resamples tell how far the mean spreads; 1.96 of that on both sides are 95 %."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    means = drawn(gains, resamples, random.Random(seed))
    spread = stdev(means) if len(means) > 1 else 0.0
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * spread
    return Interval(fmean(gains), fmean(gains) - reach, fmean(gains) + reach, confidence)


@wrong(
    caught_by="test_the_interval_lies_around_the_gain",
    says="an interval around 0 answers what chance alone would do",
)
def what_chance_would_do(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """Chance is a coin for each task that says which result is whose; the bounds are its."""
    check(a, b, resamples, confidence)
    gains, generator = differences(a, b), random.Random(seed)
    means = [fmean(gain * generator.choice((-1, 1)) for gain in gains) for _ in range(resamples)]
    return middle(means, fmean(gains), confidence)


@wrong(
    caught_by="test_a_gain_counts_by_its_size",
    says="who counts won and lost tasks measures something else",
)
def tasks_won_and_lost(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """A task is won, lost or neither, and the gain is won minus lost."""
    check(a, b, resamples, confidence)
    gains = [float((gain > 0) - (gain < 0)) for gain in differences(a, b)]
    return middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)


@wrong(
    caught_by="test_the_estimate_is_the_measured_one",
    says="the resamples are for the bounds alone",
)
def the_mean_of_the_resamples(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The best estimate is the mean over all resamples, as it rests on the most numbers."""
    check(a, b, resamples, confidence)
    means = drawn(differences(a, b), resamples, random.Random(seed))
    return middle(means, fmean(means), confidence)


@wrong(
    caught_by="test_tasks_stay_paired_whatever_their_results",
    says="Sorting each list pairs a task with another task",
)
def the_best_with_the_best(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """The order of results is arbitrary, so both lists are brought into one order first."""
    check(a, b, resamples, confidence)
    gains = differences(sorted(a), sorted(b))
    return middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), confidence)


@wrong(caught_by="test_the_results_are_left_as_they_were", says="the lists belong to the caller")
def shuffled_in_place(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """A draw may change the lists, as long as the pairs stay together."""
    check(a, b, resamples, confidence)
    generator = random.Random(seed)
    pairs = list(zip(a, b, strict=True))
    generator.shuffle(pairs)
    if isinstance(a, list) and isinstance(b, list):
        a[:], b[:] = [x for x, _ in pairs], [y for _, y in pairs]
    gains = [y - x for x, y in pairs]
    return middle(drawn(gains, resamples, generator), fmean(gains), confidence)


@wrong(
    caught_by="test_options_out_of_bounds_are_refused",
    says="a confidence is a share between 0 and 1",
)
def whatever_is_asked_for(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """Who asks for a confidence of 95 means per cent."""
    share = confidence / 100 if confidence >= 1 else confidence
    check(a, b, resamples, share)
    gains = differences(a, b)
    found = middle(drawn(gains, resamples, random.Random(seed)), fmean(gains), share)
    return Interval(found.estimate, found.low, found.high, confidence)


@wrong(
    caught_by="test_few_resamples_are_coarse_and_no_error",
    says="one resample is its own lowest and highest",
)
def the_library_has_quantiles(a, b, *, resamples=2000, confidence=0.95, seed=0) -> Interval:
    """statistics.quantiles gives the percentiles of whatever there is."""
    check(a, b, resamples, confidence)
    gains = differences(a, b)
    cuts = quantiles(drawn(gains, resamples, random.Random(seed)), n=1000)
    tail = round((1 - confidence) / 2 * 1000)
    return Interval(fmean(gains), cuts[tail - 1], cuts[-tail], confidence)
