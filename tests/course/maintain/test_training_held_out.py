"""Nothing of what the small model is measured on is in what it is trained on."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from training_traces import make_traces

from g2c.critic.provided.labelled import load_labelled
from g2c.evaluation.assembled.suite import load_suite
from g2c.evaluation.assembled.vocabulary import is_held_out, vocabulary
from maintain.training import vocabulary as trainings
from maintain.training.kinds.code_drafts import CODE

pytestmark = pytest.mark.long

EVALUATION = {**vocabulary(), "functions": tuple(vocabulary()["functions"])}
TRAINING = {name: value for name, value in vars(trainings).items() if name.isupper()}
"""The lists of either side. What the functions are described with are everybody's words."""

SHARED = {*trainings.DAYS, *trainings.MONTHS, *trainings.NUMBER_WORDS}
"""Closed classes of words, for which there are no others."""


def strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from strings_of(item)
    elif isinstance(value, dict):
        yield from strings_of((*value, *value.values()))


def entries(lists: Mapping[str, Any]) -> set[str]:
    """All entries of the lists."""
    return set(strings_of(tuple(value for value in lists.values() if not isinstance(value, str))))


def words_of(lists: Mapping[str, Any]) -> set[str]:
    """The entries of those lists that hold names or words, and no sentences."""
    plain = (value for value in lists.values() if isinstance(value, tuple))
    return {
        entry
        for words in plain
        if all(isinstance(entry, str) and re.fullmatch(r"[\w.-]{3,}", entry) for entry in words)
        for entry in words
    }


OWN_WORDS = words_of(EVALUATION) - SHARED


def whole(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def masked(text: str) -> str:
    """A question's phrasing: without its numbers and the words that either side puts in."""
    files_too = re.sub(r"\b[\w-]+\.(?:txt|md|csv|log|dat)\b", "W", text)
    words = whole(OWN_WORDS | words_of(TRAINING)).sub("W", files_too)
    return re.sub(r"\d+", "N", words).lower()


def test_no_entry_of_a_list_is_in_both_vocabularies() -> None:
    shared = (entries(EVALUATION) & entries(TRAINING)) - SHARED
    assert not shared, f"both vocabularies have {sorted(shared)}; take them out of training's"


@pytest.mark.long
def test_no_word_of_the_evaluation_is_in_any_trace() -> None:
    found = whole(OWN_WORDS)
    for trace in make_traces():
        for text, _ in trace["segments"]:
            hit = found.search(text)
            assert hit is None, f"{trace['kind']} has the evaluation's {hit[0]!r}: {text[-200:]!r}"


def test_no_number_that_the_evaluation_gives_is_given_in_training() -> None:
    for trace in make_traces():
        for text in trace["given"]:
            held_out = [n for n in re.findall(r"\d+", text) if is_held_out(int(n))]
            assert not held_out, f"{trace['kind']} gives {held_out} in {text!r}"


def test_no_question_is_phrased_as_one_of_the_evaluation() -> None:
    suites = [load_suite(seed=seed) for seed in (None, "1")]
    asked = {masked(task.question): task for suite in suites for task in suite}
    for trace in make_traces():
        for text in (trace["question"], *trace["given"]):
            task = asked.get(masked(text))
            assert task is None, f"{text!r} is phrased as {task and task.question!r}"


def test_the_numbers_of_training_leave_out_every_seventh() -> None:
    rng = random.Random(1)
    drawn = {trainings.number(rng, 2, 40) for _ in range(2000)}
    assert drawn == {n for n in range(2, 41) if not is_held_out(n)}, f"{sorted(drawn)}"


def test_no_function_that_measures_critics_is_in_training() -> None:
    def functions(code: str) -> set[str]:
        return set(re.findall(r"def (\w+)", code))

    measured = {name for task in load_labelled() for name in functions(task.good)}
    tasks = {masked(task.task.partition(":")[2]) for task in load_labelled()}
    for make in CODE:
        for seed in range(20):
            task, good, *_ = make(random.Random(seed))
            assert not functions(good) & measured, f"critics are measured on {functions(good)}"
            assert masked(task.partition(":")[2]) not in tasks, f"critics are measured on {task!r}"
