"""Which texts a question is about, told by the words that they share.

A word says as much about a text as it is rare. And for each word the texts that contain it are
known before the question comes, so a search reads a few lists, however many texts there are.
"""

from __future__ import annotations

import math
from collections import Counter

from g2c.memory.provided.terms import InvertedIndex, extract_terms


def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    """Rank the texts of `index` that share a term with `query`.

    Each different term adds its weight to the score of each text that contains it, however often it
    occurs in either. Where `df` of the index's N texts contain a term, it weighs log(1 + N/df):
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
    scores: dict[int, float] = {}
    # In the question's order the sums are the same to the last digit in every process, and with
    # them what a test or a notebook shows.
    for term in dict.fromkeys(extract_terms(query)):
        if numbers := index.postings(term):
            weight = math.log(1 + len(index) / len(numbers))
            for number in numbers:
                scores[number] = scores.get(number, 0.0) + weight
    return sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)


def closeness(query: str, text: str) -> float:
    """How much of what `text` says is about `query`, from 0 to 1.

    It is the cosine of Salton, Wong and Yang (1975, "A vector space model for automatic indexing"):
    `text` counts each of its terms as often as it says it, and `query` each of its own once. So a
    text that speaks of it in passing is less close than one that speaks of little else.

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
