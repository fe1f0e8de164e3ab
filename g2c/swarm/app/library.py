"""The files that a swarm may read: those below one folder that hold text."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from g2c.swarm.app.reader import tokens_in
from g2c.swarm.core.reading import CONTEXT, File
from g2c.tools import ToolError, make_read_file

MAX_FILES = 2_000
MAX_BYTES = 24_000
"""A longer file does not fit into a context, and is left out."""


class Library:
    """The files below `folder`, without an agent's own files, such as the swarm's `own` folder.

    `files` are those that can be read, and `digests` the hashes of their texts by name; `left_out`
    has a sentence for each of the others. If a model
    reads only `reads_well` tokens well, less than a whole context, each file's size is scaled up,
    so that each worker gets fewer files.

    Raises:
        ToolError: `folder` is not a folder.
    """

    def __init__(self, folder: Path, *own: Path, reads_well: int = CONTEXT) -> None:
        self._weight = CONTEXT / reads_well
        self._read = make_read_file(folder, max_bytes=MAX_BYTES + 1, own=own)
        self.left_out: list[str] = []
        self.digests: dict[str, str] = {}
        self.files = tuple(self._files(folder))

    def read_file(self, name: str) -> str:
        """The text of that file.

        Raises:
            ToolError: it cannot be read, or is not below the folder.
        """
        return str(self._read.func(path=name))

    def _files(self, folder: Path) -> Iterator[File]:
        first: dict[str, str] = {}
        seen = sorted(self._walk(folder))
        if len(seen) > MAX_FILES:
            more = len(seen) - MAX_FILES
            self.left_out.append(f"{more:,} files are left out: it reads {MAX_FILES:,} at most.")
        for path in seen[:MAX_FILES]:
            name = path.relative_to(folder).as_posix()
            try:
                text = self.read_file(name)
            except ToolError as error:
                self.left_out.append(f"{name} is left out: {error}")
                continue
            if len(text.encode("utf-8", "replace")) > MAX_BYTES:
                self.left_out.append(f"{name} is left out: it has more than {MAX_BYTES:,} bytes.")
                continue
            same = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            self.digests[name] = same
            tokens = round(tokens_in(text) * self._weight)
            yield File(name, tokens, first.get(same, ""))
            first.setdefault(same, name)

    def _walk(self, folder: Path) -> Iterator[Path]:
        """The paths below the folder, without hidden ones. A folder that cannot be read goes to
        `left_out`."""
        for base, folders, names in os.walk(folder, onerror=self._leave_out):
            folders[:] = [name for name in folders if name[0] != "."]
            yield from (Path(base, name) for name in names if name[0] != ".")

    def _leave_out(self, error: OSError) -> None:
        self.left_out.append(f"{error.filename} is left out: {error.strerror}.")
