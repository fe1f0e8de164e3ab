"""Measures a memory after three dreams: invented homes, each a month of turns, on a real model.

    python maintain/benchmarks/homes.py --model liar
    python maintain/benchmarks/homes.py --model embedded --homes 6

A month is invented from a seed (`month.py` of 20.9): what somebody said and changed their
mind about, what they wondered, what the agent got wrong, and the questions of the month after. The
home dreams three times. Then each line of its topics is held against the turns by rules that share
nothing with `is_grounded`, and recall is asked the questions. The model `liar` is a program that
makes lies of true words: it joins halves of two statements, drops "not" and "no longer", puts
another's value in, rewrites topics and deletes others. Results of a model are kept in FILE, so a
run that was stopped goes on.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from g2c.exercises.e20_9_keep.month import Month, Question, make_months
from g2c.inference import Backend, ScriptedBackend, load_selection
from g2c.memory import MemoryStore
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import Recollection, Turn

DREAMS = 3
HITS = 10


@dataclass(frozen=True)
class Home:
    """The counts of one home: plans that could be used, lines that its topics hold, lines that the
    model wanted and nobody had said, lines of which no turn has all the words, lines with a value
    that was never said of that matter; and the questions that are asked more than once about what
    the person said, those of which recall has the answer among ten hits in the topics, and in
    topics and turns."""

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


_SAID = re.compile(r"^\[(\d{4}-\d\d-\d\d) [\d:]+ \w+\] (.+)$", re.MULTILINE)
_PART = re.compile(r"[.!?,;:] ")
_TOPIC = re.compile(r"^Topic (.+) \(slug: (.+), type: \w+\)$", re.MULTILINE)


def lies(prompt: str) -> str:
    """A plan of which hardly a line is true."""
    draw = Random(prompt)
    real = prompt.partition("The example ends here.")[2]
    said = _SAID.findall(real)
    topics = _TOPIC.findall(real)
    names = [name for name, _ in topics] + [" ".join(text.split()[-2:]) for _, text in said]
    upserts = [
        {
            "name": name[:60],
            "description": draw.choice(said)[1][:150],
            "type": "note",
            "body": "\n".join(_lie(draw, said) for _ in range(6)),
        }
        for name in dict.fromkeys(draw.sample(names, 4))
    ]
    gone = [slug for name, slug in topics if name not in {upsert["name"] for upsert in upserts}][:2]
    return json.dumps({"upserts": upserts, "deletes": gone, "summary": "It is tidy."})


def _lie(draw: Random, said: list[tuple[str, str]]) -> str:
    (day, one), (_, other) = draw.sample(said, 2)
    first, last = one.rstrip(".?!").split(), other.rstrip(".?!").split()
    line = draw.choice(
        [
            " ".join([*first[: len(first) // 2], *last[len(last) // 2 :]]),
            " ".join([*first[:-1], last[-1]]),
            " ".join(word for word in first if word not in ("not", "No", "no", "longer", "never")),
            " ".join([*first, "not"]),
            " ".join(first),
        ]
    )
    return draw.choice(
        [f"- {day}: {line}.", f"- {line.replace('My', 'The user' + chr(39) + 's')}."]
    )


def live(number: int, month: Month, backend: Backend) -> Home:
    """Let a home live through the month, and look at it."""
    clock = [month.turns[0].ts]
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(folder, now=lambda: clock[0])
        dreams = refused = 0
        days = len(month.turns) // DREAMS
        for part in range(DREAMS):
            last = len(month.turns) if part == DREAMS - 1 else (part + 1) * days
            for _, session in groupby(month.turns[part * days : last], lambda turn: turn.ts.date()):
                said = list(session)
                for turn in said:
                    clock[0] = turn.ts
                    store.log_turn(turn.role, turn.content)
                store.store_user_facts(said[0].ts)  # as a chat does when it ends
            clock[0] += timedelta(hours=1)
            result = store.maybe_dream(backend, force=True)
            dreams += result.dreamed
            refused += len(result.refused)
        lines = [line for topic in store.topics.list() for line in topic.body.split("\n") if line]
        bad = {line: why for line in lines if (why := fault_of(line, month))}
        asked = [
            question
            for question in month.questions
            if question.times > 1 and is_from_user(question, month)
        ]
        return Home(
            number,
            dreams,
            len(lines),
            refused,
            sum(why == "invented" for why in bad.values()),
            sum(why == "changed" for why in bad.values()),
            len(asked),
            sum(
                is_found(store, question.text, question.value, transcripts=False)
                for question in asked
            ),
            sum(
                is_found(store, question.text, question.value, transcripts=True)
                for question in asked
            ),
            tuple(f"{why}: {line}" for line, why in bad.items())[:3],
        )


def is_from_user(question: Question, month: Month) -> bool:
    """Whether the person said what is asked; the agent may have found it in a file."""
    return any(
        (claim.matter, claim.value) == (question.matter, question.value)
        and month.turns[number].role == "user"
        for number, claim in month.claims.items()
    )


def fault_of(line: str, month: Month) -> str:
    """How a line of a topic is wrong; empty if it is not. A quotation is right, and otherwise each
    part of the line needs a turn that has all its words and values."""
    text = line.rpartition('"')[0].partition('"')[2] or line.lstrip("-* ")
    own = [turn for turn in month.turns if turn.role in ("user", "tool")]
    if any(text in " ".join(turn.content.split()) for turn in own):
        return ""
    return next(filter(None, (_fault(part, line, month, own) for part in _PART.split(text))), "")


def _fault(part: str, line: str, month: Month, own: list[Turn]) -> str:
    terms = set(extract_terms(part)) - set(extract_terms("user")) - dated(line)
    behind = [turn.content.lower() for turn in own if terms <= words_of(turn)]
    if not behind:
        return "invented"
    values = {claim.value.lower() for claim in month.claims.values()}
    named = [value for value in values if value in part.lower()]
    return "" if all(any(value in other for other in behind) for value in named) else "changed"


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
    """Whether one of the first `HITS` has the answer, and is not the agent's own word."""
    hits = store.recall(question, HITS, transcripts=transcripts)
    return any(value.lower() in hit.excerpt.lower() for hit in hits if not is_agents(store, hit))


def is_agents(store: MemoryStore, hit: Recollection) -> bool:
    if hit.file.suffix == ".md":
        return False
    turn = turn_of(hit.file.read_bytes().splitlines()[hit.line - 1])
    return turn is None or turn.role == "assistant"


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
    return "\n".join([*rows, *(example for home in homes for example in home.examples)][:20])


@cache
def backend_of(model: str) -> Backend:
    return ScriptedBackend([lies] * 999) if model == "liar" else load_selection(model)


def live_with(model: str, number: int, month: Month) -> Home:
    return live(number, month, backend_of(model))


def kept_lines(file: Path, key: Mapping[str, object]) -> Iterator[dict[str, Any]]:
    """Yield the results of an earlier run from `file`, JSON lines of which `key` is a part."""
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        data = json.loads(line)
        if {name: data.pop(name) for name in key} == key:
            yield data


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", default="embedded", help="as for g2c model (%(default)s)")
    parser.add_argument("--homes", type=int, default=50, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=35, help="of the months (%(default)s)")
    parser.add_argument("--kept", type=Path, default=Path(".g2c/homes.jsonl"), metavar="FILE")
    parser.add_argument("--processes", type=int, default=1, help="homes at a time (%(default)s)")
    given = parser.parse_args()
    kept = Path(os.devnull) if given.model == "liar" else given.kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    key = {"model": given.model, "seed": given.seed}
    known = (Home(**data | {"examples": tuple(data["examples"])}) for data in kept_lines(kept, key))
    homes = [home for home in known if home.number < given.homes]
    done = {home.number for home in homes}
    months = enumerate(make_months(given.seed, given.homes))
    left = [(number, month) for number, month in months if number not in done]
    # More threads than cores would wait for each other.
    os.environ["OMP_THREAD_LIMIT"] = str(max(1, (os.cpu_count() or 1) // given.processes))
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as pool:
        for found in as_completed(pool.submit(live_with, given.model, *home) for home in left):
            homes.append(found.result())
            own = {**key, **asdict(homes[-1])}
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(own) + "\n")
            print(f"{len(homes)} of {given.homes} homes", file=sys.stderr)
    print(report(homes, given.model))


if __name__ == "__main__":
    main()
