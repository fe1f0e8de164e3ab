"""The semantic memory: what is known about one topic, in one Markdown file with a YAML head.

A name that a model gives is never used as a path. It becomes a slug, and no character of a slug can
lead out of the folder. A person may name and edit the files as they like: everything in a head
besides our keys stays as it is.
"""

from __future__ import annotations

import copy
import os
import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from g2c.files import files_in, locked, read_bytes, replace_bytes, stamp_of
from g2c.memory.core.heads import HeadError, change_head, find_head, read_head
from g2c.memory.core.types import TOPIC_TYPES, MemoryStoreError, Topic, TopicDraft
from g2c.text import as_utf8, search_fold

MAX_TOPIC_BYTES = 25_000
MAX_SOURCES = 40
"""A topic keeps at most this many sources, the newest, so that the head leaves room for the
body."""
MAX_SLUG_CHARS = 40
"""A pointer in the index names the file twice and still needs room for a description."""

_BETWEEN_WORDS = re.compile(r"[\s_.,:;!?'\"`()/\\&\u2013\u2014\u2018\u2019\u201c\u201d-]*")
_NOTES = (".md", ".markdown", ".txt")
_TEXTS = ("name", "description", "type", "updated")
_POINTER = re.compile(r"(?:topics/)?(.{1,200}?)\.md(?::\d{1,9})?")
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)\d")


def slugify(name: str) -> str:
    """The name of a topic's file, without `.md`: letters and digits of any alphabet, and `-`.

    Names that differ only in case, spaces or punctuation have the same slug. The slug of a slug is
    the slug. A name that is too long, has other characters or is reserved by Windows gets a slug
    that ends with a digest of the name, so that no two topics share a file.

    >>> [slugify(name) for name in ("Auth module", "../../etc/passwd", "日本", "C++", "")]
    ['auth-module', 'etc-passwd', '日本', 'c-cedb1bac', 'topic-e3b0c442']
    """
    # Case-folding can break the normal form, so it is normalized again.
    text = unicodedata.normalize("NFKC", search_fold(name))
    words = "".join(char if _is_letter(char) else " " for char in text).split()
    slug = "-".join(words)
    others = "".join(char for char in text if not _is_letter(char))
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


def _is_letter(char: str) -> bool:
    """Whether it is a visible letter or digit: Unicode counts the invisible Hangul filler as a
    letter."""
    return char.isalnum() and char not in "\u115f\u1160"


class Topics:
    """The topic files in `folder`. Every method takes a topic's slug or its name."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._is_held = False
        self._known: dict[Path, tuple[str, Topic]] = {}

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

    def files(self) -> dict[str, Path]:
        """The file of each topic, by its slug. A person may have called it `My Notes.md`.

        If several files have one slug, the file named exactly so counts, else the first. Files
        whose names begin with a dot belong to other programs.
        """
        found: dict[str, Path] = {}
        for file in files_in(self.folder, "[!.]*.md"):
            slug = slugify(file.stem)
            if slug not in found or file.stem == slug:
                found[slug] = file
        return dict(sorted(found.items()))

    def path_of(self, name: str) -> Path:
        """The topic's file. It is always in the folder, whatever `name` is."""
        slug = slugify(name)
        return self.files().get(slug, self.folder / f"{slug}.md")

    def find(self, name: str) -> Path:
        """The file of the topic with that name or slug, of one to which the index or a search
        points (`topics/house.md:9`), or of one whose head has that name."""
        file = self.path_of(name)
        if not file.exists() and (found := _POINTER.fullmatch(name.strip())):
            file = self.path_of(found[1])
        if not file.exists():
            titles = {slugify(topic.name): topic.slug for topic in self.list()}
            file = self.path_of(titles.get(slugify(name), name))
        return file

    def write(self, draft: TopicDraft, now: datetime) -> Topic:
        """Write a topic, or replace the one with its slug; return it as `read` does.

        Name, description and sources become one line each. The last `MAX_SOURCES` different sources
        are kept. Blank lines around the body are removed.

        A person's text in the head stays: other keys, comments, and a name that is not the
        file's. If the head cannot be read, all text stays, and new lines of the body are added
        below it.

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
        with self._writing():
            file = self.path_of(topic.slug)
            if file.exists() and not file.is_file():
                raise MemoryStoreError(f"{file} is not a file; move it away or rename it.")
            data = _renewed(file, topic).encode("utf-8", "surrogateescape")
            if len(data) > MAX_TOPIC_BYTES:
                raise MemoryStoreError(
                    f"The topic {topic.slug!r} would have {len(data):,} bytes; the limit is "
                    f"{MAX_TOPIC_BYTES:,}. Shorten it, or split it into two."
                )
            replace_bytes(file, data)
            return read_topic(file)

    def read(self, name: str) -> Topic:
        """The topic that `find` finds. If its file has no head, or one that cannot be read, all of
        it is body; an unreadable head also gives a warning.

        Raises:
            MemoryStoreError: there is no such topic.
        """
        file = self.find(name)
        try:
            return read_topic(file)
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
        words = search_fold(query).split()
        return tuple(
            topic
            for topic in sorted(self.list(), key=lambda topic: topic.updated, reverse=True)
            if all(word in _all_text(topic) for word in words)
        )

    def list(self) -> tuple[Topic, ...]:
        """All topics, sorted by slug."""
        topics = []
        for file in self.files().values():
            with suppress(OSError):  # deleted since it was listed, or `faults` tells of it
                topics.append(self._read_if_changed(file))
        return tuple(topics)

    def _read_if_changed(self, file: Path) -> Topic:
        """The topic, read again only if its file has changed: all topics are looked at for each
        prompt."""
        stamp = stamp_of(file.stat())
        known = self._known.get(file)
        if known is None or known[0] != stamp:
            known = self._known[file] = (stamp, read_topic(file))
        return known[1]

    def is_edited(self, name: str) -> bool:
        """Whether the topic's head has anything that this program did not write."""
        try:
            file = self.path_of(name)
            head, _, _ = _split(_text_in(file))
            return change_head("", _fields_of(read_topic(file))) != head
        except HeadError:
            return True
        except FileNotFoundError:
            return False

    def faults(self) -> tuple[str, ...]:
        """A sentence for each file that is not read as a topic, is too long to be written, or whose
        head cannot be read, with what to do about it."""
        files, folder = self.files(), self.folder.name
        said = [
            f"{folder}/{file.relative_to(self.folder).as_posix()} is not read; a topic is a file "
            f"in {folder}/ whose name ends in .md."
            for file in files_in(self.folder, "**/*")
            if file.suffix.lower() in _NOTES
            and not (file.parent == self.folder and file.suffix == ".md")
            and not any(part.startswith(".") for part in file.relative_to(self.folder).parts)
        ]
        for file in files_in(self.folder, "[!.]*.md"):
            if (other := files.get(slugify(file.stem), file)) != file:
                said.append(
                    f"{folder}/{file.name} is not read, because {other.name} is the same topic; "
                    "give one of them another name."
                )
            try:
                text = _text_in(file)
                if (size := file.stat().st_size) > MAX_TOPIC_BYTES:
                    said.append(
                        f"{folder}/{file.name} has {size:,} bytes, and nothing is added above "
                        f"{MAX_TOPIC_BYTES:,}. Shorten it, or split it into two."
                    )
                _split(text)
            except HeadError as error:
                said.append(
                    f"The head of {folder}/{file.name} cannot be read ({error}). It is kept as "
                    "text; mend it, or take its lines of --- out."
                )
            except FileNotFoundError:  # deleted since it was listed
                continue
            except OSError as error:
                said.append(
                    f"{folder}/{file.name} cannot be read ({error.strerror}), and is left out."
                )
        return tuple(said)


def _one_line(text: str) -> str:
    return " ".join(_writable(text).split())


def _writable(text: str) -> str:
    """`text` as it can be read back: lines end in `\\n`, and lone surrogates, which UTF-8 cannot
    hold, are spelled out as `\\udc80`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "backslashreplace").decode()


def _all_text(topic: Topic) -> str:
    return search_fold("\n".join([topic.slug, topic.name, topic.description, topic.body]))


def draft_of(topic: Topic) -> TopicDraft:
    """The draft that would leave the topic as it is, in its own file. A type of an older program's
    becomes `note`."""
    name = topic.name if slugify(topic.name) == topic.slug else topic.slug
    kind = topic.type if topic.type in TOPIC_TYPES else "note"
    return TopicDraft(name, topic.description, kind, topic.body, topic.sources)


def read_topic(file: Path) -> Topic:
    """The topic in `file`; as `Topics.read` does.

    Raises:
        FileNotFoundError: there is no such file.
    """
    text = _text_in(file)
    try:
        _, fields, rest = _split(text)
    except HeadError:
        warnings.warn(f"The head of {file} cannot be read; it is kept as text.", stacklevel=3)
        fields, rest = {}, text
    return Topic(
        slug=slugify(file.stem),
        name=fields.get("name", file.stem),
        description=fields.get("description", ""),
        type=fields.get("type", ""),
        updated=_time(fields.get("updated", ""))
        or datetime.fromtimestamp(file.stat().st_mtime, UTC),
        body=_as_body(rest),
        sources=tuple(fields.get("sources", ())),
    )


def _text_in(file: Path) -> str:
    """The unchanged text, with its line ends, byte order mark, and bytes that are not UTF-8."""
    return as_utf8(read_bytes(file)).decode("utf-8", "surrogateescape")


def shown_text(file: Path) -> str:
    """The text of a topic's file as an editor shows it, with `\\n` at the end of lines."""
    return _plain(_text_in(file))


def _as_body(text: str) -> str:
    return _plain(text).strip("\n")


def _plain(text: str) -> str:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _split(text: str) -> tuple[str, dict[str, Any], str]:
    """The head's lines, our fields in it, and the text below it.

    Raises:
        HeadError: the head cannot be read, or a field has the wrong type.
    """
    found = find_head(text)
    if found is None:
        return "", {}, text
    fields = read_head(found[1])
    known = {key: fields[key] for key in (*_TEXTS, "sources") if key in fields}
    sources = known.get("sources", [])
    if not (isinstance(sources, list) and all(isinstance(source, str) for source in sources)):
        raise HeadError("its sources are not a list of texts")
    for key in _TEXTS:
        if not isinstance(known.get(key, ""), str):
            raise HeadError(f"its {key} is not text")
    return found[1], known, text[found.end() :]


def _fields_of(topic: Topic) -> dict[str, Any]:
    fields = {field: getattr(topic, field) for field in _TEXTS}
    return {**fields, "sources": list(topic.sources)} if topic.sources else fields


def _renewed(file: Path, topic: Topic) -> str:
    """The new text of `file`: it holds `topic` and loses nothing that a person wrote."""
    try:
        text = _text_in(file)
    except FileNotFoundError:
        text = ""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = topic.body.replace("\n", newline)
    try:
        head, old, _ = _split(text)
    except HeadError:
        return _added_below(text, topic.body, newline)
    fields = _fields_of(topic)
    if old.get("sources"):
        fields.setdefault("sources", [])
    if slugify(old.get("name") or topic.slug) != topic.slug:
        del fields["name"]  # a person's title
    try:
        head = change_head(head, fields, newline)
    except HeadError as error:
        raise MemoryStoreError(f"The head of {file} cannot be changed: {error}.") from error
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return f"{mark}---{newline}{head}---{newline}{newline}{body}{newline}"


def _added_below(text: str, body: str, newline: str) -> str:
    """`text`, and below it the lines of `body` that it lacks."""
    there = {*_as_body(text).split("\n")} - {""}
    lines = "\n".join(line for line in body.split("\n") if line not in there).strip("\n")
    new = re.sub(r"\n{3,}", "\n\n", lines).replace("\n", newline)
    return f"{text.rstrip()}{newline}{newline}{new}{newline}" if new else text


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
