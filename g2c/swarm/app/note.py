"""The note that the memory keeps of a swarm: what was asked, what was found, and in which files."""

from collections.abc import Iterable
from datetime import date

from g2c.memory import MemoryStore
from g2c.swarm.app.folder import Found
from g2c.swarm.core.reports import Report
from g2c.swarm.merge_reports import merge_reports
from g2c.text import within

NOTE_READINGS = 25
NAME_CHARS = 120
NOTE_CHARS = 200
"""The longest line, in characters; a topic's size is limited."""


def keep_note(
    store: MemoryStore, sought: str, answer: str | None, results: Iterable[Found], day: date
) -> None:
    """Keep a note with the date, by your `merge_reports`."""
    reports = [Report(found.worker, found.claims) for found in results]
    readings = [
        f"- {finding.about} is {reading.value} ({', '.join(reading.sources[:5])})"
        for finding in merge_reports(reports)
        for reading in finding.readings
    ]
    lines = [
        f"On {day} a swarm looked for {sought}.",
        f"It answered: {answer or 'nothing'}",
        *readings[:NOTE_READINGS],
    ]
    store.write_topic(
        within(f"{day} swarm: {sought}", NAME_CHARS),
        sought[:200],
        "\n".join(line[:NOTE_CHARS] for line in lines),
        type="episode",
    )
