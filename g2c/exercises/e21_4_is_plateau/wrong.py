"""21.4 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.4")

WAITED = "waited = min(max(waited, 1), _LONGEST)"


@wrong()
def the_last_round(history: Sequence[float], price: float = 1) -> bool:
    """The last revision's gain is what the next one will bring, or less, if it brought anything."""
    return len(history) > 2 and history[-1] - history[-2] < min(price, 3)


@wrong()
def at_rest(history: Sequence[float], price: float = 1) -> bool:
    """A plateau is where the newest three totals lie close together."""
    newest = history[-3:]
    return len(newest) == 3 and max(newest) - min(newest) < 3


@wrong()
def at_rest_for_the_price(history: Sequence[float], price: float = 1) -> bool:
    """Totals that move by more than the price are not at rest."""
    newest = history[-3:]
    return len(newest) == 3 and max(newest) - min(newest) < 2 * price


@wrong()
def three_without_a_gain(history: Sequence[float], price: float = 1) -> bool:
    """Three rounds without a better draft end it; what they cost is the caller's affair."""
    return len(history) > 3 and max(history[-3:]) <= max(history[:-3])


@wrong()
def good_enough(history: Sequence[float], price: float = 1) -> bool:
    """A draft above the bar of 75 is good, so no further round is needed."""
    if len(history) > 1 and max(history) >= 62:
        return True
    return len(history) > 4 and max(history[-4:]) - max(history[:-4]) < 4 * price


@wrong()
def until_it_is_good(history: Sequence[float], price: float = 1) -> bool:
    """A review may not end while the draft is poor; somebody has to mend it."""
    if max(history) < 60:
        return False
    return len(history) > 3 and max(history[-3:]) - max(history[:-3]) < 3 * price


wrong(
    "A round that is not there gained nothing.",
    ("    if len(history) <= waited:\n        return False\n", ""),
    ("max(history[:-waited])", "max(history[:-waited], default=history[0])"),
)
wrong("One cannot afford to wait for a rise that has not begun.", (WAITED, "waited = 1"))
wrong(
    "Sorted, the best total stands at the end.",
    ("    gained = ", "    history.sort()\n    gained = "),
)
wrong(
    "Truth is what is not 0.",
    ("return gained < _DUE * waited * price", "return max(0, _DUE * waited * price - gained)"),
)
wrong(
    "The best total before this round is known from the call before.",
    ("_LONGEST = 5", "_LONGEST = 5\n_BEST = [0.0]"),
    (
        "    gained = max(history[-waited:]) - max(history[:-waited])\n",
        "    best, _BEST[0] = _BEST[0], max(history)\n    gained = max(history[-waited:]) - best\n",
    ),
)
