"""Two raters' labels of the same items, and the cost of a disagreement."""

from typing import Literal

Label = str | float
"""A class, such as "good", or a score."""

Weights = Literal["none", "linear", "quadratic"]
"""The cost of a disagreement: always 1, or the distance of the two scores, or the square of that
distance."""
