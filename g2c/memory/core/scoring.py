"""Which texts a question is about, judged by the words that they share.

The rarer a word, the more it says about a text. An index lists the texts that contain each word, so
a search reads a few lists, however many texts there are.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from g2c.memory.core.terms import InvertedIndex, extract_terms


def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    """Rank the texts of `index` that share a term with `query`.

    Each different term adds its weight to the score of each text that contains it, however often it
    occurs in either. If `df` of the index's N texts contain a term, it weighs log(1 + N/df):
    Spärck Jones's weight (1972, "A statistical interpretation of term specificity"), with 1 added,
    which keeps it above 0 in a memory with a single note.

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
    scores = sums(weighted(query, index))
    return sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)


def weighted(query: str, index: InvertedIndex) -> list[tuple[float, Sequence[int]]]:
    """The weight of each term of `query` that `index` has, and the numbers of its texts.

    The question's order makes the sums of weights equal to the last digit in every process, so
    tests and notebooks show the same.
    """
    found = (index.postings(term) for term in dict.fromkeys(extract_terms(query)))
    return [(math.log(1 + len(index) / len(numbers)), numbers) for numbers in found if numbers]


def sums(terms: Iterable[tuple[float, Iterable[int]]]) -> dict[int, float]:
    """For each text of the weighted terms, the sum of their weights."""
    scores: dict[int, float] = {}
    for weight, numbers in terms:
        for number in numbers:
            scores[number] = scores.get(number, 0.0) + weight
    return scores


def closeness(query: str, text: str) -> float:
    """How much of what `text` says is about `query`, from 0 to 1.

    It is the cosine of Salton, Wong and Yang (1975, "A vector space model for automatic indexing").
    In `text`, a term counts as often as it occurs, in `query` once. So a text that mentions the
    subject in passing is less close than one that is all about it.

    >>> round(closeness("Is the door green?", "The door is green. The door is old."), 3)
    0.866
    >>> round(closeness("Is the door green?", "The door is open, so the tea is cold."), 3)
    0.354
    >>> closeness("Who is it?", "The door is green.")
    0.0
    """
    asked, said = set(extract_terms(query)), Counter(extract_terms(text))
    lengths = math.sqrt(len(asked)) * math.hypot(*said.values())
    return sum(said[term] for term in asked) / lengths if lengths else 0.0
