"""The written answers in a notebook: the Markdown cells that begin with `### Answer 3`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from g2c.course.bounded import read_at_most
from g2c.course.writeup import written
from g2c.foreign_json import load_json
from g2c.written import text_of

MOST_NOTEBOOK_BYTES = 5 * 2**20
"""The longest notebook of the course has a thirtieth of this, outputs included."""

_HEADING = re.compile(r"#{1,6}[ \t*_]*answer[ \t]*(\d{1,3})(?!\d)(.*)", re.IGNORECASE)
_AROUND = " \t#:.,;)]-–—*_"  # noqa: RUF001 - what people put behind a number


def read_answers(notebook: Path) -> dict[int, str]:
    """The answers by their numbers, in the notebook's order; one that is not written yet is empty.

    Cells with the same number are one answer. What stands behind the number in the heading belongs
    to it, and a colon there is none.

    Raises:
        ValueError: the file is not a notebook, or has more than `MOST_NOTEBOOK_BYTES`.
        OSError: it cannot be read.
    """
    text = text_of(read_at_most(notebook, MOST_NOTEBOOK_BYTES), notebook)
    answers: dict[int, list[str]] = defaultdict(list)
    try:
        for cell in load_json(text)["cells"]:
            first, _, rest = "".join(cell["source"]).lstrip().partition("\n")
            if cell["cell_type"] == "markdown" and (found := _HEADING.fullmatch(first.strip())):
                beside = found[2].lstrip(_AROUND).rstrip(" \t#*_")  # "### Answer 3: It stopped."
                answers[int(found[1])].append(written(f"{beside}\n{rest}"))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{notebook} is not a notebook ({type(error).__name__}: {error})."
        ) from error
    return {number: "\n\n".join(filter(None, parts)) for number, parts in answers.items()}
