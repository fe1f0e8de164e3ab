"""A critic that runs the draft and judges by the results (Gou et al., 2023, *CRITIC*,
arXiv:2305.11738).

A model's opinion on code is a guess about what the code would do. Here the model only suggests
calls. A program makes them and judges the results.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from g2c.critic.core.calls import call_of, calls_of, calls_schema, read_arguments
from g2c.critic.core.examples import Example, Finding, critique_of, read_examples, run_examples
from g2c.critic.core.types import Critique
from g2c.inference import Backend
from g2c.inference.structured.json_forms import ask_json
from g2c.tools import ToolError, make_calculator
from g2c.tools.run_python import make_run_python
from g2c.tracing import traced

_FENCED = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_SUM = re.compile(r"(?<![\w.])([\d(][\d.+\-*/() ]*[+\-*/][\d.+\-*/() ]*)=\s*(-?\d+(?:\.\d+)?)")

_MORE_CALLS = """\
You are given calls of a function. Write others that its author may have forgotten: with nothing, \
one, zero, below zero, equal values, the last one. Answer with JSON.

Calls:
clamp({"a": 5, "b": 1, "c": 10})
clamp({"a": 70, "b": 0, "c": 50})
Others: {"calls": [{"a": 1, "b": 1, "c": 1}, {"a": -3, "b": -5, "c": 0}, {"a": 0, "b": 0, "c": 10}]}

Calls:
common({"a": ["x", "y"], "b": "x"})
Others: {"calls": [{"a": [], "b": "x"}, {"a": ["x", "x"], "b": "x"}, {"a": ["y"], "b": ""}]}

Calls:
"""


def _default_run() -> Callable[[str], str]:
    return make_run_python().func


@dataclass(frozen=True)
class CheckingCritic:
    """Judges a draft by running the task's examples and calls like them, and by checking each sum
    that the draft writes out. A draft with nothing to check is not approved.

    Args:
        backend: The model that thinks of more calls; None tries only what the task gives.
        run: Runs a program and returns what it prints, or raises `ToolError`.

    Raises:
        BackendError: at a call, the model could not be asked.
    """

    backend: Backend | None = None
    run: Callable[[str], str] = field(default_factory=_default_run)
    max_new_tokens: int = 200

    @traced("critique")
    def __call__(self, task: str, draft: str) -> Critique:
        given = read_examples(task)
        findings = list(check_sums(draft))
        if given:
            findings += run_examples(code_of(draft), [*given, *self.more_calls(given)], self.run)
        return critique_of(findings)

    def more_calls(self, given: Sequence[Example]) -> tuple[Example, ...]:
        """Calls that the model thinks of, with arguments of the same kinds as those given."""
        arguments = [read_arguments(example.call) for example in given]
        schema = calls_schema(arguments)
        if self.backend is None or schema is None:
            return ()
        function = given[0].call.partition("(")[0]
        calls = "\n".join(f"{function}({json.dumps(argument)})" for argument in arguments)
        prompt = f"{_MORE_CALLS}{calls}\nOthers: "
        answer = ask_json(self.backend, prompt, schema, max_new_tokens=self.max_new_tokens)
        known = {call_of(function, argument) for argument in arguments}
        thought_of = dict.fromkeys(calls_of(function, answer.completion, schema))
        return tuple(Example(call) for call in thought_of if call not in known)


def code_of(draft: str) -> str:
    """The program in a draft: what is in its code fence if it has one.

    >>> code_of("Here it is:\\n```python\\nx = 1\\n```")
    'x = 1'
    """
    fenced = _FENCED.search(draft)
    return fenced[1] if fenced else draft


def check_sums(text: str) -> tuple[Finding, ...]:
    """Each sum with its result in a text, computed again.

    >>> check_sums("3 * 12 = 36, and 36 / 8 = 4")[1].trouble
    '36 / 8 = 4 is wrong: it is 4.5.'
    """
    findings = []
    compute = make_calculator().func
    for found in _SUM.finditer(text):
        written = found[0].strip()
        try:
            value = compute(found[1].strip())
        except ToolError:
            continue
        is_right = float(value) == float(found[2])
        findings.append(Finding(written, "" if is_right else f"{written} is wrong: it is {value}."))
    return tuple(findings)
