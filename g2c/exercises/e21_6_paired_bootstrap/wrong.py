"""21.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.6")

CUT = "cut = int((1 - confidence) / 2 * resamples)"
BOUNDS = "means[cut], means[-1 - cut]"

wrong(
    "A resample draws anew from the results of a, and anew from those of b.",
    ("fmean(draw(gains, k=len(gains)))", "fmean(draw(b, k=len(b))) - fmean(draw(a, k=len(a)))"),
)
wrong("The difference of a and b is a minus b.", ("after - before", "before - after"))
wrong(
    "zip makes the pairs, and stops where there are no more.",
    ("len(a) != len(b)", "not b"),
    ("strict=True", "strict=False"),
)
wrong(
    "At 95 % the bounds are the 5th and the 95th percentile.",
    (CUT, "cut = min(int((1 - confidence) * resamples), (resamples - 1) // 2)"),
)
wrong(
    "random.seed makes what follows repeatable.",
    ("draw = random.Random(seed)", "random.seed(seed)\n    draw = random"),
)
wrong("With enough resamples it does not matter which they are.", ("random.Random(seed)", "random"))
wrong(
    "For the same interval each time, the generator starts from one fixed number.",
    ("Random(seed)", "Random(42)"),
)
wrong("In an experiment no task comes twice, so none does in a resample.", (".choices", ".sample"))
wrong("The bounds are the percentiles 2.5 and 97.5.", (CUT, "cut = int(0.025 * resamples)"))
wrong(
    "The resamples tell how far the mean spreads; 1.96 of that on both sides are 95 %.",
    ("import fmean", "import NormalDist, fmean, pstdev"),
    (CUT, "reach = NormalDist().inv_cdf((1 + confidence) / 2) * pstdev(means)"),
    (BOUNDS, "fmean(gains) - reach, fmean(gains) + reach"),
)
wrong(
    "The interval is what chance does: a coin says for each task which result is whose.",
    ("fmean(draw(gains, k=len(gains)))", "fmean(gain * draw((-1, 1))[0] for gain in gains)"),
)
wrong(
    "A task is won, lost or neither, and the gain is won minus lost.",
    ("after - before", "(after > before) - (after < before)"),
)
wrong(
    "The best estimate is the mean over all resamples, as it rests on the most numbers.",
    ("Interval(fmean(gains)", "Interval(fmean(means)"),
)
wrong(
    "The order of results is arbitrary, so both lists are brought into one order first.",
    ("zip(a, b,", "zip(sorted(a), sorted(b),"),
)
wrong(
    "A draw may change the lists, as long as the pairs stay together.",
    ("draw =", "random.Random(seed).shuffle(a)\n    random.Random(seed).shuffle(b)\n    draw ="),
)
wrong(
    "Whoever asks for a confidence of 95 means per cent.",
    ("if not 0 <", "if confidence >= 1:\n        confidence /= 100\n    if not 0 <"),
)
wrong(
    "statistics.quantiles gives the percentiles of whatever there is.",
    ("import fmean", "import fmean, quantiles"),
    (CUT, "cuts = quantiles(means, n=round(2 / (1 - confidence)))"),
    (BOUNDS, "cuts[0], cuts[-1]"),
)
wrong(
    "means[-cut] is as far from the end as means[cut] is from the start.",
    ("means[-1 - cut]", "means[-cut]"),
)
