"""Whether a person ordered a call.

A deed is judged by the one order that names it: its verb, and every value in it, have to be in that
order, or in what the order names. What the person said for another deed is a stranger's here.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from g2c.guard.app.clauses import (
    VERBS_OF_DEEDS,
    is_persons,
    parts_of,
    pieces_of,
    turns_of,
    verbs_in,
    without,
)
from g2c.guard.app.forms import is_read
from g2c.guard.app.understood import understood
from g2c.guard.core.permission import ProposedCall, Rule
from g2c.guard.core.provenance import RunText, words_of

MAX_ORDERS = 8
"""So many orders for the same deed are looked at."""
STEM = 4
"""Words that begin with the same letters are about the same deed: "remind" and "reminder"."""
_UNDOES = frozenset({"canc", "dele", "remo", "eras", "drop", "tras", "get"})
_REFERS = re.compile(
    r"(?i)\b(?:it|them|this|that(?! (?:i|we|you|he|she|it|they|the|my|our)\b)|these|there|him|her"
    r"|his|their|one)\b"
)
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
    meant = understood(call) or call
    named = (n for n, part in enumerate(parts) if names_deed(meant, " ".join(part.pieces)))
    for place in deque(named, maxlen=MAX_ORDERS):
        part = parts[place]
        first, end = place, place + 1
        while first and _REFERS.search(" ".join(parts[first].pieces)):
            first -= 1
        is_bare = len(part.pieces) == 1 and not re.search(r"\s", part.pieces[0])
        while end < len(parts) and (not parts[end].verbs or (is_bare and end == place + 1)):
            end += 1
        own = parts[first:end]
        orders = "\n".join(piece for each in own for piece in each.pieces)
        others = [
            piece
            for other in (*parts[:first], *parts[end:])
            if other.verbs & VERBS_OF_DEEDS
            for piece in other.pieces
            if piece not in orders  # they may say it twice
        ]
        yield orders, [*_seen_by(own[0].turn, others, texts)]


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
    """Whether the orders have a verb for the deed of a call in the words of 25.7, and its path."""
    verbs = set().union(*map(verbs_in, pieces_of(orders)))
    if call.tool in _DEED:
        return bool(_DEED[call.tool].search("; ".join(verbs)))
    is_deletion = call.tool == "delete_file"
    here = orders if is_deletion else _SOURCE.sub(" ", orders)
    is_said = str(call.arguments.get("path")) in here
    return is_said and (not is_deletion or any(verb[:STEM] in _UNDOES for verb in verbs))


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
