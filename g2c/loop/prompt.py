"""What a tick's agent wakes up with: all that it is, knows and wants, as one text.

The idea to take away: a tick has no past but its prompt. So whatever the loop learned has to stand
in it, in an order in which what changes least comes first, and each part has to look like what it
is: a note to itself that passes for a user's wish is a way in for whoever can write the note.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.base import TickParts


@exercise("22.1")
def build_tick_prompt(parts: TickParts) -> str:
    r"""Put together the prompt of a tick.

    The parts stand in this order, with one blank line between two:

    1. `architecture`, without a title;
    2. of `config` the identity, the constitution, the persona, the knowledge and the recovery;
    3. `recalled`, the paragraphs with one blank line between two; `healer_note`; `directive`;
    4. `goal`; `state`; `feedback`.

    Each but the first has a title of its own above it: a line of `# ` and its entry in
    `g2c.loop.prompts.TITLES`, and a blank line. White space around a part, or around a paragraph,
    goes; one of which nothing is left leaves no trace, its title included.

    Only titles begin a line with `# `: where a line of any other part than the first does, it gets
    a second `#`. A line begins where the part does, or after a newline (`\n`) and no other
    character. All else in a part stays as it is.

    The text depends on the parts and on nothing else. Where two `TickParts` are the same up to one
    part, so are their prompts up to that part.

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
