"""The ticks of a loop: what each did, and what its prompt cost.

An engine reuses only the start that two prompts have in common. So the position of a part decides
its cost: everything below the first changed part is read anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g2c.inference import InferenceResult, RecordedCall
from g2c.widgets.growth import Growth, measure_growth
from g2c.widgets.view import Html, View, html_table, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.loop.core.types import TickRecord

_Parts = list[tuple[str, str]]
"""A prompt in pieces, each with its title."""

_NOTE = (
    "A bar is a prompt, and a piece of it a part. Dark is the start that it has in common with an "
    "earlier one, and light what comes after that."
)
_TITLES = re.compile(r"(?=\n\n# )")


def tick_table(ticks: Sequence[TickRecord], *, seconds: bool = False) -> View:
    """A row a tick: how it ended, what it did, its tokens, and the review that its prompt held.

    Seconds differ from run to run, so they are left out unless `seconds` is set.
    """
    head = ["tick", "outcome", "tokens", "what it did", "the reviewer had said"]
    numbers = {"tick", "tokens", "seconds"}
    rows, before = [], ""
    for tick in ticks:
        did = "\n".join(tick.actions) or tick.error or tick.answer or "nothing"
        said = "the same" if tick.feedback and tick.feedback == before else tick.feedback
        rows.append([str(tick.tick), tick.outcome, f"{tick.tokens:,}", did, said])
        before = tick.feedback
    if seconds:
        head.insert(3, "seconds")
        for row, tick in zip(rows, ticks, strict=True):
            row.insert(3, f"{tick.seconds:.1f}")
    return View(page(html_table(head, rows, numbers)), text_table(head, rows, numbers))


def tick_bars(prompts: Sequence[str], calls: Sequence[RecordedCall] = ()) -> View:
    """The prompt of each tick as a bar of its parts: what an earlier one began with, and what is
    new.

    A part begins at a line with `# `, as in what `build_tick_prompt` makes. Without `calls`, the
    prompts are compared with each other, in characters. `calls` are the first call of each tick, as
    a `RecordingBackend` keeps them. Then the bars also show the text around the prompt, and the
    table the engine's counts of its cache.

    Raises:
        ValueError: there are no prompts, or a call does not contain its prompt.
    """
    if not prompts:
        raise ValueError("There are no prompts to show; run a loop for a tick or more first.")
    growth = measure_growth(calls or [_not_called(prompt) for prompt in prompts])
    if len(growth) != len(prompts):
        raise ValueError(f"Give a call for each prompt: {len(prompts)}, and not {len(growth)}.")
    counted = all(call.cached is not None for call in growth)
    names = ("prompt tokens", "from the cache", "computed")
    head = ["tick", *(names if counted else ("characters", "as before", "new"))]
    longest = max(len(call.prompt) for call in growth)
    rows, bars = [], []
    for number, (prompt, one) in enumerate(zip(prompts, growth, strict=True), 1):
        parts = _parts_of(prompt, one.prompt)
        counts = _tokens(one) if counted else _characters(one)
        rows.append([str(number), *(f"{count:,}" for count in counts), _new_from(parts, one)])
        bars.append(_bar(parts, one, longest))
    table = html_table(
        [*head, "new from", ""], [[*row, bar] for row, bar in zip(rows, bars, strict=True)], head
    )
    html = page(
        tag("style", Html(read_asset("ticks.css"))), table, tag("div", _NOTE, class_="g2c-muted")
    )
    return View(html, text_table([*head, "new from"], rows, head))


def _not_called(prompt: str) -> RecordedCall:
    return RecordedCall(prompt, InferenceResult(prompt, "", None, None, 0.0, "none"))


def _parts_of(prompt: str, sent: str) -> _Parts:
    """`sent` in pieces: the text before the tick's prompt, then the prompt's parts. Text after the
    prompt belongs to the last part."""
    if prompt not in sent:
        raise ValueError("A call does not hold the prompt of its tick; give the tick's first call.")
    begin = sent.find(prompt)  # it may be empty
    before, after = sent[:begin], sent[begin + len(prompt) :]
    texts = _TITLES.split(prompt)
    texts[-1] += after
    parts = [("the tools", before), *((_title_of(text), text) for text in texts)]
    return [(title, text) for title, text in parts if text]


def _title_of(text: str) -> str:
    line = text.lstrip("\n").partition("\n")[0]
    return line.removeprefix("# ") if line.startswith("# ") else "the start"


def _new_from(parts: _Parts, one: Growth) -> str:
    """The title of the part with the first character that is new."""
    end = 0
    for title, text in parts:
        end += len(text)
        if end > one.shared:
            return title
    return "nothing is new"


def _tokens(one: Growth) -> tuple[int, int, int]:
    return one.tokens or 0, one.cached or 0, one.computed or 0


def _characters(one: Growth) -> tuple[int, int, int]:
    return len(one.prompt), one.shared, len(one.prompt) - one.shared


def _bar(parts: _Parts, one: Growth, longest: int) -> Html:
    pieces, begin = [], 0
    for title, text in parts:
        held = min(max(one.shared - begin, 0), len(text))
        for kind, size in (("held", held), ("new", len(text) - held)):
            if size:
                width = f"width: {100 * size / longest:.2f}%"
                pieces.append(
                    tag(
                        "span",
                        class_=f"g2c-bar-{kind} g2c-piece g2c-piece-{kind}",
                        style=width,
                        title=title,
                    )
                )
        begin += len(text)
    return tag("div", *pieces, class_="g2c-bar g2c-parts")
