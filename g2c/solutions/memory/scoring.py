"""20.8: go through the postings of each term once, and add the term's weight to their texts.

The work depends on the postings of the query's terms, not on the size of the memory. The `1 +`
keeps the weight above 0 for a term that every text contains. In a memory with a single note, every
term is such a term.
"""

from __future__ import annotations

import math

from g2c.memory.provided.terms import InvertedIndex, extract_terms


def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    scores: dict[int, float] = {}
    # A set would do. In the question's order the sums are the same to the last digit in every
    # process, and with them what a test or a notebook shows.
    for term in dict.fromkeys(extract_terms(query)):
        if numbers := index.postings(term):
            weight = math.log(1 + len(index) / len(numbers))
            for number in numbers:
                scores[number] = scores.get(number, 0.0) + weight
    return sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
