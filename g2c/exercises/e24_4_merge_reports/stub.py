"""What several reports come to together.

Five workers that read one poisoned note agree, and are one source. The idea to take away: count the
sources, never the voices.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.core.reports import Finding, Report


@exercise("24.4")
def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    """Put together what workers claim: a finding for each thing, a reading for each of its values.

    A reading has all sources of its value, each once, sorted. A blank source is none, and a claim
    without a source is left out.

    Things, or values, are the same if they differ only in case, Unicode form (NFC) or
    white space. Sources are the same only if they are equal. Of the spellings in claims with a
    source, each on one line, the smallest string is shown.

    Readings stand by their number of sources, the most first, then by value; findings by `about`.
    The order of reports and claims changes nothing, nor who claims something, nor how often.

    >>> from g2c.swarm.core.reports import Claim
    >>> one = Report("w1", (Claim("Port", "8041", ("a.md",)), Claim("port", "80", ("b.md",))))
    >>> two = Report("w2", (Claim("port", "8041", ("c.md",)), Claim("port", "22")))
    >>> (found,) = merge_reports([one, two])
    >>> found.about, [(reading.value, reading.sources) for reading in found.readings]
    ('Port', [('8041', ('a.md', 'c.md')), ('80', ('b.md',))])
    """
    raise NotImplementedError
