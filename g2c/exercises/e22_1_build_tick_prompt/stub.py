"""The prompt of a tick: all that it is, knows and wants, as one text.

The idea to take away: a tick has no past but its prompt. Whatever the loop learned has to stand in
it, with what changes least first. And each part has to look like what it is: a note to itself that
passes for a user's wish is a way in for whoever can write the note.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.core.types import TickParts


@exercise("22.1")
def build_tick_prompt(parts: TickParts) -> str:
    r"""Put together the prompt of a tick.

    `architecture` comes first, without a title. The other parts follow in the order of
    `g2c.loop.core.words.TITLES`, each below a line of `# ` and its title there; the names are
    fields of `parts` or of `parts.config`. One blank line stands between two blocks, and between
    two paragraphs of `recalled`.

    White space around a part or a paragraph goes. A part of which nothing is left leaves no trace,
    its title included.

    Only titles begin a line with `# `. If a line of another part than the first does, it gets a
    second `#`. Lines end at a newline (`\n`) only. All else stays as it is.

    >>> parts = TickParts("You work in ticks.", goal="Tidy up.\n", state="# Done\n- a.txt")
    >>> print(build_tick_prompt(parts))
    You work in ticks.
    <BLANKLINE>
    # Goal
    <BLANKLINE>
    Tidy up.
    <BLANKLINE>
    # Your state
    <BLANKLINE>
    ## Done
    - a.txt
    """
    raise NotImplementedError
