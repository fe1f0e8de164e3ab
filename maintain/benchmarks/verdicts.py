"""Measures what changes a critic's score: the draft, its author, or the critic's prompt."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.critic import (
    CRITICS,
    DRAFT_END,
    Critique,
    Interval,
    critic_prompt,
    generator_prompt,
    load_labelled,
    paired_bootstrap,
    parse_critique,
)
from g2c.inference import EmbeddedBackend

Prompt = Callable[[str, str], str]
Solved = tuple[Critique, Critique]
"""The critiques of a task's broken draft and of its good one."""

FRESH = "strict, fresh"
YOURS = 'after "You wrote this draft."'
ANOTHERS = 'after "Somebody else wrote this draft."'


def with_system(system: str) -> Prompt:
    return lambda task, draft: critic_prompt(system, task, draft)


def after_history(whose: str) -> Prompt:
    """The strict critic's prompt, after the prompt that led to the draft and the draft itself."""

    def prompt(task: str, draft: str) -> str:
        history = f"{generator_prompt(task)}{draft.strip()}\n{DRAFT_END}"
        critic = critic_prompt(CRITICS["strict"], task, draft)
        return f"{history}\n\n{whose} wrote this draft.\n\n{critic}"

    return prompt


PROMPTS: Mapping[str, Prompt] = {
    FRESH: with_system(CRITICS["strict"]),
    YOURS: after_history("You"),
    ANOTHERS: after_history("Somebody else"),
    "rate from 1 to 10": with_system("Rate this draft from 1 to 10."),
    "criteria": with_system(CRITICS["criteria"]),
}


def scores_of(pairs: Sequence[Solved]) -> tuple[list[float], list[float]]:
    """The scores of the broken and of the good drafts, for tasks where both could be read."""
    both = [(a.score, b.score) for a, b in pairs if a.score is not None and b.score is not None]
    return [broken for broken, _ in both], [good for _, good in both]


def gain(before: Sequence[float], after: Sequence[float]) -> str:
    found: Interval = paired_bootstrap(before, after)
    return f"{found.estimate:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


def row_of(name: str, pairs: Sequence[Solved]) -> list[object]:
    broken, good = scores_of(pairs)
    return [
        name,
        *(sum(pair[side].approved for pair in pairs) for side in (0, 1)),
        f"{fmean(broken):.2f}",
        f"{fmean(good):.2f}",
        gain(broken, good),
        sum(a != b for a, b in zip(broken, good, strict=True)),
    ]


def change(first: Sequence[Solved], second: Sequence[Solved]) -> str:
    """How much the second prompt changes the mean score of a task's two drafts."""
    drafts = [tuple(zip(*pairs, strict=True)) for pairs in zip(first, second, strict=True)]
    both = [found for of_task in drafts if (found := scores_of(of_task))[0]]
    return gain([fmean(one) for one, _ in both], [fmean(one) for _, one in both])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--limit", type=int, default=None, help="how many labelled tasks")
    tasks = load_labelled()[: options.parse_args().limit]
    model = EmbeddedBackend()
    print_heading(
        f"{model.info.model_id} on a good and a broken draft of each of {len(tasks)} tasks, at "
        "temperature 0. The score is from 0 to 10; it is left out where a pair has one that cannot "
        "be read. In brackets: the 95 % interval of a mean gain, task by task."
    )
    held = model.stopping_at("\nTask:")

    def ask(prompt: str) -> Critique:
        return parse_critique(held.complete(prompt, temperature=0, max_new_tokens=200).completion)

    said = {
        name: [
            (ask(prompt(task.shown, task.broken)), ask(prompt(task.shown, task.good)))
            for task in tasks
        ]
        for name, prompt in PROMPTS.items()
    }
    columns = ["", "broken approved", "good approved", "mean broken", "mean good", "gain", "differ"]
    print_table(columns, [row_of(name, pairs) for name, pairs in said.items()])
    print()
    print_table(
        ["the mean score of a task's two drafts", "gain"],
        [
            ["from fresh to history, somebody else", change(said[FRESH], said[ANOTHERS])],
            ["from somebody else to you", change(said[ANOTHERS], said[YOURS])],
        ],
    )


if __name__ == "__main__":
    main()
