"""A refinement, every round beside the one before it.

A critique is as good as the change that it leads to. So each draft is shown as a diff, with its
critique right below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import chain
from typing import TYPE_CHECKING

from g2c.widgets.view import Html, View, page, read_asset, tag

if TYPE_CHECKING:
    from g2c.critic.core.types import Critique, RefinementState, RefineStop

MEANINGS: Mapping[RefineStop, str] = {
    "approved": "the critic let the draft pass",
    "max_rounds": "the rounds were used up, and the critic still asked for changes",
    "error": "a model failed",
}

KEPT_SHARE = 0.3
"""A draft that keeps a smaller share than this of the one before is shown as entirely new. Marking
the words that the two have in common by chance would only hide that."""


def refinement_rounds(state: RefinementState) -> View:
    """The rounds of `state` side by side, why it stopped, and what it cost in calls.

    Each draft after the first is a diff to the one before: removed words are struck through and new
    ones underlined; as text, `[-out-]` and `{+in+}`.
    """
    columns, texts = [], []
    before: str | None = None
    for round in state.rounds:
        title = f"Round {round.number}"
        pieces = changes(before, round.draft)
        before = round.draft
        columns.append(
            tag(
                "section",
                tag("div", title, class_="g2c-head"),
                _draft_html(pieces),
                _critique_html(round.critique),
                class_="g2c-round",
            )
        )
        texts.append(f"{title}\n{_draft_text(pieces)}\n{_critique_text(round.critique)}")
    ending = _ending(state)
    html = page(
        tag("style", Html(read_asset("refinement.css"))),
        tag("div", *columns, class_="g2c-rounds"),
        *(tag("div", line, class_="g2c-ending") for line in ending),
    )
    return View(html, "\n\n".join([*texts, "\n".join(ending)]))


def changes(before: str | None, after: str) -> list[tuple[str, str]]:
    """`after` as pieces in order, each `same`, `out` or `in`; without a `before`, all the same.

    Words are compared, and runs of spaces count with the word before them.

    >>> changes("a short plan", "a very short plan")
    [('same', 'a '), ('in', 'very '), ('same', 'short plan')]
    """
    if before is None:
        return [("same", after)]
    old, new = (re.findall(r"\s+|\S+\s*", text) for text in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < KEPT_SHARE:
        pieces = [("out", before), ("in", after)]
    else:
        pieces = list(
            chain.from_iterable(
                [("same", "".join(old[i:j]))]
                if kind == "equal"
                else [("out", "".join(old[i:j])), ("in", "".join(new[k:m]))]
                for kind, i, j, k, m in matcher.get_opcodes()
            )
        )
    return [(kind, text) for kind, text in pieces if text]


def _draft_html(pieces: list[tuple[str, str]]) -> Html:
    names = {"same": "span", "out": "del", "in": "ins"}
    parts = (tag(names[kind], text, class_=f"g2c-{kind}") for kind, text in pieces)
    return tag("pre", *parts, class_="g2c-pre")


def _draft_text(pieces: list[tuple[str, str]]) -> str:
    marks = {"same": "{}", "out": "[-{}-]", "in": "{{+{}+}}"}
    return "".join(marks[kind].format(text) for kind, text in pieces)


def _critique_html(critique: Critique) -> Html:
    issues = [tag("li", issue) for issue in critique.issues]
    kind = "approve" if critique.approved else "revise"
    return tag(
        "div",
        tag("div", _verdict(critique), class_=f"g2c-verdict g2c-{kind}"),
        *([tag("div", f"Not read: {critique.parse_error}")] if critique.parse_error else []),
        tag("ul", *issues, class_="g2c-issues")
        if issues
        else tag("div", "No issues.", class_="g2c-muted"),
    )


def _critique_text(critique: Critique) -> str:
    lines = [_verdict(critique)]
    if critique.parse_error:
        lines.append(f"Not read: {critique.parse_error}")
    lines += [f"- {issue}" for issue in critique.issues] or ["No issues."]
    return "\n".join(lines)


def _verdict(critique: Critique) -> str:
    score = "no score" if critique.score is None else f"{critique.score:g}/10"
    return f"{critique.recommendation}, {score}"


def _ending(state: RefinementState) -> list[str]:
    calls = f"{state.calls} {'call' if state.calls == 1 else 'calls'}"
    lines = [f"Stopped: {state.stopped_reason}, {MEANINGS[state.stopped_reason]}. {calls}."]
    if state.error:
        lines.append(f"The error: {state.error}")
    if state.unreviewed is not None:
        lines.append(f"Written, and never judged: {state.unreviewed}")
    return lines
