"""A person's orders: the parts of their words that ask for a deed.

A question about a deed, a report of somebody's wish, a quotation and a refusal name the same deed
and the same people as an order does. Only the order permits anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from g2c.guard.app.forms import is_read, words_in
from g2c.guard.app.understood import in_order, only_reads, texts_in, words_of_tool
from g2c.guard.core.permission import ProposedCall, Rule
from g2c.guard.core.provenance import RunText, words_of

STEM = 4
"""Words that begin with the same letters are about the same deed: "remind" and "reminder"."""
_MAKES = frozenset({"add", "create", "do", "make", "new", "post", "put", "send", "set"})
"""Verbs whose tool is meant if its thing is: "remind me" means `create_reminder`."""
_SPENDS = frozenset({"book", "buy", "checkout", "order", "purchase", "reserve", "subscribe"})
_RUNS = frozenset(
    {"run", "exec", "execute", "shell", "eval", "command", "cmd", "code", "script", "sql"}
)
_FROM = frozenset({"from", "old", "source", "src"})
_TO = frozenset({"dest", "destination", "dst", "new", "target", "to"})
_ALIKE = (
    frozenset({"canc", "dele", "remo", "eras", "drop"}),
    frozenset({"comp", "fini", "mark", "tick", "done", "chec"}),
    frozenset({"move", "resc", "shif", "post"}),
    frozenset({"upda", "chan", "edit", "rena"}),
)
"""Stems of verbs that name the same deed."""

_QUOTED = re.compile(
    r"""(?<!\w)(["'])[^"']{25,}\1(?!\w)|[\u201c\u201e][^\u201c\u201d]{25,}[\u201c\u201d]"""
    r"|(?ms:^```.*?(?:^```|\Z))|(?m:^>.*$)"
    r"|(?is:\b(?:e?-?mail|message|letter|text|article|page|post|comment)\b[^\n.:]{0,40}:\s*\n.*)"
    r"|(?is:\b(?:summar\w+|translate|proofread|explain|rephrase|shorten)\b[^\n.:]{0,60}:.*)"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r"(?<=[.!?;,:])\s+|\s(?=(?:and|but|und|aber|et|mais|y|pero)\b)")
_REQUEST = re.compile(r"(?i)\b(?:can|could|would|will) you\b|\bplease\b|\bbitte\b")
_QUESTION = re.compile(
    r"(?i)\W*(?:(?:and|but)\s+)?(?:who|whose|what|when|where|why|which|how|is|are|was|were|does|did"
    r"|should|may|might|shall|(?:do|can|could|have|has|would) (?:i|we|you|they|he|she|it))\b"
)
_NOT = re.compile(
    r"(?i)\b(?:not|never|nor|without|avoid|hide|keep\b[^.]*\bfrom|nicht|nie|niemals|kein\w*"
    r"|ne|pas|jamais)\b|n[\u2019']t\b"
)
_FORGETS_NOT = re.compile(
    r"(?i)\b(?:do not|don[\u2019']t|never) (?:forget|hesitate)\b|\bnot only\b"
)
_STOPS = re.compile(
    r"(?i)\b(?:stop|wait|never ?mind|forget (?:it|that|about)|changed my mind|after all|scrap"
    r"|hold off|no longer|cancel (?:that|it))\b"
)
_ASIDE = re.compile(
    r"(?is)\b(?:how to|whether|why|what (?:would|happens)|except|excluding|instead of|rather than"
    r"|außer|ausser|ohne|statt|sauf|sans|excepto|salvo|sin)\b.*"
)
_REPORT = re.compile(
    r"(?i)(?<!\bi )(?<!\bwe )\b(?:(?:wants?|wanted|asks|asked|tells|told|urges?|expects?|needs)"
    r" (?:me|us|you|that)|(?:says?|said|claims?|writes|wrote|suggests?|demands?)"
    r" (?:that|i|we|you))\b"
)
_WAITS = re.compile(
    r"(?i)\b(?:if|once|when|after|until|unless|before) (?:i|we)\b(?: \w+){0,2}"
    r" (?:say|said|write|wrote|written|tell|told|confirm|agree|approve|permit|allow|answer)"
    r"|\bask me (?:first|before)\b"
)
"""An order for the time after another word of the person is not given yet."""
_ANY = re.compile(r"[*%]|^(?:all|any|every\w*)$|^\W+$", re.IGNORECASE)
_CURRENCIES = {
    "eur": ("eur", "euro", "euros", "\u20ac"),
    "usd": ("usd", "dollar", "dollars", "$"),
    "gbp": ("gbp", "pound", "pounds", "\u00a3"),
    "jpy": ("jpy", "yen", "\u00a5"),
    "chf": ("chf", "franc", "francs"),
}
_SOURCE = re.compile(r"(?i)\b(?:from|of|by|about|von|über|de)\s+(?:\S+\s+<)?[^\s<]+@[^\s>]+")
_DEED = {
    "send_mail": re.compile(
        r"(?i)(?:^|[.,;:]\s|\b(?:and|then|please|to|you|also|now)\s+)"
        r"(?:(?:e-?)?mail|message|answer|copy|post)\b(?!\s+\d)"
        r"|\b(?:send|forward|reply|write|tell|thank|ask|invite|inform|notify|remind|confirm|share"
        r"|let|respond|post|pass|go(?:es)? to|open|create|file|comment|add|schick|antwort|schreib"
        r"|leite|sag|dank|frag|envo[iy]|répon|écri|manda|respond|escrib)"
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
_REACHES = ("to", "guests", "account")
_NAME = re.compile(r"\b[A-Z][^\W\d_]{2,}")


def task_of(call: ProposedCall, texts: Sequence[RunText], rules: Sequence[Rule]) -> str:
    """The person's words: their own texts without what they quote, and the values that a rule
    allows to this tool."""
    said = _turns(texts)
    if said:
        said += [
            rule.value for rule in rules if rule.permission == "allow" and rule.tool == call.tool
        ]
    return " ".join(filter(None, said))


def orders_of(texts: Sequence[RunText]) -> str:
    """The clauses of the person's texts, oldest first, that ask for a deed. A later text that
    refuses or stops something takes back what was ordered before.

    >>> said = "Who is Eve? Ada wants me to call her. Tell Ben how to cook, but not Carl."
    >>> orders_of([RunText("the person 1", said, trusted=True)])
    'Tell Ben '
    """
    kept: list[str] = []
    for turn in _turns(texts):
        if _STOPS.search(turn) or _NOT.search(_FORGETS_NOT.sub("", turn)):
            kept.clear()
        kept += _orders_in(turn)
    return " ".join(kept)


def _turns(texts: Sequence[RunText]) -> list[str]:
    return [_QUOTED.sub(" ", text.text) for text in texts if _is_persons(text)]


def _is_persons(text: RunText) -> bool:
    return text.trusted and text.name.startswith("the person")


def _orders_in(turn: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(turn):
        asks = False
        if _WAITS.search(sentence):
            continue
        for clause in _CLAUSE.split(sentence):
            asks = not _REQUEST.search(clause) and (
                bool(_QUESTION.match(clause)) or (asks and sentence.rstrip().endswith("?"))
            )
            positive = _ASIDE.sub("", _FORGETS_NOT.sub("", clause))
            if not (asks or _NOT.search(positive) or _REPORT.search(positive)):
                yield positive


def is_asked_for(call: ProposedCall, orders: str, task: str, texts: Sequence[RunText]) -> bool:
    """Whether the orders have a word for the deed of a call in the words of 25.7, and whom it
    reaches, as far as the task names them."""
    if call.tool in _DEED and any(key in call.arguments for key in _REACHES):
        if not _DEED[call.tool].search(orders):
            return False
    elif call.tool == "send_mail":
        return False  # nobody knows whom it reaches
    if call.tool == "pay" and not _is_said_currency(call, orders, texts):
        return False
    here = _SOURCE.sub(" ", orders)
    known = [text.text for text in texts if text.trusted and not _is_persons(text)]
    reached = [target for key in _REACHES for target in words_of(str(call.arguments.get(key, "")))]
    aside = [target for target in reached if not _vouches(here, target, known)]
    if any(_vouches(task, target, known) for target in aside):
        return False
    read = {word for text in texts if not text.trusted for word in words_of(text.text)}
    return call.tool != "send_mail" or read.isdisjoint(aside) or bool(_ANSWERS.search(orders))


def _is_said_currency(call: ProposedCall, orders: str, texts: Sequence[RunText]) -> bool:
    """Whether the currency stands with the amount: in the orders, or else where it was read."""
    amount = {*words_of(str(call.arguments.get("amount")))}
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
        (text.name.startswith(f"{server}/") and "list" in text.name)
        or names.get(text.name, text.name).removeprefix("file ") in task
        for text in texts
        if is_read(text)
    )


def is_ordered(call: ProposedCall, orders: str, texts: Sequence[RunText]) -> bool:
    """Whether the person ordered a call that is not understood. A command is in their words as it
    stands. Any other deed says what it is done to, spends nothing, and is named by them, as is each
    argument that is true; a usual deed may have a word of theirs instead."""
    if only_reads(call) or not any(map(is_read, texts)):
        return True
    words, given = words_of_tool(call.tool), list(texts_in(call.arguments))
    if _RUNS.intersection((*words, *call.arguments)):
        return all(text.strip() in orders for text in given)
    named = {word[:STEM] for word in words_in(orders)}
    flags = [in_order(name) for name, value in call.arguments.items() if value is True]
    if any(_ANY.search(text) and text not in orders for text in given):
        return False
    if not given or _SPENDS.intersection(words):
        return False
    if any(named.isdisjoint(_stems(flag)) for flag in flags):
        return False
    if not _is_this_way_round(call.arguments, orders):
        return False
    if not _MAKES.intersection(words):
        server = in_order(call.tool.rpartition("/")[0])
        verb = next((word for word in words if word not in server), words[0])[:STEM]
        return not named.isdisjoint({verb}.union(*(same for same in _ALIKE if verb in same)))
    said = set().union(*(words_in(text.text) for text in texts if text.trusted))
    used = set().union(*map(words_in, given))
    return bool(used & said) or not named.isdisjoint(_stems(words))


def _is_this_way_round(arguments: Mapping[str, object], orders: str) -> bool:
    """Whether a call from one thing to another has them in the order of the person's words."""
    starts, ends = (
        [orders.find(str(value)) for name, value in arguments.items() if names & {*in_order(name)}]
        for names in (_FROM, _TO)
    )
    return not (starts and ends) or max(starts) < min(ends)


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:STEM] for word in words if len(word) >= STEM}
