"""22.4 gone wrong."""

from functools import partial

from . import wrong

wrong = partial(wrong, "22.4")

DIVIDES = "tick % interval == 0"
TOO_SHORT = "planned_ticks < MIN_PLANNED_TICKS"
AT_THE_END = "tick >= planned_ticks"

wrong(
    "Ticks are numbered from 0, so the fifth has the number 4.",
    (DIVIDES, "(tick + 1) % interval == 0"),
    caught_by="test_every_fifth_tick_is_reviewed",
    says="after 5, 10 and 15 of 20",
)
wrong(
    "A tick that the interval divides is a checkpoint.",
    ("tick == 0 or ", ""),
    caught_by="test_before_the_first_tick_there_is_nothing_to_review",
    says="at tick 0 nothing has been done",
)
wrong(
    "If no number of ticks is planned, there is nothing to divide into checkpoints.",
    ("planned_ticks is not None and (", "planned_ticks is None or ("),
    caught_by="test_a_loop_without_a_bound_is_a_long_one",
    says="None is no bound at all",
)
wrong(
    "A long loop is one of more than 10 ticks.",
    (TOO_SHORT, "planned_ticks <= MIN_PLANNED_TICKS"),
    caught_by="test_a_loop_of_ten_ticks_has_one",
    says="fewer than 10 means that 10 are enough",
)
wrong(
    "A loop that is shorter than the interval has no review anyway.",
    (f"{TOO_SHORT} or ", ""),
    caught_by="test_a_loop_of_fewer_than_ten_ticks_has_no_reviews",
    says="it would be over before a review could help",
)
wrong(
    "The 10 ticks are those that a loop must have behind it.",
    (TOO_SHORT, "tick < MIN_PLANNED_TICKS"),
    caught_by="test_every_fifth_tick_is_reviewed",
    says="after 5, 10 and 15 of 20",
)
wrong(
    "An interval is something to divide by.",
    (" or interval == 0", ""),
    caught_by="test_an_interval_of_0_stands_for_no_reviews",
    says="is how a person switches reviews off, and is no error",
)
wrong(
    "An interval of 0 can only mean the shortest there is.",
    ("interval == 0:", "(interval := max(interval, 1)) == 0:"),
    caught_by="test_an_interval_of_0_stands_for_no_reviews",
    says="nothing is reviewed; you review",
)
wrong(
    "Reviews come every 5 ticks, and the argument is there to switch them off.",
    (DIVIDES, "tick % INTERVAL == 0"),
    caught_by="test_the_interval_is_an_argument",
    says="an interval of 3 was asked for",
)
wrong(
    "A review at the end says how it all came out.",
    (AT_THE_END, "tick > planned_ticks"),
    caught_by="test_after_the_last_tick_nobody_would_read_a_review",
    says="a call to the model would be spent on nothing",
)
wrong(
    "The last tick needs no review; there are none after it to think of.",
    (AT_THE_END, "tick == planned_ticks"),
    caught_by="test_beyond_the_plan_there_is_no_review_either",
    says="a loop of 20 is over",
)
wrong(
    "Once the interval is reached, a review is due.",
    (DIVIDES, "tick >= interval"),
    caught_by="test_a_tick_between_two_reviews_has_none",
    says="not from 5 on",
)
wrong(
    "Asking for reviews means one at least, so half of the plan is the longest interval.",
    (DIVIDES, "tick % (min(interval, planned_ticks // 2) if planned_ticks else interval) == 0"),
    caught_by="test_an_interval_longer_than_the_loop_gives_no_review",
    says="12 ticks end before the first review at 20",
)
wrong(
    "`if planned_ticks` asks whether a number of ticks is planned.",
    ("planned_ticks is not None and", "planned_ticks and"),
    caught_by="test_a_loop_of_fewer_than_ten_ticks_has_no_reviews",
    says="0 ticks are planned, fewer than 10",
)
