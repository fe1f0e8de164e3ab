"""Run labelled drafts on their examples, and on calls with empty arguments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED
from g2c.critic.core.calls import call_of, read_arguments
from g2c.critic.core.examples import read_examples
from g2c.critic.core.outcomes import try_calls
from g2c.exercises.e21_7_is_broken.goal import cases_of
from g2c.tools.run_python import make_run_python

QUESTION = "Which crash shows that the draft is wrong, and which only that the call was?"


def is_broken(task: str, draft: str, run: Callable[[str], str]) -> bool:
    given = read_examples(task)
    tried = [example.call for example in given]
    for example in given:
        named = read_arguments(example.call)
        for key, value in named.items():
            tried.append(call_of(example.call.partition("(")[0], {**named, key: type(value)()}))
    came = try_calls(draft, tried, run)
    wanted = {example.call: example.expected for example in given}
    return any(
        outcome.raises or outcome.gives != wanted.get(outcome.call, outcome.gives)
        for outcome in came
    )


def show(folder: Path) -> Seen:
    run = make_run_python().func
    wrongly = []
    for label in (True, False):
        drafts = [case for case in cases_of(PUBLIC_SEED) if case.is_broken is label][:6]
        called = [is_broken(case.shown, case.draft, run) for case in drafts]
        name = "broken" if label else "good"
        yield f"six {name} drafts", f"{sum(called)} called broken"
        if not label:
            wrongly = [case.name for case, said in zip(drafts, called, strict=True) if said]
    yield RESULT, f"good drafts that were called broken: {', '.join(wrongly) or 'none'}"
    yield WANTED, "broken drafts called broken, and good ones not"
