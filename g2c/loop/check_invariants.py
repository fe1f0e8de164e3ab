"""Rules for every change that an agent makes to its own instructions.

A model proposes the change, and no model is asked whether it may be made. The idea to take away: a
rule that must hold is checked by code that compares what was with what would be. It needs no trust
in whoever proposed the change, and it says in words which rule stood in the way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from g2c.exercise import exercise
from g2c.loop.core.identity import WRITABLE


@exercise("22.6")
def check_invariants(
    before: Mapping[str, str], after: Mapping[str, str], *, writable: Collection[str] = WRITABLE
) -> tuple[str, ...]:
    """Say which rules a change from `before` to `after` breaks.

    You have `explain`, `GROWTH`, `ROOM` and `CONSTITUTION` of `g2c.loop.core.identity`, and
    `find_credentials` of `g2c.loop.core.credentials`.

    The result is `explain(rule, file)` for each rule that a changed file breaks, files in
    alphabetical order, rules in this one:

    - `removed`, `added`: such a file breaks no other rule.
    - `read-only`: only files in `writable` change, the constitution never.
    - `growth`: at most `ROOM` characters or, if more, `GROWTH` times the old length.
    - `shrinkage`: a text of more than `ROOM` characters keeps half or more; none becomes blank.
    - `fences`: an even number of lines begins with three backticks, spaces aside. Only `\\n` ends a
      line.
    - `credentials`: no new ones in that file.

    >>> before = {"constitution.md": "Stop when asked.", "persona.md": "I am brief."}
    >>> check_invariants(before, {**before, "persona.md": "I am brief and polite."})
    ()
    >>> for sentence in check_invariants(before, {"constitution.md": "Go on.", "persona.md": ""}):
    ...     print(sentence)
    constitution.md may not be changed.
    persona.md would lose more than half of its text, or all of it.
    """
    raise NotImplementedError
