"""Critiques that outlive their loop (Shinn et al., 2023, *Reflexion*, arXiv:2303.11366).

A model does not learn from its mistakes, but its next prompt can show them. The critic's issues go
into the transcript like any turn. A dream may make a topic of issues that repeat. Both come before
the task when the next first draft is written.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from g2c.critic.core.types import Critique, RefinementState, Round
from g2c.critic.run_refinement_loop import run_refinement_loop
from g2c.text import one_line

ROLE = "critic"
"""The role of a critique's turn in a transcript."""

PITFALLS = "Common pitfalls"
"""The topic that a first draft's prompt shows, if a dream or a person has written it."""

MAX_ISSUES = 5
"""How many remembered issues a first draft's prompt shows; more would be a second task."""


class CritiqueStore(Protocol):
    """This module's interface to a memory; `g2c.memory.MemoryStore` is one."""

    def log_turn(self, role: str, content: str) -> None:
        """Keep one turn."""

    def read_topic(self, name: str) -> Any:
        """The topic of that name, with its `body`. Raises ValueError if there is none."""

    def grep(self, pattern: str, *, days_back: int) -> Iterator[Any]:
        """Each `turn` whose line matches `pattern`, with its `file` and `line`."""

    def recall(self, query: str, k: int, *, transcripts: bool) -> Sequence[Any]:
        """The `k` paragraphs that answer `query` best, each with its `file` and `line`."""


def remember_critique(store: CritiqueStore, critique: Critique, task: str = "") -> bool:
    """Write the critique's issues into the transcript; return whether there were any.

    Raises:
        OSError: they could not be written.
    """
    if not critique.issues:
        return False
    # One paragraph, so that a search that finds the task also finds the issues.
    lines = [f"Found wrong with a draft for: {one_line(task)}"]
    lines += [f"- {one_line(issue)}" for issue in critique.issues]
    store.log_turn(ROLE, "\n".join(lines))
    return True


def recall_pitfalls(store: CritiqueStore, task: str) -> str:
    """Lines on what went wrong before, to read before `task`; empty if nothing is known.

    They are the topic `PITFALLS`. If there is none, they are the newest `MAX_ISSUES` different
    issues of the last year's critiques that a search for the task finds.
    """
    try:
        return str(store.read_topic(PITFALLS).body).strip()
    except ValueError:
        pass
    hits = {(hit.file, hit.line): hit for hit in store.grep(f'"role": "{ROLE}"', days_back=365)}
    places = {(at.file, at.line) for at in store.recall(task, 20, transcripts=True)}
    days = list(dict.fromkeys(file for file, _ in hits))  # newest first
    newest_first = sorted(hits.keys() & places, key=lambda at: (days.index(at[0]), -at[1]))
    issues: dict[str, None] = {}
    for place in newest_first:
        _, *lines = hits[place].turn.content.splitlines()
        issues |= dict.fromkeys(line for line in lines if line.startswith("- "))
    return "\n".join(list(issues)[:MAX_ISSUES])


def with_pitfalls(task: str, pitfalls: str) -> str:
    """The task as a generator reads it, with the pitfalls, if there are any.

    >>> print(with_pitfalls("Name the capital.", "- It did not say of which country."))
    Name the capital.
    Avoid what was wrong with drafts before:
    - It did not say of which country.
    """
    if not pitfalls:
        return task
    return f"{task}\nAvoid what was wrong with drafts before:\n{pitfalls}"


def refine_with_memory(
    task: str,
    *,
    store: CritiqueStore,
    generator: Callable[[str], str],
    critic: Callable[[str, str], Critique],
    refiner: Callable[[str, str, Critique], str],
    max_rounds: int = 3,
    on_round: Callable[[Round], None] | None = None,
) -> RefinementState:
    """`run_refinement_loop`, with the pitfalls of earlier critiques in the generator's task.

    Each critique is remembered as soon as its round is complete, so an interruption loses none.

    Raises:
        ValueError: `max_rounds` is less than 1.
        OSError: the memory could not be read or written.
    """
    pitfalls = recall_pitfalls(store, task)

    def remember(round: Round) -> None:
        remember_critique(store, round.critique, task)
        if on_round:
            on_round(round)

    return run_refinement_loop(
        task,
        generator=lambda task: generator(with_pitfalls(task, pitfalls)),
        critic=critic,
        refiner=refiner,
        max_rounds=max_rounds,
        on_round=remember,
    )
