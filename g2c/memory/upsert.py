"""The archival memory: an index of one pointer a line, which stands in every prompt.

The idea to take away: what stands in every prompt is paid for in every call. So the index is capped
where it is written, and what is longer than a line belongs in the file that the line points to.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.memory.core.index import BaseIndex


@exercise("20.4")
def upsert(index: BaseIndex, file: str, description: str) -> None:
    """Have `index` end with a pointer to `file`, in place of any that it has.

    You have `link_to` and `pointer_of` of `g2c.memory.core.index`, and `index.read`,
    `index.write` and `index.exclusive`.

    - The pointer is `link_to(file)` and the description, on one line, with single spaces. A line
      longer than `MAX_LINE_CHARS` is cut to that, and ends with `…`.
    - Afterwards there is one pointer to the file, and at most `MAX_LINES` lines: the oldest
      pointers go, and nothing else. All others stay, in their order.
    - If that line is there already and both limits hold, nothing changes, on the disk either.
    - Other processes may change the index at any time.

    Raises:
        MemoryStoreError: the index cannot point to a file of that name.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from g2c.memory import MemoryIndex
    >>> index = MemoryIndex(Path(mkdtemp(), "MEMORY.md"))
    >>> index.upsert("topics/auth.md", "how people log in")
    >>> index.upsert("topics/db.md", "tables,\\n  and who\\twrites them")
    >>> index.upsert("topics/auth.md", "how people and programs log in")
    >>> print(index.render())
    - [topics/db.md](topics/db.md) — tables, and who writes them
    - [topics/auth.md](topics/auth.md) — how people and programs log in
    <BLANKLINE>
    """
    raise NotImplementedError
