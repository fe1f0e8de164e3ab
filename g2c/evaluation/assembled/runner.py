"""Asking a model the tasks of a suite, one after the other, and judging each answer.

Every call is recorded, and the costs are read from the recording.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.evaluation.assembled.attempt import USUAL, ask
from g2c.evaluation.assembled.settings import Settings
from g2c.evaluation.assembled.tasks import InstructionTask, SuiteTask
from g2c.evaluation.assembled.verdicts import Verdict
from g2c.inference import Backend, BackendError, BackendUnreachableError
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.inference.recording import RecordingBackend
from g2c.tracing import traced
from g2c.written import lines_of


@dataclass(frozen=True)
class Attempt:
    """A task's verdict and cost: calls of the model, and the tokens and seconds that it took to
    write. `completion` is the last text that it wrote. `read` are the tokens that it read; old
    stored outcomes have none."""

    family: str
    id: str
    verdict: Verdict
    calls: int
    tokens: int
    seconds: float
    completion: str
    read: int | None = None


def run_suite(
    backend: Backend,
    tasks: Iterable[SuiteTask],
    on_attempt: Callable[[Attempt], None] = lambda outcome: None,
    settings: Settings = USUAL,
) -> tuple[Attempt, ...]:
    """Ask `backend` all tasks, in their order; `on_attempt` is called after each.

    Raises:
        BackendUnreachableError: the model cannot be reached. Any other failed call counts as the
            model's failure, and its task as not solved.
    """
    outcomes = []
    for task in tasks:
        outcomes.append(run_task(backend, task, settings))
        on_attempt(outcomes[-1])
    return tuple(outcomes)


def run_task(backend: Backend, task: SuiteTask, settings: Settings = USUAL) -> Attempt:
    """Ask `backend` one task."""
    with traced("task", task.id) as ending:
        attempt = _asked(backend, task, settings)
        ending.outcome = "solved" if attempt.verdict.success else attempt.verdict.why
    return attempt


def _asked(backend: Backend, task: SuiteTask, settings: Settings) -> Attempt:
    with tempfile.TemporaryDirectory(prefix="g2c-eval-") as name:
        tape, folder = Path(name, "tape.jsonl"), Path(name, "files")
        folder.mkdir()
        if isinstance(task, InstructionTask) and isinstance(backend, EmbeddedBackend):
            backend = backend.as_chat()  # other backends always chat
        taped = RecordingBackend(settings.ahead(backend), tape)
        try:
            verdict = ask(taped, task, folder, settings)
        except BackendUnreachableError:
            raise
        except BackendError as error:
            verdict = Verdict(False, False, str(error))
        except Exception as error:
            if not settings.functions:
                raise
            # A function that breaks on what the model wrote has not solved the task.
            verdict = Verdict(False, False, f"{type(error).__name__}: {error}")
        lines = lines_of(tape.read_text("utf-8", "surrogatepass"))[1:]
    results = [result for line in lines if (result := json.loads(line).get("result"))]
    return Attempt(
        task.family,
        task.id,
        verdict,
        calls=len(lines),
        tokens=sum(result["completion_tokens"] or 0 for result in results),
        seconds=sum(result["latency_ms"] for result in results) / 1000,
        completion=_last_words(results[-1]) if results else "",
        read=sum(result["prompt_tokens"] or 0 for result in results),
    )


def _last_words(result: dict[str, Any]) -> str:
    """The text of a completion, or of a chat's answer with its calls."""
    if "completion" in result:
        return str(result["completion"])
    calls = [json.dumps([call["name"], call["arguments"]]) for call in result["tool_calls"]]
    return "\n".join(filter(None, [result["content"], *calls]))
