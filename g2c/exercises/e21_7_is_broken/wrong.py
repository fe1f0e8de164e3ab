"""21.7 gone wrong."""

from collections.abc import Callable
from functools import partial

from wrong_answers import wrong

from g2c.critic.core.calls import call_of, read_arguments
from g2c.critic.core.examples import read_examples, run_examples
from g2c.critic.core.outcomes import try_calls

wrong = partial(wrong, "21.7")

Run = Callable[[str], str]


def fails_an_example(task: str, draft: str, run: Run) -> bool:
    return any(finding.trouble for finding in run_examples(draft, read_examples(task), run))


@wrong()
def the_examples_alone(task: str, draft: str, run: Run) -> bool:
    """A draft that passes the author's examples is right."""
    return fails_an_example(task, draft, run)


@wrong()
def every_error(task: str, draft: str, run: Run) -> bool:
    """A function that raises anything is broken."""
    if fails_an_example(task, draft, run):
        return True
    calls = []
    for example in read_examples(task):
        arguments = read_arguments(example.call)
        for name, value in arguments.items():
            other = type(value)()
            calls.append(call_of(example.call.partition("(")[0], {**arguments, name: other}))
    return any(outcome.raises for outcome in try_calls(draft, calls, run))


@wrong()
def a_long_draft(task: str, draft: str, run: Run) -> bool:
    """A long draft has more places for a mistake."""
    return fails_an_example(task, draft, run) or len(draft.splitlines()) > 14


@wrong()
def twice(task: str, draft: str, run: Run) -> bool:
    """A draft that gives the same twice is right."""
    given = read_examples(task)
    calls = [example.call for example in given]
    first, second = (try_calls(draft, calls, run) for _ in range(2))
    return first != second or fails_an_example(task, draft, run)


wrong(
    "What a draft gives is all that counts, and not what stands in it.",
    ("        _knows_by_heart(tree, examples, words)\n        or ", "        "),
)


@wrong()
def no_effect(task: str, draft: str, run: Run) -> bool:
    """An argument that changes nothing shows that something was forgotten."""
    given = read_examples(task)
    calls = []
    for example in given:
        arguments = read_arguments(example.call)
        for name, value in arguments.items():
            other = value * 2 if isinstance(value, str | list) else type(value)()
            calls.append(call_of(example.call.partition("(")[0], {**arguments, name: other}))
    results = {example.expected for example in given}
    same = any(outcome.gives in results for outcome in try_calls(draft, calls, run))
    return same or fails_an_example(task, draft, run)


@wrong()
def the_result_in_the_text(task: str, draft: str, run: Run) -> bool:
    """An answer by heart is found by the result that stands in it."""
    results = [example.expected or "" for example in read_examples(task)]
    return fails_an_example(task, draft, run) or any(result in draft for result in results)


wrong(
    "No good function changes what it was given, and none gives two kinds of values.",
    ("(not _IN_PLACE.search(words) and any(", "(any("),
    ('kinds - expected - ({"NoneType"} if may_be_none else set())', "len(kinds) > 1"),
    ('_MISTAKES = ("UnboundLocalError", ', '_MISTAKES = ("ValueError", '),
)
wrong(
    "A critic that is not sure says that it is broken.",
    ("    if any(finding.trouble for finding in run_examples(draft, examples, run)):",
     "    if run_examples(draft, examples, run)[0].trouble or len(examples) < 3:"))  # fmt: skip
