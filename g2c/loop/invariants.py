"""What must be true of every change that an agent makes to its own instructions.

A model proposes the change, and no model is asked whether it may be made. The idea to take away: a
rule that must hold is checked by code that compares what was with what would be. It needs no trust
in whoever proposed the change, and it says in words which rule stood in the way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from g2c.exercise import exercise
from g2c.loop.config import WRITABLE

GROWTH = 2
ROOM = 500

Rule = Literal["removed", "added", "read-only", "growth", "shrinkage", "fences", "credentials"]

_SENTENCES: dict[Rule, str] = {
    "removed": "{} would be gone, and no file may go.",
    "added": "{} would be new, and no file may be added.",
    "read-only": "{} may not be changed.",
    "growth": f"{{}} would be more than {GROWTH} times as long as it was.",
    "shrinkage": "{} would lose more than half of its text, or all of it.",
    "fences": "{} would have a code fence that nothing closes.",
    "credentials": "{} would hold what looks like a credential.",
}


def explain(rule: Rule, file: str) -> str:
    """The sentence which says that a change of `file` breaks `rule`.

    >>> explain("read-only", "constitution.md")
    'constitution.md may not be changed.'
    """
    return _SENTENCES[rule].format(file)


@exercise("22.6")
def check_invariants(
    before: Mapping[str, str], after: Mapping[str, str], *, writable: Collection[str] = WRITABLE
) -> tuple[str, ...]:
    """Say which rules a change of the files `before` into the files `after` would break.

    Both map a file's name to its text. The result is the sentence `explain(rule, file)` for each
    rule that a file breaks, by the names of the files in alphabetical order, as `sorted` has it,
    and for one file in this order:

    - `removed`, `added`: the same files are there before and after. Nothing else is said of a file
      that is not.
    - `read-only`: only files in `writable` change, and `constitution.md` never does, whatever
      `writable` holds.
    - `growth`: a file has at most `GROWTH` (2) times the characters that it had or, where that is
      more, `ROOM` (500) characters.
    - `shrinkage`: a file that had more than `ROOM` characters keeps at least half as many, and one
      that was not blank does not become blank.
    - `fences`: the number of a file's lines that begin with three backticks, or with spaces and
      then those, is even. Lines end with newlines (`\\n`), and with no other character.
    - `credentials`: `find_credentials` of `g2c.loop.credentials` finds nothing in a file that it
      did not find in that file before.

    A text has changed if any character of it has, and a file whose text has not breaks no rule.

    >>> before = {"constitution.md": "Stop when asked.", "persona.md": "I am brief."}
    >>> check_invariants(before, {**before, "persona.md": "I am brief and polite."})
    ()
    >>> for sentence in check_invariants(before, {"constitution.md": "Go on.", "persona.md": ""}):
    ...     print(sentence)
    constitution.md may not be changed.
    persona.md would lose more than half of its text, or all of it.
    """
    raise NotImplementedError
