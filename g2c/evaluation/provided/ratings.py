"""What two raters say of the same items, and how far apart two of their labels are."""

from __future__ import annotations

from typing import Literal

Label = str | float
"""A class, such as "good", or a score."""

Weights = Literal["none", "linear", "quadratic"]
"""What a disagreement costs: 1 whatever the two labels are, or the distance of the two scores, or
the square of that distance."""
