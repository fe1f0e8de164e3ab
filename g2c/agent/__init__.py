"""Module 19: an agent that thinks, calls tools, and answers.

Exercises 19.1 to 19.5 are yours: `parser`, `planner`, `scratchpad`, `agent` and `teaching`. They
stand on what is in `provided/`, and `assembled/` makes an agent of the first four.
"""

from g2c.agent.assembled.agent import Agent, Scratchpad
from g2c.agent.assembled.native import NativeAgent
from g2c.agent.assembled.planning import make_plan
from g2c.agent.parser import parse_react_step
from g2c.agent.planner import extract_plan
from g2c.agent.provided.prompts import (
    DEFAULT_AGENT_SYSTEM,
    DEFAULT_PLANNING_PROMPT,
    render_plan_block,
    render_planning_prompt,
    render_system_prompt,
)
from g2c.agent.provided.record import RunRecord
from g2c.agent.provided.teaching import Parameter, ToolText, make_tool
from g2c.agent.provided.types import (
    Action,
    AgentError,
    AgentRunResult,
    AgentStep,
    Memory,
    Observation,
    ParsedStep,
    Plan,
    StopReason,
)
from g2c.agent.teaching import teach

__all__ = [
    "DEFAULT_AGENT_SYSTEM",
    "DEFAULT_PLANNING_PROMPT",
    "Action",
    "Agent",
    "AgentError",
    "AgentRunResult",
    "AgentStep",
    "Memory",
    "NativeAgent",
    "Observation",
    "Parameter",
    "ParsedStep",
    "Plan",
    "RunRecord",
    "Scratchpad",
    "StopReason",
    "ToolText",
    "extract_plan",
    "make_plan",
    "make_tool",
    "parse_react_step",
    "render_plan_block",
    "render_planning_prompt",
    "render_system_prompt",
    "teach",
]
