"""The agent's own files: five short texts, and all their versions.

A loop may add what it learned to two of them, `knowledge.md` and `recovery.md`; the others are a
person's. No code here writes the constitution once it exists.

A change touches several files, and a crash can come between any two. So a change is first written
as a whole to another place, then made, then logged. After a crash, the next process completes a
change that was written but not logged.
"""

import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from g2c.files import files_in, is_there, locked, read_bytes, replace_text
from g2c.json_files import append_json, objects_in, read_object, record_from, record_of
from g2c.loop.core.types import EvolvedConfig, LoopError
from g2c.written import text_of

GROWTH = 2
ROOM = 500
Rule = Literal["removed", "added", "read-only", "growth", "shrinkage", "fences", "credentials"]

_SENTENCES: dict[Rule, str] = {
    "removed": "{} would be gone, and no file may go.",
    "added": "{} would be new, and no file may be added.",
    "read-only": "{} may not be changed.",
    "growth": f"{{}} would be more than {GROWTH} times as long as it was.",
    "shrinkage": "{} would lose more than half of its text, or all of it.",
    "fences": "{} would have a code fence that nothing closes.",
    "credentials": "{} would hold what looks like a credential.",
}


def explain(rule: Rule, file: str) -> str:
    """A sentence: this change of `file` breaks `rule`.

    >>> explain("read-only", "constitution.md")
    'constitution.md may not be changed.'
    """
    return _SENTENCES[rule].format(file)


CONSTITUTION = "constitution.md"
WRITABLE = ("identity.md", "persona.md", "knowledge.md", "recovery.md")

DEFAULT_CONFIG = EvolvedConfig(
    constitution="""\
# Constitution

A person wrote this file. The agent reads it and never changes it.

- Work on the goal that was given, and on nothing else.
- Change files in the work folder only.
- Say what was done as it was, also where it failed.
- Write no password, key or other secret into any file.
- When asked to stop, stop.
""",
    identity="I work on one goal in ticks. Between two ticks I keep only what I wrote down.\n",
    persona="I write short, plain sentences.\n",
    recovery="When a tool reports an error, I read what it says before I try again.\n",
)
"""The files of a new folder. The agent knows nothing yet."""


def ensure_config(folder: Path) -> None:
    """Make sure that `folder` has all five files, and that no change of them is half done.

    A missing file gets its text of `DEFAULT_CONFIG`. An existing file stays as it is.

    Raises:
        LoopError: a change that a crash interrupted cannot be completed; the message says what to
            do.
        OSError: a file cannot be written, or is there and cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    Versions(folder).complete()
    for name, text in asdict(DEFAULT_CONFIG).items():
        file = folder / f"{name}.md"
        if is_there(file):
            read_bytes(file)
        else:
            replace_text(file, text)


def read_config(folder: Path) -> EvolvedConfig:
    """The files in `folder`. A field without a file is empty.

    Raises:
        LoopError: a file is not UTF-8.
    """
    texts = read_texts(folder)
    return EvolvedConfig(**{name: texts.get(f"{name}.md", "") for name in asdict(EvolvedConfig())})


ChangeKind = Literal["kept", "evolved", "unchanged", "proposed", "refused", "reverted"]


@dataclass(frozen=True)
class Change:
    """One line of the log: when, what kind of change, why, and the version that it made.

    `kept` is a version that a person made. `unchanged`, `proposed` and `refused` made no
    version (None).
    `files` were changed. `broken` are the sentences of the rules that a refused change broke.
    """

    ts: datetime
    kind: ChangeKind
    why: str
    version: int | None = None
    files: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def read_texts(folder: Path) -> dict[str, str]:
    """The text of each Markdown file in `folder`, by its name.

    Raises:
        LoopError: a file is not UTF-8.
    """
    texts = {}
    for file in files_in(folder, "[!.]*.md"):
        try:
            texts[file.name] = text_of(read_bytes(file), file)
        except ValueError as error:
            raise LoopError(str(error)) from error
    return texts


class Versions:
    """The versions of `folder`, each a whole copy in `versions/0001/` and so on, and their log,
    `evolution.jsonl`, which only grows. Several processes may use the folder at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log_file = folder / "evolution.jsonl"

    def numbers(self) -> list[int]:
        """The numbers of the versions there are, oldest first."""
        names = (path.name for path in (self.folder / "versions").glob("[0-9]*"))
        return sorted(int(name) for name in names if name.isdecimal())

    def read(self, number: int) -> dict[str, str]:
        """The files of a version.

        Raises:
            LoopError: there is no such version.
        """
        if number not in self.numbers():
            known = ", ".join(map(str, self.numbers())) or "none"
            raise LoopError(f"There is no version {number} of {self.folder}; there are: {known}.")
        return read_texts(self._path_of(number))

    def log(self) -> tuple[Change, ...]:
        """All changes and refusals, oldest first. A torn line is skipped."""
        lines = objects_in(self.log_file)
        return tuple(change for line in lines if (change := record_from(line, Change)))

    def note(self, change: Change) -> None:
        """Log a change that made no version."""
        with self._exclusive():
            self._append(change)

    def complete(self) -> None:
        """Complete the change that a crash interrupted, if one did."""
        with self._exclusive():
            self._complete()

    def commit(self, before: Mapping[str, str], after: Mapping[str, str], change: Change) -> Change:
        """Change the folder's files from `before` to `after`, as a new version, and return `change`
        as the log has it. If somebody has edited the files since the last version, their state
        becomes a version first.

        Files that are only in one of the two are left alone. After a crash all files are as they
        were, or `complete` completes the change.

        Raises:
            LoopError: the files are no longer what `before` says; nothing was changed.
            OSError: a file could not be written. The others got their old text back.
        """
        with self._exclusive():
            self._complete()
            now = read_texts(self.folder)
            if other := [file for file in before if now.get(file) != before[file]]:
                raise LoopError(f"Somebody changed {', '.join(other)} meanwhile; nothing was done.")
            numbers = self.numbers()
            if not numbers or self.read(numbers[-1]) != now:
                self._append(self._make(now, Change(change.ts, "kept", "As it was found.")))
            files = tuple(file for file in now if after.get(file, now[file]) != now[file])
            changed = {file: after[file] for file in files}
            made = self._make({**now, **changed}, replace(change, files=files))
            try:
                self._write(changed)
            except OSError:
                self._write({file: now[file] for file in files})
                path = self._path_of(made.version or 0)
                shutil.rmtree(path.replace(path.with_name(f".{path.name}")))
                raise
            self._append(made)
            return made

    def _complete(self) -> None:
        for unfinished in (self.folder / "versions").glob(".*"):
            shutil.rmtree(unfinished)
        numbers = self.numbers()
        if not numbers or numbers[-1] in {change.version for change in self.log()}:
            return
        what = self._path_of(numbers[-1]) / "change.json"
        change = record_from(read_object(what), Change)
        if change is None:
            raise LoopError(f"{what} does not say what changed; delete the folder {what.parent}.")
        old = self.read(numbers[-2]) if len(numbers) > 1 else {}
        new, now = self.read(numbers[-1]), read_texts(self.folder)
        # A text that is neither old nor new is a person's edit after the crash.
        self._write({file: new[file] for file in change.files if now.get(file) == old.get(file)})
        self._append(change)

    def _make(self, texts: Mapping[str, str], change: Change) -> Change:
        """Make a new version folder. A crash leaves it whole or not at all."""
        change = replace(change, version=max(self.numbers(), default=0) + 1)
        path = self._path_of(change.version or 0)
        beside = path.with_name(f".{path.name}")
        for file, text in {**texts, "change.json": record_of(asdict(change)) + "\n"}.items():
            replace_text(beside / file, text)
        beside.replace(path)
        return change

    def _write(self, texts: Mapping[str, str]) -> None:
        for file, text in texts.items():
            replace_text(self.folder / file, text)

    def _append(self, change: Change) -> None:
        append_json(self.log_file, asdict(change))

    def _path_of(self, number: int) -> Path:
        return self.folder / "versions" / f"{number:04}"

    def _exclusive(self) -> AbstractContextManager[None]:
        return locked(self.folder / ".evolution.lock")
