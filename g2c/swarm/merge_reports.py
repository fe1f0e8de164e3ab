"""Several reports merged into one list of findings.

Five workers that read one poisoned note agree, and are one source. The idea to take away: count the
sources, never the voices.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.core.reports import Finding, Report


@exercise("24.4")
def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    """Merge what workers claim: a finding for each thing, with a reading for each of its values.

    - A reading has all sources of its value, each once, sorted.
    - Ignore blank sources, and claims without a source.
    - Things, or values, are the same if they differ only in case, Unicode form (NFC) or the amount
      of white space. Sources are the same only if they are equal.
    - Show the smallest one-line spelling among claims with a source.
    - Sort readings by their number of sources, the most first, then by value. Sort findings by
      `about`.
    - The result does not depend on the order of reports and claims, on who makes a claim, or on
      how often.

    >>> from g2c.swarm.core.reports import Claim
    >>> one = Report("w1", (Claim("Port", "8041", ("a.md",)), Claim("port", "80", ("b.md",))))
    >>> two = Report("w2", (Claim("port", "8041", ("c.md",)), Claim("port", "22")))
    >>> (found,) = merge_reports([one, two])
    >>> found.about, [(reading.value, reading.sources) for reading in found.readings]
    ('Port', [('8041', ('a.md', 'c.md')), ('80', ('b.md',))])
    """
    raise NotImplementedError
