"""Taking words out of a memory: of its transcripts, its topics, its index, and its state.

A line that goes would move all below it, and the sources of topics name lines. So each file keeps
its lines, and the words give way to a mark.
"""

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from g2c.files import files_in, read_bytes, replace_bytes
from g2c.foreign_json import load_json
from g2c.memory.app.store import MemoryStore
from g2c.memory.core.heads import find_head, read_head
from g2c.memory.core.topics import slugify
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import MemoryStoreError

FORGOTTEN = "(forgotten)"
"""It can stand in JSON, in a head and in a pointer as it is."""


def places_of(text: str, folders: Iterable[Path]) -> dict[Path, int]:
    """The files in `folders` that hold `text`, as a person or as JSON writes it, and how often.

    Raises:
        MemoryStoreError: `text` is blank.
    """
    if not text.strip():
        raise MemoryStoreError("Name the words to forget.")
    roots = [
        each for folder in folders for each in (folder, *filter(Path.is_symlink, folder.glob("*")))
    ]
    files = {file for root in roots for file in files_in(root, "**/*")}
    read = sorted(file for file in files if file.parent.name != ".recall-cache")
    counts = {file: _without(text, read_bytes(file))[1] for file in read}
    return {file: count for file, count in counts.items() if count}


def forget(store: MemoryStore, text: str) -> None:
    """Put `FORGOTTEN` in place of `text` in all files of `store`, and delete recall's cache. The
    turns and topics stay, with their places.

    Raises:
        MemoryStoreError: a dream goes on, a topic's file has it in its name, or a file could not be
            read afterwards, as without `role`; none has changed.
    """
    if store.is_dreaming():
        raise MemoryStoreError("A dream goes on, and could write it again; wait for its end.")
    if named := [file.name for slug, file in store.topics.files().items() if slugify(text) in slug]:
        raise MemoryStoreError(f"Rename topics/{named[0]} first, or delete it: its name says it.")
    with store.transcripts.exclusive(), store.topics.exclusive(), store.index.exclusive():
        for file in store.root.glob(".recall-cache/*.sqlite*"):
            file.unlink(missing_ok=True)
        old = {file: read_bytes(file) for file in places_of(text, [store.root])}
        new = {file: _without(text, data)[0] for file, data in old.items()}
        for file, data in new.items():
            if _form_of(file, data) != _form_of(file, old[file]):
                raise MemoryStoreError(
                    f"{text!r} is a part of what every file like {file.name} has; name more of "
                    "what to forget."
                )
        for file, data in new.items():
            replace_bytes(file, data)


def _without(text: str, data: bytes) -> tuple[bytes, int]:
    forms = (text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text))
    found = 0
    for form in dict.fromkeys(forms):
        for written in (form, json.dumps(form, ensure_ascii=False)[1:-1], json.dumps(form)[1:-1]):
            found += data.count(as_bytes := written.encode("utf-8", "surrogateescape"))
            data = data.replace(as_bytes, FORGOTTEN.encode())
    return data, found


def _form_of(file: Path, data: bytes) -> object:
    """All that a reader of `file` needs besides its words."""
    try:
        if file.suffix == ".jsonl":
            turns = map(turn_of, data.split(b"\n"))
            return [turn and (turn.ts, turn.role, turn.agent_id) for turn in turns]
        if file.suffix == ".json":
            return set(load_json(data))
        head = find_head(data.decode("utf-8", "surrogateescape"))
        return set(read_head(head[1])) if head else None
    except (ValueError, TypeError) as error:
        return str(error)
