"""Whether a task was solved: pure functions of what came back.

A right answer is not enough. If no tool gave a number in it, the model guessed or made it up, and
will be wrong the next time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from g2c.agent import AgentRunResult, Plan
from g2c.critic.provided.types import Critique
from g2c.evaluation.tasks import AgentTask, CritiqueTask, InstructionTask, PlanTask
from g2c.memory.provided.types import DreamPlan

_HONEST = re.compile(r"\b(no|not|nothing|nowhere|none|unknown|cannot|unable|\w+n't)\b", re.I)


@dataclass(frozen=True)
class Verdict:
    """What came of a task.

    `parsed` is whether the answer could be read at all, `invented` whether it was given with no
    successful call of a tool where one was needed; `why` says what was missing.
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


def judge_agent(task: AgentTask, result: AgentRunResult) -> Verdict:
    """An agent's run: the right answer, and from a tool where one is needed."""
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
        honest = _HONEST.search(answer) is not None
        return Verdict(honest, True, "" if honest else "it does not say that it is not there")
    if not holds(answer, task.expected):
        return Verdict(False, True, "a wrong answer")
    if task.solution and not any(holds(output, task.expected) for output in found):
        return Verdict(False, True, "right, and not from a tool")
    return Verdict(True, True)


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
