"""`g2c chat`: the student's own agent, over a folder of files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from g2c.course.importing import import_students
from g2c.course.stubs import not_started, stub_that_raised
from g2c.inference import BackendError

if TYPE_CHECKING:
    from g2c.agent import Agent, AgentRunResult
    from g2c.inference import Backend
    from g2c.memory import MemoryStore

MOST_OF_A_FILE = 4000
"""Bytes of a file that the model is shown: more would push the rest out of a small context."""


def make_agent(
    backend: Backend,
    folder: Path | None,
    *,
    native: bool,
    plan: bool,
    max_steps: int,
    memory: MemoryStore | None = None,
) -> Agent:
    """The agent that `g2c.agent` holds: over a folder, with a calculator and the files there to
    read; with a `memory`, into which all goes that is said, and out of which it may recall.

    Raises:
        ToolError: `folder` is no folder.
        ValueError: a file of `g2c.agent` cannot be imported.
    """
    import_students("g2c.agent")
    from g2c.agent import Agent, NativeAgent
    from g2c.tools import ToolRegistry, make_calculator, make_list_files, make_read_file

    tools = []
    if folder:
        files = make_read_file(folder, max_bytes=MOST_OF_A_FILE)
        tools = [make_list_files(folder), make_calculator(), files]
    if memory:
        from g2c.memory import make_recall_tool

        tools.insert(0, make_recall_tool(partial(memory.recall, transcripts=True)))
    kind = NativeAgent if native else Agent
    return kind(
        backend,
        ToolRegistry(tools),
        plan=plan,
        max_steps=max_steps,
        max_new_tokens=120,
        temperature=0.0,
        memory=memory,
    )


def ask(agent: Agent, question: str) -> AgentRunResult:
    """Run the agent on one question.

    Raises:
        ValueError: an exercise is not started, or a function raised or returned something else;
            the message says which and where.
        BackendError: the model could not be asked.
    """
    from g2c.agent import AgentRunResult

    if not question.strip():
        raise ValueError("Write a question.")
    try:
        result = agent.run(question)
    except BackendError:
        raise
    except Exception as error:
        raise ValueError(_in_words(error)) from error
    if not isinstance(result, AgentRunResult):
        raise ValueError(
            f"Agent.run returned {result!r:.200}, not the AgentRunResult of record.finish."
        )
    return result


def _in_words(error: Exception) -> str:
    if isinstance(error, NotImplementedError) and (exercise := stub_that_raised(error)):
        return not_started(exercise)
    from g2c.course.failures import in_short

    return f"your agent raised {in_short(error)}"
