"""Handing one question to a fresh agent, as a tool call.

A delegate starts with nothing but the question, so the asker's context pays for the answer and not
for the steps that led to it. A delegate may delegate again, so all of them share one budget.
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from g2c.agent import Agent, AgentRunResult, AgentStep
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.loop.core.tick import to_each, tokens_of
from g2c.loop.core.types import Budget, LoopError, Spent
from g2c.memory import MemoryStore
from g2c.text import within
from g2c.tools import Tool, ToolError, ToolExample

NOTE_ANSWER_CHARS = 4_000
NOTE_OBSERVATION_CHARS = 300
NOTE_TITLE_CHARS = 300
NOTE_STEPS = 20
NOTE_BYTES = 20_000

Run = Callable[[Agent, str], AgentRunResult]


class SharedBudget:
    """The common budget of all delegates of one tree: `budget.ticks` questions, one run each, and
    `budget.tokens` of the model.

    Raises:
        LoopError: `budget` has no bound of ticks, or it has one of seconds, which nobody measures.
    """

    def __init__(self, budget: Budget) -> None:
        if budget.ticks is None or budget.seconds is not None:
            raise LoopError(
                "A delegate's budget is Budget(ticks=..., tokens=...): how many questions may be "
                f"asked, and for how many tokens; got {budget}."
            )
        self.budget = budget
        self.spent = Spent()
        self._most_tokens: int | None = None
        self._one_at_a_time = threading.Lock()

    def allow(self, tokens: int | None) -> None:
        """Let delegates spend at most so many tokens from now on, if that is less than what is left
        of `budget`; None: what is left."""
        with self._one_at_a_time:
            self._most_tokens = None if tokens is None else self.spent.tokens + tokens

    def take_question(self) -> None:
        """Pay for a question before it is asked.

        Raises:
            ToolError: nothing is left.
        """
        with self._one_at_a_time:
            bounds = (
                ("questions", self.spent.ticks, self.budget.ticks),
                ("tokens", self.spent.tokens, self.budget.tokens),
                ("tokens", self.spent.tokens, self._most_tokens),
            )
            for unit, spent, bound in bounds:
                if bound is not None and spent >= bound:
                    raise ToolError(
                        f"Nobody can be asked any more: {spent} of {bound} {unit} are used up. "
                        "Go on with what you know."
                    )
            self.spent = replace(self.spent, ticks=self.spent.ticks + 1)

    def take_tokens(self, tokens: int) -> None:
        """Pay for a run that is over."""
        with self._one_at_a_time:
            self.spent = replace(self.spent, tokens=self.spent.tokens + tokens)


def make_delegate(
    agent_factory: Callable[[Sequence[Tool]], Agent],
    name: str,
    budget: Budget | SharedBudget,
    *,
    now: Callable[[], datetime],
    store: MemoryStore | None = None,
    description: str = "",
    run: Run = lambda agent, question: agent.run(question),
) -> Tool:
    """Return the tool `name`, which lets a fresh agent answer one question.

    The answer is the observation. If there is none, if the delegate fails, or if nothing is left to
    spend, the observation is an error. Runs under way may exceed the tokens, later ones may not.

    Args:
        agent_factory: Makes the agent for one question. It is given the tools to add: this tool
            again, which pays from the same budget.
        name: The tool's name, such as `research`.
        budget: How many questions (ticks), and how many tokens. Delegates that are given the same
            `SharedBudget` share it.
        now: The clock, for the date of the notes.
        store: Keeps question, answer and steps as a topic with the date; None keeps nothing.
        description: The tool's description for the model.
        run: Runs an agent on a question, and may check its answer.

    Raises:
        LoopError: as `SharedBudget`.
    """
    shared = budget if isinstance(budget, SharedBudget) else SharedBudget(budget)

    def ask(question: str) -> str:
        shared.take_question()
        steps: list[AgentStep] = []
        agent = agent_factory([delegate])
        agent.on_step = to_each(steps.append, agent.on_step)
        try:
            result = run(agent, question)
        finally:  # a run that breaks is paid for as well
            shared.take_tokens(sum(map(tokens_of, steps)))
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
        parameters=object_schema(question=text_schema(about="the whole question")),
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
            parts.append(f"- {said}: {step.observation.text[:NOTE_OBSERVATION_CHARS]}")
    # A topic has its limit in bytes, and a letter may have four.
    body = "\n\n".join(parts).encode("utf-8", "replace")[:NOTE_BYTES].decode("utf-8", "ignore")
    title = within(f"{day} {name}: {question}", NOTE_TITLE_CHARS)
    store.write_topic(title, question[:200], body, type="episode")


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
