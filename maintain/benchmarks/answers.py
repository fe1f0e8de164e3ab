"""Measures what an agent answers about what it was told weeks before, with and without the check.

    python maintain/benchmarks/answers.py --model errs
    python maintain/benchmarks/answers.py --model embedded --homes 12

A home is invented from a seed (`asked.py` of 20.10): sentences over five weeks, with changes of
mind, negations, lists and people with similar names; then questions, each in a chat of its own, a
third of them about what was never said. The home dreams once in between. The model `errs` is a
program that knows the right answer and gives a wrong one at a set rate, as a larger model might. A
run gives both figures: without the check, the first answer counts.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table
from homes import lies

from g2c.cli.chat import make_agent
from g2c.critic.core.intervals import wilson
from g2c.exercises.e20_8_is_grounded.claims import words_of
from g2c.exercises.e20_10_may_be_said.asked import Case, cases_about, matters_of, words_without
from g2c.home import HomeMemory
from g2c.home.settings import AgentSettings
from g2c.inference import Backend, ScriptedBackend, load_selection
from g2c.memory import MemoryStore
from g2c.memory.app.checked import run_checked
from g2c.memory.app.own_words import NOTHING, UNSURE
from g2c.memory.core.terms import extract_terms

MATTERS = 9
"""A home is asked about so many different matters."""
KINDS = ("right", "quoted", "nothing", "wrong")
_DENIES = re.compile(r"\b(?:no|not|never|without|\w+n't)\b", re.IGNORECASE)
_PLACE = re.compile(r" \(\S+:\d+\)")


@dataclass(frozen=True)
class Asked:
    """A question of a home, with the answers without and with the check."""

    home: int
    case: Case
    first: str
    last: str


def make_home(seed: int, number: int) -> tuple[list[str], list[Case]]:
    """The user's sentences, in order, and the questions. No word stands in two matters."""
    draw = Random(f"{seed}/{number}")
    matters, slots = matters_of(seed), words_of(seed)
    cases: list[Case] = []
    for matter in draw.sample(matters, len(matters)):
        with suppress(IndexError):  # too few words are left
            some = list(cases_about(matter, matters, draw, slots))
            cases.append(some[-1] if len(cases) % 3 == 2 else some[-2])
            used = " ".join([*cases[-1].told, cases[-1].question, *_texts(cases[-1])]).lower()
            slots = words_without(used, slots)
        if len(cases) == MATTERS:
            break
    told = [text for case in cases for text in case.told]
    order = {
        text: (case.told.index(text) > 1, draw.random()) for case in cases for text in case.told
    }
    return sorted(told, key=order.__getitem__), cases


def _texts(case: Case) -> list[str]:
    return [answer.text for answer in case.answers]


def answers_of(case: Case, draw: Random, rate: float) -> str:
    """The answer of a model that errs at that rate."""
    right = [answer.text for answer in case.answers if not answer.lie] or ["I do not know."]
    wrong = [answer.text for answer in case.answers if answer.lie]
    return draw.choice(wrong if draw.random() < rate else right)


def erring(case: Case, rate: float) -> Backend:
    def complete(prompt: str) -> str:
        if "Observation:" not in prompt.rpartition(f"Question: {case.question}")[2]:
            wanted = json.dumps({"query": case.question})
            return f" I need to look into my memory.\nAction: recall\nAction Input: {wanted}\n"
        return f" I know.\nFinal Answer: {answers_of(case, Random(prompt), rate)}"

    return ScriptedBackend([complete] * 99)


def live(number: int, model: str, seed: int, rate: float) -> Iterator[Asked]:
    """A home's questions, with the answers."""
    told, cases = make_home(seed, number)
    clock = [datetime(2026, 3, 1, 9, tzinfo=UTC)]
    real = load_selection(model) if model != "errs" else None
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(Path(folder, "memory"), now=lambda: clock[0])
        for text in told:
            store.log_turn("user", text)
            store.store_user_facts(clock[0])  # as a chat does when it ends
            clock[0] += timedelta(days=2)
        store.maybe_dream(real or ScriptedBackend([lies] * 99), force=True)
        for case in cases:
            clock[0] += timedelta(hours=5)
            agent = make_agent(
                real or erring(case, rate),
                None,
                AgentSettings(tools=("remember", "recall")),
                native=False,
                plan=False,
                max_steps=6,
                memory=HomeMemory(store, Path(folder, "identity")),
            )
            result = run_checked(agent, case.question, store=store, tell=sys.exit)
            said = [step.final_answer for step in result.steps if step.final_answer]
            first = said[0] if said else ""
            yield Asked(number, case, first, result.final_answer or "")


def worth_of(said: str, case: Case) -> str:
    """Whether an answer is right, quotes the right sentence, admits to know nothing, or is wrong.

    An answer in a model's own words is right if it has the value of a right answer, has no word
    that is neither in the question nor in the right sentence, and denies as that sentence does.
    """
    text = _PLACE.sub("", said).strip()
    head = text.partition("\n")[0]
    if text in ("", NOTHING) or text.startswith((UNSURE, "I do not know", "Nothing is known")):
        return "nothing"
    if case.newest and case.newest in head:
        return "quoted" if text.startswith("You said on") else "right"
    right = [answer.text for answer in case.answers if not answer.lie]
    if text in right:
        return "right"
    if text in [answer.text for answer in case.answers if answer.lie] or not right:
        return "wrong"
    terms, question = set(extract_terms(text)) - {"user"}, set(extract_terms(case.question))
    value = min((set(extract_terms(answer)) - question for answer in right), key=len)
    known = question | set(extract_terms(case.newest))
    denies = bool(_DENIES.search(text)) == bool(_DENIES.search(case.newest))
    return "right" if value and value <= terms <= known and denies else "wrong"


def report(asked: list[Asked], name: str) -> None:
    """Print the table, and what is wrong with the check."""
    print_heading(
        f"{name}: {len(asked)} questions. Of each kind of answer the per cent; of wrong ones also "
        "the 95 per cent interval."
    )
    rows = []
    for is_known, label in ((True, "it was said"), (False, "it was never said")):
        some = [each for each in asked if bool(each.case.newest) is is_known]
        for which, check in (("first", "without the check"), ("last", "with the check")):
            counts = Counter(worth_of(getattr(each, which), each.case) for each in some)
            bounds = wilson(counts["wrong"], len(some))
            shares = [f"{100 * counts[kind] / len(some):.1f}" for kind in KINDS]
            between = f"{100 * bounds.low:.1f} to {100 * bounds.high:.1f}"
            rows.append((f"{label}, {check}", len(some), *shares, between))
    print_table(("", "questions", *KINDS, "between"), rows)
    for each in asked:
        if worth_of(each.last, each.case) == "wrong":
            print(f"home {each.home}: {each.case.question} {each.first!r} {each.last!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", default="errs", help="errs, or as for g2c model (%(default)s)")
    parser.add_argument("--rate", type=float, default=0.3, help="of errs' mistakes (%(default)s)")
    parser.add_argument("--homes", type=int, default=100, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=49, help="of the homes (%(default)s)")
    given = parser.parse_args()
    asked: list[Asked] = []
    for number in range(given.homes):
        asked += live(number, given.model, given.seed, given.rate)
        print(f"{number + 1} of {given.homes} homes", file=sys.stderr)
    name = f"errs at a rate of {given.rate}" if given.model == "errs" else given.model
    report(asked, f"{name}, {given.homes} homes")


if __name__ == "__main__":
    main()
