"""The scores as a table: reviewers by dimensions, with the number in every cell.

The mean is one row of this table. If the rows above it disagree, the mean is nobody's opinion, and
the disagreement shows where to look.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from g2c.widgets.view import Html, View, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.critic.core.types import Dispute, Review


def disagreement_map(reviews: Sequence[Review], disputes: Sequence[Dispute] = ()) -> View:
    """A row a reviewer, a column a dimension, the mean of each, and which are disputed.

    Columns are in the order in which the reviews name them; a score that a reviewer did not give
    is a dash. `disputes` is what `disputed` made of the reviews.

    Raises:
        ValueError: there are no reviews.
    """
    if not reviews:
        raise ValueError("There are no reviews to show; ask a reviewer first.")
    names = list(dict.fromkeys(name for review in reviews for name in review.scores))
    gaps = {dispute.dimension: dispute.gap for dispute in disputes}
    head = ["reviewer", *names, "approves"]
    cells = [[review.scores.get(name) for name in names] for review in reviews]
    means = [_mean([row[index] for row in cells]) for index in range(len(names))]
    mean_row = ["mean", *(f"{mean:.1f}" for mean in means), ""]
    gap_row = ["disputed", *(f"{gaps[name]:g} apart" if name in gaps else "" for name in names), ""]
    says = ["yes" if review.approved else "no" for review in reviews]

    body = [
        tag("tr", _name(review.reviewer), *map(_cell, row), tag("td", said, class_="g2c-score"))
        for review, row, said in zip(reviews, cells, says, strict=True)
    ]
    html = page(
        tag("style", Html(read_asset("heat.css"))),
        tag(
            "table",
            tag("tr", _name(head[0]), *(_head(name, name in gaps) for name in head[1:])),
            *body,
            *(
                tag("tr", _name(row[0]), *(_head(text) for text in row[1:]))
                for row in (mean_row, gap_row)
            ),
            class_="g2c-heat",
        ),
    )
    rows = [
        [review.reviewer, *map(_number, row), said]
        for review, row, said in zip(reviews, cells, says, strict=True)
    ]
    return View(html, text_table(head, [*rows, mean_row, gap_row], [*names, "approves"]))


def _mean(scores: Sequence[float | None]) -> float:
    given = [score for score in scores if score is not None]
    return sum(given) / len(given)


def _number(score: float | None) -> str:
    return "-" if score is None else f"{score:g}"


def _cell(score: float | None) -> Html:
    # The lower, the darker: a reader looks for objections.
    share = 0 if score is None else (100 - score) / 100
    return tag(
        "td",
        _number(score),
        class_="g2c-score",
        style=f"background: #d55e00{round(191 * share):02x}",
    )


def _name(text: str) -> Html:
    return tag("th", text, class_="g2c-score g2c-who")


def _head(text: str, disputed: bool = False) -> Html:
    return tag("th", text, class_="g2c-score g2c-disputed" if disputed else "g2c-score")
