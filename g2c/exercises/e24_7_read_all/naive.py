"""Give one worker all the files of each invented question, and believe its first claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.exercises.e24_7_read_all.goal import GOAL, Desk, make_libraries, measure
from g2c.swarm.core.reading import Ask, Errand, File, Question

QUESTION = "What has a worker seen if it claims nothing, and what if it claims something?"


def read_all(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    everything = tuple(file.name for file in files)
    found = ask([Errand(question.about, everything)])[0].claims
    if found and question.kind == "linked":
        found = ask([Errand(question.second(found[0].value), everything)])[0].claims
    if not found:
        return None
    if question.kind != "total":
        return found[0].value
    return str(sum(int(claim.value) for claim in found))


def show(folder: Path) -> Seen:
    cases = make_libraries(PUBLIC_SEED)
    tokens = sum(file.tokens for case in cases for file in case.files)
    desks = [Desk(case) for case in cases]
    read = sum(
        len(reply.read)
        for case, desk in zip(cases, desks, strict=True)
        for reply in desk.ask(
            [Errand(case.question.about, tuple(file.name for file in case.files))]
        )
    )
    files = sum(len(case.files) for case in cases)
    yield "asked", f"{len(cases):,} questions, each over {tokens // len(cases):,} tokens on average"
    yield "one worker", f"reads {read:,} of {files:,} files, and does not see the others"
    for kind in ("fact", "linked", "total"):
        chosen = [case for case in cases if case.question.kind == kind]
        said = [read_all(c.question, c.files, Desk(c).ask, c.budget) for c in chosen]
        wrong = sum(
            answer not in (None, case.answer) for answer, case in zip(said, chosen, strict=True)
        )
        yield kind, f"{wrong} of {len(chosen)} answers are wrong"
    found = measure(read_all, PUBLIC_SEED, no_progress)
    yield RESULT, f"{found.points:g} points"
    yield WANTED, f"{GOAL.target:g} or more"
