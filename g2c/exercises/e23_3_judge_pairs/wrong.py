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
)
wrong(
    "To ask twice is to ask the same again.",
    (ASKS, "judge(pair.task, pair.a, pair.b), judge(pair.task, pair.a, pair.b)"),
)
wrong(
    "It does not matter which order comes first, as long as there are both.",
    (ASKS, "judge(pair.task, pair.b, pair.a), judge(pair.task, pair.a, pair.b)"),
)
wrong(
    "Two replies that are the same are the same verdict.",
    (
        TABLE,
        TABLE.replace('"first", "second"', '"first", "first"').replace(
            '"second", "first"', '"second", "second"'
        ),
    ),
)
wrong(
    "A split is a pair on which the judge sees no difference, which is a tie.",
    ('get(replies, "split")', 'get(replies, "tie")'),
)
wrong("A tie is not a verdict.", ('    ("tie", "tie"): "tie",\n', ""))
wrong(
    "An order that could not be read contradicts nothing, so the other decides.",
    (
        DECIDES,
        f'{DECIDES} if set(replies) & {{"first", "second", "tie"}} == set() or read else '
        '("a" if replies[0] == "first" or replies[1] == "second" else "b")',
    ),
)
wrong(
    "An unread pair is undecided, as a split is: half.",
    ('"split": 0.5', '"split": 0.5, "unread": 0.5'),
)
wrong("Without a vote b has no share: 0.", (MEAN, "fmean(credits) if credits else 0.0"))
wrong(
    "A judge that breaks has said nothing, and nothing cannot be read.",
    (ASKS, "_try(judge, pair.task, pair.a, pair.b), _try(judge, pair.task, pair.b, pair.a)"),
    (
        "def judge_pairs(",
        "def _try(judge, *asked):\n    try:\n        return judge(*asked)\n"
        '    except Exception:\n        return ""\n\n\ndef judge_pairs(',
    ),
)
wrong(
    "Two equal answers are a tie; nobody needs to be asked.",
    (ASKS, f'("tie", "tie") if pair.a == pair.b else ({ASKS})'),
)


@wrong()
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
