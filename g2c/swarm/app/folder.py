"""The files of a swarm: the order, the errands, their leases and their results. All of it is on the
disk in plain files, so each process may be killed at any moment.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from g2c.files import files_in
from g2c.json_files import read_object, record_from, replace_own_json
from g2c.kept import key_of
from g2c.paths import home_options, in_shell
from g2c.swarm.core.reading import Errand
from g2c.swarm.core.reports import Claim


@dataclass(frozen=True)
class Posted:
    """An errand that a worker may take, and the most tokens that it may cost."""

    name: str
    errand: Errand
    grant: int


@dataclass(frozen=True)
class Found:
    """The result of an errand: the worker, its claims, the files that it read, and its tokens. If
    it failed, `error` says why."""

    worker: str
    claims: tuple[Claim, ...] = ()
    read: tuple[str, ...] = ()
    tokens: int = 0
    error: str = ""


@dataclass(frozen=True)
class SwarmFiles:
    """The files of a swarm in the folder `root`."""

    root: Path

    @property
    def options(self) -> str:
        """The options that name this swarm in a command that is shown, with a space before each."""
        name = "" if self.root.name == "main" else f" --name {in_shell(self.root.name)}"
        return f"{home_options(self.root.parent.parent)}{name}"

    @property
    def order(self) -> Path:
        """The order: the question, the files, how many workers, the budget."""
        return self.root / "order.json"

    @property
    def errands(self) -> Path:
        return self.root / "errands"

    @property
    def leases(self) -> Path:
        return self.root / "leases"

    @property
    def found(self) -> Path:
        return self.root / "found"

    @property
    def failed(self) -> Path:
        """Results of errands that failed and are asked again: their tokens are spent."""
        return self.root / "failed"

    @property
    def record(self) -> Path:
        """The log of who did what and when, one event a line."""
        return self.root / "record.jsonl"

    @property
    def answer(self) -> Path:
        """How the swarm ended."""
        return self.root / "answer.json"

    @property
    def stop(self) -> Path:
        """A file whose existence asks all processes to stop."""
        return self.root / "stop"

    @property
    def lock(self) -> Path:
        """Held by the supervisor as long as it lives."""
        return self.root / ".lock"

    def scratch(self, worker: str) -> Path:
        """The folder of that worker's own files, such as what it prints."""
        return self.root / "scratch" / worker

    def post(self, posted: Posted) -> None:
        """Post an errand, so that a worker can take it."""
        errand = posted.errand
        data = {"look_for": errand.look_for, "files": errand.files, "grant": posted.grant}
        replace_own_json(self.errands / f"{posted.name}.json", data)

    def posted(self) -> Iterator[Posted]:
        """The posted errands without a result, in the order of their names."""
        for file in files_in(self.errands, "*.json"):
            if (posted := _posted(file)) and self.result(file.stem) is None:
                yield posted

    def is_posted(self, name: str) -> bool:
        return _posted(self.errands / f"{name}.json") is not None

    def result(self, name: str) -> Found | None:
        """The errand's result; None if there is none yet, or its file is damaged."""
        return _found(self.found / f"{name}.json")

    def results(self) -> Iterator[Found]:
        """All results, in the order of their errands' names."""
        return filter(None, (self.result(file.stem) for file in files_in(self.found, "*.json")))

    def forget_failures(self) -> None:
        """Let each errand that failed be asked again. The reply may now come from another server,
        or after a file was corrected."""
        for file in files_in(self.found, "*.json"):
            if (found := self.result(file.stem)) and found.error:
                for folder in (self.leases, self.errands):  # the budget may have no room for it now
                    (folder / file.name).unlink(missing_ok=True)
                self.failed.mkdir(exist_ok=True)
                number = len(files_in(self.failed, f"{file.stem}-*.json"))
                file.replace(self.failed / f"{file.stem}-{number}.json")

    def failures(self, name: str = "*") -> Iterator[Found]:
        """The results of the errand, or of all errands, that failed and are asked again."""
        return filter(None, map(_found, files_in(self.failed, f"{name}-*.json")))

    def keep_result(self, name: str, found: Found) -> None:
        """Keep the errand's result, unless it has one already."""
        if self.result(name) is None:
            replace_own_json(self.found / f"{name}.json", asdict(found))


def name_of(errand: Errand, number: int, *made_from: str) -> str:
    """The name of an errand that is asked for the `number`-th time. `made_from` are what else its
    result depends on, such as the files' contents. It is the same in each process, so a supervisor
    that restarts finds the existing results."""
    return key_of(errand.look_for, *errand.files, number, *made_from)


def _found(file: Path) -> Found | None:
    return record_from(read_object(file), Found)


def _posted(file: Path) -> Posted | None:
    data = read_object(file)
    errand = {name: data.get(name) for name in ("look_for", "files")}
    return record_from({"name": file.stem, "errand": errand, "grant": data.get("grant")}, Posted)
