"""What a critic sees in a draft before it judges: what the task asks for and what is there, or the
line that matters and the result of a call.

A verdict follows from such a look. Without it a verdict is a guess, and a model that guesses
approves everything or nothing.
"""

from __future__ import annotations

import ast
import random
import re

from maintain.training.kinds.prose_drafts import GROUPS
from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DAYS,
    GOODS,
    MATERIALS,
    PEOPLE,
    PLACES,
    THINGS,
)

_WORDS = frozenset((*PEOPLE, *PLACES, *THINGS, *GOODS, *COLOURS, *DAYS, *MATERIALS, *ANIMALS))
_TOKEN = re.compile(r"[A-Za-z]+|\d+")


def look_at_prose(task: str, draft: str, good: str) -> str:
    """What the task asks for and what the draft has, in its own words."""
    asked = [word for word in _named(task) if word.lower() in good.lower()]
    there = [word for word in _named(draft) if word.lower() in task.lower() or word in _WORDS]
    if "on each line" in task:
        count = len(good.splitlines())
        asked.append(f"{count} different lines")
        there.append(f"{len(set(draft.splitlines()))} different lines")
        kind = next(name for name in GROUPS if name in task)
        there += [f"no {kind}: {x}" for x in draft.splitlines() if x not in GROUPS[kind]][:1]
    if "one sentence" in task or "one question" in task:
        asked.append(_sentences(good))
        there.append(_sentences(draft))
    return f"The task asks for {_listed(asked)}. The draft has {_listed(there)}."


def look_at_code(
    rng: random.Random, good: str, draft: str, faults: list[tuple[str, str, str]], check: str
) -> str:
    """The line of the draft that matters, and what a call of it gives."""
    lines = draft.splitlines()
    pairs = enumerate(zip(good.splitlines(), lines, strict=False))
    # In a sound draft, the line that a fault would change.
    part = rng.choice(faults)[0].strip().partition("\n")[0]
    at = [n for n, (was, now) in pairs if was != now] or [
        n for n, line in enumerate(lines) if part in line
    ]
    line = lines[at[0]] if at else lines[-1]
    said = f"The draft has the line: {line.strip()}"
    calls = [
        (call, result_of_call(good, call), result_of_call(draft, call)) for call in calls_in(check)
    ]
    wrong = [one for one in calls if one[1] != one[2]]
    if not calls or (draft != good and not wrong):
        return said
    call, must, gives = rng.choice(wrong or calls)
    return f"{said}\n{call} must give {must}. It gives {gives}."


def calls_in(check: str) -> list[str]:
    """The calls with plain values that an expression makes.

    >>> calls_in("half(4) == 2 and half(9 - 1) == 4 and (lambda x: half(x))(2) == 1")
    ['half(4)', 'half(8)']
    """
    found = []
    for node in ast.walk(ast.parse(check, mode="eval")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            try:
                values = [eval(ast.unparse(value), {"__builtins__": {}}) for value in node.args]
            except NameError:
                continue
            if node.func.id not in ("sorted", "range", "list"):
                found.append(f"{node.func.id}({', '.join(map(repr, values))})")
    return list(dict.fromkeys(found))


def result_of_call(code: str, call: str) -> str:
    """The result of a call of a function, or the name of the error that it raises."""
    names: dict[str, object] = {}
    exec(code, names)
    try:
        return repr(eval(call, names))
    except Exception as error:
        return f"a {type(error).__name__}"


def _named(text: str) -> list[str]:
    words = _TOKEN.findall(text)
    return list(dict.fromkeys(word for word in words if word in _WORDS or word.isdigit()))


def _sentences(text: str) -> str:
    count = len(re.findall(r"[.!?](?=\s|$)", text))
    return "1 sentence" if count == 1 else f"{count} sentences"


def _listed(words: list[str]) -> str:
    return ", ".join(words) or "nothing by name"
