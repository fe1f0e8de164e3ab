"""The loop: ask, read, act, remember, and know when to stop.

The idea to take away: an agent is a `for` loop around a model. The model proposes, the program
disposes, and every way out of the loop has a name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from g2c.agent.base import (
    Action,
    AgentError,
    AgentRunResult,
    AgentStep,
    Memory,
    Observation,
    ParsedStep,
)
from g2c.agent.parser import parse_react_step
from g2c.agent.planner import make_plan
from g2c.agent.prompts import render_plan_block, render_system_prompt
from g2c.agent.record import RunRecord
from g2c.agent.scratchpad import Scratchpad
from g2c.exercise import exercise
from g2c.inference import Backend, ChatResult, InferenceResult, check_sampling
from g2c.tools import ToolCall, ToolRegistry, dispatch_tool_call


class Agent:
    """A ReAct agent over a backend that completes text (Yao et al., 2022, arXiv:2210.03629).

    Args:
        backend: The model. It is asked to stop where it would invent an observation.
        registry: The tools that the model may call.
        max_steps: Steps after which a run ends without an answer, at least 1.
        plan: Whether a run starts with a plan.
        loop_detection: Whether a run ends when the model repeats its last action.
        halt_on_stuck: Whether a run ends at a step with neither action nor answer; otherwise the
            model reads what was wrong with it, and goes on.
        scratchpad_max_chars: The most characters of history in a prompt; None for all of it.
        max_new_tokens, temperature, top_k, top_p: For each step, as `Backend.complete` takes them.
        memory: What the agent remembers beyond a run, if anything: its context stands in every
            prompt, and all that is said goes into it.
        on_step: Called with each step as soon as it is over.

    Raises:
        AgentError: an argument is of the wrong kind or out of bounds.
    """

    def __init__(
        self,
        backend: Backend,
        registry: ToolRegistry,
        *,
        max_steps: int = 8,
        plan: bool = True,
        loop_detection: bool = True,
        halt_on_stuck: bool = False,
        scratchpad_max_chars: int | None = None,
        max_new_tokens: int = 512,
        temperature: float = 0.2,
        top_k: int | None = None,
        top_p: float | None = None,
        memory: Memory | None = None,
        on_step: Callable[[AgentStep], None] | None = None,
    ) -> None:
        if not isinstance(backend, Backend):
            raise AgentError(f"backend must be a g2c.inference.Backend, got {backend!r}.")
        if not isinstance(registry, ToolRegistry):
            raise AgentError(f"registry must be a g2c.tools.ToolRegistry, got {registry!r}.")
        if not isinstance(max_steps, int) or isinstance(max_steps, bool) or max_steps < 1:
            raise AgentError(f"max_steps must be a whole number of at least 1, got {max_steps!r}.")
        if on_step is not None and not callable(on_step):
            raise AgentError(f"on_step must be None or a function of a step, got {on_step!r}.")
        Scratchpad(scratchpad_max_chars)  # refuses a bad bound now rather than at the first run
        try:
            self.sampling = check_sampling(max_new_tokens, temperature, top_k, top_p)
        except ValueError as error:
            raise AgentError(f"{error}.") from None
        self.backend = backend
        self.registry = registry
        self.max_steps = max_steps
        self.plan = plan
        self.loop_detection = loop_detection
        self.halt_on_stuck = halt_on_stuck
        self.scratchpad_max_chars = scratchpad_max_chars
        self.memory = memory
        self.on_step = on_step
        # Where a model has examples before it, it goes on to invent the next question, too.
        self._stopping = backend.stopping_at("Observation:", "\nQuestion:")

    @exercise("19.4")
    def run(self, user_message: str) -> AgentRunResult:
        """Answer `user_message`, or stop for one of the reasons below.

        Each step is one call to the model. You have:

        - `self._start(user_message)`: a new `RunRecord`, with a plan if the agent makes plans
        - `self._build_prompt(record)`, `self._complete(prompt)`, `self._parse(inference)`: one
          step's prompt, the model's completion of it, and the completion as a `ParsedStep`
        - `self._act(action)`: the tool's answer as an `Observation`, errors included
        - `record.add(inference, parsed, observation)`: keeps a step; `observation` may be left out
        - `record.finish(stopped_reason)`: the `AgentRunResult`

        Every completion becomes a step of the record, also the last one. The run stops with:

        - `final_answer`, at the first step that has one
        - `duplicate_action`, with `loop_detection`, at an action equal to that of the step just
          before: the same tool and the same arguments as JSON, whatever the order of their keys
          at any depth. It is not carried out a second time.
        - `no_progress`, with `halt_on_stuck`, at the first step with neither action nor answer
        - `max_steps`, after that many steps

        Nothing of one run is left in the agent for the next.

        Raises:
            ValueError: the message is empty or blank.
            BackendError: the model could not be asked. What a model writes or a tool does never
                raises.
        """
        raise NotImplementedError

    def _start(self, user_message: str) -> RunRecord:
        if not isinstance(user_message, str) or not user_message.strip():
            raise ValueError(f"user_message must be a non-empty string, got {user_message!r}")
        tools = tuple(self.registry)
        plan = make_plan(self.backend, tools, user_message) if self.plan else None
        remembered = self.memory.context() if self.memory else ""
        if self.memory:
            self.memory.log_turn("user", user_message)
        question = f"Question: {user_message.strip()}"
        parts = [render_system_prompt(tools), remembered, question, render_plan_block(plan)]
        return RunRecord(
            user_message=user_message,
            plan=plan,
            head="\n\n".join(part for part in parts if part),
            scratchpad=Scratchpad(self.scratchpad_max_chars),
            backend=self.backend.info,
            tools_available=tuple(tool.name for tool in tools),
            remembered=remembered,
            memory=self.memory,
            on_step=self.on_step,
        )

    def _build_prompt(self, record: RunRecord) -> Any:
        """System prompt, tools, question and plan, then the steps so far, then `Thought:`."""
        history = record.scratchpad.render()
        return "\n\n".join(
            [record.head, history, "Thought:"] if history else [record.head, "Thought:"]
        )

    def _complete(self, prompt: Any) -> InferenceResult | ChatResult:
        return self._stopping.complete(prompt, **self.sampling)

    def _parse(self, inference: Any) -> ParsedStep:
        return parse_react_step(inference.completion)

    def _act(self, action: Action) -> Observation:
        """Run the tool. Whatever goes wrong comes back as an observation that says what."""
        result = dispatch_tool_call(self.registry, ToolCall(action.tool, action.arguments))
        return Observation(result.output, result.is_error)
