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
READ = "set(replies) <= set(get_args(Place))"
MEAN = "fmean(credits) if credits else None"
COUNTED = "if verdict.winner in CREDIT]"

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
    "The judge needs names for the two answers to speak of them.",
    (
        ASKS,
        'judge(pair.task, f"A: {pair.a}", f"B: {pair.b}"), '
        'judge(pair.task, f"B: {pair.b}", f"A: {pair.a}")',
    ),
    caught_by="test_both_orders_are_asked_and_nothing_is_told_beside_the_answers",
    says="a name such as 'A:' tells it whom to prefer",
)
wrong(
    "A judge that is told that it has seen the pair before takes more care.",
    (ASKS, 'judge(pair.task, pair.a, pair.b), judge(pair.task + " (again)", pair.b, pair.a)'),
    caught_by="test_both_orders_are_asked_and_nothing_is_told_beside_the_answers",
    says="It is told the task and the two answers as they are",
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
    "first, second: the second reply is the last word, so b has it.",
    (TABLE, TABLE.replace('"a"', '"B"').replace('"b"', '"a"').replace('"B"', '"b"')),
    caught_by="test_after_the_swap_the_same_answer_has_the_other_place",
    says="first and then second are the same answer",
)
wrong(
    "A split is a pair on which the judge sees no difference, which is a tie.",
    ('get(replies, "split")', 'get(replies, "tie")'),
    caught_by="test_a_judge_that_looks_at_the_place_prefers_nobody",
    says="has preferred no answer",
)
wrong(
    "Where the orders disagree there was no vote, so the pair is left out.",
    ('"tie": 0.5, "split": 0.5', '"tie": 0.5'),
    caught_by="test_a_judge_that_looks_at_the_place_prefers_nobody",
    says="a split gives half to each side",
)
wrong(
    "Whoever has to show that b is better gives b nothing that b has not won.",
    ('"split": 0.5', '"split": 0.0'),
    caught_by="test_a_judge_that_looks_at_the_place_prefers_nobody",
    says="Where it counts for a, or for b",
)
wrong(
    "A tie is not a verdict.",
    ('    ("tie", "tie"): "tie",\n', ""),
    caught_by="test_a_tie_is_an_answer",
    says="has judged, and has not failed",
)
wrong(
    "A tie is nobody's win, so it is not in the mean.",
    ('"tie": 0.5, ', ""),
    caught_by="test_a_tie_is_an_answer",
    says="a tie counts half for each side",
)
wrong(
    "A tie is not a win for b.",
    ('"tie": 0.5, ', '"tie": 0.0, '),
    caught_by="test_a_tie_is_an_answer",
    says="a tie counts half for each side: (1 + 1/2) / 2",
)
wrong(
    "A tie contradicts nothing, so the other order decides.",
    (
        TABLE,
        TABLE + '    ("tie", "second"): "a",\n    ("first", "tie"): "a",\n'
        '    ("tie", "first"): "b",\n    ("second", "tie"): "b",\n',
    ),
    caught_by="test_a_preference_in_one_order_alone_does_not_survive",
    says="in one order the judge preferred an answer and in the other it did not",
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
    "What is neither first nor second is a tie.",
    (DECIDES, '(WINNERS.get(replies, "split") if read else "tie")'),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="neither won by the order that was read, nor a tie",
)
wrong(
    "Two replies that do not agree are a split, whatever they are.",
    (DECIDES, 'WINNERS.get(replies, "split")'),
    ("        read = set(replies) <= set(get_args(Place))\n", ""),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="nor a tie, nor a split",
)
wrong(
    "A pair is unread if nothing of it could be read.",
    (READ, "bool(set(replies) & set(get_args(Place)))"),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="with one order unread",
)
wrong(
    "A reply that could not be read is nothing, and is kept as nothing.",
    (
        "Verdict(*replies, winner)",
        'Verdict(*(r if r in get_args(Place) else "" for r in replies), winner)',
    ),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="the replies stay as they came",
)
wrong(
    "An unread pair is undecided, as a split is: half.",
    ('"split": 0.5', '"split": 0.5, "unread": 0.5'),
    caught_by="test_an_unread_pair_is_not_in_the_mean",
    says="in neither part of the fraction",
)
wrong(
    "A share is a share of all pairs.",
    (MEAN, "sum(credits) / len(pairs) if credits else None"),
    caught_by="test_an_unread_pair_is_not_in_the_mean",
    says="A pair without a vote is in neither part of the fraction",
)
wrong(
    "Without a vote b has no share: 0.",
    (MEAN, "fmean(credits) if credits else 0.0"),
    caught_by="test_without_a_vote_there_is_no_share",
    says="0 would say that a won",
)
wrong(
    "Without a vote nobody is better, which is a half.",
    (MEAN, "fmean(credits or [0.5])"),
    caught_by="test_without_a_vote_there_is_no_share",
    says="1/2 that both are as good",
)
wrong(
    "What was not read is not reported.",
    (
        "Tally(tuple(verdicts)",
        'Tally(tuple(verdict for verdict in verdicts if verdict.winner != "unread")',
    ),
    caught_by="test_without_a_vote_there_is_no_share",
    says="each pair has its verdict",
)
wrong(
    "The share of wins is of the pairs that somebody won.",
    ('"tie": 0.5, "split": 0.5', '"tie": 0.5, "split": 0.5'.replace("0.5", "0.500")),
    (COUNTED, 'if verdict.winner in ("a", "b")]'),
    caught_by="test_a_judge_that_looks_at_the_place_prefers_nobody",
    says="or for nobody",
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


wrong(
    "A judge that writes `First` means the first.",
    (
        "judge(pair.task, pair.a, pair.b), judge(pair.task, pair.b, pair.a)",
        "judge(pair.task, pair.a, pair.b).lower(), judge(pair.task, pair.b, pair.a).lower()",
    ),
    caught_by="test_an_unreadable_verdict_is_not_a_vote",
    says="nobody knows whether the other survives the swap",
)
