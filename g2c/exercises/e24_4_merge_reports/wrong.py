"""24.4 gone wrong."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.swarm.core.reports import Finding, Reading, Report

wrong = partial(wrong, "24.4")

NAMED = "named = {source for source in claim.sources if source.strip()}"
KEY = "return one_line(fold(text))"
ORDER = "key=lambda reading: (-len(reading.sources), reading.value)"
ABOUT = "things[thing].add(one_line(claim.about))"


@wrong()
def by_voices(reports: Sequence[Report]) -> list[Finding]:
    """The value that most workers report stands first."""
    things: dict[str, Counter[str]] = {}
    where: dict[tuple[str, str], set[str]] = {}
    for claim in (claim for report in reports for claim in report.claims):
        if claim.sources:
            things.setdefault(claim.about, Counter())[claim.value] += 1
            where.setdefault((claim.about, claim.value), set()).update(claim.sources)
    return [
        Finding(
            about,
            tuple(
                Reading(value, tuple(sorted(where[about, value])))
                for value, _ in sorted(counted.items(), key=lambda count: (-count[1], count[0]))
            ),
        )
        for about, counted in sorted(things.items())
    ]


wrong(
    "The best supported value is the answer; the rest is noise.",
    ("Finding(min(abouts), tuple(readings))", "Finding(min(abouts), tuple(readings[:1]))"),
)
wrong(
    "Sources are in the order in which they were found.",
    ("tuple(sorted(sources[thing, value]))", "tuple(sorted(sources[thing, value], key=len))"),
    ("sources[thing, value] |= named", "sources[thing, value].update(sorted(named)[::-1])"),
    ("sources: dict[tuple[str, str], set[str]] = defaultdict(set)", "sources = defaultdict(_Seen)"),
    (
        "def _meant",
        "class _Seen(dict):\n    def update(self, names):\n"
        "        super().update(dict.fromkeys(names))\n\n\ndef _meant",
    ),
)
wrong(
    "A worker's word counts, if less than a file's.",
    ("        if not named:\n            continue\n", ""),
)
wrong("A claim with a list of sources has sources.", (NAMED, "named = set(claim.sources)"))
wrong(
    "Two values are the same if they are equal.",
    ("_meant(claim.about), _meant(claim.value)", "_meant(claim.about), claim.value"),
)
wrong("Lower case is enough to compare by.", (KEY, "return one_line(text.lower())"))
wrong(
    "Punctuation is a way of writing, too.", (KEY, "return one_line(fold(text).replace('-', ' '))")
)
wrong("What is compared is what is shown.", (ABOUT, "things[thing].add(thing)"))
wrong(
    "Sources are names, and names are compared as other names.",
    (NAMED, "named = {fold(source) for source in claim.sources if source.strip()}"),
)
wrong(
    "The last thing that a worker says is what it means.",
    (
        "        sources[thing, value] |= named\n",
        "        for other in [v for v in values[thing] if v != value]:\n"
        "            if sources[thing, other] <= named:\n"
        "                del values[thing][other]\n"
        "        sources[thing, value] |= named\n",
    ),
)
wrong(
    "The order of equal ones does not matter.", (ORDER, "key=lambda reading: -len(reading.sources)")
)


@wrong()
def each_by_each(reports: Sequence[Report]) -> list[Finding]:
    """For each thing, look through all claims for those that are about it."""
    from g2c.text import fold, one_line

    def key(text: str) -> str:
        return one_line(fold(text))

    claims = [
        claim
        for report in reports
        for claim in report.claims
        if any(s.strip() for s in claim.sources)
    ]
    findings = []
    for thing in {key(claim.about) for claim in claims}:
        of_thing = [claim for claim in claims if (key(claim.about), key(claim.value))[0] == thing]
        readings = []
        for value in {key(claim.value) for claim in of_thing}:
            same = [claim for claim in of_thing if key(claim.value) == value]
            places = {s for claim in same for s in claim.sources if s.strip()}
            shown = min(one_line(claim.value) for claim in same)
            readings.append(Reading(shown, tuple(sorted(places))))
        readings.sort(key=lambda reading: (-len(reading.sources), reading.value))
        findings.append(Finding(min(one_line(claim.about) for claim in of_thing), tuple(readings)))
    return sorted(findings, key=lambda finding: finding.about)
