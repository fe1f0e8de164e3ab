"""20.9: group the turns by subject, keep the newest of each, and count how often it came up.

No word of the month is known beforehand. The person's questions name the subjects; the agent's
answers contain the values, and a turn without any value states nothing. The person's words for
"only for now" and "for good" are a short, closed list.

The month itself shows the worth of a subject: each mention counts by the share of its words that
the kept turn has, and so do changes, since nobody corrects what nobody needs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, log

from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn

_FOR_NOW = re.compile(
    r"\b(today|tonight|once|(after)?noon|morning|evening|week|hours?|while|until|only|maybe|perhaps"
    r"|might|suppose|imagine|proposed|not sure)\b"
)
_FOR_GOOD = re.compile(
    r"\b(rule|remember|future|always|never|now on|note|for good|mind|say otherwise)\b"
)
_NAMES = re.compile(r"(?<=[a-z,] )[A-Z]\w+")
_SAME_MATTER = 0.5
_MENTIONED = 0.3


def keep(turns: Sequence[Turn], budget: int) -> list[int]:
    places = range(len(turns))
    terms = [_terms(turn) for turn in turns]
    in_turns = Counter(term for found in terms for term in found)

    def weight(some: Iterable[str]) -> float:
        return fsum(log(len(turns) / in_turns[term]) for term in some)

    times_said = Counter(turn.content for turn in turns)
    by_person = [turn.role == "user" for turn in turns]
    asks = [by_person[n] and turns[n].content.endswith("?") for n in places]
    values = {term for n in places if not by_person[n] for term in terms[n]}
    values |= {term for found in terms for term in found if term.isdigit()}
    values |= {
        term for turn in turns for term in extract_terms(" ".join(_NAMES.findall(turn.content)))
    }
    values -= {term for n in places if asks[n] for term in terms[n]}

    def states(n: int) -> bool:
        if not by_person[n]:
            return n > 0 and (asks[n - 1] or turns[n - 1].role == "tool")  # nobody asked for others
        text = turns[n].content.lower()
        is_settled = _FOR_GOOD.search(text) or not _FOR_NOW.search(text)
        is_phrase = times_said[turns[n].content] > 1  # "Good, thank you." is not news
        return bool(not asks[n] and not is_phrase and is_settled and terms[n] & values)

    about = [found - values for found in terms]
    said = [n for n in places if states(n) and weight(about[n])]
    heard = [n for n in places if not states(n) and weight(about[n])]
    matters: list[list[int]] = []
    for n in reversed(said):
        for matter in matters:
            newest = about[matter[0]]
            least = min(weight(newest), weight(about[n]))
            if weight(newest & about[n]) >= _SAME_MATTER * least:
                matter.append(n)
                break
        else:
            matters.append([n])

    def worth(matter: list[int]) -> float:
        newest = about[matter[0]]
        shares = [weight(about[n] & newest) / weight(about[n]) for n in heard]
        is_for_good = any(_FOR_GOOD.search(turns[n].content.lower()) for n in matter)
        mentions = sum(share for share in shares if share > _MENTIONED)
        return mentions + len(matter) + 1.5 * is_for_good

    kept = []
    for matter in sorted(matters, key=worth, reverse=True):
        lines = len(turns[matter[0]].content.splitlines())
        if lines <= budget:
            kept.append(matter[0])
            budget -= lines
    return kept


def _terms(turn: Turn) -> set[str]:
    """A turn's terms: only those of the person's last sentence, since earlier ones say how it is
    meant, and none of a tool's output."""
    if turn.role == "tool":
        return set()
    text = re.split("[:.] ", turn.content)[-1] if turn.role == "user" else turn.content
    return set(extract_terms(text))
