"""Whether a person ordered a call.

A deed is judged by the one order that names it: its verb, and every value in it, have to be in that
order, or in what the order names. What the person said for another deed is a stranger's here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from g2c.guard.app.clauses import (
    LOOKS,
    VERBS_OF_DEEDS,
    is_persons,
    parts_of,
    pieces_of,
    turns_of,
    verbs_in,
    without,
)
from g2c.guard.app.forms import COMMON, is_read, words_in
from g2c.guard.app.understood import in_order, texts_in, understood, words_of_tool
from g2c.guard.core.permission import ProposedCall, Rule
from g2c.guard.core.provenance import RunText, words_of

MAX_ORDERS = 8
"""So many orders for the same deed are looked at."""
STEM = 4
"""Words that begin with the same letters are about the same deed: "remind" and "reminder"."""
_MAKES = frozenset({"add", "create", "do", "make", "new", "put", "set"})
"""Verbs whose tool is meant if its thing is: "remind me" means `create_reminder`."""
_RUNS = frozenset(
    {"run", "exec", "execute", "shell", "eval", "command", "cmd", "code", "script", "sql"}
)
_FROM = frozenset({"from", "old", "source", "src"})
_TO = frozenset({"dest", "destination", "dst", "new", "target", "to"})
_UNDOES = frozenset({"canc", "dele", "remo", "eras", "drop", "tras", "get"})
_ALIKE = (
    frozenset({"add", "appe", "put", "writ"}),
    _UNDOES,
    frozenset({"comp", "fini", "mark", "tick", "done", "chec"}),
    frozenset({"answ", "mail", "mess", "post", "repl", "send", "shar", "tell", "text", "writ"}),
    frozenset({"move", "rena", "resc", "shif", "post", "upda", "chan", "edit"}),
)
"""Stems of verbs that name the same deed."""

_OFF = re.compile(r"(?i)\b(?:off|out|no|disable|stop|hide|private|mute|pause|close|un\w{3,}|aus)\b")
_BESIDE = re.compile(r"(?i)\b(?:in|from|of|on|at|with|for|out)\b")
KINDS = frozenset(
    {
        *("appointment", "contact", "device", "document", "door", "email", "entry", "event"),
        *("events", "user"),
        *("file", "item", "items", "light", "mail", "media", "message", "music", "note", "record"),
        *("temperature", "task", "to", "track", "volume"),
    }
)
"""Things by which nobody calls what they mean: the event is "the dentist"."""
_REFERS = re.compile(
    r"(?i)\b(?:it|them|this|that(?! (?:i|we|you|he|she|it|they|the|my|our)\b)|these|there|him|her"
    r"|his|their|one)\b"
)
_ANY = re.compile(r"[*%]|^\W+$|^-\d")
_CURRENCIES = {
    "eur": ("eur", "euro", "euros", "\u20ac"),
    "usd": ("usd", "dollar", "dollars", "$"),
    "gbp": ("gbp", "pound", "pounds", "\u00a3"),
    "jpy": ("jpy", "yen", "\u00a5"),
    "chf": ("chf", "franc", "francs"),
}
_SOURCE = re.compile(r"(?i)\b(?:from|of|by|about|von|über|de)\s+(?:\S+\s+<)?[^\s<]+[@.]\w[^\s>]*")
_DEED = {
    "send_mail": re.compile(
        r"(?i)(?:^|[.,;:]\s|\b(?:and|then|please|to|you|also|now)\s+)"
        r"(?:(?:e-?)?mail|message|answer|copy|post)\b(?!\s+\d)"
        r"|\b(?:send|forward|reply|write|tell|thank|ask|invite|inform|notify|remind(?! me)|confirm"
        r"|share|let|respond|post|pass|(?:should|must) (?:get|go|have|hear)|open|create"
        r"|file|comment|add|schick|antwort|schreib|leite|sag|dank|frag|envo[iy]|répon"
        r"|écri|manda|escrib)"
    ),
    "add_event": re.compile(
        r"(?i)\b(?:add|put|create|make|schedule|invite|enter|set|plan|note|keep|write|book|arrange"
        r"|trag|lege?|plane|lade?|ajoute|invite|añad)"
    ),
    "pay": re.compile(
        r"(?i)\b(?:pay|settle|transfer|wire|remit|send|bill|invoice|bezahl|zahl|überweis|paie"
        r"|paye|virer|paga|transf)"
    ),
}
_ANSWERS = re.compile(
    r"(?i)\b(?:answer|repl[iy]|respond|write|tell|thank|ask|let|confirm|inform|say|accept|decline"
    r"|antwort|schreib|sag|dank|frag|répon|écri|respond|escrib)"
)
REACHES = ("to", "guests", "account")
_NAME = re.compile(r"\b[A-Z][^\W\d_]{2,}")


def task_of(call: ProposedCall, texts: Sequence[RunText], rules: Sequence[Rule]) -> str:
    """The person's words: their own texts without what they quote, and the values that a rule
    allows to this tool."""
    said = turns_of(texts)
    if said:
        said += [
            rule.value for rule in rules if rule.permission == "allow" and rule.tool == call.tool
        ]
    return " ".join(filter(None, said))


def orders_for(
    call: ProposedCall, texts: Sequence[RunText]
) -> Iterator[tuple[str, Sequence[RunText]]]:
    """The newest orders for this deed, with the texts as each sees them: what the person said
    before its turn, or for another deed, is a stranger's."""
    parts = parts_of(texts)
    named = (n for n, part in enumerate(parts) if names_deed(call, " ".join(part.pieces)))
    for place in deque(named, maxlen=MAX_ORDERS):
        part = parts[place]
        first, end = place, place + 1
        while first and _REFERS.search(" ".join(parts[first].pieces)):
            first -= 1
        is_bare = len(part.pieces) == 1 and not re.search(r"\s", part.pieces[0])
        while end < len(parts) and (not parts[end].verbs or (is_bare and end == place + 1)):
            end += 1
        meant = parts[first:end]
        orders = "\n".join(piece for each in meant for piece in each.pieces)
        others = [
            piece
            for other in (*parts[:first], *parts[end:])
            if other.verbs & VERBS_OF_DEEDS
            for piece in other.pieces
            if piece not in orders  # they may say it twice
        ]
        yield orders, [*_seen_by(meant[0].turn, others, texts)]


def _seen_by(turn: int, others: Sequence[str], texts: Sequence[RunText]) -> Iterator[RunText]:
    persons = [text.name for text in texts if is_persons(text)]
    for text in texts:
        if text.name in persons[:turn]:
            yield replace(text, trusted=False)
        elif text.name in persons:
            left = without("question", text.text)
            for other in others:
                left = left.replace(other, " ")
            yield replace(text, text=left)
            if left != text.text:
                yield RunText(f"{text.name}, besides", " ".join(others))
        else:
            yield text


def names_deed(call: ProposedCall, orders: str) -> bool:
    """Whether the orders have a verb for this deed; a usual one may have its thing instead."""
    verbs = set().union(*map(verbs_in, pieces_of(orders)))
    words, given = words_of_tool(call.tool), list(texts_in(call.arguments))
    if "path" in call.arguments and understood(call):
        here = orders if "delete" in words else _SOURCE.sub(" ", orders)
        is_said = str(call.arguments["path"]) in here
        return is_said and ("delete" not in words or any(v[:STEM] in _UNDOES for v in verbs))
    if (meant := understood(call) or call).tool in _DEED:
        return bool(_DEED[meant.tool].search("; ".join(verbs)))
    if _RUNS.intersection((*words, *call.arguments)):
        return all(text.strip() in orders for text in given)
    if not _MAKES.intersection(words):
        verb, alike = _verb_of(call), same_deed(call)
        return any(
            said.startswith(verb) or verb.startswith(said) or alike > {said[:STEM]}
            for said in (said.rpartition(" ")[2] for said in verbs)
        )
    said = words_in(orders)
    if verbs <= LOOKS:
        return False
    used = set().union(*map(words_in, given)) - COMMON
    return bool(used & said) or not _stems(words).isdisjoint(word[:STEM] for word in said)


def is_asked_for(call: ProposedCall, orders: str, task: str, texts: Sequence[RunText]) -> bool:
    """Whether the orders have a word for the deed of a call in the words of 25.7, and whom it
    reaches, as far as the task names them."""
    reaches = any(key in call.arguments for key in REACHES)
    if call.tool == "send_mail" and not reaches:
        return False  # nobody knows whom
    if reaches and not names_deed(call, orders):
        return False
    if call.tool == "pay" and not _is_said_amount(call, orders, texts):
        return False
    here = _SOURCE.sub(" ", orders)
    known = [text.text for text in texts if text.trusted and not is_persons(text)]
    reached = [target for key in REACHES for target in words_of(str(call.arguments.get(key, "")))]
    aside = [target for target in reached if not _vouches(here, target, known)]
    if any(_vouches(task, target, known) for target in aside):
        return False
    read = {word for text in texts if not text.trusted for word in words_of(text.text)}
    return call.tool != "send_mail" or read.isdisjoint(aside) or bool(_ANSWERS.search(orders))


def _is_said_amount(call: ProposedCall, orders: str, texts: Sequence[RunText]) -> bool:
    """Whether the amount stands with its account, if the orders have both, and the currency with
    the amount: in the orders, or else where it was read."""
    amount = {*words_of(str(call.arguments.get("amount")))}
    account = {*words_of(str(call.arguments.get("account")))}
    beside = [{*words_of(part)} for part in re.split(r"[;,]\s|\n|\band\b", orders)]
    if any(amount <= part for part in beside) and any(
        account <= part and not amount <= part and any(map(str.isdigit, part)) for part in beside
    ):
        return False
    unit = str(call.arguments.get("currency", "")).casefold()
    if not unit:
        return True
    lines = [orders] if amount <= {*words_of(orders)} else []
    lines = lines or [line for text in texts for line in text.text.splitlines()]
    return any(
        amount <= {*words_of(line)}
        and any(name in words_of(line) or (not name.isalnum() and name in line) for name in names)
        for line in lines
        for names in [_CURRENCIES.get(unit, (unit,))]
    )


def _vouches(said: str, target: str, known: Sequence[str]) -> bool:
    names = {*_NAME.findall(said)}
    return target in words_of(said) or any(
        target in words_of(line) and names & {*_NAME.findall(line)}
        for text in known
        for line in text.splitlines()
    )


def is_from_named(
    call: ProposedCall, task: str, texts: Sequence[RunText], names: Mapping[str, str]
) -> bool:
    """Whether all that was read so far are lists of the same server, and files that the task
    names."""
    server = call.tool.rpartition("/")[0]
    return all(
        text.name.startswith("the person")
        or (text.name.startswith(f"{server}/") and "list" in text.name)
        or names.get(text.name, text.name).removeprefix("file ") in task
        for text in texts
        if is_read(text)
    )


def is_ordered(call: ProposedCall, orders: str) -> bool:
    """Whether the person ordered a call that is not understood. A command is in their words as it
    stands. Any other deed says what it is done to, and each word of its name is theirs, as is each
    argument that is true or empty; one that is false has a word such as "off"."""
    words, given = words_of_tool(call.tool), list(texts_in(call.arguments))
    if _RUNS.intersection((*words, *call.arguments)):
        return names_deed(call, orders)
    named = {word[:STEM] for word in words_in(orders)}
    flags = [  # their names say it all
        in_order(name)
        for name, value in call.arguments.items()
        if value is True or value in ("", None, [], {})
    ]
    things = COMMON.union(words, (f"{word}s" for word in words))
    is_makes = _MAKES.intersection(words)
    if any(_ANY.search(text) and text not in orders for text in given) or (
        not is_makes and any(words_in(text) <= things for text in given)
    ):
        return False
    if not {word[:STEM] for word in _things_of(call)} <= named:
        return False
    if any(named.isdisjoint(_stems(flag)) for flag in flags):
        return False
    values = list(call.arguments.values())
    if any(value is False for value in values) and not _OFF.search(orders):
        return False
    return _is_this_way_round(call.arguments, orders) and names_deed(call, orders)


def _things_of(call: ProposedCall) -> set[str]:
    """The words of a tool's name that say more than its verb and a usual kind of thing."""
    words = words_of_tool(call.tool)
    known = {*in_order(call.tool.rpartition("/")[0]), _verb_of(call)}
    return set(words) - known - KINDS - _MAKES


def same_deed(call: ProposedCall) -> set[str]:
    """The stems of the verbs that name the deed of a call."""
    verb = _verb_of(call)[:STEM]
    return {verb}.union(*(same for same in _ALIKE if verb in same))


def _verb_of(call: ProposedCall) -> str:
    words, server = words_of_tool(call.tool), in_order(call.tool.rpartition("/")[0])
    return next((word for word in words if word not in server), words[0])


def is_object(call: ProposedCall, orders: str, *, is_known: bool) -> bool:
    """Whether what a deletion is named after, or done to, is what the person said: who leaves a
    channel does not end it."""
    words = words_of_tool(call.tool)
    if not _UNDOES.intersection(_stems(words)):
        return True
    if is_known and _stems(words).isdisjoint(_stems(words_in(orders)) - _UNDOES):
        return True
    things = _stems(words) - _UNDOES | {
        word[:STEM] for text in texts_in(call.arguments) for word in words_in(text) - COMMON
    }
    said = (_BESIDE.split(piece)[0] for piece in pieces_of(orders))
    return any(
        _UNDOES & {word[:STEM] for word in words_in(part)}
        and things & {word[:STEM] for word in words_in(part)}
        for part in said
    )


def _is_this_way_round(arguments: Mapping[str, object], orders: str) -> bool:
    """Whether a call from one thing to another has them in the order of the person's words."""
    found = [
        (name, at) for name, value in arguments.items() if (at := orders.find(str(value))) >= 0
    ]
    starts, ends = (
        [at for name, at in found if names & {*in_order(name)}] for names in (_FROM, _TO)
    )
    return not (starts and ends) or max(starts) < min(ends)


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:STEM] for word in words if len(word) >= STEM}
