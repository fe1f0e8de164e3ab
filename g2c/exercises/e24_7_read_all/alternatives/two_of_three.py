"""24.7 with two readers for each file, and a third where they differ.

All files are read twice, in opposite orders and with different cuts. A claim of both readers
counts. A third reader, who reads that file alone, decides about the others. If the budget is too
small for this, there is one reader, and no answer to a total.

It costs two rounds for each step, and never ends early. It reads two and a half times the tokens of
all files if the budget allows it, and twice as much for a linked question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from g2c.swarm.core.reading import Ask, Errand, File, Question

PACK = 2_400


def read_all(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    files = [file for file in files if not file.copy_of]
    tokens = sum(file.tokens for file in files)
    steps = 2 if question.kind == "linked" else 1
    orders = [files, files[::-1]] if budget > 2.6 * steps * tokens else [files]

    def said_of(about: str) -> list[str]:
        packs = [pack for order in orders for pack in _cut(order)]
        first = ask([Errand(about, tuple(pack)) for pack in packs])
        times = Counter(
            (claim.sources[0], claim.value) for reply in first for claim in reply.claims
        )
        alone = sorted(claim for claim, n in times.items() if n == 1)
        third = ask([Errand(about, (name,)) for name, _ in alone])
        kept = [value for (_, value), n in sorted(times.items()) if n > 1]
        return kept + [
            value
            for (_, value), reply in zip(alone, third, strict=True)
            if value in [claim.value for claim in reply.claims]
        ]

    if question.kind == "total":
        numbers = said_of(question.about) if len(orders) > 1 else []
        return str(sum(map(int, numbers))) if numbers else None
    value = _most_said(said_of(question.about))
    if steps == 2 and value is not None:
        value = _most_said(said_of(question.second(value)))
    return value


def _cut(files: Sequence[File]) -> list[list[str]]:
    packs: list[list[str]] = [[]]
    tokens = 0
    for file in files:
        if tokens + file.tokens > PACK:
            packs.append([])
            tokens = 0
        packs[-1].append(file.name)
        tokens += file.tokens
    return packs


def _most_said(values: Sequence[str]) -> str | None:
    ranks = Counter(values).most_common(2)
    if not ranks or (len(ranks) > 1 and ranks[0][1] == ranks[1][1]):
        return None
    return ranks[0][0]
