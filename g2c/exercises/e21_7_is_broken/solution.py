"""21.7: run the examples and similar calls, and count only what good code hardly ever does.

Each sign is rare in a working draft: it returns another type than the examples, fails on a similar
call, depends on the order of the calls, changes its arguments without being asked to, or has the
examples' arguments in its text. Behaviour of good drafts, such as refusing an empty list, is no
evidence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from g2c.critic.core.calls import call_of, read_arguments
from g2c.critic.core.examples import Example, read_examples, run_examples
from g2c.critic.core.outcomes import NEVER_ENDS, Outcome, try_calls

_MISTAKES = ("UnboundLocalError", "NameError", "TypeError", "AttributeError", "RecursionError")
_IN_PLACE = re.compile(r"\b(given|in place)\b")


def is_broken(task: str, draft: str, run: Callable[[str], str]) -> bool:
    examples = read_examples(task)
    if any(finding.trouble for finding in run_examples(draft, examples, run)):
        return True
    words = task.partition("Examples:")[0]
    calls = [example.call for example in examples]
    calls += [call for example in examples for call in _beside(example.call)]
    calls = list(dict.fromkeys(calls))
    tree = ast.parse(draft)
    outcomes = try_calls(draft, calls, run)
    return (
        _knows_by_heart(tree, examples, words)
        or _has_another_number(tree, words)
        or _is_unfinished(tree)
        or any(map(_is_a_mistake, outcomes))
        or _gives_another_kind(outcomes, examples, words)
        or (not _IN_PLACE.search(words) and any(map(_changes_arguments, outcomes)))
        or _depends_on_the_order(outcomes, try_calls(draft, calls[::-1], run))
    )


def _beside(call: str) -> Iterator[str]:
    """Calls that differ from `call` slightly in one argument."""
    arguments = read_arguments(call)
    for name, value in arguments.items():
        for other in _near(value):
            yield call_of(call.partition("(")[0], {**arguments, name: other})


def _near(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1, 2 * value, 0]
    if isinstance(value, tuple):
        return _with_one_changed(value)
    if isinstance(value, str | list):
        shorter = [value[:0], value[:1], value[:-1], value[1:], value[::-1], value * 2]
        return shorter + _with_one_changed(value if isinstance(value, list) else [])
    if isinstance(value, dict):
        return [{}, dict(list(value.items())[::-1])]
    return []


def _with_one_changed(values: Any) -> list[Any]:
    """The values with one slightly changed."""
    changed = []
    for place, value in enumerate(values):
        for other in [] if isinstance(value, list) else _near(value)[:2]:
            changed.append(values[:place] + type(values)([other]) + values[place + 1 :])
    return changed


def _is_a_mistake(outcome: Outcome) -> bool:
    if outcome.raises.startswith("IndexError"):  # an empty sequence has no first item
        return not any(empty in outcome.call for empty in ("[]", "''"))
    return outcome.raises == NEVER_ENDS or outcome.raises.startswith(_MISTAKES)


def _gives_another_kind(
    outcomes: Sequence[Outcome], examples: Sequence[Example], words: str
) -> bool:
    expected = {_kind(example.expected or "") for example in examples}
    may_be_none = "None" in words
    kinds = {_kind(outcome.gives) for outcome in outcomes if outcome.gives}
    return bool(kinds - expected - ({"NoneType"} if may_be_none else set()))


def _kind(text: str) -> str:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ""
    return "number" if type(value) in (int, float) else type(value).__name__


def _changes_arguments(outcome: Outcome) -> bool:
    given = list(read_arguments(outcome.call).values())
    return bool(given and outcome.after) and outcome.after != repr(given)


def _depends_on_the_order(there: Sequence[Outcome], back: Sequence[Outcome]) -> bool:
    came = {outcome.call: (outcome.gives, outcome.raises) for outcome in there}
    return any(
        came.get(outcome.call, outcome) not in (outcome, (outcome.gives, outcome.raises))
        for outcome in back
    )


def _knows_by_heart(draft: ast.Module, examples: Sequence[Example], words: str) -> bool:
    """Whether the draft contains an example's argument that the task does not mention, or tests for
    an argument and returns the example's result."""
    given = {
        (repr(value), example.expected)
        for example in examples
        for value in read_arguments(example.call).values()
    }
    literals = _literals(draft)
    if any(len(text) > 2 and text in literals and text not in words for text, _ in given):
        return True
    asked = [node for node in ast.walk(draft) if isinstance(node, ast.If)]
    return any(
        text in _literals(node.test) and ast.unparse(node.body[0]) == f"return {expected}"
        for node in asked
        for text, expected in given
    )


def _literals(tree: ast.AST) -> set[str]:
    kinds = ast.Constant | ast.List | ast.Dict | ast.Tuple | ast.UnaryOp
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, kinds)}


def _has_another_number(draft: ast.Module, words: str) -> bool:
    """Whether the draft has a number that is off by one from a number of the task."""
    said = {int(number) for number in re.findall(r"\b\d+\b", words)}
    nodes = ast.walk(draft)
    own = {
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int
    }
    return any(n >= 8 and n not in said and (n - 1 in said or n + 1 in said) for n in own)


def _is_unfinished(draft: ast.Module) -> bool:
    """Whether something in the draft has no effect: an unused parameter or variable, a sum with
    zero, a line after a `return`, or an end without a result."""
    return any(_has_no_effect(node) for node in ast.walk(draft))


def _has_no_effect(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(_, ast.Add() | ast.Sub(), ast.Constant(0)):
            return True
        case ast.FunctionDef(args=arguments, body=body):
            inside = list(ast.walk(node))
            names = [inner for inner in inside if isinstance(inner, ast.Name)]
            read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
            kept = [inner.targets[0] for inner in inside if isinstance(inner, ast.Assign)]
            own = {target.id for target in kept if isinstance(target, ast.Name)}
            own |= {argument.arg for argument in arguments.args}
            results = [inner for inner in inside if isinstance(inner, ast.Return)]
            falls_out = not isinstance(body[-1], ast.Return | ast.Raise | ast.If)
            return bool(own - read) or (bool(results) and falls_out)
    for block in (getattr(node, "body", ()), getattr(node, "orelse", ())):
        if isinstance(block, list) and any(isinstance(line, ast.Return) for line in block[:-1]):
            return True
    return False
