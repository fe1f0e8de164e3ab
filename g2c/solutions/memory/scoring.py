"""20.8: walk the postings of each term once, and add its weight to the texts they name.

The work is as large as the postings of the question's terms, and not as the memory. `1 +` keeps
the weight of a term that every text contains above nothing: in a memory with a single note, every
term is one of those.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from g2c.memory.terms import extract_terms

if TYPE_CHECKING:
    from g2c.memory.scoring import InvertedIndex


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
