"""Asking the same question several times, until your `settle` gives the answer."""

from collections.abc import Callable
from dataclasses import dataclass

from g2c.agent.core.result import AgentRunResult
from g2c.agent.core.run import BaseAgent
from g2c.agent.settle import settle


@dataclass(frozen=True)
class Several:
    """The runs of one question, and the answer that they settled on: None if none answered."""

    answer: str | None
    runs: tuple[AgentRunResult, ...]


def ask_several(make_agent: Callable[[int], BaseAgent], message: str, most: int = 5) -> Several:
    """Ask one agent after the other, at most `most`, until no further one could change the answer.

    `make_agent` gets 0, 1, 2 and so on, a seed for the agent's backend. The agents need a
    temperature above 0, or all of them say the same (self-consistency: Wang et al., 2022,
    arXiv:2203.11171).

    Raises:
        ValueError: `most` is less than 1, or the message is empty or blank.
        BackendError: the model could not be asked.
    """
    if most < 1:
        raise ValueError(f"most must be at least 1, got {most!r}")
    runs: list[AgentRunResult] = []
    answer = None
    while answer is None and len(runs) < most:
        runs.append(make_agent(len(runs)).run(message))
        answer = settle([run.final_answer for run in runs], most)
    return Several(answer, tuple(runs))
