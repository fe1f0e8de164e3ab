"""Playing tasks of an evaluation with a model that writes a right answer, or a wrong one."""

import json
from collections.abc import Mapping
from typing import Any

from g2c.inference import ScriptedBackend
from g2c.suite.runner import Attempt, run_task
from g2c.suite.tasks import (
    AgentTask,
    CallTask,
    CheckTask,
    ConsolidationTask,
    CritiqueTask,
    HomeTask,
    InstructionTask,
    MessageTask,
    PlanTask,
    RerankTask,
    SuiteTask,
    TickTask,
)

NOT_FOUND = "The file does not say it."
WRONG = "It is Xyzzy."


def wrong_answer(task: SuiteTask) -> str:
    """An answer that must solve nothing."""
    return {"APPROVE": "REVISE", "REVISE": "APPROVE"}.get(task.expected, WRONG)


def script(task: SuiteTask, answer: str | None = None) -> list[str]:
    """The replies of a model that solves `task`; `answer` in place of the right one."""
    match task:
        case HomeTask(keeps=True):
            ((tool, arguments),) = task.solution
            kept = {**arguments, "text": answer} if answer else arguments
            return [call((tool, kept)), "Thought: It is kept.\nFinal Answer: I will remember it."]
        case AgentTask():
            final = answer or task.expected or NOT_FOUND
            return [*map(call, task.solution), f"Thought: I know.\nFinal Answer: {final}"]
        case PlanTask():
            return [f" answer it\n1. Read {answer or task.expected}.\n2. Say it."]
        case CritiqueTask():
            return [f"SCORE: 5/10\nISSUES: none\nRECOMMENDATION: {answer or task.expected}"]
        case CheckTask():
            return ["{}" if answer else task.solution]
        case ConsolidationTask():
            name = task.topic[0] if task.topic else "Thing"
            body = f"It is {answer or task.expected}."
            draft = {"name": name, "description": "a thing", "type": "user", "body": body}
            return [json.dumps({"upserts": [draft], "deletes": [], "summary": "News."})]
        case RerankTask():
            place = task.notes.index(task.expected)
            chosen = (place + bool(answer)) % len(task.notes) + 1
            return [json.dumps({"best": [{"note": chosen, "reason": "It says so."}]})]
        case TickTask():
            text = answer or task.expected
            said = task.answer if isinstance(task, MessageTask) else "nobody"
            return [
                call(("write_file", {"path": task.file, "text": text})),
                call(("update_state", {"text": "Done."})),
                f"I know.\nFinal Answer: It is done, for {said}.",
            ]
        case CallTask():
            if bool(task.expected) == bool(answer):
                return ["I know.\nFinal Answer: No function does that."]
            return [call(right_call(task))]
        case InstructionTask(check="lines"):
            return ["word\n" * (9 if answer else int(task.expected))]
    return [answer or task.expected]


def right_call(task: CallTask) -> tuple[str, Mapping[str, Any]]:
    """The call that `task` asks for, without what may be left out; any call if it asks for none."""
    given = {name: values[0] for name, values in task.arguments.items() if None not in values}
    return task.expected or task.functions[0]["name"], given


def call(one: tuple[str, object]) -> str:
    tool, arguments = one
    return f" I need it.\nAction: {tool}\nAction Input: {json.dumps(arguments)}\n"


def scripted(task: SuiteTask, answer: str | None = None) -> ScriptedBackend:
    """A model that writes `script`; where the task's channel is the model's own, as a message."""
    if not isinstance(task, CallTask) or task.channel == "text":
        return ScriptedBackend(script(task, answer))
    if bool(task.expected) == bool(answer):
        return ScriptedBackend(chats=["No function does that."])
    tool, arguments = right_call(task)
    return ScriptedBackend(chats=[{"tool_calls": [{"name": tool, "arguments": arguments}]}])


def play(task: SuiteTask, model: ScriptedBackend) -> Attempt:
    outcome = run_task(model, task)
    assert not model.queued, f"{task.id} ended before all was said: {model.queued}"
    return outcome
