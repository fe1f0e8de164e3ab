"""Asking a model the tasks of a suite, one after the other, and judging each answer.

Every call is recorded, and the costs are read from the recording.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.files import read_text
from g2c.inference import Backend, BackendError
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.inference.recording import RecordingBackend, error_in
from g2c.interrupted import measure_each
from g2c.suite.attempt import USUAL, ask
from g2c.suite.settings import Settings
from g2c.suite.tasks import InstructionTask, SuiteTask
from g2c.suite.verdicts import Verdict
from g2c.text import named_reason
from g2c.tools.run import sum_if_known
from g2c.tracing import traced
from g2c.written import lines_of


@dataclass(frozen=True)
class Attempt:
    """A task's verdict and cost: calls of the model, and the tokens and seconds that it took to
    write. `completion` is the last text that it wrote. `read` are the tokens that it read. Tokens
    are None if a call's were not counted; old stored outcomes have no `read`."""

    family: str
    id: str
    verdict: Verdict
    calls: int
    tokens: int | None
    seconds: float
    completion: str
    read: int | None = None


def run_suite(
    backend: Backend,
    tasks: Sequence[SuiteTask],
    on_attempt: Callable[[Attempt], None] = lambda outcome: None,
    settings: Settings = USUAL,
) -> tuple[Attempt, ...]:
    """Ask `backend` all tasks, in their order; `on_attempt` is called after each.

    Raises:
        BackendError: no task could be asked.
        PartlyMeasuredError, StoppedEarly: some tasks were asked; it has their outcomes.
    """

    def asked(task: SuiteTask) -> Attempt:
        attempt = run_task(backend, task, settings)
        on_attempt(attempt)
        return attempt

    return tuple(measure_each(tasks, asked, lambda done: f"{len(done)} tasks were asked."))


def run_task(backend: Backend, task: SuiteTask, settings: Settings = USUAL) -> Attempt:
    """Ask `backend` one task.

    Raises:
        BackendError: a call failed that says nothing about the model, even if the agent went on
            without it. A task that the model cannot do counts as not solved.
    """
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
        except BackendError as error:
            if not error.blames_model:
                raise
            verdict = Verdict(False, False, str(error))
        except Exception as error:
            if not settings.functions:
                raise
            # A function that breaks on what the model wrote has not solved the task.
            verdict = Verdict(False, False, named_reason(error))
        lines = lines_of(read_text(tape, "utf-8", "surrogatepass"))[1:]
    calls = [json.loads(line) for line in lines]
    for outage in filter(None, map(error_in, calls)):
        if not outage.blames_model:
            raise outage
    results = [call["result"] for call in calls if "result" in call]
    return Attempt(
        task.family,
        task.id,
        verdict,
        calls=len(calls),
        tokens=sum_if_known([result["completion_tokens"] for result in results]),
        seconds=sum(result["latency_ms"] for result in results) / 1000,
        completion=_last_words(results[-1]) if results else "",
        read=sum_if_known([result["prompt_tokens"] for result in results]),
    )


def _last_words(result: dict[str, Any]) -> str:
    """The text of a completion, or of a chat's answer with its calls."""
    if "completion" in result:
        return str(result["completion"])
    calls = [json.dumps([call["name"], call["arguments"]]) for call in result["tool_calls"]]
    return "\n".join(filter(None, [result["content"], *calls]))
