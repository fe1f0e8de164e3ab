"""Module 19: an agent that thinks, calls tools, and answers.

The exercises of module 19 are yours. They use the code in `core/`; `app/` puts
four of them together into an agent; for `vote`, it asks several agents.
"""

from g2c.agent.app.agent import Agent, Scratchpad
from g2c.agent.app.native import NativeAgent
from g2c.agent.app.planning import make_plan
from g2c.agent.app.several import Several, ask_several
from g2c.agent.core.prompts import (
    DEFAULT_AGENT_SYSTEM,
    DEFAULT_PLANNING_PROMPT,
    render_plan_block,
    render_planning_prompt,
    render_system_prompt,
)
from g2c.agent.core.result import AgentRunResult, StopReason
from g2c.agent.core.run import RunRecord
from g2c.agent.core.tool_text import Parameter, ToolText, make_tool
from g2c.agent.core.types import (
    Action,
    AgentError,
    AgentStep,
    Memory,
    Observation,
    ParsedStep,
    Plan,
)
from g2c.agent.extract_plan import extract_plan
from g2c.agent.parse_react_step import parse_react_step
from g2c.agent.settle import settle
from g2c.agent.teach import teach

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
    "Several",
    "StopReason",
    "ToolText",
    "ask_several",
    "extract_plan",
    "make_plan",
    "make_tool",
    "parse_react_step",
    "render_plan_block",
    "render_planning_prompt",
    "render_system_prompt",
    "settle",
    "teach",
]
