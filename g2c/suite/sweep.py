"""Asking several models all tasks of a suite, and keeping the outcomes in a file.

The file is replaced as a whole after each batch. So a run that was killed continues there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.json_files import replace_json
from g2c.suite.batches import Batch, batches
from g2c.suite.report import to_data
from g2c.suite.runner import Attempt
from g2c.suite.suite import fingerprint
from g2c.suite.tasks import SuiteTask
from g2c.suite.verdicts import Verdict
from g2c.text import named_reason

Identity = Mapping[str, str]
"""The values that distinguish a model from others of its name."""

Show = Callable[[str, str], None]
"""Called after each attempt with the model's name and the family."""

Asked = tuple[Identity, Sequence[Attempt]]
Asker = Callable[[Sequence[Batch], Show], Iterator[tuple[Batch, Asked | Exception]]]
"""Asks batches; yields each with its outcomes, with the error, or with both, in any order."""


class Outcomes:
    """The outcomes of the models with these labels on `tasks`, in `file` if there is one.

    Raises:
        ValueError: the file has other outcomes; the message says what to do.
        OSError: it cannot be read.
    """

    def __init__(
        self, tasks: Sequence[SuiteTask], labels: Sequence[str], file: Path | None
    ) -> None:
        self._tasks = tasks
        self._labels = labels
        self._file = file
        self._suite = fingerprint(tasks)
        self._attempts: dict[str, dict[str, Attempt]] = {}
        self._identities: dict[str, Identity] = {}
        self._earlier: list[dict[str, Any]] = []
        if file and file.exists():
            self._read(file)
        for label in labels:
            self._attempts.setdefault(label, {})

    @property
    def total(self) -> int:
        """How many outcomes there are of these models."""
        return sum(self.done().values())

    def done(self) -> dict[str, int]:
        """How many outcomes there are of each model."""
        return {label: len(self._attempts[label]) for label in self._labels}

    def measured(self) -> dict[str, tuple[Attempt, ...]]:
        """The outcomes of each model that has any, in the order of the tasks, on the tasks that all
        of these models have."""
        there = {label: self._attempts[label] for label in self._labels if self._attempts[label]}
        common = set.intersection(*map(set, there.values())) if there else set()
        return {
            label: tuple(attempts[task.id] for task in self._tasks if task.id in common)
            for label, attempts in there.items()
        }

    def belong_to(self, identities: Mapping[str, Identity]) -> str:
        """Set the outcomes aside that were not made by these models, given by label. Return what
        has changed since, in words; empty if nothing has. The file keeps them under `earlier`."""
        changed = []
        for label, now in identities.items():
            then = self._identities.get(label)
            if then and then != now:
                names = sorted(name for name in {*then, *now} if then.get(name) != now.get(name))
                changed.append(f"{label} has changed since ({', '.join(names)}).")
                self._earlier.append({"label": label, **self._data()["models"][label]})
                self._attempts[label] = {}
            self._identities[label] = now
        return " ".join(changed)

    def complete(self, models: Mapping[str, str], ask: Asker, show: Show) -> str:
        """Ask the missing tasks. `models` maps each label to a model's name. Return why some could
        not be asked; empty if all were. A task that could not be asked has no outcome.

        Raises:
            ValueError: two different models have one name.
            OSError: the file cannot be written.
        """
        left = [
            batch
            for label, name in models.items()
            for batch in batches(name, self._tasks, self._attempts[label])
        ]
        label_of = {name: label for label, name in models.items()}
        trouble = ""
        for batch, asked in ask(left, lambda name, family: show(label_of[name], family)):
            if isinstance(asked, Exception):
                why = str(asked) or type(asked).__name__
                trouble = f"{label_of[batch.model]} was not asked everything: {why}"
                continue
            self._keep(label_of[batch.model], *asked)
        return trouble

    def _keep(self, label: str, identity: Identity, attempts: Sequence[Attempt]) -> None:
        if self._identities.setdefault(label, identity) != identity:
            raise ValueError(
                f"There are two models called {label}: {dict(self._identities[label])} and "
                f"{dict(identity)}. Give the second one another name, or another --json FILE."
            )
        self._attempts[label] |= {attempt.id: attempt for attempt in attempts}
        if self._file:
            data = self._data() | ({"earlier": self._earlier} if self._earlier else {})
            replace_json(self._file, data, indent=1)

    def _data(self) -> dict[str, Any]:
        measured = {name: own for name in self._attempts if (own := self._attempts_of(name))}
        return to_data(measured, self._suite, self._identities)

    def _attempts_of(self, label: str) -> tuple[Attempt, ...]:
        attempts = self._attempts[label]
        return tuple(attempts[task.id] for task in self._tasks if task.id in attempts)

    def _read(self, file: Path) -> None:
        try:
            data: dict[str, Any] = load_json(read_text(file))
            suite = str(data["suite"])
            for label, stored in data["models"].items():
                attempts = (_attempt_of(each) for each in stored["outcomes"])
                self._attempts[label] = {each.id: each for each in attempts}
                self._identities[label] = dict(stored["model"])
            self._earlier = list(data.get("earlier", ()))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{file} has no outcomes of g2c eval ({named_reason(error)}); name another file."
            ) from None
        if suite != self._suite:
            raise ValueError(
                f"{file} has outcomes of the suite {suite}, and this is {self._suite}. Use the "
                "same --family, --limit, --fresh, --suite and --channel, or another file."
            )


def _attempt_of(data: dict[str, Any]) -> Attempt:
    return Attempt(**data | {"verdict": Verdict(**data["verdict"])})
