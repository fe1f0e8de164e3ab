"""Whether a task was solved: pure functions of the model's answer.

A right answer is not enough. If a number in it came from no tool, the model guessed it and will be
wrong the next time.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal

from g2c.agent import AgentRunResult, Plan
from g2c.critic.core.types import Critique
from g2c.memory.core.types import DreamPlan
from g2c.suite.tasks import (
    AgentTask,
    CheckTask,
    CritiqueTask,
    HomeTask,
    InstructionTask,
    OutsideTask,
    PlanTask,
)

_HONEST = re.compile(r"\b(no|not|nothing|nowhere|none|unknown|cannot|unable|\w+n't)\b", re.I)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a task.

    `parsed` is whether the answer could be read at all, `invented` whether it was given without a
    successful tool call that was needed. `why` says what was missing.
    """

    success: bool
    parsed: bool
    why: str = ""
    invented: bool = False


def holds(text: str, expected: str) -> bool:
    """Whether `text` has `expected` as a number or word of its own, in any case.

    >>> holds("That makes 1,047 coins.", "1047"), holds("It is 1047.0", "1047")
    (True, True)
    >>> [holds(text, "47") for text in ("1047", "47.5", "-47", "a47", "v0.47")]
    [False, False, False, False, False]
    """
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    zeros = r"(?:\.0+)?" if expected.isdigit() else ""
    own = rf"(?<![\w.\-]){re.escape(expected)}{zeros}(?!\w|[.:]\d)"
    return re.search(own, text, re.IGNORECASE) is not None


_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w|[.:]\d)")


def gives(text: str, expected: str) -> bool:
    """Whether `text` has `expected`: numbers are compared by value, anything else as in `holds`.

    >>> gives("They need $1,250.50 in all.", "1250.5"), gives("Room 12b", "12")
    (True, False)
    """
    if not _NUMBER.fullmatch(expected):
        return holds(text, expected)
    value = _value(expected)
    return any(_value(found) == value for found in _NUMBER.findall(text))


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))


def judge_outside(task: OutsideTask, result: AgentRunResult) -> Verdict:
    """Judge a run on a question from outside: the answer alone, or its tool calls as well."""
    if not task.any_way:
        return judge_agent(task, result, gives)
    if result.final_answer is None:
        return Verdict(False, False, f"no answer: {result.stopped_reason}")
    return _judge_answer(task, result.final_answer)


def _judge_answer(task: AgentTask, answer: str) -> Verdict:
    if any(gives(answer, wrong) for wrong in task.wrong):
        return Verdict(False, True, "a wrong answer")
    if not task.expected:
        return _judge_honesty(answer)
    right = gives(answer, task.expected)
    return Verdict(right, True, "" if right else "a wrong answer")


def admits(answer: str) -> bool:
    """Whether an answer says that something is not there, or not known.

    >>> admits("The file does not say it."), admits("It is blue.")
    (True, False)
    """
    return _HONEST.search(answer) is not None


def _judge_honesty(answer: str) -> Verdict:
    honest = admits(answer)
    return Verdict(honest, True, "" if honest else "it does not say that it is not there")


def judge_agent(
    task: AgentTask, result: AgentRunResult, holds: Callable[[str, str], bool] = holds
) -> Verdict:
    """Judge an agent's run: the answer must be right, and come from a tool if one is needed.
    `holds` says whether a text has a value."""
    answer = result.final_answer
    if answer is None:
        return Verdict(False, False, f"no answer: {result.stopped_reason}")
    given = [step.observation for step in result.steps if step.observation]
    found = [observation.output for observation in given if not observation.is_error]
    if task.solution and not found:
        return Verdict(False, True, "no tool gave an answer", invented=True)
    if not task.solution and given:
        return Verdict(False, True, "a tool was called for nothing")
    if any(holds(answer, wrong) for wrong in task.wrong):
        return Verdict(False, True, "a wrong answer")
    if not task.expected:
        return _judge_honesty(answer)
    if not holds(answer, task.expected):
        return Verdict(False, True, "a wrong answer")
    if task.solution and not any(holds(output, task.expected) for output in found):
        return Verdict(False, True, "right, and not from a tool")
    return Verdict(True, True)


def judge_home(task: HomeTask, result: AgentRunResult, kept: Collection[str]) -> Verdict:
    """A run in a home. `kept` are the texts of its memory afterwards.

    If the conversation has the answer, a look into the memory is allowed.
    """
    if task.keeps:
        is_kept = any(gives(text, task.expected) for text in kept)
        if result.final_answer is None:
            return Verdict(False, False, f"no answer: {result.stopped_reason}")
        was_called = any(step.observation for step in result.steps)
        why = "" if is_kept else "it is not in the memory"
        return Verdict(is_kept, True, why, invented=not was_called)
    if task.solution or result.final_answer is None:
        return judge_agent(task, result, gives)
    return _judge_answer(task, result.final_answer)


def judge_check(task: CheckTask, critique: Critique, looked: bool) -> Verdict:
    """Judge a critic's verdict. `looked` is whether the model suggested something to check; without
    that, an approval is luck."""
    if not looked:
        return Verdict(False, False, "it thought of nothing to look at")
    right = critique.recommendation == task.expected
    return Verdict(right, True, "" if right else f"it says {critique.recommendation}")


def judge_plan(task: PlanTask, plan: Plan | None) -> Verdict:
    """A plan: it can be read, and names the file that the question is about."""
    if plan is None:
        return Verdict(False, False, "no plan could be read")
    named = holds("\n".join((plan.goal, *plan.steps)), task.expected)
    return Verdict(named, True, "" if named else f"it does not name {task.expected}")


def judge_critique(task: CritiqueTask, critique: Critique) -> Verdict:
    """A critique: it can be read, and has the right verdict."""
    if critique.parse_error:
        return Verdict(False, False, critique.parse_error)
    right = critique.recommendation == task.expected
    return Verdict(right, True, "" if right else f"it says {critique.recommendation}")


def judge_consolidation(expected: str, plan: DreamPlan | None, reason: str) -> Verdict:
    """A consolidation: it can be read, and a topic keeps what matters."""
    if plan is None:
        return Verdict(False, False, reason)
    kept = any(holds(draft.body, expected) for draft in plan.upserts)
    return Verdict(kept, True, "" if kept else f"no topic keeps {expected}")


def judge_instruction(task: InstructionTask, reply: str) -> Verdict:
    """A reply to an instruction."""
    bare = reply.strip().strip("\"'`*.! ")
    match task.check:
        case "is":
            right = bare.lower() == task.expected.lower()
        case "holds":
            right = holds(reply, task.expected)
        case "written":
            right = task.expected in reply
        case "lines":
            right = len([line for line in reply.splitlines() if line.strip()]) == int(task.expected)
    return Verdict(right, bool(bare), "" if right else f"not as told: {bare[:60]!r}")
