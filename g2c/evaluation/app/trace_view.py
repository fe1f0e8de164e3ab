"""A trace as lines with bars, for a terminal and for a page, made of your functions from 23.1 and
23.2."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from g2c.evaluation.core.spans import Row, Span
from g2c.evaluation.profile import profile
from g2c.page import escaped, whole_page
from g2c.tracing import MODEL, untold_text


@dataclass(frozen=True)
class Line:
    """A span, its depth in the tree, and where its bar begins and ends as shares of the whole."""

    span: Span
    depth: int
    left: float
    right: float

    @property
    def label(self) -> str:
        """The kind, and the name if it says more."""
        name = self.span.name
        return self.span.kind if not name or name == self.span.kind else f"{self.span.kind} {name}"


def lines_of(spans: Sequence[Span]) -> tuple[Line, ...]:
    """The spans as a tree, siblings in the order in which they began."""
    if not spans:
        return ()
    below: dict[int | None, list[Span]] = defaultdict(list)
    for span in spans:
        below[span.parent].append(span)
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    whole = max(end - start, 1e-9)

    lines = []
    left = [(child, 0) for child in reversed(below[None])]
    while left:
        span, depth = left.pop()
        begins, ends = (span.start - start) / whole, (span.end - start) / whole
        lines.append(Line(span, depth, begins, ends))
        left += ((child, depth + 1) for child in reversed(below[span.id]))
    return tuple(lines)


def tokens_of(span: Span) -> str:
    """The tokens that a span read and wrote, as a table shows them."""
    counts = (span.input_tokens, span.output_tokens)
    return (
        "" if counts == (None, None) else "+".join("?" if n is None else f"{n:,}" for n in counts)
    )


def bar(line: Line, width: int) -> str:
    """A bar of `width` characters.

    >>> span = Span(1, None, "tool", "clock", 0.0, 1.0)
    >>> bar(Line(span, 0, 0.5, 0.75), 8)
    '    ██  '
    """
    first = min(int(line.left * width), width - 1)
    last = max(first + 1, round(line.right * width))
    return " " * first + "█" * (last - first) + " " * (width - last)


def shares(rows: Sequence[Row]) -> Mapping[str, float]:
    """Each kind's share of the critical path."""
    whole = sum(row.critical_s for row in rows)
    return {row.kind: row.critical_s / whole if whole else 0.0 for row in rows}


def costs_of(spans: Sequence[Span]) -> Mapping[str, tuple[int, int]]:
    """The tokens that each model read and wrote."""
    read: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for span in spans:
        if span.input_tokens is not None or span.output_tokens is not None:
            read[span.name] += span.input_tokens or 0
            written[span.name] += span.output_tokens or 0
    return {name: (read[name], written[name]) for name in sorted(read | written)}


def untold_in(spans: Sequence[Span]) -> int:
    """How many calls of models did not report their tokens, and are in no sum."""
    return sum(
        span.kind == MODEL and None in (span.input_tokens, span.output_tokens) for span in spans
    )


def to_html(title: str, spans: Sequence[Span]) -> str:
    """The trace as a complete page, which needs no script and loads nothing."""
    body = _BODY.format(
        title=escaped(title),
        lines="\n".join(_html_lines(spans)),
        rows="\n".join(_html_rows(profile(spans))),
        untold=untold_text(untold_in(spans)),
    )
    return whole_page(title, body, _STYLE)


def _html_lines(spans: Sequence[Span]) -> Iterator[str]:
    for line in lines_of(spans):
        span = line.span
        trouble = f' <b class="bad">{escaped(span.error)}</b>' if span.error else ""
        outcome = f" <i>{escaped(span.outcome)}</i>" if span.outcome else ""
        text = "".join(
            f"<details><summary>{name}</summary><pre>{escaped(said)}</pre></details>"
            for name, said in (("in", span.input), ("out", span.output))
            if said
        )
        width = max(0.3, 100 * (line.right - line.left))
        yield (
            f'<tr><td style="padding-left:{line.depth + 0.5:g}em">{escaped(line.label)}{trouble}'
            f'{outcome}{text}</td><td class="n">{span.seconds:.2f}</td>'
            f'<td class="n">{tokens_of(span)}</td><td class="bars"><span class="{_kind(span)}" '
            f'style="margin-left:{100 * line.left:.2f}%;width:{width:.2f}%"></span></td></tr>'
        )


def _html_rows(rows: Sequence[Row]) -> Iterator[str]:
    share = shares(rows)
    for row in rows:
        numbers = (
            *(f"{row.spans}", f"{row.self_s:.2f}", f"{row.critical_s:.2f}"),
            *(f"{100 * share[row.kind]:.0f} %", f"{row.input_tokens:,}", f"{row.output_tokens:,}"),
        )
        cells = "".join(f'<td class="n">{number}</td>' for number in numbers)
        yield f"<tr><td>{escaped(row.kind)}</td>{cells}</tr>"


def _kind(span: Span) -> str:
    return "bad" if span.error else span.kind if span.kind in ("model", "tool") else "other"


_STYLE = """\
body { max-width: 70em; font-size: 15px; } table { margin-bottom: 2em; }
.bars { width: 35%; }
.bars span { display: block; height: 1em; background: #8a8f98; border-radius: 2px; }
.bars .model { background: #c98a1b; } .bars .tool { background: #3b7fc4; }
.bars .bad { background: #c0392b; } b.bad { color: #c0392b; }
"""
_BODY = """<h1>{title}</h1>
<table><tr><th>what</th><th class="n">seconds</th><th class="n">tokens</th><th></th></tr>
{lines}
</table>
<h2>Where it went</h2>
<table><tr><th>kind</th><th class="n">spans</th><th class="n">own s</th><th class="n">waited s</th>
<th class="n">share</th><th class="n">read</th><th class="n">written</th></tr>
{rows}
</table>
<p>{untold}</p>"""
