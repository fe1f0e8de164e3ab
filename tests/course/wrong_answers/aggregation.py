"""21.3 gone wrong."""

from functools import partial

from . import wrong

wrong = partial(wrong, "21.3")

STRAYS = "review.scores.keys() ^ set(names)"
SCORES = "review.scores[name] for review in reviews"
MEAN = f"fmean({SCORES})"
TOTAL = "fsum(dimension.weight * means[dimension.name] for dimension in rubric.dimensions)"

wrong(
    "Reviews list their scores in the order of the rubric.",
    ("review.scores[name]", "list(review.scores.values())[names.index(name)]"),
    caught_by="test_weights_go_by_name",
    says="not by the place where it stands",
)
wrong(
    "The total is the mean of the dimensions.",
    (TOTAL, "fmean(means.values())"),
    caught_by="test_a_heavy_dimension_moves_the_total_more",
    says="forgets that truth was to count three times as much",
)
wrong(
    "A median is safer than a mean.",
    ("import fmean", "import median as fmean"),
    caught_by="test_every_reviewer_counts_the_same",
    says="A median is 70",
)
wrong(
    "A draft is as good as its strictest reviewer says.",
    (MEAN, f"min({SCORES})"),
    caught_by="test_every_reviewer_counts_the_same",
    says="the lowest is 10",
)
wrong(
    "The mean so far and the next score are averaged, one after the other.",
    ("from math", "from functools import reduce\nfrom math"),
    (MEAN, f"reduce(lambda mean, score: (mean + score) / 2, ({SCORES}))"),
    caught_by="test_every_reviewer_counts_the_same",
    says="counts the last one most",
)
wrong(
    "Scores are whole points, so their means are.",
    (MEAN, f"round({MEAN})"),
    caught_by="test_nothing_is_rounded",
    says="decides here whether the bar of 75 is reached",
)
wrong(
    "// is the division for whole numbers.",
    (MEAN, f"sum({SCORES}) // len(reviews)"),
    caught_by="test_nothing_is_rounded",
    says="whoever rounds, to even or up or down",
)
wrong(
    "A score that is false was not given.",
    (MEAN, f"fmean([{SCORES} if review.scores[name]] or [0])"),
    caught_by="test_a_score_of_zero_is_a_score",
    says="0 is the worst score and not a missing",
)
wrong(
    "Whoever did not score a dimension gave it nothing.",
    (STRAYS, "review.scores.keys() - set(names)"),
    ("review.scores[name]", "review.scores.get(name, 0)"),
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="as a 0 it would punish the draft for what he forgot",
)
wrong(
    "A mean is over the scores that there are.",
    (STRAYS, "review.scores.keys() - set(names)"),
    (SCORES, f"{SCORES} if name in review.scores"),
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="left out it would leave truth to Ada alone",
)
wrong(
    "What the rubric does not ask for has no weight, so it may stand there.",
    (STRAYS, "set(names) - review.scores.keys()"),
    caught_by="test_an_unknown_dimension_is_refused_by_name",
    says="either the rubric is not the one he had, or a name is misspelt",
)
wrong(
    "An error is an error, whatever it says.",
    ('f"{review.reviewer} and the rubric differ on {sorted(strays)}"', '"wrong dimensions"'),
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="should learn who forgot what",
)
wrong(
    "The sum of nothing is 0.",
    ('raise ValueError("there are no reviews to put together")', "return Aggregate(0, {}, 0, 0)"),
    caught_by="test_no_reviews_are_refused",
    says="0 would say that the draft is bad",
)
wrong(
    "Whoever approves a draft that he scores low has made a mistake.",
    ("sum(review.approved", "sum(review.approved and fmean(review.scores.values()) >= 50"),
    caught_by="test_approvals_are_counted_and_not_derived",
    says="whatever they scored: 2 of 3",
)
wrong(
    "A reviewer's last word replaces what he said before.",
    ("    means = ", "    reviews = {one.reviewer: one for one in reviews}.values()\n    means = "),
    caught_by="test_two_reviews_under_one_name_are_two",
    says="the second one takes the first one's place",
)
wrong(
    "Once a score is in the mean, its review does not need it any more.",
    ("review.scores[name]", "review.scores.pop(name)"),
    caught_by="test_the_reviews_are_left_as_they_are",
    says="the reviews are needed afterwards",
)
wrong(
    "Two decimals are as exact as a score can be.",
    (MEAN, f"round({MEAN}, 2)"),
    caught_by="test_a_third_keeps_its_digits",
    says="rounded to 74.67 it is another number",
)
