"""The small model's weights in a form that llama.cpp reads prompts with fast, made once a machine.

llama.cpp multiplies a batch of tokens by 8-bit weights (Q8_0) in a way that it does not have for
the 4-bit ones (Q4_1) in which the weights come. So they are written once more. An adapter is added
to the numbers before they are rounded, and then costs no time. What lies in the folder can be
deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2c.files import locked

if TYPE_CHECKING:  # they take half a second to load, and are needed once a machine
    import gguf

FORMAT = 1
"""Raise it when the same weights and adapter are to give another file."""
MOST = 4
"""So many files stay, of 145 MB each: the plain model, the course's adapter, and two more."""
LEFT_OVER_S = 3600
"""A temporary file that nobody wrote to for so long is of a process that was killed."""


def prepare(weights: Path, sha256: str, adapter: Path | None, folder: Path) -> Path:
    """The file in `folder` of `weights` with `adapter` in them; made now if it is not there.

    `sha256` is that of `weights`. Any number of processes may ask at once, and may be killed. A
    file that is not as it was written is made anew.

    Raises:
        OSError: nothing can be written there.
        ValueError: `adapter` does not fit `weights`.
    """
    parts = f"{FORMAT} {sha256} {hash_of(adapter) if adapter else 'plain'}"
    name = hashlib.sha256(parts.encode()).hexdigest()[:24]
    file, record = folder / f"{name}.gguf", folder / f"{name}.json"
    if not _is_whole(file, record):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "lock"):  # whoever waited finds what the other made
            if not _is_whole(file, record):
                with _told(), _replacing(file) as scratch:
                    _write(weights, adapter, scratch)
                    made = hash_of(scratch)
                _remember(file, record, made)
                _clean(folder, record)
    with suppress(OSError):
        os.utime(record)  # the ones that were used last stay longest
    return file


def hash_of(path: Path) -> str:
    """The SHA-256 of the file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_whole(file: Path, record: Path) -> bool:
    """Is `file` as `record` says? It is read only if its size or time of change is another."""
    try:
        known = json.loads(record.read_text("utf-8"))
        stat = file.stat()
        if [stat.st_size, stat.st_mtime_ns] == known["seen"]:
            return True
        if hash_of(file) != known["sha256"]:
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    with suppress(OSError):
        _remember(file, record, known["sha256"])
    return True


def _remember(file: Path, record: Path, sha256: str) -> None:
    stat = file.stat()
    with _replacing(record) as scratch:
        scratch.write_text(
            json.dumps({"sha256": sha256, "seen": [stat.st_size, stat.st_mtime_ns]}), "utf-8"
        )


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Lend a file to write; it takes the place of `path` once it is whole, or is gone."""
    scratch = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield scratch
        with scratch.open("rb+") as file:
            os.fsync(file.fileno())
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def _told() -> Iterator[None]:
    """Say on a terminal what takes so long."""
    if not sys.stderr.isatty():
        yield
        return
    print("Preparing the model's weights, once for this machine ...", end="", file=sys.stderr)
    sys.stderr.flush()
    try:
        yield
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _clean(folder: Path, newest: Path) -> None:
    """Remove the files that were not used for longest, and what was left unfinished."""
    with suppress(OSError):  # another process may clean, too
        records = sorted(folder.glob("*.json"), key=lambda record: record.stat().st_mtime)
        records.remove(newest)
        for record in records[: max(0, len(records) + 1 - MOST)]:
            record.unlink()
            record.with_suffix(".gguf").unlink(missing_ok=True)
        for part in folder.glob("*.part"):
            if time.time() - part.stat().st_mtime > LEFT_OVER_S:
                part.unlink()


def _write(weights: Path, adapter: Path | None, out: Path) -> None:
    import gguf

    form = gguf.GGMLQuantizationType.Q8_0
    reader = gguf.GGUFReader(weights)
    changes = _Changes(adapter) if adapter else None
    writer = gguf.GGUFWriter(out, "llama")
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != gguf.Keys.General.ARCHITECTURE:
            inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        numbers, kind = tensor.data, tensor.tensor_type
        if kind == gguf.GGMLQuantizationType.Q4_1:
            numbers, kind = gguf.dequantize(numbers, kind), form
            if changes:
                numbers += changes.take(tensor.name)
            numbers = gguf.quantize(numbers, form)
        writer.add_tensor(tensor.name, numbers, raw_dtype=kind)
    if changes:
        changes.check_taken()
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class _Changes:
    """What a LoRA adds to each matrix: B times A, times alpha over their rank."""

    def __init__(self, adapter: Path) -> None:
        import gguf

        reader = gguf.GGUFReader(adapter)
        alpha = reader.fields.get(gguf.Keys.Adapter.LORA_ALPHA)
        if alpha is None:
            raise ValueError(f"{adapter} is no LoRA: it has no {gguf.Keys.Adapter.LORA_ALPHA}")
        self._alpha = float(alpha.contents())
        self._left: dict[str, gguf.ReaderTensor] = {one.name: one for one in reader.tensors}

    def take(self, name: str) -> Any:
        """The change of the matrix `name`; 0 if it has none."""
        import gguf

        if f"{name}.lora_a" not in self._left:
            return 0.0
        halves = [self._left.pop(f"{name}.lora_{half}") for half in "ab"]
        a, b = (gguf.dequantize(half.data, half.tensor_type) for half in halves)
        return (b @ a) * (self._alpha / len(a))

    def check_taken(self) -> None:
        if self._left:
            raise ValueError(f"The adapter changes what the model does not have: {min(self._left)}")
