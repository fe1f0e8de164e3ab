"""The written answers in a notebook: the text below a heading such as `### Answer 3`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from g2c.course.bounded import read_at_most
from g2c.course.writeup import written
from g2c.foreign_json import load_json
from g2c.written import text_of

MOST_NOTEBOOK_BYTES = 5 * 2**20
"""The longest notebook of the course is a thirtieth of this, outputs included."""

_HEADING = re.compile(r"#{1,6}[ \t*_]*answer[ \t]*(\d{1,3})(?!\d)(.*)", re.IGNORECASE)
_NEXT = re.compile(r"#{1,2}[ \t]|---")
"""The beginning of a cell that ends an answer."""

_AROUND = " \t#:.,;)]-–—*_"  # noqa: RUF001 - what people put behind a number


def read_answers(notebook: Path) -> dict[int, str]:
    """The answers by their numbers, in the notebook's order; one that is not written yet is empty.

    An answer continues in the cells below its heading, up to the next part of the notebook.
    Sections with the same number are one answer. Text after the number in the heading belongs to
    the answer; a colon alone is no text.

    Raises:
        ValueError: the file is not a notebook, or has more than `MOST_NOTEBOOK_BYTES`.
        OSError: it cannot be read.
    """
    text = text_of(read_at_most(notebook, MOST_NOTEBOOK_BYTES), notebook)
    answers: dict[int, list[list[str]]] = defaultdict(list)
    pieces: list[list[str]] = []  # of the answer that is read; before the first, of none
    try:
        for cell in load_json(text)["cells"]:
            if cell["cell_type"] != "markdown":
                continue
            lines = "".join(cell["source"]).strip().split("\n")
            if _NEXT.match(lines[0]) and not _HEADING.fullmatch(lines[0].strip()):
                pieces = []
                continue
            pieces.append([])
            for line in lines:
                if found := _HEADING.fullmatch(line.strip()):
                    beside = (
                        found[2].lstrip(_AROUND).rstrip(" \t#*_")
                    )  # "### Answer 3: It stopped."
                    pieces = answers[int(found[1])]
                    pieces.append([beside])
                else:
                    pieces[-1].append(line)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{notebook} is not a notebook ({type(error).__name__}: {error})."
        ) from error
    texts = {number: map(written, map("\n".join, of)) for number, of in answers.items()}
    return {number: "\n\n".join(filter(None, parts)) for number, parts in texts.items()}
