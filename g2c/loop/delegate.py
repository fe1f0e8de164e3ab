"""Handing one question to a fresh agent, as a tool call.

A delegate starts with nothing but the question, so the asker's context pays for the answer and not
for the way there. The idea to take away: whoever may delegate may delegate to somebody who may. So
the budget is one purse for all of them, and it is empty for all at once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from g2c.agent import Agent, AgentRunResult
from g2c.loop.base import Budget, LoopError, Spent
from g2c.memory import MemoryStore
from g2c.tools import Tool, ToolError, ToolExample

NOTE_ANSWER_CHARS = 4_000
NOTE_OBSERVATION_CHARS = 300
NOTE_STEPS = 20


class Purse:
    """What all delegates of one tree may spend together: `budget.ticks` questions, since each is
    answered by one run as a tick is, and `budget.tokens` of the model.

    Raises:
        LoopError: `budget` has no bound of ticks, or has one of seconds, which nobody measures.
    """

    def __init__(self, budget: Budget) -> None:
        if budget.ticks is None or budget.seconds is not None:
            raise LoopError(
                "A delegate's budget is Budget(ticks=..., tokens=...): how many questions may be "
                f"asked, and for how many tokens; got {budget}."
            )
        self.budget = budget
        self.spent = Spent()
        self._one_at_a_time = threading.Lock()

    def take_question(self) -> None:
        """Pay for a question before it is asked.

        Raises:
            ToolError: there is nothing left to pay with.
        """
        with self._one_at_a_time:
            for what in ("ticks", "tokens"):
                bound, spent = getattr(self.budget, what), getattr(self.spent, what)
                if bound is not None and spent >= bound:
                    unit = "questions" if what == "ticks" else "tokens"
                    raise ToolError(
                        f"Nobody can be asked any more: {spent} of {bound} {unit} are used up. "
                        "Go on with what you know."
                    )
            self.spent = replace(self.spent, ticks=self.spent.ticks + 1)

    def take_tokens(self, tokens: int) -> None:
        """Pay for what a run has cost."""
        with self._one_at_a_time:
            self.spent = replace(self.spent, tokens=self.spent.tokens + tokens)


def make_delegate(
    agent_factory: Callable[[Sequence[Tool]], Agent],
    name: str,
    budget: Budget | Purse,
    *,
    now: Callable[[], datetime],
    store: MemoryStore | None = None,
    description: str = "",
) -> Tool:
    """Return the tool `name`, which has a fresh agent answer one question.

    Its answer is the observation. A delegate that gives none, that fails, or that may not be asked
    any more is an error observation. The tokens are exceeded by no more than the runs under way.

    Args:
        agent_factory: Makes the agent of one question from the tools that it is to have besides its
            own: this tool again, which pays from the same purse.
        name: The tool's name, such as `research`.
        budget: How many questions (ticks), and for how many tokens. Delegates of several names
            share one where they are given one `Purse`.
        now: The clock, for the date of the notes.
        store: Where the question, the answer and the way there are kept as a topic with the date;
            None for nowhere.
        description: What the model reads of the tool.

    Raises:
        LoopError: as `Purse`.
    """
    purse = budget if isinstance(budget, Purse) else Purse(budget)

    def ask(question: str) -> str:
        purse.take_question()
        result = agent_factory([delegate]).run(question)
        costs = [result.metadata.get(key) for key in ("prompt_tokens", "completion_tokens")]
        purse.take_tokens(sum(cost or 0 for cost in costs))
        if store is not None:
            _keep(store, name, result, now())
        if not result.final_answer:
            raise ToolError(
                f"{name} found no answer; it ended with {result.stopped_reason} after "
                f"{len(result.steps)} steps. Ask for less, or go on without."
            )
        return result.final_answer

    delegate = Tool(
        name=name,
        description=description or "Ask somebody who knows nothing of your task one question.",
        parameters={
            "type": "object",
            "properties": {"question": {"type": "string", "description": "the whole question"}},
            "required": ["question"],
            "additionalProperties": False,
        },
        func=ask,
        example=_EXAMPLES[0],
        more_examples=_EXAMPLES[1:],
    )
    return delegate


def _keep(store: MemoryStore, name: str, result: AgentRunResult, now: datetime) -> None:
    day, question = now.astimezone(UTC).date(), result.user_message
    parts = [
        f"On {day} {name} was asked: {question}",
        f"It answered: {(result.final_answer or 'nothing')[:NOTE_ANSWER_CHARS]}",
    ]
    for step in result.steps[:NOTE_STEPS]:
        if step.action and step.observation:
            arguments = json.dumps(step.action.arguments, ensure_ascii=False)
            said = f"{step.action.tool} {arguments}"[:NOTE_OBSERVATION_CHARS]
            mark = "[error] " if step.observation.is_error else ""
            parts.append(f"- {said}: {mark}{step.observation.output[:NOTE_OBSERVATION_CHARS]}")
    store.write_topic(f"{day} {name}: {question}", question[:200], "\n\n".join(parts), type=name)


def _example(question: str, answer: str) -> ToolExample:
    return ToolExample(
        question=question,
        thought="I hand on the whole question.",
        arguments={"question": question},
        observation=answer,
        answer=answer,
    )


_EXAMPLES = (
    _example("Who wrote the song about the harbour?", "Ada wrote it in 1998."),
    _example("How high is the old tower?", "The old tower is 42 metres high."),
    _example("Which shop sells maps?", "The shop beside the station sells maps."),
)
