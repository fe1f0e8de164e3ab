"""Which texts a question is about, told by the words that they share.

The idea to take away: a word says as much about a text as it is rare. And for each word the texts
that contain it are known before the question comes, so a search reads a few lists, however many
texts there are.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.memory.provided.terms import InvertedIndex


@exercise("20.8")
def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    """Rank the texts of `index` that share a term with `query`.

    You have `extract_terms(query)` of `g2c.memory.provided.terms`, `len(index)` and
    `index.postings(term)`; the index stays as it is. Each different term adds its weight to the
    score of each text that contains it, however often it occurs in either. Where `df` of the
    index's N texts contain a term, it weighs log(1 + N/df), with the natural logarithm: Spärck
    Jones's weight (1972, "A statistical interpretation of term specificity"), with 1 added.

    The work depends on the postings of the query's terms, not on the size of the index.

    Returns:
        `(number, score)` of each such text: the highest score first, of equal scores the newest
        text first.

    >>> index = InvertedIndex()
    >>> [index.add(text) for text in ("The door is green.", "The car is green.", "It rains.")]
    [0, 1, 2]
    >>> [(number, round(points, 3)) for number, points in score("Which doors are green?", index)]
    [(0, 2.303), (1, 0.916)]
    >>> score("Who is it?", index)
    []
    """
    raise NotImplementedError
