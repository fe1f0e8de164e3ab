"""Judging by what was run or read: calls to try, what a file must say, and a verdict that follows.

A program, or an agent with its tools, tries the calls and opens the files. Half of the drafts have
a planted fault, and the verdict is the result of the check.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from g2c.critic.assembled.file_critic import LookingCritic
from g2c.critic.assembled.program_critic import CheckingCritic
from g2c.critic.provided.calls import read_arguments
from g2c.critic.provided.examples import read_examples
from g2c.inference.scripted import ScriptedBackend
from g2c.tools import ToolError
from maintain.training.kinds.code_drafts import CODE
from maintain.training.kinds.facts import make_fact
from maintain.training.kinds.looks import calls_in, result_of_call
from maintain.training.kinds.sessions import Session, Turn, play_session
from maintain.training.record import END, Completion, Trace, segments_of
from maintain.training.scenario import calculate, read, work_out
from maintain.training.vocabulary import GOODS, PEOPLE, file_name, number, pick

VERDICTS = ("APPROVE", "REVISE")


def _run(code: str) -> str:
    """Run a program of this project's own; return what it prints."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {})
    except Exception as error:
        raise ToolError(str(error)) from error
    return out.getvalue()


def _beside(value: Any) -> list[Any]:
    """Values of the same kind that an author may forget: none, one, zero, below zero, equal."""
    if isinstance(value, list):
        return [[], value[:1], value[:1] * 2]
    if isinstance(value, str):
        return ["", value[:1], value * 2 if len(value) < 9 else value[:3]]
    return [0, 1, -1]


def calls_beside(given: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Three calls besides those given, each argument at its limits."""
    kinds = {name: _beside(value) for name, value in given[0].items()}
    return [{name: values[n] for name, values in kinds.items()} for n in range(3)]


def _by_calls(rng: random.Random) -> Trace:
    """Calls to try, for the critic that runs a draft."""
    task, good, faults, check = rng.choice(CODE)(rng)
    calls = [(call, result_of_call(good, call)) for call in calls_in(check) if read_arguments(call)]
    if not calls:
        return _by_calls(rng)
    shown = "\n".join(f">>> {call}\n{value}" for call, value in calls)
    task = f"{task}\n\nExamples:\n{shown}\n"
    old, new, _ = rng.choice(faults)
    draft = good if rng.random() < 0.5 else good.replace(old, new, 1)
    others = calls_beside([read_arguments(one.call) for one in read_examples(task)])
    said = Completion(json.dumps({"calls": others}) + END)
    backend = ScriptedBackend([said.script])
    critique = CheckingCritic(backend, _run)(task, draft)
    if not CheckingCritic(None, _run)(task, good).approved or not backend.history:
        return _by_calls(rng)
    segments = segments_of(backend.history, [said])
    return Trace("checked_critique", task, critique.recommendation, (task, draft), segments)


def _wish(rng: random.Random) -> tuple[str, dict[str, str], str]:
    """A goal with a file, the check for it, and what the file should contain."""
    file = file_name(rng)
    fact = make_fact(rng).sentence
    a, k, goods = number(rng, 12, 90), number(rng, 2, 9), rng.choice(GOODS)
    draw = rng.random()
    if draw < 0.55:
        text = rng.choice((fact, fact, rng.choice(PEOPLE), f"{a} {goods}"))
        goal = pick(rng, "Write {f}. It is to say: {t}", "{f} must say: {t}", "Put into {f}: {t}",
                    "Have a file {f} that says: {t}", "Keep this in {f}: {t}",
                    "Whoever opens {f} shall read: {t}", f=file, t=text)  # fmt: skip
        return goal, {"file": file, "says": text, "equals": ""}, text
    if draw < 0.85:
        question, expression = rng.choice(
            (
                (f"There are {a} bags of {k} {goods}.", f"{a} * {k}"),
                (f"{a} {goods} are there, and {k} are sold.", f"{a} - {k}"),
                (f"We have {a} {goods} and get {k} more.", f"{a} + {k}"),
            )
        )
        goal = pick(rng, "{q} Write to {f} how many {g} there are.",
                    "{q} How many that makes is to stand in {f}.",
                    "{q} Note the number in {f}.", q=question, f=file, g=goods)  # fmt: skip
        return goal, {"file": file, "says": "", "equals": expression}, calculate(expression)
    goal = pick(rng, "Find out {q} and write it to {f}.", "Write to {f} {q}.",
                q=rng.choice(("who is the tallest", "what the weather will be",
                              "which song is the best", "where the keys are")), f=file)  # fmt: skip
    return goal, {"file": file, "says": "", "equals": ""}, fact


def _planted(rng: random.Random, text: str) -> str:
    """The text with a fault."""
    if text.isdigit():
        return str(int(text) + rng.choice((1, 2, 9)))
    shorter = " ".join(text.split()[:-1])
    return rng.choice((shorter or make_fact(rng).sentence, make_fact(rng).sentence))


def _by_files(rng: random.Random) -> Trace:
    """What a file must say, for the critic that reads it."""
    goal, check, text = _wish(rng)
    said = Completion(json.dumps({"files": [check]}) + END)
    backend = ScriptedBackend([said.script])
    is_good = rng.random() < 0.5
    with TemporaryDirectory() as folder:
        if is_good or rng.random() < 0.7:
            Path(folder, check["file"]).write_text(text if is_good else _planted(rng, text))
        critique = LookingCritic(backend, Path(folder))(goal, "Done.")
    segments = segments_of(backend.history, [said])
    return Trace("checked_critique", goal, critique.recommendation, (goal,), segments)


def _by_reading(rng: random.Random) -> Trace:
    """An agent that opens the draft and says whether it may go out, and why."""
    goal, check, text = _wish(rng)
    while not (check["says"] or check["equals"]):
        goal, check, text = _wish(rng)
    file = check["file"]
    found = text if rng.random() < 0.5 else _planted(rng, text)
    verdict = VERDICTS[text not in found]
    question = pick(rng, "The task was: {g}\nAnswer APPROVE or REVISE.",
                    "{g}\nSomebody did that. Look at it and say APPROVE or REVISE.",
                    "Review {f}. Its task: {g} Say APPROVE, or REVISE and why.",
                    "Is this done, APPROVE or REVISE? {g}", g=goal, f=file)  # fmt: skip
    must = check["says"] or f"{text}, which is {check['equals']}"
    thought = f"It must say: {must.rstrip('.')}. The file says: {found}"
    reason = f"{file} says it." if verdict == "APPROVE" else f"{file} does not say: {text}"
    moves = [read(file, found)]
    if expression := check["equals"]:
        moves.append(work_out(expression, f"The file says: {found}."))
    turn = Turn(question, f"{verdict}: {reason}", thought, tuple(moves))
    tools = ("calculator", "files")
    session = Session((turn,), tools, {file: found}, has_examples=rng.random() < 0.6)
    return play_session("checked_critique", session, verdict)


def checked_critique(rng: random.Random) -> Trace:
    """A check and its verdict: of code by calls, of files by their text. Half of the verdicts
    approve."""
    make = rng.choice((_by_calls, _by_files, _by_reading, _by_reading))
    wanted = rng.choice(VERDICTS)
    while (trace := make(rng)).answer != wanted:
        pass
    return trace
