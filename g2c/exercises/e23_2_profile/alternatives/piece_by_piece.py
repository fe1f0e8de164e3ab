"""23.2 with a span's time cut into pieces, so that during each piece the same spans are at work.

The code follows the words of the contract, and needs no thought about overlaps. It costs the square
of the number of children.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from g2c.evaluation.core.spans import Row, Span


def profile(spans: Sequence[Span]) -> tuple[Row, ...]:
    children: dict[int | None, list[Span]] = defaultdict(list)
    for span in spans:
        children[span.parent].append(span)

    def pieces(span: Span) -> Iterator[tuple[float, float]]:
        cuts = {span.start, span.end}
        cuts |= {at for child in children[span.id] for at in (child.start, child.end)}
        yield from pairwise(sorted(at for at in cuts if span.start <= at <= span.end))

    count: Counter[str] = Counter()
    own: dict[str, float] = defaultdict(float)
    critical: dict[str, float] = defaultdict(float)
    tokens: dict[str, Counter[str]] = defaultdict(Counter)
    for span in spans:
        count[span.kind] += 1
        own[span.kind] += sum(
            end - start
            for start, end in pieces(span)
            if not any(child.start <= start and end <= child.end for child in children[span.id])
        )
        tokens[span.kind]["read"] += span.input_tokens or 0
        tokens[span.kind]["written"] += span.output_tokens or 0

    walk = list(children[None])
    for span in walk:  # the list grows during the walk
        at = span.end
        while before := [child for child in children[span.id] if child.start < child.end <= at]:
            last = max(before, key=lambda child: child.end)
            critical[span.kind] += at - last.end
            walk.append(last)
            at = last.start
        critical[span.kind] += at - span.start

    def row(kind: str) -> Row:
        read, written = tokens[kind]["read"], tokens[kind]["written"]
        return Row(kind, count[kind], own[kind], critical[kind], read, written)

    return tuple(sorted(map(row, count), key=lambda row: (-row.critical_s, row.kind)))
