"""22.4 gone wrong."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from wrong_answers import wrong

from g2c.exercises.e22_4_is_stuck.solution import is_stuck
from g2c.loop.core.types import TickRecord

wrong = partial(wrong, "22.4")

SAME = "(tick.prompt, tick.actions, tick.answer)"
LAST = "{tick.tick: tick for tick in ticks}"
CHECK = "if k < 2:"
FAILED = ' or any(tick.outcome == "failed" for tick in newest)'

wrong(
    "A loop whose prompt does not change is stuck.",
    (SAME, "tick.prompt"),
    caught_by="test_a_tick_with_other_actions_differs",
    says="it still tries new ways",
)
wrong(
    "A loop is stuck if it does and says the same again, whatever it was asked.",
    (SAME, "(tick.actions, tick.answer)"),
    caught_by="test_a_tick_with_another_prompt_differs",
    says="changes what the next one knows",
)
wrong(
    "What a tick says is only words; what it does is what counts.",
    (SAME, "(tick.prompt, tick.actions)"),
    caught_by="test_a_tick_with_another_answer_differs",
    says="something else to say",
)
wrong(
    "Two ticks used the same tools if they used the same set of tools.",
    ("tick.actions", "frozenset(tick.actions)"),
    caught_by="test_actions_are_equal_one_by_one",
    says="in another order, or more often",
)
wrong(
    "Two records are the same if they are equal.",
    ("{" + SAME, "{(tick, *" + SAME + ")"),
    caught_by="test_the_cost_of_a_tick_does_not_matter",
    says="no two ticks have the same number, time and cost",
)
wrong(
    "If all ticks that there are were the same, the loop is stuck.",
    ("len(newest) < k", "not newest"),
    caught_by="test_too_few_ticks_are_not_stuck",
    says="a loop that has just begun is not stuck",
)
wrong(
    "Three times is what stuck means.",
    ("[-k:]", "[-3:]"),
    ("len(newest) < k", "len(newest) < 3"),
    caught_by="test_how_many_ticks_is_an_argument",
    says="k is 2",
)
wrong(
    "Stuck means that a tick was repeated k times, so k more come after it.",
    ("[-k:]", "[-k - 1:]"),
    ("len(newest) < k", "len(newest) <= k"),
    caught_by="test_three_ticks_that_are_the_same_are_stuck",
    says="three ticks had the same prompt",
)
wrong(
    "A loop that was stuck once is a stuck loop.",
    ("[-k:]", "[:k]"),
    caught_by="test_a_loop_that_got_out_is_not_stuck",
    says="that is over",
)
wrong(
    "Each record in the log is a tick.",
    (LAST, "dict(enumerate(ticks))"),
    caught_by="test_a_number_that_repeats_is_one_tick",
    says="three records are two ticks",
)
wrong(
    "The first record of a number is the tick, and the second is a copy.",
    (LAST, "{tick.tick: tick for tick in reversed(ticks)}"),
    ("list(last.values())", "list(last.values())[::-1]"),
    caught_by="test_the_last_record_of_a_repeated_number_counts",
    says="only the second one counts",
)
wrong(
    "A tick that fails in the same way again and again is the worst way to be stuck.",
    (FAILED, ""),
    caught_by="test_a_failed_tick_is_the_same_as_no_other",
    says="next_status counts them",
)
wrong(
    "Stuck once is a k of 1.",
    (CHECK, "if k < 1:"),
    caught_by="test_a_single_tick_cannot_be_compared",
    says="every tick is the same as itself",
)
wrong(
    "Ticks that are the same came out the same, too.",
    (SAME, "(tick.outcome, *" + SAME + ")"),
    caught_by="test_a_tick_that_says_done_can_be_the_same",
    says="the word done has changed nothing",
)


@wrong(
    caught_by="test_a_number_that_repeats_is_one_tick_wherever_it_stands",
    says="that is two ticks, and fewer than 3",
)
def neighbours_alone(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    """A tick that was cut off stands right before its second record."""
    whole = [tick for tick, after in pairwise(ticks) if after.tick != tick.tick]
    return is_stuck([replace(tick, tick=n) for n, tick in enumerate([*whole, *ticks[-1:]])], k)


wrong(
    "White space around an answer says nothing.",
    ("tick.actions, tick.answer)", "tick.actions, tick.answer.strip())"),
    caught_by="test_texts_are_compared_character_by_character",
    says="and not an equal text",
)
