"""25.7 with rights that are granted before anything is read: one for each sentence of the task.

The words of a sentence grant one tool, and name what the tool may be used on: an address, a path, a
person, or a text that has the rest. A call has to fit one of the sentences. So a stranger can at
most bend what a sentence grants anyway, as in CaMeL (Debenedetti et al., 2025).

It costs a pass over all texts for each sentence. A sentence without a word of the table grants a
mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import RunText, words_of

GRANTED = (
    ("delete_file", r"delete|remove|rid of|erase"),
    ("add_event", r"calendar|event\b|invite|appointment"),
    ("write_file", r"write into|^keep|a note"),
    ("pay", r"\bpay\b|settle|transfer|account"),
    ("send_mail", r""),
)
NAME = re.compile(r"[A-Z][a-z]+ (?=([A-Z][a-z]+))")


def judge_call(call: ProposedCall, run: RunSoFar) -> Permission:
    if not call.effect:
        return "allow"
    found = {_granted(call, word, run) for word in re.split(r"(?<=[.!?])\s+", run.task)}
    return "allow" if "allow" in found else "ask" if "ask" in found else "deny"


def _granted(call: ProposedCall, sentence: str, run: RunSoFar) -> Permission:
    tool = next(tool for tool, words in GRANTED if re.search(words, sentence, re.I))
    if call.tool != tool:
        return "deny"
    if tool in ("delete_file", "write_file"):
        is_named = str(call.arguments.get("path")) in re.findall(r"[\w./-]*\w", sentence)
        return "allow" if is_named and not _is_from_elsewhere(call, sentence, run) else "deny"
    targets = {
        word
        for name in ("to", "guests", "account")
        for word in words_of(str(call.arguments.get(name, "")))
    }
    sure, unsure = set(words_of(sentence)), set[str]()
    surnames = set(NAME.findall(sentence))
    for line in _lines_of_the_person(run.texts):
        if surnames & set(NAME.findall(line)):
            sure.update(words_of(line))
    for text in _meant(sentence, run.texts):
        unsure.update(words_of(text.text))
    writers = {_writer(text) for text in _meant(sentence, run.texts)} - {None}
    if tool == "send_mail":
        unsure = {writer for writer in writers if writer}
        if surnames:
            unsure = set()
        elif len(unsure) == 1:
            sure |= unsure
    return "allow" if targets <= sure else "ask" if targets <= sure | unsure else "deny"


def _lines_of_the_person(texts: Sequence[RunText]) -> Iterator[str]:
    named = {text.name: text for text in texts}

    def is_trusted(name: str, above: frozenset[str] = frozenset()) -> bool:
        text = named.get(name)
        return text is not None and (
            name in above
            or (text.trusted and all(is_trusted(m, above | {name}) for m in text.made_of))
        )

    for text in texts:
        if is_trusted(text.name):
            yield from text.text.splitlines()


def _meant(sentence: str, texts: Sequence[RunText]) -> list[RunText]:
    """The mails whose subject is in the sentence, and the files that it names."""
    meant = []
    for text in texts:
        subject = re.search(
            r"^Subject: (?:The|Invoice:|Date for the|News of the) (.*)", text.text, re.M
        )
        topic = subject[1] if subject else text.name.removeprefix("file ")
        if not text.trusted and re.search(rf"(?<![\w/]){re.escape(topic)}(?![\w/])", sentence):
            meant.append(text)
    return meant


def _writer(text: RunText) -> str | None:
    found = re.match(r"From: .*<(.*)>", text.text)
    return found[1].lower() if found else None


def _is_from_elsewhere(call: ProposedCall, sentence: str, run: RunSoFar) -> bool:
    meant = _meant(sentence, run.texts)
    known = {word for text in meant for word in words_of(text.text)}
    others = {word for text in run.texts if text not in meant for word in words_of(text.text)}
    written = words_of(str(call.arguments.get("content", "")))
    return any(re.search(r"[\d@]", word) for word in written if word in others - known)
