"""What a memory holds after three dreams: invented homes, each a month of turns, on a real model.

    python maintain/benchmarks/homes.py --model embedded --homes 50

A month is invented from a seed (`g2c/course/scored/month.py`): what somebody said and changed their
mind about, what they wondered, what the agent got wrong, and the questions of the month after. The
home dreams three times. Then each line of its topics is held against the turns by rules that share
nothing with `is_grounded`, and recall is asked the questions. What was measured is kept in FILE, so
a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from g2c.course.scored.month import Month, make_months
from g2c.inference import Backend, load_selection
from g2c.memory import MemoryStore
from g2c.memory.provided.terms import extract_terms
from g2c.memory.provided.types import Turn

DREAMS = 3
HITS = 5


@dataclass(frozen=True)
class Home:
    """What became of one home: plans that could be used, lines that its topics hold, lines that the
    model wanted and nobody had said, lines of which no turn has all the words, lines with a value
    that was never said of that matter; and the questions, those for which recall finds the answer
    in the topics, and in topics and turns."""

    number: int
    dreams: int
    lines: int
    refused: int
    invented: int
    changed: int
    questions: int
    in_topics: int
    found: int
    examples: tuple[str, ...] = ()


def live(number: int, month: Month, backend: Backend) -> Home:
    """Let a home live through the month, and look at it."""
    clock = [month.turns[0].ts]
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(folder, now=lambda: clock[0])
        dreams = refused = 0
        days = len(month.turns) // DREAMS
        for part in range(DREAMS):
            last = len(month.turns) if part == DREAMS - 1 else (part + 1) * days
            for turn in month.turns[part * days : last]:
                clock[0] = turn.ts
                store.log_turn(turn.role, turn.content)
            clock[0] += timedelta(hours=1)
            result = store.maybe_dream(backend, force=True)
            dreams += result.dreamed
            refused += len(result.refused)
        lines = [line for one in store.topics.list() for line in one.body.split("\n") if line]
        bad = {line: why for line in lines if (why := fault_of(line, month))}
        asked = [question for question in month.questions if question.times > 1]
        return Home(
            number,
            dreams,
            len(lines),
            refused,
            sum(why == "invented" for why in bad.values()),
            sum(why == "changed" for why in bad.values()),
            len(asked),
            sum(is_found(store, one.text, one.value, transcripts=False) for one in asked),
            sum(is_found(store, one.text, one.value, transcripts=True) for one in asked),
            tuple(f"{why}: {line}" for line, why in bad.items())[:3],
        )


def fault_of(line: str, month: Month) -> str:
    """How a line of a topic is wrong; empty if it is not. A quotation is right."""
    text = line.rpartition('"')[0].partition('"')[2] or line.lstrip("-* ")
    own = [turn for turn in month.turns if turn.role in ("user", "tool")]
    if any(text in " ".join(turn.content.split()) for turn in own):
        return ""
    terms = {term for term in extract_terms(text) if not term.isdigit() or len(term) > 2}
    terms -= set(extract_terms("user")) | dated(line)
    behind = [turn for turn in own if terms <= words_of(turn)]
    if not behind:
        return "invented"
    values = {claim.value for claim in month.claims.values() if claim.value.lower() in text.lower()}
    said = {turn.content for turn in behind}
    for value in values:
        if not any(value.lower() in one.lower() for one in said):
            return "changed"
    return ""


def words_of(turn: Turn) -> set[str]:
    return set(extract_terms(turn.content))


def dated(line: str) -> set[str]:
    """The parts of the days that a line has in front."""
    day = line.lstrip("-* ")[:10]
    try:
        return set(extract_terms(f"{datetime.fromisoformat(day):%Y %m %d}"))
    except ValueError:
        return set()


def is_found(store: MemoryStore, question: str, value: str, *, transcripts: bool) -> bool:
    hits = store.recall(question, HITS, transcripts=transcripts)
    return any(value.lower() in hit.excerpt.lower() for hit in hits)


def measured(file: Path, model: str, seed: int) -> Iterator[Home]:
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        data = json.loads(line)
        if (data.pop("model"), data.pop("seed")) == (model, seed):
            yield Home(**data | {"examples": tuple(data["examples"])})


def report(homes: list[Home], model: str) -> str:
    def total(name: str) -> int:
        return sum(getattr(home, name) for home in homes)

    questions = total("questions")
    rows = [
        f"{model}: {len(homes)} homes, {total('dreams')} of {DREAMS * len(homes)} plans usable",
        f"lines in topics          {total('lines'):6}",
        f"refused, as nobody said  {total('refused'):6}",
        f"invented                 {total('invented'):6}",
        f"changed                  {total('changed'):6}",
        f"answers in the topics    {100 * total('in_topics') / questions:6.1f} % of {questions}",
        f"answers in topics, turns {100 * total('found') / questions:6.1f} %",
    ]
    return "\n".join([*rows, *(one for home in homes for one in home.examples)][:20])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", default="embedded", help="as for g2c model (%(default)s)")
    parser.add_argument("--homes", type=int, default=50, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=35, help="of the months (%(default)s)")
    parser.add_argument("--kept", type=Path, default=Path(".g2c/homes.jsonl"), metavar="FILE")
    given = parser.parse_args()
    homes = list(measured(given.kept, given.model, given.seed))[: given.homes]
    backend = load_selection(given.model)
    for number, month in enumerate(make_months(given.seed, given.homes)):
        if number in {home.number for home in homes}:
            continue
        homes.append(live(number, month, backend))
        own = {"model": given.model, "seed": given.seed, **asdict(homes[-1])}
        with given.kept.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(own) + "\n")
        print(f"home {number + 1} of {given.homes}", file=sys.stderr)
    print(report(homes, given.model))


if __name__ == "__main__":
    main()
