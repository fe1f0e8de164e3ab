"""24.5 gone wrong."""

from collections.abc import Sequence
from functools import partial
from math import inf

from wrong_answers import wrong

from g2c.swarm.core.routing import Labelled, Prices, Route

wrong = partial(wrong, "24.5")

ALONE = "Route(None, prices.strong + prices.wrong * wrong / len(tasks))"
STEP = "            wrong += task.strong_is_right - task.cheap_is_right\n"
GROUPS = "groupby(sorted(tasks, key=_unsure), _unsure)"
SECOND = "        second = (prices.strong * asked + prices.wrong * wrong) / len(tasks)\n"
NEXT = "        routes.append(Route(unsure, prices.cheap + second))\n"
LUCK = "fmean(saved) <= pstdev(saved) / sqrt(len(tasks))"

wrong("A cascade is always cheaper than the strong model.", (ALONE, "Route(1.0, inf)"))
wrong(
    "Each task is answered by one model, which is paid.",
    ("prices.cheap + second", "prices.cheap * (len(tasks) - asked) / len(tasks) + second"),
    ("0 if threshold is None else prices.cheap", "0"),
)
wrong(
    "A wrong answer is asked again, so it costs one more strong call.",
    (SECOND, SECOND.replace("prices.wrong", "prices.strong")),
    (ALONE, ALONE.replace("prices.wrong", "prices.strong")),
)
wrong(
    "The strong model is right.",
    ("sum(not task.strong_is_right for task in tasks)", "0"),
    (STEP, "            wrong += not task.cheap_is_right\n"),
)
wrong(
    "Each task is a step of the threshold.",
    (SECOND + NEXT, "    " + SECOND + "    " + NEXT),
    (LUCK, "False"),
)
wrong(
    "At the threshold the strong model is asked.",
    (
        "        for task in group:\n            asked -= 1\n" + STEP + SECOND + NEXT,
        "        group = list(group)\n" + SECOND + NEXT + "        for task in group:\n"
        "            asked -= 1\n" + STEP,
    ),
)
wrong(
    "Somebody must be asked by the strong model, or there is no cascade.",
    (NEXT, "        if asked:\n    " + NEXT),
)
wrong(
    "The cost is that of all tasks.",
    (NEXT, NEXT.replace("prices.cheap + second", "len(tasks) * (prices.cheap + second)")),
    (ALONE, "Route(None, len(tasks) * prices.strong + prices.wrong * wrong)"),
)
wrong("Whoever lists tasks lists them by how unsure they are.", (GROUPS, "groupby(tasks, _unsure)"))
wrong(
    "The list can be put into order where it stands.",
    (GROUPS, "groupby(tasks, _unsure)"),
    (
        "    asked, wrong = len(tasks),",
        "    tasks.sort(key=_unsure)\n    asked, wrong = len(tasks),",
    ),
)
wrong("The route that costs least on these tasks costs least on others.", (LUCK, "False"))
wrong(
    "Who is careful asks the strong model.",
    ("return alone if is_luck else best", "return routes[0] if is_luck else best"),
)
wrong(
    "Without tasks the strong model is safe.",
    (
        'raise ValueError("A route is chosen on tasks, one or more.")',
        "return Route(None, prices.strong)",
    ),
)
wrong("A price is positive.", ("0 <= price < inf", "0 < price < inf"))


@wrong()
def each_threshold(tasks: Sequence[Labelled], prices: Prices) -> Route:
    """There are few thresholds, so each can be tried on all tasks."""
    if not tasks or any(not 0 <= task.unsure <= 1 for task in tasks):
        raise ValueError("There is nothing to choose on.")
    if not all(0 <= price < inf for price in (prices.cheap, prices.strong, prices.wrong)):
        raise ValueError("A price is 0 or more.")
    wrong = sum(not task.strong_is_right for task in tasks)
    best = Route(None, prices.strong + prices.wrong * wrong / len(tasks))
    for threshold in sorted({task.unsure for task in tasks}):
        strong = [task for task in tasks if task.unsure > threshold]
        cheap = [task for task in tasks if task.unsure <= threshold]
        wrong = sum(not task.strong_is_right for task in strong)
        wrong += sum(not task.cheap_is_right for task in cheap)
        cost = prices.cheap + (prices.strong * len(strong) + prices.wrong * wrong) / len(tasks)
        if cost <= best.cost + 1e-9 * best.cost:
            best = Route(threshold, cost)
    return best
