"""The Markdown files of a folder, changed together, and every state that they were in.

A change touches several files, and a crash can come between any two. The idea to take away: write
down what is to be, whole and elsewhere; make it so; note that it is done. What was written down and
not noted can be completed by whoever comes next.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from g2c.files import append_line, replace_text
from g2c.loop.base import LoopError
from g2c.memory.locking import locked

ChangeKind = Literal["kept", "evolved", "unchanged", "refused", "reverted"]


@dataclass(frozen=True)
class Change:
    """One line of the log: when, what kind, which version came of it, and why.

    `kept` is a state that a person made, `unchanged` and `refused` made no version (`version` is
    None). `files` are those that were changed; `broken` is what a refused change would have broken.
    """

    ts: datetime
    kind: ChangeKind
    why: str
    version: int | None = None
    files: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def read_texts(folder: Path) -> dict[str, str]:
    """The text of each Markdown file in `folder`, by its name, to the byte.

    Raises:
        LoopError: a file is not UTF-8.
    """
    texts = {}
    for file in sorted(folder.glob("[!.]*.md")):
        try:
            texts[file.name] = file.read_bytes().decode()
        except UnicodeDecodeError as error:
            raise LoopError(f"{file} is not UTF-8 text ({error}); save it as that.") from error
    return texts


class Versions:
    """The versions of `folder`, each a whole copy in `versions/0001/` and on, and the log of them,
    `evolution.jsonl`, which only ever grows. Several processes may change the folder at once."""

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
            LoopError: there is none of that number.
        """
        if number not in self.numbers():
            known = ", ".join(map(str, self.numbers())) or "none"
            raise LoopError(f"There is no version {number} of {self.folder}; there are: {known}.")
        return read_texts(self._path_of(number))

    def log(self) -> tuple[Change, ...]:
        """What was done and what was refused, oldest first. A torn line is passed over."""
        lines = self.log_file.read_bytes().splitlines() if self.log_file.exists() else []
        return tuple(change for line in lines if (change := _change_from(line)))

    def note(self, change: Change) -> None:
        """Add a line about something that made no version."""
        with self._exclusive():
            self._append(change)

    def complete(self) -> None:
        """Complete the change that a crash interrupted, if one did."""
        with self._exclusive():
            self._complete()

    def commit(self, before: Mapping[str, str], after: Mapping[str, str], change: Change) -> Change:
        """Change the folder's files from the texts `before` to those of `after`, as a new version,
        and return `change` as it was logged. Where the last version is not what `before` is, that
        becomes a version first: somebody has edited the files.

        Files that are in only one of the two are left alone. A crash leaves all files as they were
        or a change that `complete` completes.

        Raises:
            LoopError: the files are no longer what `before` says; nothing was changed.
            OSError: a file could not be written; the files are as they were, as far as can be.
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
        change = _change_from(what.read_bytes()) if what.exists() else None
        if change is None:
            raise LoopError(f"{what} says not what was changed; delete the folder {what.parent}.")
        old = self.read(numbers[-2]) if len(numbers) > 1 else {}
        new, now = self.read(numbers[-1]), read_texts(self.folder)
        # What is neither old nor new is a person's, who came after the crash.
        self._write({file: new[file] for file in change.files if now.get(file) == old.get(file)})
        self._append(change)

    def _make(self, texts: Mapping[str, str], change: Change) -> Change:
        """A new version folder, which is there whole or not at all."""
        change = replace(change, version=max(self.numbers(), default=0) + 1)
        path = self._path_of(change.version or 0)
        beside = path.with_name(f".{path.name}")
        for file, text in {**texts, "change.json": _line_of(change) + "\n"}.items():
            replace_text(beside / file, text)
        beside.replace(path)
        return change

    def _write(self, texts: Mapping[str, str]) -> None:
        for file, text in texts.items():
            replace_text(self.folder / file, text)

    def _append(self, change: Change) -> None:
        append_line(self.log_file, _line_of(change))

    def _path_of(self, number: int) -> Path:
        return self.folder / "versions" / f"{number:04}"

    def _exclusive(self) -> AbstractContextManager[None]:
        return locked(self.folder / ".evolution.lock")


def _line_of(change: Change) -> str:
    fields = {**asdict(change), "ts": change.ts.isoformat()}
    return json.dumps(fields, ensure_ascii=False)


def _change_from(line: bytes) -> Change | None:
    try:
        fields = json.loads(line)
        fields["ts"] = datetime.fromisoformat(fields["ts"])
        fields["files"], fields["broken"] = tuple(fields["files"]), tuple(fields["broken"])
        return Change(**fields)
    except (ValueError, TypeError, KeyError):
        return None
