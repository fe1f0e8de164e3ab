"""The results of calling a draft: what each call returns or raises, and its arguments
afterwards."""

import ast
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from g2c.tools import ToolError

NEVER_ENDS = "it does not end"

_HARNESS = """
def _try(calls):
    import json

    for name, arguments in calls:
        values = [eval(argument) for argument in arguments]
        try:
            value = eval(name)(*values)
            outcome = {{"gives": repr(value)}}
        except Exception as error:
            outcome = {{"raises": f"{{type(error).__name__}}: {{error}}"}}
        print("\\n" + {mark!r} + json.dumps(outcome | {{"after": repr(values)}}), flush=True)


_try({calls!r})
"""


@dataclass(frozen=True)
class Outcome:
    """The result of a call: the `repr` of its value, or the error that it `raises`, such as
    `IndexError: list index out of range`. `after` is the `repr` of the list of its arguments after
    the call."""

    call: str
    gives: str = ""
    raises: str = ""
    after: str = ""


def try_calls(draft: str, calls: Sequence[str], run: Callable[[str], str]) -> tuple[Outcome, ...]:
    """Make the calls in a program with `draft`, one after the other, and return their outcomes.

    `run` runs a program and returns what it prints, or raises `ToolError`, as `make_run_python`'s
    does; its limits apply. A call is a function's name and arguments that are literals. A call that
    does not end, or ends the program, is the last outcome. A draft that means to deceive can print
    what it likes.

    >>> from g2c.tools.run_python import make_run_python
    >>> run = make_run_python().func
    >>> try_calls("def half(n): return n // 2", ["half(5)", "half('x')"], run)[0]
    Outcome(call='half(5)', gives='2', raises='', after='[5]')
    """
    mark = secrets.token_hex(8)
    parts = [_parts(call) for call in calls]
    trouble = NEVER_ENDS
    try:
        output = run(draft + "\n" + _HARNESS.format(mark=mark, calls=parts))
    except ToolError as error:
        output = str(error)
        trouble = NEVER_ENDS if "stopped" in output else "the program ends"
    lines = [line for line in output.splitlines() if line.startswith(mark)]
    found = [json.loads(line.removeprefix(mark)) for line in lines]
    outcomes = [Outcome(call, **outcome) for call, outcome in zip(calls, found, strict=False)]
    if len(outcomes) < len(calls):
        outcomes.append(Outcome(calls[len(outcomes)], raises=trouble))
    return tuple(outcomes)


def _parts(call: str) -> tuple[str, list[str]]:
    parsed = ast.parse(call, mode="eval").body
    if not isinstance(parsed, ast.Call) or parsed.keywords:
        raise ValueError(f"{call!r} is not a call with plain arguments")
    return ast.unparse(parsed.func), [ast.unparse(argument) for argument in parsed.args]
