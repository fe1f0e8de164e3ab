"""The worth of each part: a table of the agents, one of the kinds of errands, and a sentence for
each part.

An agent is compared with the one before it, on the same errands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from g2c.critic.core.intervals import markdown_table, percent, points, shown_by, wilson
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.days.errands import KINDS
from g2c.days.lives import End, Lived

ENDS: tuple[End, ...] = ("solved", "wrong", "lost", "harmed")


def to_markdown(measured: Mapping[str, Sequence[Lived]], about: str) -> str:
    """The report on the outcomes of each agent, in the order of the ladder, on the same errands."""
    agents = {name: lived for name, lived in measured.items() if lived}
    return "\n\n".join([about, _costs(agents), _kinds(agents), *_sentences(agents)]) + "\n"


def _costs(agents: Mapping[str, Sequence[Lived]]) -> str:
    return markdown_table(
        ["agent", *ENDS, "asked", "tokens", "seconds"],
        (
            [
                name,
                *(percent(wilson(_count(lived, end), len(lived))) for end in ENDS),
                f"{_mean(life.asked for life in lived):.2f}",
                f"{_mean(life.tokens for life in lived):,.0f}",
                f"{_mean(life.seconds for life in lived):.2f}",
            ]
            for name, lived in agents.items()
        ),
    )


def _kinds(agents: Mapping[str, Sequence[Lived]]) -> str:
    def cell(lived: Sequence[Lived], kind: str) -> str:
        ends = [life.end for life in lived if life.kind == kind]
        harmed = f", {ends.count('harmed')} harmed" if "harmed" in ends else ""
        return f"{ends.count('solved')} of {len(ends)}{harmed}"

    return markdown_table(
        ["solved", *KINDS],
        ([name, *(cell(lived, kind) for kind in KINDS)] for name, lived in agents.items()),
    )


def _sentences(agents: Mapping[str, Sequence[Lived]]) -> Iterator[str]:
    for before, name in pairwise(agents):
        yield f"{name.removeprefix('+ ')}: {worth(agents[before], agents[name])}"
    broken = [life.error for lived in agents.values() for life in lived if life.error]
    if broken:
        yield f"{len(broken)} errands ended with an error, the first one with: {broken[0]}"


def worth(before: Sequence[Lived], after: Sequence[Lived]) -> str:
    """The worth of a part, in a sentence: both shares, and how sure that is.

    >>> def lived(id, end):
    ...     return Lived(id, "file", end, 9, 0.1, 0, "")
    >>> lost = [lived(str(n), "lost") for n in range(9)]
    >>> worth(lost, lost)
    'cannot be told apart from nothing. No errand ended otherwise.'
    >>> print(worth(lost, [lived(str(n), "solved") for n in range(9)]))
    solves more: solved +100 points (+100 to +100), harmed +0 points (+0 to +0).
    """
    found = {}
    for end in ("solved", "harmed"):
        pairs = [(a.end == end, b.end == end) for a, b in zip(before, after, strict=True)]
        gain = paired_bootstrap([a for a, _ in pairs], [b for _, b in pairs])
        found[end] = gain, shown_by(gain, sum(a != b for a, b in pairs))
    (solved, more), (harmed, worse) = found["solved"], found["harmed"]
    says = [
        {"better": "solves more", "worse": "solves less", "unclear": ""}[more],
        {"better": "does more harm", "worse": "does less harm", "unclear": ""}[worse],
    ]
    verdict = " and ".join(filter(None, says)) or "cannot be told apart from nothing"
    if all(a.end == b.end for a, b in zip(before, after, strict=True)):
        return f"{verdict}. No errand ended otherwise."
    return f"{verdict}: solved {points(solved)}, harmed {points(harmed)}."


def _count(lived: Sequence[Lived], end: End) -> int:
    return sum(life.end == end for life in lived)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
