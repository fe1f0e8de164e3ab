"""Which texts a question is about, told by the words that they share.

The idea to take away: a word says as much about a text as it is rare. And for each word the texts
that contain it are known before the question comes, so a search reads a few lists, however many
texts there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.memory.terms import extract_terms


class InvertedIndex:
    """For each term, the numbers of the texts that contain it. The texts themselves are not kept.

    A text that is added gets a number above all earlier ones. One that is removed takes its number
    with it; the others keep theirs.

    >>> index = InvertedIndex()
    >>> [index.add(text) for text in ("A green door", "A red door", "Doors, doors")]
    [0, 1, 2]
    >>> list(index.postings("door")), list(index.postings("window"))
    ([0, 1, 2], [])
    """

    def __init__(self) -> None:
        self._postings: dict[str, list[int]] = {}
        self._added = 0
        self._removed = 0

    def __repr__(self) -> str:
        return f"<InvertedIndex of {len(self)} texts: {dict(sorted(self._postings.items()))}>"

    def __len__(self) -> int:
        """How many texts there are."""
        return self._added - self._removed

    def postings(self, term: str) -> Sequence[int]:
        """The numbers of the texts that contain `term`, each once, oldest first.

        It is the index's own list, to be read and not changed; empty where no text has the term.
        """
        return self._postings.get(term, ())

    def add(self, text: str) -> int:
        """Add a text and return its number; what it costs depends on this text alone."""
        number = self._added
        self._added += 1
        for term in set(extract_terms(text)):
            self._postings.setdefault(term, []).append(number)
        return number

    def remove(self, number: int, text: str) -> None:
        """Remove the text that was added under `number`."""
        for term in set(extract_terms(text)):
            self._postings[term].remove(number)
        self._removed += 1


@exercise("20.8")
def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    """Rank the texts of `index` that share a term with `query`.

    Terms are what `extract_terms` makes of the query. Each different one adds its weight to the
    score of each text that contains it, however often it occurs in either. Where `df` of the
    index's N texts contain a term, it weighs log(1 + N/df), with the natural logarithm.

    Returns:
        `(number, score)` of each text that contains a term or more: the highest score first, and
        of equal scores the newest text first. An empty list where there is none.

    Everything is known from `len(index)` and `index.postings(term)`, and the index stays as it is.
    The work depends on the postings of the query's terms, and not on the size of the index.

    The weight is Spärck Jones's (1972, "A statistical interpretation of term specificity"), with
    1 added.

    >>> index = InvertedIndex()
    >>> [index.add(text) for text in ("The door is green.", "The car is green.", "It rains.")]
    [0, 1, 2]
    >>> [(number, round(points, 3)) for number, points in score("Which doors are green?", index)]
    [(0, 2.303), (1, 0.916)]
    >>> score("Who is it?", index)
    []
    """
    raise NotImplementedError
