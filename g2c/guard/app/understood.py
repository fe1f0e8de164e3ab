"""A server's call in the words of 25.7, so that `judge_call` can decide about it.

Only a call whose name and arguments are all known is understood: an argument that nobody knows may
be one more recipient.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.provenance import RunText

_MAIL = frozenset({"mail", "email", "message"})
_DEEDS = (
    ("send_mail", frozenset({"send", "reply", "forward", "post"}), _MAIL),
    ("send_mail", frozenset({"create", "open", "post", "add"}), frozenset({"issue", "comment"})),
    ("add_event", frozenset({"add", "create", "schedule"}), frozenset({"event", "appointment"})),
    ("pay", frozenset({"pay", "make", "send"}), frozenset({"pay", "payment", "transfer"})),
    ("write_file", frozenset({"write", "save"}), frozenset({"file"})),
    ("delete_file", frozenset({"delete", "remove"}), frozenset({"file"})),
)
_READS = frozenset(
    {"read", "get", "fetch", "list", "search", "find", "show", "convert", "calculate"}
)
_THINGS = ("list", "show")
"""At the end of a longer name these are things: `delete_list`, `book_show`."""
_OPENS = frozenset({"file", "folder", "document", "mail", "page", "url", "link"})
"""To open one of these is to read it; to open a door is not."""
HEAD = re.compile(r"(?m)^(?:From|Subject): (.*)")
MIN_NAME = 4
"""The shortest word by which a person names a file: "my notes" is `notes.txt`."""
_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "send_mail": {
        **dict.fromkeys(("to", "cc", "bcc", "recipient", "recipients"), "to"),
        **dict.fromkeys(("channel", "owner", "repo", "repository", "project"), "to"),
        **dict.fromkeys(("subject", "title"), "subject"),
        **dict.fromkeys(("body", "text", "content", "message"), "body"),
    },
    "add_event": {
        **dict.fromkeys(("guests", "attendees", "invitees", "participants"), "guests"),
        **dict.fromkeys(("when", "date", "time", "start", "end", "start_time", "end_time"), "when"),
        **dict.fromkeys(("title", "summary", "name", "description", "location"), "title"),
    },
    "pay": {
        **dict.fromkeys(("account", "iban", "to", "recipient"), "account"),
        "amount": "amount",
        "currency": "currency",
        **dict.fromkeys(("reference", "note", "memo", "purpose", "description"), "note"),
    },
    "write_file": {"path": "path", "content": "content", "text": "content"},
    "delete_file": {"path": "path"},
}
_NAME = re.compile(r"(?<!^)(?<![.!?:] )\b[A-Z][^\W\d_]{2,}")


def understood(call: ProposedCall) -> ProposedCall | None:
    """The call with the names of 25.7, or None if something about it is unknown.

    >>> call = ProposedCall("agent", "post/sendEmail", {"to": ["a@b.example"], "cc": "", "body": 1})
    >>> understood(call).tool, understood(call).arguments
    ('send_mail', {'to': 'a@b.example', 'body': '1'})
    """
    words = {*words_of_tool(call.tool)}
    deed = next((deed for deed, verbs, things in _DEEDS if words & verbs and words & things), "")
    names = _ARGUMENTS.get(deed, {})
    if not deed or not set(call.arguments) <= set(names):
        return None
    meant: dict[str, list[str]] = {}
    for name, value in call.arguments.items():
        if texts := list(texts_in(value)):
            meant.setdefault(names[name], []).extend(texts)
    arguments = {name: ", ".join(texts) for name, texts in meant.items()}
    return replace(call, tool=deed, arguments=arguments, effect=True)


def is_post(call: ProposedCall) -> bool:
    """Whether the call writes where many people read."""
    places = {"channel", "comment", "issue", "owner", "project", "repo", "repository"}
    return not places.isdisjoint({*call.arguments, *words_of_tool(call.tool)})


def only_reads(call: ProposedCall) -> bool:
    """Whether the tool only reads, as far as its name says, or is one of the course's own."""
    return "/" not in call.tool or _reads(words_of_tool(call.tool))


def read_by(call: ProposedCall) -> str:
    """The name that 25.7 has for what this call reads, such as "mail 3"; "" if it has none."""
    words, values = words_of_tool(call.tool), list(texts_in(call.arguments))
    if not _reads(words) or not values:
        return ""
    if "file" in words and "path" in call.arguments:
        return f"file {call.arguments['path']}"
    return f"mail {' '.join(values)}" if _MAIL.intersection(words) else ""


def as_read(texts: Sequence[RunText], names: Mapping[str, str]) -> tuple[RunText, ...]:
    """The texts under the names that 25.7 knows. Texts with the same name are one."""
    found: dict[str, RunText] = {}
    for text in texts:
        name = names.get(text.name, text.name)
        same = f"{found[name].text}\n{text.text}" if name in found else text.text
        found[name] = replace(text, name=name, text=same)
    return tuple(found.values())


def beside_a_name(call: ProposedCall, task: str, texts: Sequence[RunText]) -> bool:
    """Whether a line with a name of the task has what the call is to reach."""
    names = set(_NAME.findall(task))
    reached = {
        text.casefold() for key in ("to", "guests", "account") if (text := call.arguments.get(key))
    }
    return any(
        value in line.casefold() and names & set(re.findall(r"[^\W\d_]+", line))
        for value in reached
        for text in texts
        for line in text.text.splitlines()
    )


def not_named(task: str, texts: Sequence[RunText]) -> list[RunText]:
    """The trusted texts, and the files and mails with a name of which no word is in the task. A
    mail's name is its number, its sender and its subject."""
    named = _of_name(task)
    return [text for text in texts if text.trusted or not _is_named(text, task, named)]


def _is_named(text: RunText, task: str, named: set[str]) -> bool:
    if text.name.startswith("file "):
        return bool(_of_name(text.name[5:]) & named)
    if not text.name.startswith("mail "):
        return not text.name.startswith("the person")  # they said it for another deed
    head = re.sub(r"@\S+", " ", " ".join(HEAD.findall(text.text)))
    return text.name in task.casefold() or bool(_of_name(head) & named)


def _of_name(text: str) -> set[str]:
    return {word for word in re.split(r"[\W_]+", text.casefold()) if len(word) >= MIN_NAME}


def _reads(words: Sequence[str]) -> bool:
    does = words[:-1] if len(words) > 1 and words[-1] in _THINGS else words
    return bool(_READS.intersection(does) or ("open" in words and _OPENS.intersection(words)))


def words_of_tool(tool: str) -> list[str]:
    """The words of a tool's name, without its server's."""
    return in_order(tool.rpartition("/")[2])


def in_order(name: str) -> list[str]:
    """The words of a name: `sendEmail` and `send_email` have two."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.split(r"[\W_]+", apart.casefold().strip("_"))


def texts_in(value: Any) -> Iterator[str]:
    """The texts of a JSON value, without keys and what is empty."""
    match value:
        case "" | None:
            pass
        case Mapping():
            for inner in value.values():
                yield from texts_in(inner)
        case list() | tuple():
            for inner in value:
                yield from texts_in(inner)
        case other:
            yield str(other)
