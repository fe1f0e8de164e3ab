"""23.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "23.3")

ASKS = "judge(pair.task, pair.a, pair.b), judge(pair.task, pair.b, pair.a)"
DECIDES = 'WINNERS.get(replies, "split") if read else "unread"'
TABLE = """\
    ("first", "second"): "a",
    ("second", "first"): "b",
"""
MEAN = "fmean(credits) if credits else None"

wrong(
    "A tie has no places that could be exchanged, so the second call is saved.",
    (
        ASKS,
        "(said := judge(pair.task, pair.a, pair.b)), "
        'said if said == "tie" else judge(pair.task, pair.b, pair.a)',
    ),
    caught_by="test_a_preference_in_one_order_alone_does_not_survive",
    says="in one order the judge preferred an answer",
)
wrong(
    "To ask twice is to ask the same again.",
    (ASKS, "judge(pair.task, pair.a, pair.b), judge(pair.task, pair.a, pair.b)"),
    caught_by="test_both_orders_are_asked_and_nothing_is_told_beside_the_answers",
    says="once with each answer first",
)
wrong(
    "It does not matter which order comes first, as long as there are both.",
    (ASKS, "judge(pair.task, pair.b, pair.a), judge(pair.task, pair.a, pair.b)"),
    caught_by="test_the_reply_with_a_first_is_kept_as_that",
    says="under the order in which they were given",
)
wrong(
    "Two replies that are the same are the same verdict.",
    (
        TABLE,
        TABLE.replace('"first", "second"', '"first", "first"').replace(
            '"second", "first"', '"second", "second"'
        ),
    ),
    caught_by="test_after_the_swap_the_same_answer_has_the_other_place",
    says="Two equal replies are the same place, and two different answers",
)
wrong(
    "A split is a pair on which the judge sees no difference, which is a tie.",
    ('get(replies, "split")', 'get(replies, "tie")'),
    caught_by="test_a_judge_that_looks_at_the_place_prefers_nobody",
    says="has preferred no answer",
)
wrong(
    "A tie is not a verdict.",
    ('    ("tie", "tie"): "tie",\n', ""),
    caught_by="test_a_tie_is_an_answer",
    says="has judged, and has not failed",
)
wrong(
    "An order that could not be read contradicts nothing, so the other decides.",
    (
        DECIDES,
        f'{DECIDES} if set(replies) & {{"first", "second", "tie"}} == set() or read else '
        '("a" if replies[0] == "first" or replies[1] == "second" else "b")',
    ),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="nobody knows whether the other survives the swap",
)
wrong(
    "An unread pair is undecided, as a split is: half.",
    ('"split": 0.5', '"split": 0.5, "unread": 0.5'),
    caught_by="test_an_unread_pair_is_not_in_the_mean",
    says="in neither part of the fraction",
)
wrong(
    "Without a vote b has no share: 0.",
    (MEAN, "fmean(credits) if credits else 0.0"),
    caught_by="test_without_a_vote_there_is_no_share",
    says="0 would say that a won",
)
wrong(
    "A judge that breaks has said nothing, and nothing cannot be read.",
    (
        ASKS,
        "_try(judge, pair.task, pair.a, pair.b), _try(judge, pair.task, pair.b, pair.a)",
    ),
    (
        "def judge_pairs(",
        "def _try(judge, *asked):\n    try:\n        return judge(*asked)\n"
        '    except Exception:\n        return ""\n\n\ndef judge_pairs(',
    ),
    caught_by="test_a_judge_that_breaks_is_heard",
    says="is an error for the caller, and no unread reply",
)
wrong(
    "Two equal answers are a tie; nobody needs to be asked.",
    (ASKS, f'("tie", "tie") if pair.a == pair.b else ({ASKS})'),
    caught_by="test_equal_answers_are_asked_about_too",
    says="two equal answers are the best test of a judge",
)


@wrong(
    caught_by="test_an_unread_order_does_not_spare_the_other",
    says="both replies of a pair are kept",
)
def judge_pairs(pairs, judge):
    """If the first order cannot be read, the pair is lost, so the second call is saved."""
    from g2c.evaluation.core.preferences import Tally, Verdict
    from g2c.exercises.e23_3_judge_pairs.solution import judge_pairs as right

    def spares(pair):
        first = judge(pair.task, pair.a, pair.b)
        if first not in ("first", "second", "tie"):
            return Tally((Verdict(first, "", "unread"),), None)
        replies = iter([first])
        return right([pair], lambda *asked: next(replies, None) or judge(*asked))

    found = [spares(pair) for pair in pairs]
    shares = [tally.share_b for tally in found if tally.share_b is not None]
    verdicts = tuple(verdict for tally in found for verdict in tally.verdicts)
    return Tally(verdicts, sum(shares) / len(shares) if shares else None)
