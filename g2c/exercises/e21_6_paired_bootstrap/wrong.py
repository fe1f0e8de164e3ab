"""21.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.6")

CUT = "cut = int((1 - confidence) / 2 * resamples)"
BOUNDS = "means[cut], means[-1 - cut]"

wrong(
    "A resample draws anew from the results of a, and anew from those of b.",
    ("fmean(draw(gains, k=len(gains)))", "fmean(draw(b, k=len(b))) - fmean(draw(a, k=len(a)))"),
    caught_by="test_an_equal_gain_on_every_task_leaves_no_doubt",
    says="a task is drawn with both of its results",
)
wrong(
    "The difference of a and b is a minus b.",
    ("after - before", "before - after"),
    caught_by="test_the_estimate_is_what_b_gains_on_a",
    says="the mean of b less the mean of a, as they were measured",
)
wrong(
    "zip makes the pairs, and stops where there are no more.",
    ("len(a) != len(b)", "not b"),
    ("strict=True", "strict=False"),
    caught_by="test_results_that_do_not_pair_are_refused",
    says="some task has no pair",
)
wrong(
    "At 95 % the bounds are the 5th and the 95th percentile.",
    (CUT, "cut = min(int((1 - confidence) * resamples), (resamples - 1) // 2)"),
    caught_by="test_as_much_is_left_out_below_as_above",
    says="the 5 % outside are 2.5 % at each end",
)
wrong(
    "random.seed makes what follows repeatable.",
    ("draw = random.Random(seed)", "random.seed(seed)\n    draw = random"),
    caught_by="test_the_random_numbers_of_others_are_left_alone",
    says="share one generator with the whole program",
)
wrong(
    "With enough resamples it does not matter which they are.",
    ("random.Random(seed)", "random"),
    caught_by="test_the_same_arguments_give_the_same_interval",
    says="whoever repeats your measurement must find what you found",
)
wrong(
    "For the same interval each time, the generator starts from one fixed number.",
    ("Random(seed)", "Random(42)"),
    caught_by="test_another_seed_draws_other_resamples",
    says="with five seeds yours are the same",
)
wrong(
    "In an experiment no task comes twice, so none does in a resample.",
    (".choices", ".sample"),
    caught_by="test_resamples_are_drawn_with_replacement_and_are_as_large_as_the_experiment",
    says="or the same tasks in another order",
)
wrong(
    "The bounds are the percentiles 2.5 and 97.5.",
    (CUT, "cut = int(0.025 * resamples)"),
    caught_by="test_more_confidence_takes_a_wider_interval",
    says="intervals of 50, 80 and 99 % are about",
)
wrong(
    "The resamples tell how far the mean spreads; 1.96 of that on both sides are 95 %.",
    ("import fmean", "import NormalDist, fmean, pstdev"),
    (CUT, "reach = NormalDist().inv_cdf((1 + confidence) / 2) * pstdev(means)"),
    (BOUNDS, "fmean(gains) - reach, fmean(gains) + reach"),
    caught_by="test_no_bound_lies_beyond_what_was_seen",
    says="A formula of mean and standard deviation assumes a symmetry",
)
wrong(
    "The interval is what chance does: a coin says for each task which result is whose.",
    ("fmean(draw(gains, k=len(gains)))", "fmean(gain * draw((-1, 1))[0] for gain in gains)"),
    caught_by="test_the_interval_lies_around_the_gain",
    says="an interval around 0 answers what chance alone would do",
)
wrong(
    "A task is won, lost or neither, and the gain is won minus lost.",
    ("after - before", "(after > before) - (after < before)"),
    caught_by="test_a_gain_counts_by_its_size",
    says="who counts won and lost tasks measures something else",
)
wrong(
    "The best estimate is the mean over all resamples, as it rests on the most numbers.",
    ("Interval(fmean(gains)", "Interval(fmean(means)"),
    caught_by="test_the_estimate_is_the_measured_one",
    says="the resamples are for the bounds alone",
)
wrong(
    "The order of results is arbitrary, so both lists are brought into one order first.",
    ("zip(a, b,", "zip(sorted(a), sorted(b),"),
    caught_by="test_tasks_stay_paired_whatever_their_results",
    says="Sorting each list pairs a task with another task",
)
wrong(
    "A draw may change the lists, as long as the pairs stay together.",
    ("draw =", "random.Random(seed).shuffle(a)\n    random.Random(seed).shuffle(b)\n    draw ="),
    caught_by="test_the_results_are_left_as_they_were",
    says="the lists belong to the caller",
)
wrong(
    "Whoever asks for a confidence of 95 means per cent.",
    ("if not 0 <", "if confidence >= 1:\n        confidence /= 100\n    if not 0 <"),
    caught_by="test_options_out_of_bounds_are_refused",
    says="a confidence is a share between 0 and 1",
)
wrong(
    "statistics.quantiles gives the percentiles of whatever there is.",
    ("import fmean", "import fmean, quantiles"),
    (CUT, "cuts = quantiles(means, n=round(2 / (1 - confidence)))"),
    (BOUNDS, "cuts[0], cuts[-1]"),
    caught_by="test_few_resamples_are_coarse_and_no_error",
    says="one resample is its own lowest and highest",
)
wrong(
    "means[-cut] is as far from the end as means[cut] is from the start.",
    ("means[-1 - cut]", "means[-cut]"),
    caught_by="test_with_few_resamples_too_the_bounds_lie_on_both_sides",
    says="so nothing is left out",
)
