"""A file to which several processes add records, a JSON object a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from g2c.files import locked
from g2c.json_files import append_json, objects_in

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")


class RecordFile(Generic[Record]):
    """The records in `file`, of a dataclass that raises ValueError for invalid fields."""

    def __init__(self, kind: Callable[..., Record], file: Path) -> None:
        self._kind, self._file = kind, file

    def __iter__(self) -> Iterator[Record]:
        """All records, oldest first. A torn line is skipped.

        Raises:
            OSError: the file cannot be read.
        """
        for line in objects_in(self._file):
            with suppress(ValueError, TypeError):
                yield self._kind(**line)

    def add(self, record: Record) -> None:
        """Add a record; it is on the disk when this returns.

        Raises:
            OSError: it cannot be written.
        """
        with locked(self._file.with_suffix(".lock")):
            append_json(self._file, asdict(record))
