"""Good and broken drafts of the labelled tasks, made from a seed.

A good draft is the task's good one, written in another way. A broken one has a fault: a slip of one
sign or line, the bug that the task is known for, a cache with the wrong key, an argument that is
changed, or an answer that knows the examples and nothing else. All drafts are rewritten alike, so
the style reveals nothing. The author's tests, with all examples, decide whether a draft is really
broken.
"""

import ast
import doctest
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from g2c.course.scored import PUBLIC_SEED
from g2c.critic.core.labelled import LabelledTask, load_labelled
from g2c.critic.core.outcomes import try_calls
from g2c.exercises.e21_7_is_broken.paraphrase import rewritten
from g2c.exercises.e21_7_is_broken.slips import slips_of
from g2c.tools import ToolError

Run = Callable[[str], str]

KEPT_BACK = (1, 3)
"""The tasks, of every five, that the public seed does not use."""

TASKS, NEW_TASKS = 22, 13
"""How many tasks a seed has, and how many of them are held-out ones for any seed but the public
one."""

GOOD_DRAFTS = 2
"""The number of good drafts of a task. There is a broken one for each kind of fault that the task
can have."""


@dataclass(frozen=True)
class Case:
    """A draft, and whether it is broken. `how` names its fault, if it has one."""

    name: str
    shown: str
    draft: str
    is_broken: bool
    how: str


@dataclass(frozen=True)
class _Task:
    """A labelled task with its shown examples, and the tests that decide about a draft."""

    labelled: LabelledTask
    given: tuple[doctest.Example, ...]
    every: tuple[doctest.Example, ...]

    @property
    def shown(self) -> str:
        examples = "".join(f">>> {example.source}{example.want}" for example in self.given)
        return f"{self.labelled.task.strip()}\n\nExamples:\n{examples}"


def make_cases(seed: int, run: Run) -> list[Case]:
    """The drafts of a seed. `run` runs a program, and raises `ToolError` if it fails."""
    draw = Random(f"drafts/{seed}")
    cases = []
    for labelled in _tasks(seed, draw):
        examples = tuple(doctest.DocTestParser().get_examples(labelled.examples))
        hidden = draw.randrange(len(examples)) if len(examples) > 1 else None
        given = tuple(example for place, example in enumerate(examples) if place != hidden)
        task = _Task(labelled, given, examples)
        for _ in range(GOOD_DRAFTS):
            draft = rewritten(_in_another_way(task, draw), draw)
            cases.append(Case(labelled.name, task.shown, draft, False, ""))
        for how, broken in _broken(task, draw, run):
            cases.append(Case(labelled.name, task.shown, rewritten(broken, draw), True, how))
    draw.shuffle(cases)
    return cases


def _tasks(seed: int, draw: Random) -> list[LabelledTask]:
    tasks = load_labelled()
    public = [task for place, task in enumerate(tasks) if place % 5 not in KEPT_BACK]
    if seed == PUBLIC_SEED:
        return draw.sample(public, TASKS)
    kept_back = [task for task in tasks if task not in public]
    return draw.sample(kept_back, NEW_TASKS) + draw.sample(public, TASKS - NEW_TASKS)


def _broken(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    """A broken draft for each possible kind of fault."""
    for kind in (_slip, _quiet_slip, _known, _remembers, _changes, _knows_examples):
        yield from islice(kind(task, draw, run), 1)


def _slip(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    slips = slips_of(task.labelled.good)
    for slip in draw.sample(slips, min(12, len(slips))):
        if _is_wrong(slip, task, run):
            yield "It has a slip.", slip


def _quiet_slip(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    slips = slips_of(task.labelled.good)
    for slip in draw.sample(slips, min(15, len(slips))):
        if _passes(slip, _asserts(task.given), run) and _is_wrong(slip, task, run):
            yield "It has a slip that the examples do not show.", slip


def _known(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    yield " ".join(task.labelled.bug.split()), task.labelled.broken


def _remembers(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    """A cache whose key leaves out a part of what the result depends on."""
    _, parameters, _ = _function(task.labelled.good)
    if parameters:
        key = parameters[0] if len(parameters) > 1 else f"len(str({parameters[0]}))"
        draft = _with_cache(task.labelled.good, key)
        if _is_wrong(draft, task, run):
            yield "It keeps a result, and gives it for other arguments.", draft


def _in_another_way(task: _Task, draw: Random) -> str:
    """The good draft, sometimes with a correct cache: the cached values are immutable."""
    _, parameters, _ = _function(task.labelled.good)
    is_plain = not any(example.want.startswith(("[", "{")) for example in task.every)
    if is_plain and parameters and draw.random() < 0.3:
        return _with_cache(task.labelled.good, f"({', '.join(parameters)},)")
    return task.labelled.good


def _with_cache(source: str, key: str) -> str:
    name, parameters, tree = _function(source)
    inner = f"_{name}"
    signature = _signature(tree)
    return (
        f"_known = {{}}\n\n{_renamed(tree, name, inner)}\n\ndef {name}({signature}):\n"
        f"    key = repr({key})\n    if key not in _known:\n"
        f"        _known[key] = {inner}({', '.join(parameters)})\n    return _known[key]\n"
    )


def _changes(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    """Drafts that empty an argument's list in a loop, or sort it in place."""
    _, parameters, _ = _function(task.labelled.good)
    drafts = []
    for name in parameters:
        loop = re.compile(rf"^( *)for (\w+) in {name}:$", re.MULTILINE)
        drafts.append(loop.sub(rf"\1while {name}:\n\1    \2 = {name}.pop(0)", task.labelled.good))
        head = re.compile(r"(def .*:\n)")
        in_place = task.labelled.good.replace(f"sorted({name})", name)
        if in_place != task.labelled.good:
            drafts.append(head.sub(rf"\1    {name}.sort()\n", in_place, count=1))
    for draft in drafts:
        if draft != task.labelled.good and _changes_arguments(draft, task, run):
            yield "It changes its argument.", draft


def _knows_examples(task: _Task, draw: Random, run: Run) -> Iterator[tuple[str, str]]:
    """Drafts that answer the shown examples by heart, and are otherwise wrong."""
    name, parameters, tree = _function(task.labelled.good)
    for _, slip in _slip(task, draw, run):
        tree = ast.parse(slip)
        function = next(
            node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
        )
        known: dict[str, str] = {}
        for example in task.given:
            call = ast.parse(example.source.strip(), mode="eval").body
            if isinstance(call, ast.Call) and len(call.args) == len(parameters):
                pairs = zip(parameters, call.args, strict=True)
                test = " and ".join(f"{own} == {ast.unparse(value)}" for own, value in pairs)
                known[test] = example.want.strip()
        lines = "".join(f"if {test}:\n    return {want}\n" for test, want in known.items())
        function.body = ast.parse(lines).body + function.body
        draft = ast.unparse(ast.fix_missing_locations(tree))
        if known and _is_wrong(draft, task, run):
            yield "It answers the examples by heart.", draft


def _is_wrong(draft: str, task: _Task, run: Run) -> bool:
    tests = f"{task.labelled.tests}\n{_asserts(task.every)}\n{task.labelled.tests}"
    return not _passes(draft, tests, run)


def _passes(draft: str, tests: str, run: Run) -> bool:
    the_end = "all tests passed"
    try:
        return run(f"{draft}\n{tests}\nprint({the_end!r})").strip().endswith(the_end)
    except ToolError:
        return False


def _changes_arguments(draft: str, task: _Task, run: Run) -> bool:
    """Whether it changes arguments in an example in which the good draft does not."""
    calls = [example.source.strip() for example in task.every if example.source.count("(") == 1]
    pair = [try_calls(code, calls, run) for code in (draft, task.labelled.good)] if calls else []
    return any(bad.after != good.after for bad, good in zip(*pair, strict=False)) if pair else False


def _asserts(examples: tuple[doctest.Example, ...]) -> str:
    return "".join(
        f"assert ({example.source.strip()}) == ({example.want.strip()})\n" for example in examples
    )


def _function(source: str) -> tuple[str, list[str], ast.Module]:
    """The name and the parameters of a draft's function, and the draft as a tree."""
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    return function.name, [argument.arg for argument in function.args.args], tree


def _signature(tree: ast.Module) -> str:
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    return ast.unparse(function.args)


def _renamed(tree: ast.Module, old: str, new: str) -> str:
    """The program with another name for a function, wherever the name occurs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == old:
            node.name = new
        elif isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return ast.unparse(tree)
