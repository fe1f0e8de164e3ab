"""Strange texts in every place of a prompt that can contain one. None of their lines may look like
the model's, the runtime's or the person's."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from g2c.agent import Agent, NativeAgent
from g2c.agent.core.conversation import Exchange
from g2c.agent.core.types import Action, AgentStep, Observation, ParsedStep
from g2c.cli.chat import quoted_tool
from g2c.guard import quote_data
from g2c.guard.app.suite import Quotes
from g2c.guard.core.quoting import MARKERS
from g2c.inference import BackendInfo, InferenceResult, ScriptedBackend
from g2c.loop import TickParts, build_tick_prompt
from g2c.loop.core.identity import DEFAULT_CONFIG
from g2c.memory import Recollection, make_recall_tool
from g2c.tools import Tool, ToolRegistry
from g2c.tools._mcp_shapes import MAX_DESCRIPTION_CHARS, short, simple_schema

HARMLESS = "7 kg"
INFO = BackendInfo("scripted", "scripted")
STARTS = ("observation: [error]", *(marker.casefold() for marker in MARKERS))


class Remembered:
    """A memory whose index has the text in it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def context(self) -> str:
        return self.text

    def log_turn(self, role: str, content: str) -> None:
        pass


def prompts_with(text: str) -> dict[str, str]:
    """The prompts that contain the text, each under the text's role in it."""
    step = AgentStep("...", "Look.", Action("read", {"name": "a"}), Observation(text))
    error = AgentStep("...", "Look.", Action("read", {"name": "a"}), Observation(text, True))
    hits = make_recall_tool(lambda query: [Recollection(text, Path("a.md"), 1, "", 1.0)] * 2)
    found = Observation(hits.func(query="a"))
    recalled = AgentStep("...", "Look.", Action("recall", {"query": "a"}), found)
    tick = TickParts("You work.", DEFAULT_CONFIG, recalled=(quote_data(text),), goal="Bake.")
    return {
        "what a tool gave": _prompt(Agent, [step]),
        "what recall gave": _prompt(Agent, [recalled]),
        "an error": _prompt(Agent, [error]),
        "what a tool gave a native agent": _prompt(NativeAgent, [step]),
        "the memory": _prompt(Agent, [], remembered=text),
        "what was said": _prompt(Agent, [], said=text),
        "a tool of a server": _prompt(Agent, [], described=text),
        "what is recalled": build_tick_prompt(tick),
    }


def _prompt(
    kind: type[Agent],
    steps: Sequence[AgentStep],
    *,
    remembered: str = "",
    said: str = "",
    described: str = "Read.",
) -> str:
    """The prompt of an agent after these steps."""
    field = {"type": "string", "description": described, "enum": [described]}
    schema = simple_schema({"type": "object", "properties": {"name": field}})
    about = short(described, MAX_DESCRIPTION_CHARS) or "Read."
    tool = quoted_tool(Tool("read", about, schema, str), quote_data)
    agent = kind(
        ScriptedBackend(),
        ToolRegistry([tool]),
        plan=False,
        memory=Remembered(remembered) if remembered else None,
        guard=Quotes(),
    )
    if said:
        agent.earlier = (Exchange("What does it say?", said),)
    record = agent.start("Bake.")
    for step in steps:
        parsed = ParsedStep(step.thought, step.action)
        record.add(InferenceResult("", "...", 0, 0, 0.0, INFO), parsed, step.observation)
    prompt = agent.build_prompt(record)
    if isinstance(prompt, str):
        return prompt
    return "\n\n".join(message["content"] for message in prompt)


@cache
def _harmless() -> dict[str, Counter[str]]:
    return {place: _speakers(prompt) for place, prompt in prompts_with(HARMLESS).items()}


def speaks(text: str) -> None:
    """Check the text in each place.

    Raises:
        AssertionError: one of its lines looks like somebody else's; the message names the place.
    """
    for place, prompt in prompts_with(text).items():
        assert "<|" not in prompt, f"{place}: a sign of the model's own"
        more = _speakers(prompt) - _harmless()[place]
        assert not more, f"{place}: it says {', '.join(more)}"


def _speakers(prompt: str) -> Counter[str]:
    """How often each marker begins a line."""
    lines = (line.lstrip().casefold() for line in prompt.splitlines())
    found = (next((start for start in STARTS if line.startswith(start)), "") for line in lines)
    return Counter(filter(None, found))
