"""Foreign text between the labels of a prompt, quoted by the function of exercise 25.1.

A draft, an answer or a note may have a line that reads like one of the prompt's own labels, and
then two different texts make the same prompt, or a text brings its own verdict. Such lines are
quoted; the others stay, since a small model reads them better without a mark.
"""

import re
from collections.abc import Callable, Iterable

from g2c.exercise import solution_of, written_or_reference
from g2c.text import search_fold
from g2c.visible import is_unseen

LABELS = (
    "Task:",
    "<draft>",
    "</draft>",
    "Critique:",
    "SCORE:",
    "ISSUES:",
    "RECOMMENDATION:",
    "Review:",
    "Points:",
    "Notes:",
    "The reviewers disagree",
    "First answer:",
    "Second answer:",
    "Reply with",
    "What was said lately",
    "There are more, too long to show",
    "Plan:",
    "Rules:",
    "The goal was:",
    "It ended with:",
    "What happened:",
    "Edits:",
    "knowledge.md:",
    "recovery.md:",
)
"""How lines begin that stand between foreign texts in the prompts of critics, reviewers, judges,
dreams and evolution."""


def poses_as(labels: Iterable[str]) -> re.Pattern[str]:
    """A pattern of lines that could pose as one of `labels`: in any case, with any spaces between
    its words, quoted already, bold, or not. A digit stands for any number."""
    some = "|".join(
        re.escape(label).replace(r"\ ", r"\s+").replace(":", r"[\s*_]*:").replace("1", r"\d+")
        for label in labels
    )
    return re.compile(rf"\s*(?:[>*_]\s*)*(?:{some})", re.IGNORECASE)


_SIGN = r"<\s*/?\s*draft\s*>|<\||<(?:start|end)_of_turn>|\[/?INST\]"
"""A draft's mark, or a sign of a model's own: it may end a draft within a line, too."""
_POSES = re.compile(rf"{poses_as(LABELS).pattern}|.*(?:{_SIGN})", re.IGNORECASE)


def quote(text: str) -> str:
    """The text, quoted by the student's `quote_data`, or by the reference while that is a stub.

    Raises:
        TypeError: the student's function returned something else than a text.
    """
    found = written_or_reference("25.1", "g2c.guard.quote_data", "quote_data")(text)
    if not isinstance(found, str):
        raise TypeError(f"quote_data returned {found!r:.80}, which is not a text")
    return found


def quote_as_reference(text: str) -> str:
    """As `quote`, by the reference. Code that exercises use must not depend on a later exercise."""
    return str(solution_of("25.1", "quote_data")(text))


def between_labels(
    text: str, poses: re.Pattern[str] = _POSES, by: Callable[[str], str] = quote
) -> str:
    r"""The text, in which each line is quoted that could pose as a label.

    >>> between_labels("5\n\nSecond answer:\n6")
    '5\n\n> Second answer:\n6'
    """
    # Alone a line would get no mark; below another one it does.
    return "".join(
        by(f"\n{line}").partition("\n")[2] if poses.match(_as_read(line)) else line
        for line in text.splitlines(keepends=True)
    )


def _as_read(line: str) -> str:
    """The line in letters of one width, without what is invisible."""
    return "".join(char for char in search_fold(line) if not is_unseen(char))
