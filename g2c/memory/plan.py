"""Reading what a model wants to change in a memory, and refusing all of it if any of it is wrong.

The idea to take away: a model that may write files writes them through a door of a known shape. A
JSON schema says what fits through; what no schema can say, such as that a topic must exist to be
deleted, is checked behind it. A plan is taken whole or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from g2c.inference.json_forms import closed_object, find_fault, read_object
from g2c.memory.base import DreamPlan, MemoryStoreError, TopicDraft
from g2c.memory.topics import slugify

MAX_CHANGES = 10
"""Topics that one dream may write, and as many that it may delete."""

MAX_BODY_BYTES = 20 * 1024
"""Of a topic's 25,000 bytes; the rest is more than its head can take, so no write is refused."""

_OFF_LIMITS = {"", ".", "..", "memory.md", "transcripts", "topics", "dream_state.json"}


def plan_schema(
    known_slugs: Iterable[str], *, max_changes: int = MAX_CHANGES, body_chars: int = MAX_BODY_BYTES
) -> dict[str, Any]:
    """The JSON schema of a plan for a store whose topics `known_slugs` may be deleted.

    A model that is held to it may be asked for less than `parse_plan` accepts: at most
    `max_changes` upserts, with bodies of at most `body_chars` characters.
    """
    schema = _plan_of(max_changes, body_chars)
    if known := sorted(known_slugs):
        schema["properties"]["deletes"]["items"] = {"enum": known}
    else:
        schema["properties"]["deletes"]["maxItems"] = 0
    return schema


def parse_plan(
    text: str, known_slugs: Collection[str], closed_slugs: Collection[str] = ()
) -> DreamPlan:
    """Read a plan that a model wrote: a JSON object, bare or in a code fence.

    Topics in `known_slugs` may be replaced and deleted, those in `closed_slugs` exist and may not
    be touched, any other may be made.

    Raises:
        MemoryStoreError: the text is no plan, or the plan is too large, names what it may not
            touch, or contradicts itself; the message says which.

    >>> plan = parse_plan('{"upserts": [], "deletes": ["old"], "summary": "Tidied."}', {"old"})
    >>> plan.deletes
    ('old',)
    >>> parse_plan("I would rather not.", {"old"})
    Traceback (most recent call last):
    g2c.memory.base.MemoryStoreError: The plan is not a JSON object.
    """
    data = read_object(text)
    if data is None:
        raise MemoryStoreError("The plan is not a JSON object.")
    if fault := find_fault(data, _plan_of(MAX_CHANGES, MAX_BODY_BYTES)):
        raise MemoryStoreError(f"The plan cannot be used: {fault}.")
    upserts = tuple(_draft_from(item) for item in data["upserts"])
    deletes = tuple(dict.fromkeys(data["deletes"]))
    for slug in deletes:
        if slug not in known_slugs:
            raise MemoryStoreError(f"The plan deletes {slug!r}, which is not among its topics.")
    written = Counter(slugify(draft.name) for draft in upserts)
    for slug, count in written.items():
        if count > 1:
            raise MemoryStoreError(f"The plan writes the topic {slug!r} {count} times.")
        if slug in closed_slugs:
            raise MemoryStoreError(f"The plan would replace {slug!r}, which was not shown whole.")
        if slug in deletes:
            raise MemoryStoreError(f"The plan both writes and deletes the topic {slug!r}.")
    return DreamPlan(upserts, deletes, _one_line(data["summary"], "summary"))


def _draft_from(item: dict[str, str]) -> TopicDraft:
    name = _one_line(item["name"], "name")
    parts = re.split(r"[/\\]", name.casefold())
    if "\0" in name or not _OFF_LIMITS.isdisjoint(part.strip() for part in parts):
        raise MemoryStoreError(f"The plan names {name!r}, which is no name for a topic.")
    body = item["body"].strip()
    size = len(body.encode("utf-8", "backslashreplace"))
    if not body:
        raise MemoryStoreError(f"The plan has no body for the topic {name!r}.")
    if size > MAX_BODY_BYTES:
        raise MemoryStoreError(
            f"The body for the topic {name!r} has {size:,} bytes; the limit is {MAX_BODY_BYTES:,}."
        )
    description = _one_line(item["description"], "description")
    return TopicDraft(name, description, _one_line(item["type"], "type"), body)


def _one_line(text: str, what: str) -> str:
    line = " ".join(text.split())
    if not line:
        raise MemoryStoreError(f"The plan has an empty {what}.")
    return line


def _plan_of(max_changes: int, body_chars: int) -> dict[str, Any]:
    draft = closed_object(
        name=_text(80), description=_text(200), type=_text(40), body=_text(body_chars)
    )
    return closed_object(
        upserts={"type": "array", "maxItems": max_changes, "items": draft},
        deletes={"type": "array", "maxItems": max_changes, "items": _text(200)},
        summary=_text(300),
    )


def _text(max_chars: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": max_chars}
