"""The semantic memory: what is known about one topic, in one Markdown file with a YAML head.

The idea to take away: a name that a model gives is never a path. It becomes a slug, and a slug has
no character that could lead out of the folder.
"""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from datetime import UTC, datetime
from pathlib import Path

from g2c.files import replace_text
from g2c.memory.base import MemoryStoreError, Topic, TopicDraft

MAX_TOPIC_BYTES = 25_000
MAX_SLUG_CHARS = 40
"""So short that a pointer in the index, which names the file twice, has room for a description."""

_BETWEEN_WORDS = re.compile(r"[\s_.,:;!?'\"`()/\\&\u2013\u2014\u2018\u2019\u201c\u201d-]*")
_FIELDS = ("name", "description", "type", "updated")
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)\d")
_HEAD = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def slugify(name: str) -> str:
    """The name of a topic's file, without `.md`: letters and digits of any alphabet, and `-`.

    It is the same for names that differ in case, spaces and punctuation only, and for a slug it is
    the slug. Where it does not tell the whole name (it is too long, it has other characters, or
    Windows keeps the name for itself), a digest of the name ends it, so that no two topics meet.

    >>> [slugify(name) for name in ("Auth module", "../../etc/passwd", "日本", "C++", "")]
    ['auth-module', 'etc-passwd', '日本', 'c-cedb1bac', 'topic-e3b0c442']
    """
    # Case-folding can take a character out of the normal form, so that is made again.
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
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
    """The topic files in `folder`. A topic can be named by its slug or by its name."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def path_of(self, name: str) -> Path:
        """The topic's file, which lies in the folder whatever `name` is."""
        return self.folder / f"{slugify(name)}.md"

    def write(self, draft: TopicDraft, now: datetime) -> Topic:
        """Write a topic, in place of the one with its slug, and return it as it can be read back.

        Its name, description and type become one line each; blank lines around the body go.

        Raises:
            MemoryStoreError: its file would be longer than `MAX_TOPIC_BYTES` (25,000 bytes), or
                `now` has no time zone.
        """
        if now.utcoffset() is None:
            raise MemoryStoreError(f"A topic's time needs a time zone, such as UTC; got {now}.")
        topic = Topic(
            slug=slugify(draft.name),
            name=_one_line(draft.name),
            description=_one_line(draft.description),
            type=_one_line(draft.type),
            updated=now.astimezone(UTC),
            body=_writable(draft.body).strip("\n"),
        )
        text = _render(topic)
        if (size := len(text.encode())) > MAX_TOPIC_BYTES:
            raise MemoryStoreError(
                f"The topic {topic.slug!r} would have {size:,} bytes; the limit is "
                f"{MAX_TOPIC_BYTES:,}. Shorten it, or make two of it."
            )
        replace_text(self.path_of(topic.slug), text)
        return topic

    def read(self, name: str) -> Topic:
        """The topic.

        A file without a head is all body. So is one whose head cannot be read, with a warning.

        Raises:
            MemoryStoreError: there is no such topic.
        """
        file = self.path_of(name)
        try:
            return _parse(file)
        except FileNotFoundError:
            known = ", ".join(topic.slug for topic in self.list())
            there = f"there are: {known}" if known else "there is none yet"
            raise MemoryStoreError(f"There is no topic {name!r}; {there}.") from None

    def delete(self, name: str) -> bool:
        """Delete the topic, and say whether there was one."""
        try:
            self.path_of(name).unlink()
        except FileNotFoundError:
            return False
        return True

    def search(self, query: str) -> tuple[Topic, ...]:
        """The topics that hold every word of `query`, in any case, newest first."""
        words = query.casefold().split()
        return tuple(
            topic
            for topic in sorted(self.list(), key=lambda topic: topic.updated, reverse=True)
            if all(word in _all_text(topic) for word in words)
        )

    def list(self) -> tuple[Topic, ...]:
        """All topics, by their slugs. A file whose name is no slug is left alone."""
        topics = []
        for file in sorted(self.folder.glob("*.md")):
            if slugify(file.stem) == unicodedata.normalize("NFKC", file.stem):
                try:
                    topics.append(_parse(file))
                except FileNotFoundError:  # deleted since it was listed
                    continue
        return tuple(topics)


def _one_line(text: str) -> str:
    return " ".join(_writable(text).split())


def _writable(text: str) -> str:
    """`text` as it is read back: its lines end in `\\n`, and lone surrogates, which UTF-8 cannot
    hold, are written out as `\\udc80`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "backslashreplace").decode()


def _all_text(topic: Topic) -> str:
    return "\n".join([topic.slug, topic.name, topic.description, topic.body]).casefold()


def _render(topic: Topic) -> str:
    import yaml

    fields = {field: getattr(topic, field) for field in _FIELDS}
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
    )


def _read_head(text: str) -> dict[str, str]:
    """The head's fields; none where it cannot be read, or where a field is no text."""
    import yaml

    try:
        fields = yaml.load(text, Loader=yaml.BaseLoader)  # which reads every value as text
    except (yaml.YAMLError, RecursionError):
        return {}
    if not isinstance(fields, dict):
        return {}
    known = {key: fields[key] for key in _FIELDS if key in fields}
    return known if all(isinstance(value, str) for value in known.values()) else {}


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
