"""The prompts of the loop: what the model reads, and in which order.

The parts that change least come first. System prompt, tools, examples and plan are the same at
every step of a run, so the model's cache keeps them after one reading.
"""

import json
from collections.abc import Iterable

from g2c.agent.core.types import Plan
from g2c.tools import ExampleStep, Tool, ToolExample, render_tools_for_prompt

DEFAULT_AGENT_SYSTEM = """\
You answer a question by thinking and by calling tools, one call at a time.

Tools:
{tools}

Write in this format, each part on its own line:

Thought: what you know and what to do next
Action: the name of one tool
Action Input: the tool's arguments as a JSON object

Then stop. The tool's result is given to you as:

Observation: the result

An observation that starts with [error] says what went wrong: try something else. As soon as you \
know the answer, write:

Thought: why you can answer
Final Answer: the answer{examples}"""

DEFAULT_PLANNING_PROMPT = """\
Write a short plan for answering the question with these tools. Do not answer it yet.

Tools:
{tools}

Question: What is 3 + 4, plus the number in count.txt?

Goal: add 3, 4 and the number in count.txt
1. Read count.txt.
2. Add the three numbers with a tool if there is one.
3. Give the sum.

Question: {question}"""

STOPS = ("\nObservation:", "\n\nQuestion:")
"""The markers that end a step. They count at the start of a line, so that an answer may quote one.
The second is there because a model may go on after an example and invent the next question."""

_GOAL = "Goal:"


def render_system_prompt(tools: Iterable[Tool]) -> str:
    """The agent's system prompt: the tools, the format, and the tools' worked examples."""
    tools = tuple(tools)
    names = {tool.name for tool in tools}
    examples = [
        _render_example(tool.name, example)
        for tool in tools
        for example in tool.examples
        if names.issuperset(step.tool for step in example.before)
    ]
    heading = "\n\nExamples:\n\n" if examples else ""
    # Not str.format: the braces of JSON would break it. A tool's own text stays as it is.
    before, _, after = DEFAULT_AGENT_SYSTEM.partition("{tools}")
    after = after.replace("{examples}", heading + "\n\n".join(examples))
    return f"{before}{_render_tools(tools)}{after}"


def render_planning_prompt(
    tools: Iterable[Tool], user_message: str, *, continued: bool = True
) -> str:
    """The prompt that asks for a plan. If it is `continued`, it ends with `Goal:`, and a
    completion is the rest of that line. If it is a user's turn of a chat, it ends with the question
    and the model writes `Goal:` itself, as in the example."""
    before, _, after = DEFAULT_PLANNING_PROMPT.partition("{tools}")
    after = after.replace("{question}", user_message.strip())
    prompt = f"{before}{_render_tools(tuple(tools))}{after}"
    return f"{prompt}\n\n{_GOAL}" if continued else prompt


def written_plan(completion: str, *, continued: bool = True) -> str:
    """The plan that the model wrote, including the word with which the prompt began it.

    A chat's reply has its own beginning. It may also have Markdown around its lines, which is
    removed: `**Goal:** find it`, `### Goal: find it`.

    >>> written_plan(" find it\\n1. Look.")
    'Goal: find it\\n1. Look.'
    >>> print(written_plan("Sure!\\n\\n**Goal:** find it\\n1. **Look.**", continued=False))
    Sure!
    <BLANKLINE>
    Goal: find it
    1. Look.
    """
    if continued:
        repeated = completion.lstrip().casefold().startswith(_GOAL.casefold())
        return completion if repeated else _GOAL + completion
    lines = (line.replace("**", "").lstrip("#> \t") for line in completion.splitlines())
    return "\n".join(lines)


def render_plan_block(plan: Plan | None) -> str:
    """The plan's part of the agent's prompt; empty without a plan.

    >>> print(render_plan_block(Plan("know the date", ("Look at the clock", "Say it"))))
    Plan: know the date
    1. Look at the clock
    2. Say it
    """
    if plan is None:
        return ""
    steps = (f"{number}. {step}" for number, step in enumerate(plan.steps, 1))
    return "\n".join([f"Plan: {plan.goal}", *steps])


def _render_tools(tools: tuple[Tool, ...]) -> str:
    return render_tools_for_prompt(tools) if tools else "(no tools registered)"


def _render_example(tool_name: str, example: ToolExample) -> str:
    last = ExampleStep(tool_name, example.thought, example.arguments, example.observation)
    steps = [
        f"Thought: {step.thought}\n"
        f"Action: {step.tool}\n"
        f"Action Input: {json.dumps(step.arguments, ensure_ascii=False)}\n"
        f"Observation: {step.observation}"
        for step in (*example.before, last)
    ]
    final = f"Thought: {example.conclusion}\nFinal Answer: {example.answer}"
    return "\n\n".join([f"Question: {example.question}", *steps, final])
