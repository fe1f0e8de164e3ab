"""Module 19: an agent that thinks, calls tools, and answers.

Exercises 19.1 to 19.4 are in `parser`, `planner`, `scratchpad` and `agent`; the rest is provided.
"""

from g2c.agent.agent import Agent
from g2c.agent.base import (
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
from g2c.agent.native import NativeAgent
from g2c.agent.parser import parse_react_step
from g2c.agent.planner import extract_plan, make_plan
from g2c.agent.prompts import (
    DEFAULT_AGENT_SYSTEM,
    DEFAULT_PLANNING_PROMPT,
    render_plan_block,
    render_planning_prompt,
    render_system_prompt,
)
from g2c.agent.record import RunRecord
from g2c.agent.scratchpad import Scratchpad

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
    "ParsedStep",
    "Plan",
    "RunRecord",
    "Scratchpad",
    "StopReason",
    "extract_plan",
    "make_plan",
    "parse_react_step",
    "render_plan_block",
    "render_planning_prompt",
    "render_system_prompt",
]
