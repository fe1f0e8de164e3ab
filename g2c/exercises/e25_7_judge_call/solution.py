"""25.7: words of a stranger may fill a call, but not choose whom it reaches or what it destroys.

So only targets are checked: addresses, accounts and paths. A target gets the best answer of these,
and a call that of its worst target:

- the task names it, or a trusted line has it about somebody whom the task names: allow;
- it is the sender of the one mail that the task is about, whom the contacts do not know: allow;
- it is the only number in the one bill that the task wants paid, of somebody whom the contacts do
  not know: allow;
- a text that the task is about has it, but others may have written there: ask;
- nobody does: deny.

A path must be in the task, in a part of a sentence with a word for this deed and for no other. It
asks only if it cannot decide, since a person who is asked often looks less closely each time.

The time is linear in the words of all texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2c.guard.core.permission import Permission, ProposedCall
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import RunText, words_of

_REACHES = ("to", "guests", "account")
_DEEDS = {
    "delete_file": re.compile(r"(?i)\b(?:delete|remove|erase|rid)\b"),
    "write_file": re.compile(r"(?i)\b(?:write|keep|note|save|put)\b"),
}
_NEXT_DEED = re.compile(
    r"(?i)(?:[,;]|\b(?:and|then|but))\s+(?=(?:then |also |please )?(?:delete|remove|erase|get rid"
    r"|write|keep|note|save|put|read|open|look|show|print|list|find|check|compare|copy|move|send"
    r"|mail|forward|answer|reply|tell|ask|sum|pay)\b)"
)
_PAYS = re.compile(r"(?i)\b(?:pay|settle|transfer|bill|invoice)\b")
_NUMBER = re.compile(r"\d(?:[ .-]?\d)*")
_MONEY = re.compile(r"(?i)(?:€|eur\b|euros?\b) ?(\d[\d.,]*)|(\d[\d.,]*) ?(?:€|eur\b|euros?\b)")
_DIGITS_OF_ACCOUNT = 7
_KINDS_OF_MAIL = {"the", "invoice", "date", "news", "for", "of"}


def judge_call(call: ProposedCall, run: RunSoFar) -> Permission:
    if not call.effect:
        return "allow"
    if call.tool in _DEEDS:
        is_meant = _is_meant(call.tool, str(call.arguments.get("path")), run.task)
        is_told = not _strange_words(str(call.arguments.get("content", "")), run)
        return "allow" if is_meant and is_told else "deny"
    reached = [words_of(str(call.arguments.get(name, ""))) for name in _REACHES]
    said = {_of_target(target, run, call.tool) for targets in reached for target in targets}
    if call.tool == "pay" and not _is_meant_amount(call.arguments.get("amount"), run.task):
        said.add("ask")
    return "deny" if "deny" in said else "ask" if "ask" in said else "allow"


def _is_meant_amount(amount: object, task: str) -> bool:
    if str(amount).strip().startswith("-"):
        return False
    named = {word for found in _MONEY.findall(task) for word in words_of("".join(found))}
    return not named or set(words_of(str(amount))) <= named


def _is_meant(tool: str, path: str, task: str) -> bool:
    here = re.compile(rf"(?<![\w./-]){re.escape(path)}(?!\.?[\w/-])")
    parts = (part for sentence in _sentences(task) for part in _NEXT_DEED.split(sentence))
    return any(here.search(part) and _DEEDS[tool].search(part) for part in parts)


def _sentences(task: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", task)


def _strange_words(content: str, run: RunSoFar) -> set[str]:
    """Numbers and addresses that occur only in texts that the task is not about."""
    telling = {word for word in words_of(content) if re.search(r"[\d@]", word)}
    strange, known = set[str](), set[str]()
    trusted = _trusted(run.texts)
    for text in run.texts:
        is_known = text in trusted or _is_about(text, run.task)
        (known if is_known else strange).update(words_of(text.text))
    return telling & strange - known


def _of_target(target: str, run: RunSoFar, tool: str) -> Permission:
    trusted = _trusted(run.texts)
    people = _people(run.task)
    lines = [line for text in trusted for line in text.text.splitlines()]
    told = [run.task, *(line for line in lines if people & _people(line))]
    if any(target in words_of(line) for line in told):
        return "allow"
    about = [text for text in run.texts if text not in trusted and _is_about(text, run.task)]
    holders = [text for text in about if target in words_of(text.text)]
    if not holders:
        return "deny"
    if _is_on_the_bill(target, about, run):
        return "allow"
    if not (sender := _sender(holders[0])) or "@" not in target:
        return "ask"
    if target not in words_of(sender) or people & _people(sender):
        return "deny"
    rivals = {_sender(text) for text in about if _topic(text) == _topic(holders[0])}
    is_answer = tool == "send_mail"  # an invitation of the sender is another deed
    return "allow" if len(rivals) == 1 and is_answer else "ask"


def _is_on_the_bill(target: str, about: Sequence[RunText], run: RunSoFar) -> bool:
    named = [sentence for sentence in _sentences(run.task) if _PAYS.search(sentence)]
    bills = [text for text in about if any(_is_about(text, sentence) for sentence in named)]
    holders = [text for text in bills if target in words_of(text.text)]
    if len(holders) != 1 or not (_sender(holders[0]) or holders[0].name.startswith("file ")):
        return False
    if _people(run.task) or [_topic(text) for text in bills].count(_topic(holders[0])) > 1:
        return False  # the contacts have the account, or one of the bills may be a stranger's
    numbers = [re.sub(r"\D", "", number) for number in _NUMBER.findall(holders[0].text)]
    long = [number for number in numbers if len(number) >= _DIGITS_OF_ACCOUNT]
    return len(long) == 1 and re.sub(r"\D", "", target).endswith(long[0])


def _trusted(texts: Sequence[RunText]) -> list[RunText]:
    trusted = {text.name: text for text in texts if text.trusted}
    while doubted := [t for t in trusted.values() if not {*t.made_of} <= set(trusted)]:
        for text in doubted:
            del trusted[text.name]
    return list(trusted.values())


def _people(text: str) -> set[str]:
    return set(re.findall(r"\b(?=([A-Z][a-z]+ [A-Z][a-z]+)\b)", text))


def _sender(text: RunText) -> str:
    found = re.match(r"From: (.*)", text.text)
    return found[1] if found else ""


def _topic(text: RunText) -> str:
    found = re.search(r"^Subject: (.*)", text.text, re.M)
    words = words_of(found[1]) if found else []
    return " ".join(word for word in words if word not in _KINDS_OF_MAIL)


def _is_about(text: RunText, task: str) -> bool:
    if text.name.startswith("file "):
        return text.name.removeprefix("file ") in task
    if not text.name.startswith("mail "):
        return False
    topic, said = _topic(text), f" {' '.join(words_of(task))} "
    return f" {text.name} " in said or (bool(topic) and f" {topic} " in said)
