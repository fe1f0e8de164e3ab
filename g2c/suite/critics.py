"""Asking a critic that runs a draft, or reads files, before it judges."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from g2c.critic.app.file_critic import LookingCritic, read_checks
from g2c.critic.app.program_critic import CheckingCritic
from g2c.critic.core.examples import Example
from g2c.inference.recording import RecordingBackend
from g2c.suite.tasks import CheckTask
from g2c.suite.tools import write_files
from g2c.suite.verdicts import Verdict, judge_check


def ask_for_check(backend: RecordingBackend, task: CheckTask, folder: Path) -> Verdict:
    """Have the draft of `task` judged by running it, or its goal by reading the files in
    `folder`."""
    if task.files:
        write_files(task.files, folder)
        critique = LookingCritic(backend, folder)(task.question, task.draft)
        written = getattr(backend.calls[-1].result, "completion", "")
        checks = read_checks(written, task.question)
        return judge_check(task, critique, any(check.says or check.equals for check in checks))
    critic = _WatchedCritic(backend)
    critique = critic(task.question, task.draft)
    return judge_check(task, critique, bool(critic.thought_of))


@dataclass(frozen=True)
class _WatchedCritic(CheckingCritic):
    """Records the calls that the model suggested."""

    thought_of: list[Example] = field(default_factory=list)

    def more_calls(self, given: Sequence[Example]) -> tuple[Example, ...]:
        more = super().more_calls(given)
        self.thought_of.extend(more)
        return more
