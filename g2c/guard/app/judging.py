"""The permission of a call before a person is asked, by your `permit`, `trace_origins` and
`judge_call`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import get_args
from urllib.parse import urlsplit

from g2c.exercise import written_or_reference
from g2c.guard.app.clauses import orders_of
from g2c.guard.app.forms import (
    SAME_LETTERS,
    as_told,
    has_link,
    has_strange_words,
    is_disguised,
    is_read,
    leaves,
    names_its_host,
    places,
    readings,
    said_again,
)
from g2c.guard.app.known import (
    has_strange_commands,
    is_found,
    is_repeated,
    leaves_out,
    without_known,
)
from g2c.guard.app.leaks import Strange, has_described_words, strange_pieces, told_letters
from g2c.guard.app.masking import has_secret
from g2c.guard.app.orders import REACHES, is_asked_for, is_from_named, orders_for, task_of
from g2c.guard.app.rules import in_one_form, rules_for
from g2c.guard.app.understood import (
    as_read,
    beside_a_name,
    is_post,
    not_named,
    only_reads,
    understood,
)
from g2c.guard.core.permission import Permission, ProposedCall, Rule
from g2c.guard.core.policy import RunSoFar
from g2c.guard.core.provenance import RunText
from g2c.guard.permit import permit
from g2c.guard.trace_origins import trace_origins
from g2c.tools import Tool

ALLOWED, ASKED = Rule("allow"), Rule("ask")
"""The default rules: for the course's own tools, and for all others."""
judge_call = written_or_reference("25.7", "g2c.guard.judge_call", "judge_call")
_NOT_WORDS = re.compile(r"[\d@/\\:]|\.\w")
STRICTNESS: tuple[Permission, ...] = ("allow", "ask", "deny")


def with_default(rules: Sequence[Rule], default: Rule) -> tuple[Rule, ...]:
    """A person's rules, followed by `default` unless one of them is about all tools."""
    has_default = any(rule.tool == "*" and not rule.argument for rule in rules)
    return tuple(rules) if has_default else (*rules, default)


def permission_of(
    call: ProposedCall,
    rules: Sequence[Rule],
    texts: Sequence[RunText],
    sends: bool,
    now: datetime,
    tool: Tool | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    asked: int = 0,
    told: set[Strange] | None = None,
    made: Sequence[ProposedCall] = (),
) -> Permission:
    """The permission of a call before a person is asked, by your `permit`, `trace_origins` and
    `judge_call`.

    A call that repeats untrusted texts may stay within this home without a question. If it `sends`,
    `judge_call` decides if it can understand the call. About any other that does something a person
    is asked once a tool has read anything; about each, if it repeats untrusted texts, has a web
    address whose host no trusted text names, or a secret that was read. Rules and call are compared
    in one form, that of `tool` if it has one, and a rule that restricts an argument holds for all
    of its `readings`. `names` has the names that texts have in 25.7. A person was `asked` so often
    in this run. `told` has what earlier calls of this run told of strangers; what this call tells
    is added if nobody is asked about it. A deed that was `made` before is asked about, too.
    """
    compared = replace(call, arguments=in_one_form(call.arguments, tool))
    found = permit(compared, rules_for(rules, tool), (), now)
    if found not in get_args(Permission):
        return "deny"
    found = max(found, _of_readings(compared, rules_for(rules, tool), now), key=STRICTNESS.index)
    if found == "allow" and has_strange_commands(call, texts, names):
        return "ask"
    if found == "allow" and sends:
        is_deed = not only_reads(call)
        orders = [*orders_for(call, texts)] if is_deed and understood(call) else []
        task, is_again = task_of(call, texts, rules), is_repeated(call, made)
        answers = [
            _of_order(call, order, task, seen, names, rules, asked=asked, told=told)
            for order, seen in orders or [("" if is_deed else orders_of(texts), texts)]
        ]
        answer, more = min(answers, key=lambda found: STRICTNESS.index(found[0]))
        if told is not None and answer == "allow" and not is_again:
            told |= more
        return max(answer, "ask" if is_again else "allow", key=STRICTNESS.index)
    return found


def _of_order(
    call: ProposedCall,
    order: str,
    task: str,
    texts: Sequence[RunText],
    names: Mapping[str, str],
    rules: Sequence[Rule],
    *,
    asked: int,
    told: set[Strange] | None,
) -> tuple[Permission, set[Strange]]:
    """The answer if this was the order for the call, and what the call then tells."""
    meant = understood(call)
    if is_post(call) and not is_from_named(call, task, texts, names):
        meant = None  # it could tell everybody, in a code
    if task and meant:
        is_own = _is_own(call, texts, rules)
        said = _judged(meant, order, RunSoFar(task, as_read(texts, names), asked), is_own)
        is_odd = has_secret(call.arguments, texts) or leaves_out(meant, order, texts)
        return max(said, "ask" if is_odd else "allow", key=STRICTNESS.index), set()
    if not only_reads(call):  # nobody can tell from words whether a person ordered any deed
        is_doubtful = (
            any(map(is_read, texts))
            or not _is_own(call, texts, rules)
            or has_secret(call.arguments, texts)
            or has_described_words(call.arguments, texts)
        )
        return "ask" if is_doubtful else "allow", set()
    new = without_known(call, texts)
    is_own = _is_own(new, texts, rules) or _has_plain_words(new, texts, rules)
    if has_secret(new.arguments, texts) or not is_own:
        return "ask", set()
    told = told or set()
    more = told | strange_pieces(new.arguments, texts)
    if is_found(call, texts):
        more.add(Strange(f"{len(told):02}"))  # which of the results tells a little
    return "ask" if told_letters(more) >= SAME_LETTERS else "allow", more


def _is_own(call: ProposedCall, texts: Sequence[RunText], rules: Sequence[Rule]) -> bool:
    return names_its_host(call.arguments, texts, rules) and origins_of(call, texts) == ()


def _has_plain_words(call: ProposedCall, texts: Sequence[RunText], rules: Sequence[Rule]) -> bool:
    """Whether a call that only reads has nothing but words, whose letters are counted."""
    is_plain = not any(map(_NOT_WORDS.search, leaves(call.arguments)))
    is_known = names_its_host(call.arguments, texts, rules)
    return is_plain and is_known and not said_again(call.arguments, texts)


def _judged(call: ProposedCall, orders: str, run: RunSoFar, is_own: bool) -> Permission:
    """The answer of `judge_call`. What it denies is asked about if the person said it all, or if
    the receiver stands beside a name of theirs; what it allows, if a part is encoded, has a line
    more than it may, has a stranger's link, or is from a file that the person did not
    name."""
    heads = [text for name, text in call.arguments.items() if name not in ("body", "content")]
    spelled = {name: as_told(value, run.task) for name, value in call.arguments.items()}
    call = replace(call, arguments=spelled)
    said: Permission = judge_call(call, run)
    if said not in get_args(Permission):
        return "deny"
    said_now = " ".join(text.text for text in run.texts if text.trusted)
    others = not_named(said_now, run.texts)
    told = {name: text for name, text in call.arguments.items() if name not in REACHES}
    at_path = replace(call, arguments={"path": call.arguments.get("path")})
    is_odd = (
        any(len(text.splitlines()) > 1 for text in heads)
        or is_disguised(call.arguments, run.texts)
        or has_link(call.arguments, run.texts)
        or has_strange_words(told, run.texts, others)
        or not is_asked_for(call, orders, run.task, run.texts)
        or ("path" in call.arguments and judge_call(at_path, replace(run, task=orders)) != "allow")
    )
    if said == "allow" and is_odd:
        return "ask"
    is_likely = is_own or beside_a_name(call, run.task, run.texts)
    return "ask" if said == "deny" and is_likely else said


def _of_readings(call: ProposedCall, rules: Sequence[Rule], now: datetime) -> Permission:
    """The strictest permission that a rule about an argument gives to another reading of it."""
    found: Permission = "allow"
    about_arguments = [rule for rule in rules if rule.argument]
    folded = [replace(rule, value=next(readings(rule.value))) for rule in about_arguments]
    folded += [replace(rule, value=at) for rule in about_arguments for at in places(rule.value)]
    for name in {rule.argument for rule in folded if rule.permission != "allow"}:
        if name not in call.arguments:
            continue
        given = call.arguments[name]
        at = {place for text in leaves(given) for place in places(text)}
        for value in {*readings(given), *at}:
            about = replace(call, arguments={**call.arguments, name: value})
            said = permit(about, [*folded, ALLOWED], (), now)
            if said in STRICTNESS:
                found = max(found, said, key=STRICTNESS.index)
    return found


def origins_of(call: ProposedCall, texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts that a call repeats, by your `trace_origins`. The host of a
    `url` is checked, too."""
    host = _host_of(str(call.arguments.get("url", "")))
    found = trace_origins({**call.arguments, "host of the url": host}, texts)
    again = said_again(call.arguments, texts)
    if not isinstance(found, tuple) or not again:
        return found
    return tuple(text.name for text in texts if text.name in found or text.name in again)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
