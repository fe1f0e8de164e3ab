"""24.4 as a table: a row for each claim and source, sorted, and cut where the key changes.

There is no state between the rows: the sort puts equal things together, and within them equal
values. One order decides everything at once. It costs a sort of all rows, where the reference sorts
only each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from g2c.swarm.core.reports import Finding, Reading, Report
from g2c.text import fold, one_line

Row = tuple[str, str, str, str, str]


def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    rows: list[Row] = sorted(
        (_key(claim.about), _key(claim.value), source, one_line(claim.about), one_line(claim.value))
        for report in reports
        for claim in report.claims
        for source in claim.sources
        if not source.isspace() and source
    )
    findings = []
    for _, about_rows in groupby(rows, key=lambda row: row[0]):
        of_thing = list(about_rows)
        readings = []
        for _, value_rows in groupby(of_thing, key=lambda row: row[1]):
            of_value = list(value_rows)
            places = tuple(dict.fromkeys(row[2] for row in of_value))
            readings.append(Reading(min(row[4] for row in of_value), places))
        readings.sort(key=lambda reading: reading.value)
        readings.sort(key=lambda reading: len(reading.sources), reverse=True)
        findings.append(Finding(min(row[3] for row in of_thing), tuple(readings)))
    findings.sort(key=lambda finding: finding.about)
    return findings


def _key(text: str) -> str:
    return " ".join(fold(text).split())
