"""Where reviewers stand far apart, and a revision that is told so.

The idea to take away: disagreement is signal. Two reviewers who score a dimension 40 and 90 have
read two different drafts; the mean of 65 says that all is fair, and hides the one sentence that
one of them found and the other passed over.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.base import Dispute, Review
from g2c.critic.prompts import DRAFT_END
from g2c.exercise import exercise

GAP = 25.0


@exercise("21.6")
def disputed(reviews: Sequence[Review], gap: float = GAP) -> tuple[Dispute, ...]:
    """Find the dimensions on which any two reviews stand `gap` points or more apart.

    A dimension counts where at least two reviews scored it, whoever approved of what; one that a
    review does not score is none of that review's business. A distance that falls short of `gap`
    by no more than `g2c.critic.base.TOLERANCE` reaches it.

    There is one dispute for each such dimension, between its lowest and its highest score. Where
    several reviews gave the same one, the first of them is named.

    Returns:
        The disputes, the widest first; equally wide ones in the order in which the reviews, read
        one after the other, first score their dimensions.

    Raises:
        ValueError: `gap` is not above 0.

    >>> ada = Review("Ada", {"clarity": 90, "truth": 60}, approved=True)
    >>> bob = Review("Bob", {"clarity": 40, "truth": 70}, approved=False)
    >>> for dispute in disputed([ada, bob]):
    ...     print(dispute.dimension, dispute.low_reviewer, dispute.high_reviewer, dispute.gap)
    clarity Bob Ada 50
    """
    raise NotImplementedError


def revision_prompt(
    task: str, draft: str, reviews: Sequence[Review], disputes: Sequence[Dispute]
) -> str:
    """The prompt for the next draft, which a model continues up to `DRAFT_END`.

    With `disputes` it asks for a revision of those dimensions, says who stands where, and shows
    the notes of these reviewers only. Without, it shows all notes.

    >>> ada = Review("Ada", {"truth": 30}, False, notes="Water does not burn.")
    >>> bob = Review("Bob", {"truth": 80}, True)
    >>> quarrel = Dispute("truth", 30, "Ada", 80, "Bob")
    >>> print(revision_prompt("Explain fire.", "Water burns.", [ada, bob], [quarrel]))
    You improve a draft that was reviewed. Write the whole new draft, and nothing about it.
    <BLANKLINE>
    Task: Explain fire.
    <draft>
    Water burns.
    </draft>
    The reviewers disagree. Revise for these points, and leave the rest as it is:
    - truth: Ada gave 30, Bob gave 80
    Notes:
    - Ada: Water does not burn.
    <draft>
    <BLANKLINE>
    """
    named = {name for dispute in disputes for name in (dispute.low_reviewer, dispute.high_reviewer)}
    notes = [
        f"- {review.reviewer}: {' '.join(review.notes.split())}"
        for review in reviews
        if review.notes.strip() and (review.reviewer in named or not disputes)
    ]
    lines = [
        "You improve a draft that was reviewed. Write the whole new draft, and nothing about it.",
        "",
        f"Task: {task.strip()}",
        f"<draft>\n{draft.strip()}\n{DRAFT_END}",
    ]
    if disputes:
        lines.append(
            "The reviewers disagree. Revise for these points, and leave the rest as it is:"
        )
        lines += [
            f"- {dispute.dimension}: {dispute.low_reviewer} gave {dispute.low:g}, "
            f"{dispute.high_reviewer} gave {dispute.high:g}"
            for dispute in disputes
        ]
    lines += ["Notes:", *(notes or ["- none; read the task again and find what is wrong"])]
    return "\n".join([*lines, "<draft>\n"])
