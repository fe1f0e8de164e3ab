"""The semantic memory: what is known about one topic, in one Markdown file with a YAML head.

A name that a model gives is never used as a path. It becomes a slug, and no character of a slug can
lead out of the folder.
"""

from __future__ import annotations

import copy
import os
import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from g2c.files import files_in, locked, replace_text
from g2c.memory.provided.types import TOPIC_TYPES, MemoryStoreError, Topic, TopicDraft
from g2c.text import fold

MAX_TOPIC_BYTES = 25_000
MAX_SOURCES = 40
"""A topic that has more keeps the newest, so that the head leaves room for the body."""
MAX_SLUG_CHARS = 40
"""A pointer in the index names the file twice and still needs room for a description."""

_BETWEEN_WORDS = re.compile(r"[\s_.,:;!?'\"`()/\\&\u2013\u2014\u2018\u2019\u201c\u201d-]*")
_TEXTS = ("name", "description", "type", "updated")
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)\d")
_HEAD = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def slugify(name: str) -> str:
    """The name of a topic's file, without `.md`: letters and digits of any alphabet, and `-`.

    Names that differ only in case, spaces or punctuation have the same slug. The slug of a slug is
    the slug. A name that is too long, has other characters or is reserved by Windows gets a slug
    that ends with a digest of the name, so that no two topics share a file.

    >>> [slugify(name) for name in ("Auth module", "../../etc/passwd", "日本", "C++", "")]
    ['auth-module', 'etc-passwd', '日本', 'c-cedb1bac', 'topic-e3b0c442']
    """
    # Case-folding can break the normal form, so it is normalized again.
    text = unicodedata.normalize("NFKC", fold(name))
    words = "".join(char if char.isalnum() else " " for char in text).split()
    slug = "-".join(words)
    others = "".join(char for char in text if not char.isalnum())
    if (
        0 < len(slug) <= MAX_SLUG_CHARS
        and _BETWEEN_WORDS.fullmatch(others)
        and not _RESERVED.fullmatch(slug)
    ):
        return slug
    import hashlib

    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    start = slug[: MAX_SLUG_CHARS - len(digest) - 1].strip("-") or "topic"
    return f"{start}-{digest}"


class Topics:
    """The topic files in `folder`. Every method takes a topic's slug or its name."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._is_held = False

    @contextmanager
    def exclusive(self) -> Iterator[Topics]:
        """Inside the `with` no other thread or process writes or deletes a topic. Use the `Topics`
        that it yields."""
        with self._writing():
            held = copy.copy(self)
            held._is_held = True
            yield held

    def _writing(self) -> AbstractContextManager[None]:
        return (
            nullcontext()
            if self._is_held
            else locked(self.folder.with_name(f"{self.folder.name}-lock"))
        )

    def path_of(self, name: str) -> Path:
        """The topic's file. It is always in the folder, whatever `name` is."""
        return self.folder / f"{slugify(name)}.md"

    def write(self, draft: TopicDraft, now: datetime) -> Topic:
        """Write a topic, or replace the one with its slug; return it as `read` would.

        Name, description and sources become one line each. Of the different sources the last
        `MAX_SOURCES` are kept. Blank lines around the body are removed.

        Raises:
            MemoryStoreError: its type is none of `TOPIC_TYPES`, its file would be longer than
                `MAX_TOPIC_BYTES` (25,000 bytes), or `now` has no time zone.
        """
        if draft.type not in TOPIC_TYPES:
            raise MemoryStoreError(
                f"A topic's type is one of {', '.join(TOPIC_TYPES)}; got {draft.type!r:.80}."
            )
        if now.utcoffset() is None:
            raise MemoryStoreError(f"A topic's time needs a time zone, such as UTC; got {now}.")
        topic = Topic(
            slug=slugify(draft.name),
            name=_one_line(draft.name),
            description=_one_line(draft.description),
            type=draft.type,
            updated=now.astimezone(UTC),
            body=_writable(draft.body).strip("\n"),
            sources=tuple(dict.fromkeys(map(_one_line, draft.sources)))[-MAX_SOURCES:],
        )
        text = _render(topic)
        if (size := len(text.encode())) > MAX_TOPIC_BYTES:
            raise MemoryStoreError(
                f"The topic {topic.slug!r} would have {size:,} bytes; the limit is "
                f"{MAX_TOPIC_BYTES:,}. Shorten it, or split it into two."
            )
        file = self.path_of(topic.slug)
        if file.exists() and not file.is_file():
            raise MemoryStoreError(f"{file} is no file; move it away, or give it another name.")
        with self._writing():
            replace_text(file, text)
        return topic

    def read(self, name: str) -> Topic:
        """The topic. If its file has no head, or one that cannot be read, all of it is body; an
        unreadable head also gives a warning.

        Raises:
            MemoryStoreError: there is no such topic.
        """
        file = self.path_of(name)
        try:
            return _parse(file)
        except (FileNotFoundError, IsADirectoryError):
            known = ", ".join(topic.slug for topic in self.list())
            there = f"there are: {known}" if known else "there is none yet"
            raise MemoryStoreError(f"There is no topic {name!r}; {there}.") from None

    def delete(self, name: str) -> bool:
        """Delete the topic; return whether there was one."""
        try:
            with self._writing():
                self.path_of(name).unlink()
        except FileNotFoundError:
            return False
        return True

    def search(self, query: str) -> tuple[Topic, ...]:
        """The topics that contain every word of `query`, in any case, newest first."""
        words = query.casefold().split()
        return tuple(
            topic
            for topic in sorted(self.list(), key=lambda topic: topic.updated, reverse=True)
            if all(word in _all_text(topic) for word in words)
        )

    def list(self) -> tuple[Topic, ...]:
        """All topics, sorted by slug. Files whose name is no slug are ignored."""
        topics = []
        for file in files_in(self.folder, "*.md"):
            if slugify(file.stem) == unicodedata.normalize("NFKC", file.stem):
                try:
                    topics.append(_parse(file))
                except FileNotFoundError:  # deleted since it was listed
                    continue
        return tuple(topics)


def _one_line(text: str) -> str:
    return " ".join(_writable(text).split())


def _writable(text: str) -> str:
    """`text` as it can be read back: lines end in `\\n`, and lone surrogates, which UTF-8 cannot
    hold, are spelled out as `\\udc80`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "backslashreplace").decode()


def _all_text(topic: Topic) -> str:
    return "\n".join([topic.slug, topic.name, topic.description, topic.body]).casefold()


def _render(topic: Topic) -> str:
    import yaml

    fields = {field: getattr(topic, field) for field in _TEXTS}
    if topic.sources:
        fields["sources"] = list(topic.sources)
    head = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=float("inf"))
    return f"---\n{head}---\n\n{topic.body}\n"


def _parse(file: Path) -> Topic:
    text = file.read_text(encoding="utf-8-sig", errors="backslashreplace")
    found = _HEAD.match(text)
    head = _read_head(found[1]) if found else {}
    if text.startswith("---") and not head:
        warnings.warn(f"The head of {file} cannot be read; it is kept as text.", stacklevel=3)
    return Topic(
        slug=slugify(file.stem),
        name=head.get("name", file.stem),
        description=head.get("description", ""),
        type=head.get("type", ""),
        updated=_time(head.get("updated", "")) or datetime.fromtimestamp(file.stat().st_mtime, UTC),
        body=(text[found.end() :] if found and head else text).strip("\n"),
        sources=tuple(head.get("sources", ())),
    )


def _read_head(text: str) -> dict[str, Any]:
    """The head's fields; none if it cannot be read, or if a field is of the wrong kind."""
    import yaml

    try:
        fields = yaml.load(text, Loader=yaml.BaseLoader)  # reads every value as text
    except (yaml.YAMLError, RecursionError):
        return {}
    if not isinstance(fields, dict):
        return {}
    known = {key: fields[key] for key in (*_TEXTS, "sources") if key in fields}
    sources = known.get("sources", [])
    texts = [known[key] for key in _TEXTS if key in known]
    is_sound = isinstance(sources, list) and all(isinstance(x, str) for x in (*texts, *sources))
    return known if is_sound else {}


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
