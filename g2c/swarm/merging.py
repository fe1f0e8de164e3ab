"""What several reports come to together.

Five workers that read one poisoned note agree, and are one source. The idea to take away: count the
sources, never the voices.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.provided.reports import Finding, Report


@exercise("24.4")
def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    """TODO (at most 120 words). One finding for each thing that a claim with a source is about;
    one reading for each value, with all its sources, each once. Things and values that differ only
    in case or spaces are the same. The order is the same for the reports in any order: readings by
    the number of sources, the most first.
    """
    raise NotImplementedError
