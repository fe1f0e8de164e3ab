"""Examples of a function, and their results when a draft of it runs.

A task's author gives a few calls with their results, as Python's `doctest` writes them. Running
them is evidence; no opinion is needed.
"""

import ast
import doctest
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from g2c.critic.core.types import Critique
from g2c.text import one_line
from g2c.tools import ToolError

MAX_SEEN_CHARS = 120

_HARNESS = """
def _look(calls):
    import json

    def come_of(call, expected):
        try:
            value = eval(call)
            holds = expected is None or repr(value) == expected or value == eval(expected)
            kind = "number" if type(value) in (int, float) else type(value).__name__
            return {{"gives": repr(value), "kind": kind, "holds": bool(holds)}}
        except Exception as error:
            return {{"raises": f"{{type(error).__name__}}: {{error}}"}}

    # All calls are made twice, the second time in reverse order: a function that keeps state
    # between calls then gives other answers.
    first = [come_of(*call) for call in calls]
    second = [come_of(*call) for call in reversed(calls)]
    both = list(zip(first, reversed(second)))
    print({mark!r} + json.dumps(both))


_look({calls!r})
"""


@dataclass(frozen=True)
class Example:
    """A call, and the `repr` of its expected result; None if that is unknown."""

    call: str
    expected: str | None = None


@dataclass(frozen=True)
class Finding:
    """Something that was checked. `trouble` says what is wrong with it; empty if nothing is."""

    looked_at: str
    trouble: str = ""


def read_examples(text: str) -> tuple[Example, ...]:
    """The examples in a text: lines that begin with `>>>`, each with its result below.

    >>> read_examples("Write double(x).\\n>>> double(4)\\n8")
    (Example(call='double(4)', expected='8'),)
    """
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:  # such as a prompt without the space behind it
        return ()
    pairs = ((example.source.strip(), example.want.strip()) for example in found)
    return tuple(Example(call, want) for call, want in pairs if want and _is_call(call))


def run_examples(
    draft: str, examples: Sequence[Example], run: Callable[[str], str]
) -> tuple[Finding, ...]:
    """Run each example twice in the program `draft`, and return what was found. `run` is a function
    such as `make_run_python` makes, with its limits.

    A call without an expected result fails if it raises anything but ValueError (which is how a
    function refuses), or if its result has another type than those of the examples. A draft that
    means to deceive can print what it likes.
    """
    calls = [(example.call, example.expected) for example in examples]
    mark = secrets.token_hex(8)  # a draft may print, too
    try:
        output = run(draft + "\n" + _HARNESS.format(mark=mark, calls=calls))
    except ToolError as error:
        return (Finding("the program", one_line(str(error))[:MAX_SEEN_CHARS]),)
    _, found, last = output.rpartition(mark)
    if not found:  # the draft ended the program
        return (Finding("the program", "It ends before its function can be called."),)
    outcomes = json.loads(last)
    kinds = {
        first["kind"]
        for example, (first, _) in zip(examples, outcomes, strict=True)
        if example.expected is not None and first.get("holds")
    }
    return tuple(
        Finding(example.call, _trouble(example, first, second, kinds))
        for example, (first, second) in zip(examples, outcomes, strict=True)
    )


def critique_of(findings: Sequence[Finding]) -> Critique:
    """The verdict that follows from the findings: APPROVE if nothing is wrong. Without findings
    there is no evidence, and no approval.

    >>> critique_of([Finding("f(1)"), Finding("f(2)", "f(2) gives 3, and must give 4.")])
    Critique(score=5.0, issues=('f(2) gives 3, and must give 4.',), recommendation='REVISE', \
parse_error=None)
    """
    if not findings:
        return Critique(parse_error="There was nothing to check: no example, and nothing to run.")
    issues = tuple(finding.trouble for finding in findings if finding.trouble)
    score = round(10 * (1 - len(issues) / len(findings)), 1)
    return Critique(score, issues, "REVISE" if issues else "APPROVE")


def _trouble(
    example: Example, first: dict[str, str], second: dict[str, str], kinds: set[str]
) -> str:
    call, expected = example.call, example.expected
    must = "" if expected is None else f", and must give {expected}"
    if "raises" in first:
        if expected is None and first["raises"].startswith("ValueError"):
            return ""
        return f"{call} raises {first['raises'][:MAX_SEEN_CHARS]}{must}."
    gives = f"{call} gives {first['gives'][:MAX_SEEN_CHARS]}"
    if not first["holds"]:
        return f"{gives}{must}."
    if first != second:
        again = second.get("gives") or second["raises"]
        return f"{gives}, and after other calls {again[:MAX_SEEN_CHARS]}."
    if expected is None and kinds and first["kind"] not in kinds:
        return f"{gives}, and the examples give {' or '.join(sorted(kinds))}."
    return ""


def _is_call(text: str) -> bool:
    """Whether a text is one Python expression that calls a function by its name."""
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(parsed, ast.Call) and isinstance(parsed.func, ast.Name)
