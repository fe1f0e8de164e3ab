"""The tools by which an agent writes to the tick after its own, or says that all is done.

The idea to take away: the tools change a desk and not the file. Only the tick's commit makes a
state of what lies there, so a tick that dies leaves nothing half said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from g2c.tools import ExampleStep, Tool, ToolError, ToolExample

MAX_BODY_CHARS = 4_000
MAX_DIRECTIVE_CHARS = 500
"""Each stands in the next prompt, and a page without a bound would fill it."""


@dataclass
class Desk:
    """What the agent has written during one tick; None: nothing."""

    body: str | None = None
    directive: str | None = None
    summary: str | None = None


def make_loop_tools(desk: Desk, goal_is_reached: Callable[[], bool | None]) -> tuple[Tool, ...]:
    """Return the tools `update_state`, `leave_directive` and `finish`, which write to `desk`.

    `finish` asks `goal_is_reached` first (None: nobody can tell), and refuses where it is not.
    """

    def update_state(text: str) -> str:
        desk.body = _bounded(text, MAX_BODY_CHARS)
        return _KEPT

    def leave_directive(text: str) -> str:
        desk.directive = _bounded(text, MAX_DIRECTIVE_CHARS)
        return "The next tick will read it."

    def finish(summary: str) -> str:
        if goal_is_reached() is False:
            raise ToolError("The goal is not reached: its check fails. Do what is missing.")
        desk.summary = summary
        return "The loop ends after this tick."

    return (
        _tool(
            update_state,
            "Keep what is done and what comes next.",
            "text",
            "done, next, blocked",
            *_STATES,
        ),
        _tool(leave_directive, "Tell the next tick what to do first.", "text", "what to do first"),
        _tool(finish, "Say that the goal is reached.", "summary", "what was done"),
    )


def _bounded(text: str, most: int) -> str:
    if len(text) > most:
        raise ToolError(f"{len(text)} characters are too many; write at most {most}.")
    return text


def _tool(
    func: Callable[[str], str], description: str, name: str, about: str, *examples: ToolExample
) -> Tool:
    return Tool(
        name=func.__name__,
        description=description,
        parameters={
            "type": "object",
            "properties": {name: {"type": "string", "description": about}},
            "required": [name],
            "additionalProperties": False,
        },
        func=lambda **arguments: func(arguments[name]),
        example=examples[0] if examples else None,
        more_examples=examples[1:],
    )


def _kept(text: str, path: str) -> ToolExample:
    """A whole tick: the work, the state, the answer. A small model that is shown the work alone
    never comes to the rest."""
    written = f"{path} is written."
    work = ExampleStep(
        "write_file", f"I need to write {path}.", {"path": path, "text": text}, written
    )
    return ToolExample(
        question=f"Write {text} to {path}",
        before=(work,),
        thought="The file is written.",
        arguments={"text": written},
        observation=_KEPT,
        answer=written,
        conclusion=_KEPT,
    )


_KEPT = "The state is kept."
_STATES = (
    _kept("The door is green.", "house.txt"),
    _kept("Ada", "car.txt"),
    _kept("7 eggs", "shop.txt"),
)
