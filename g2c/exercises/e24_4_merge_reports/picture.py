"""Page 24.4: five voices and two sources for the one value, one voice and three for the other."""

from drawing import Kind, Picture

from g2c.exercises.e24_4_merge_reports.solution import merge_reports
from g2c.swarm.core.reports import Claim, Report

POISONED = Claim("the port", "6666", ("inbox/note.md",))
REPORTS = (
    *(Report(f"worker {n}", (POISONED,)) for n in (1, 2, 3, 4)),
    Report("worker 5", (Claim("the port", "8041", ("ops/ports.md", "ops/readme.md")),)),
)
COLOURS: dict[str, Kind] = {"6666": "bad", "8041": "good"}
PLACES = {"inbox/note.md": 100, "ops/ports.md": 190, "ops/readme.md": 250}


def draw() -> Picture:
    (found,) = merge_reports(REPORTS)
    p = Picture(
        300,
        "Voices and sources",
        "Workers 1 to 4 say that the port is 6666, and all of them have it from inbox/note.md. "
        "Worker 5 says 8041, from ops/ports.md and ops/readme.md. Counted by voices, 6666 leads "
        "by 4 to 1. Counted by sources, 8041 leads by 2 to 1.",
    )
    p.text(20, 28, "who says it", "head")
    p.text(210, 28, "where it stands", "head")
    p.text(400, 28, "what is found", "head")
    for n, report in enumerate(REPORTS):
        (claim,) = report.claims
        y = 42 + 48 * n
        p.box(20, y, 130, 36, f"{report.worker}: {claim.value}", kind=COLOURS[claim.value])
        for source in claim.sources:
            p.line((150, y + 18), (210, PLACES[source]))
    for source, y in PLACES.items():
        p.box(210, y - 17, 130, 34, source)
    for n, reading in enumerate(found.readings):
        y = 204 - 122 * n
        sources = len(reading.sources)
        counted = f"{sources} source{'s' * (sources > 1)}"
        p.box(400, y - 4, 120, 48, reading.value, counted, kind=COLOURS[reading.value])
        for source in reading.sources:
            p.line((340, PLACES[source]), (400, y + 20))
    p.text(20, 292, "By voices it is 4 to 1. By sources it is 1 to 2.", "soft")
    return p
