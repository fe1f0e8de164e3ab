"""The report on the outcomes of one model or several, as tables and as data.

A score is a count, and a count of few tasks says little. So each share is shown with its interval
and its cost.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from g2c.critic.core.intervals import markdown_table, percent, wilson
from g2c.suite.runner import Attempt
from g2c.suite.suite import FORMATS, GROUPS, fingerprint
from g2c.suite.tasks import SuiteTask

Outcomes = Sequence[Attempt]


FIXED = "of the fixed suite"


def drawn_from(seed: str) -> str:
    """The source of a fresh suite's tasks, for `about_suite`."""
    return (
        f"drawn anew from the seed {seed}.\n"
        "They are not the fixed suite's, so compare figures by family and not task by task"
    )


def about_suite(tasks: Collection[SuiteTask], source: str = FIXED) -> str:
    """The suite in a sentence: its fingerprint, how many tasks, and their `source`."""
    return f"Suite {fingerprint(tasks)}: {len(tasks)} tasks {source}."


def to_markdown(measured: Mapping[str, Outcomes], about: str) -> str:
    """The report on the outcomes of each model: `about` the suite, shares side by side, and then
    the costs of each.

    All models were asked the same tasks, one or more.
    """
    first = next(iter(measured.values()))
    rows = _rows(first)
    shares = [
        [
            name,
            len(_in_families(first, families)),
            *(_share(outcomes, families, counts) for outcomes in measured.values()),
        ]
        for name, families, counts in rows
    ]
    tables = [
        markdown_table([model, "calls", "tokens", "seconds", "invented"], _costs(outcomes, rows))
        for model, outcomes in measured.items()
    ]
    parts = [
        about,
        markdown_table(["solved", "n", *measured], shares),
        "In brackets: the 95 % interval.",
        *tables,
        "Each a mean of a task: calls of the model, tokens written, seconds of the model.\n"
        "Invented: final answers without a successful call where a tool was needed.",
    ]
    return "\n\n".join(parts) + "\n"


def to_data(
    measured: Mapping[str, Outcomes], suite: str, models: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """The report as JSON data: the suite's fingerprint, and for each model its entry in `models`,
    the counts, and every outcome."""
    parts = {}
    for model, outcomes in measured.items():
        counts = {
            name.removeprefix("= "): {
                "solved": sum(map(is_counted, _in_families(outcomes, families))),
                "n": len(_in_families(outcomes, families)),
            }
            for name, families, is_counted in _rows(outcomes)
        }
        parts[model] = {
            "model": dict(models[model]),
            "counts": counts,
            "outcomes": [asdict(outcome) for outcome in outcomes],
        }
    return {"suite": suite, "models": parts}


Row = tuple[str, Collection[str], Callable[[Attempt], bool]]
"""A row's name, the families that it is about, and which of their outcomes it counts."""


def _rows(outcomes: Outcomes) -> list[Row]:
    """The families that have outcomes, and then the groups."""
    there = list(dict.fromkeys(outcome.family for outcome in outcomes))
    rows: list[Row] = [
        *((family, (family,), _is_solved) for family in there),
        *((f"= {name}", families, _is_solved) for name, families in GROUPS.items()),
        ("= format can be read", FORMATS, _is_parsed),
        ("= all", there, _is_solved),
    ]
    return [row for row in rows if not set(there).isdisjoint(row[1])]


def _is_solved(outcome: Attempt) -> bool:
    return outcome.verdict.success


def _is_parsed(outcome: Attempt) -> bool:
    return outcome.verdict.parsed


def _in_families(outcomes: Outcomes, families: Collection[str]) -> Outcomes:
    return [outcome for outcome in outcomes if outcome.family in families]


def _share(outcomes: Outcomes, families: Collection[str], counts: Callable[[Attempt], bool]) -> str:
    chosen = _in_families(outcomes, families)
    return percent(wilson(sum(map(counts, chosen)), len(chosen)))


def mean_of(numbers: Sequence[float | None], places: int) -> str:
    """The mean, with so many decimal places; "?" if a number is not known, since the others say
    nothing about it."""
    known = [number for number in numbers if number is not None]
    return f"{fmean(known):.{places}f}" if len(known) == len(numbers) else "?"


def _costs(outcomes: Outcomes, rows: Sequence[Row]) -> Iterator[list[str]]:
    for name, families, _ in rows:
        if name == "= all" or not name.startswith("="):
            of = _in_families(outcomes, families)
            yield [
                name,
                f"{fmean(outcome.calls for outcome in of):.1f}",
                mean_of([outcome.tokens for outcome in of], 0),
                f"{fmean(outcome.seconds for outcome in of):.1f}",
                f"{100 * fmean(outcome.verdict.invented for outcome in of):.0f} %",
            ]
