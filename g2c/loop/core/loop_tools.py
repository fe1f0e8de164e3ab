"""The three tools of a tick: it keeps its state, leaves a directive, and ends the loop."""

from collections.abc import Callable
from dataclasses import dataclass

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools import ExampleStep, Tool, ToolError, ToolExample

MAX_BODY_CHARS = 4_000


MAX_DIRECTIVE_CHARS = 500
"""Both go into the next prompt, which must not fill up."""


@dataclass
class TickOutput:
    """The agent's notes of one tick. None means nothing."""

    body: str | None = None
    directive: str | None = None
    summary: str | None = None


def make_loop_tools(
    output: TickOutput,
    refusal: Callable[[str], str] = lambda claim: "",
    noted: Callable[[str], str] = str,
) -> tuple[Tool, ...]:
    """Return the tools `update_state`, `leave_directive` and `finish`, which write to `output`.

    `finish` first asks `refusal` why the claim is not believed; an empty text lets it through.
    `noted` adds to a state what it says without reason.
    """

    def update_state(text: str) -> str:
        output.body = noted(_bounded(text, MAX_BODY_CHARS))
        return _KEPT + output.body.removeprefix(text)

    def leave_directive(text: str) -> str:
        output.directive = _bounded(text, MAX_DIRECTIVE_CHARS)
        return "The next tick will read it."

    def finish(summary: str) -> str:
        if why := refusal(summary):
            raise ToolError(why)
        output.summary = summary
        return _ENDS_NOW

    return (
        _tool(
            update_state,
            "Keep what is done and what comes next.",
            "text",
            "done, next, blocked",
            *_STATES,
        ),
        _tool(leave_directive, "Tell the next tick what to do first.", "text", "what to do first"),
        _tool(finish, "Say that the goal is reached.", "summary", "what was done", *_ENDS),
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
        parameters=object_schema(**{name: text_schema(about=about)}),
        func=lambda **arguments: func(arguments[name]),
        example=examples[0] if examples else None,
        more_examples=examples[1:],
    )


def _whole_tick(text: str, path: str) -> ToolExample:
    """A whole tick: the work, the state, the answer. A small model that sees only the work as an
    example never does the rest."""
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
    _whole_tick("The door is green.", "house.txt"),
    _whole_tick("Ada", "car.txt"),
    _whole_tick("7 eggs", "shop.txt"),
)


def _last_tick(text: str, path: str, state: str) -> ToolExample:
    """A tick that finds in its state that all is done."""
    return ToolExample(
        question=f"Write {text} to {path}{STATE_MARK}{state}",
        thought="The state says that all is done.",
        arguments={"summary": f"{path} is written."},
        observation=_ENDS_NOW,
        answer=f"{path} is written.",
        conclusion="The loop ends.",
    )


STATE_MARK = "\nState: "
"""In the question of an example, between a tick's goal and its state."""


_ENDS_NOW = "The loop ends after this tick."


_ENDS = (
    _last_tick("The door is green.", "house.txt", "Done: house.txt."),
    _last_tick("7 eggs", "shop.txt", "Done: shop.txt. Next: nothing."),
)
