"""Cells of a CSV file that no spreadsheet runs."""

from g2c.text import search_fold


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet may read the cell as a formula: it begins with a formula's sign,
    perhaps full-width or after spaces."""
    begins = search_fold(cell[:100]).lstrip()[:1]
    return bool(begins) and begins in "=+-@"


def plain_cell(cell: object) -> object:
    """The cell, behind an apostrophe if it might be a formula.

    >>> plain_cell("=1+1"), plain_cell(-1)
    ("'=1+1", -1)
    """
    return f"'{cell}" if isinstance(cell, str) and is_formula(cell) else cell
