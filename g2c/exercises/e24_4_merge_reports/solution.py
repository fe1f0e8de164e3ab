"""24.4: group by normalized text, and gather the sources and the spellings of each group.

The normalized text is a key, and is never shown. With sets, a source counts once, and the order of
reports does not matter; nor does it for the smallest spelling. A claim without a source adds
nothing, not even its spelling. It costs n log n for all names of sources together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from g2c.swarm.core.reports import Finding, Reading, Report
from g2c.text import fold, one_line


def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    things: dict[str, set[str]] = defaultdict(set)
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim in (claim for report in reports for claim in report.claims):
        named = {source for source in claim.sources if source.strip()}
        if not named:
            continue
        thing, value = _meant(claim.about), _meant(claim.value)
        things[thing].add(one_line(claim.about))
        values[thing][value].add(one_line(claim.value))
        sources[thing, value] |= named
    findings = []
    for thing, abouts in things.items():
        readings = [
            Reading(min(spellings), tuple(sorted(sources[thing, value])))
            for value, spellings in values[thing].items()
        ]
        readings.sort(key=lambda reading: (-len(reading.sources), reading.value))
        findings.append(Finding(min(abouts), tuple(readings)))
    return sorted(findings, key=lambda finding: finding.about)


def _meant(text: str) -> str:
    return one_line(fold(text))
