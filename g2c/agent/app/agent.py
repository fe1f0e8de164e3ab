"""The agent: your parser, planner, scratchpad and loop, with a model and its tools."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from g2c.agent.app.planning import make_plan
from g2c.agent.core.answers import check_answer
from g2c.agent.core.conversation import Exchange, render_conversation
from g2c.agent.core.prompts import STOPS, render_plan_block, render_system_prompt
from g2c.agent.core.run import BaseAgent, Guard, RunRecord
from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.agent.core.types import Action, AgentError, AgentStep, Memory, Observation, ParsedStep
from g2c.agent.parse_react_step import parse_react_step
from g2c.agent.render import render as render_scratchpad
from g2c.agent.run import run as run_agent
from g2c.inference import Backend, ChatResult, InferenceResult, Sampling
from g2c.tools import ToolCall, ToolRegistry, dispatch_tool_call, render_tools_for_chat
from g2c.tracing import traced_run


class Scratchpad(BaseScratchpad):
    """The steps of one run, with the text of them that the model reads."""

    render = render_scratchpad


class Agent(BaseAgent):
    """A ReAct agent over a backend that completes text (Yao et al., 2022, arXiv:2210.03629).

    Args:
        backend: The model. It is told to stop before it invents an observation.
        registry: The tools that the model may call.
        max_steps: Steps after which a run ends without an answer, at least 1.
        plan: Whether a run starts with a plan.
        loop_detection: Whether a run ends when the model repeats its last action.
        halt_on_stuck: Whether a run ends at a step with neither action nor answer; otherwise the
            model reads what was wrong, and goes on.
        scratchpad_max_chars: The most characters of history in a prompt; None for all of it.
        max_new_tokens, temperature, top_k, top_p: For each step, those of `Backend.complete`.
        memory: A memory beyond the run, or None. Its context is in every prompt, and every turn is
            logged in it.
        on_step: Called with each step as soon as it is over.
        make_scratchpad: Makes a run's scratchpad from the head of its prompts; a `Scratchpad` by
            default.
        guard: Learns of each run, and quotes the results of tools; None for neither.

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
        make_scratchpad: Callable[[str], BaseScratchpad] | None = None,
        guard: Guard | None = None,
    ) -> None:
        if not isinstance(backend, Backend):
            raise AgentError(f"backend must be a g2c.inference.Backend, got {backend!r}.")
        if not isinstance(registry, ToolRegistry):
            raise AgentError(f"registry must be a g2c.tools.ToolRegistry, got {registry!r}.")
        if not isinstance(max_steps, int) or isinstance(max_steps, bool) or max_steps < 1:
            raise AgentError(f"max_steps must be a whole number of at least 1, got {max_steps!r}.")
        if on_step is not None and not callable(on_step):
            raise AgentError(f"on_step must be None or a function of a step, got {on_step!r}.")
        Scratchpad(scratchpad_max_chars)  # raises on a bad bound now, not at the first run
        try:
            self.sampling = Sampling(max_new_tokens, temperature, top_k, top_p).as_options()
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
        self.make_scratchpad = make_scratchpad
        self.guard = guard
        self.earlier: tuple[Exchange, ...] = ()
        """The conversation so far, for the prompts of the next runs."""
        self._stopping = backend.stopping_at(*STOPS)

    def __repr__(self) -> str:
        model, tools = self.backend.info, self.registry.names()
        return f"{type(self).__name__}({model.name} {model.model_id}, tools={tools})"

    run = traced_run(run_agent)

    def start(self, user_message: str) -> RunRecord:
        if not isinstance(user_message, str) or not user_message.strip():
            raise ValueError(f"user_message must be a non-empty string, got {user_message!r}")
        tools = tuple(self.registry)
        plan = make_plan(self.backend, tools, user_message) if self.plan else None
        remembered = self._quoted(self.memory.context() if self.memory else "")
        if self.memory:
            self.memory.log_turn("user", user_message)
        question = f"Question: {user_message.strip()}"
        told = tuple(
            Exchange(self._quoted(exchange.question), self._quoted(exchange.answer))
            for exchange in self.earlier
        )
        earlier = self._quoted(render_conversation(told))
        parts = (
            render_system_prompt(tools),
            remembered,
            earlier,
            question,
            render_plan_block(plan),
        )
        head = "\n\n".join(part for part in parts if part)
        make = self.make_scratchpad or (lambda head: Scratchpad(self.scratchpad_max_chars))
        scratchpad = make(head)
        scratchpad.quote = self.guard.quote if self.guard else None
        record = RunRecord(
            user_message=user_message,
            plan=plan,
            head=head,
            scratchpad=scratchpad,
            backend=self.backend.info,
            tools_available=tuple(tool.name for tool in tools),
            remembered=remembered,
            earlier=told,
            memory=self.memory,
            on_step=self.on_step,
        )
        if self.guard:
            self.guard.begin(record)
        return record

    def _quoted(self, text: str) -> str:
        """Lines that the program wrote, as those of `recall`, with quotations of others in them."""
        return self.guard.quote(text, "recall") if self.guard else text

    def build_prompt(self, record: RunRecord) -> Any:
        """System prompt, tools, question and plan, then the steps so far, then `Thought:`."""
        history = record.scratchpad.render()
        prompt = "\n\n".join(
            [record.head, history, "Thought:"] if history else [record.head, "Thought:"]
        )
        return escape_special_tokens(prompt) if self.guard else prompt

    def complete(self, prompt: Any) -> InferenceResult | ChatResult:
        # The set of tools may change during a run.
        tools = render_tools_for_chat(self.registry)
        written = self._stopping.writing_steps(tools).complete(prompt, **self.sampling)
        if written.metadata.get("thinking") and not (written.completion.strip() or written.is_cut):
            # A stop string ended it inside its thinking, which may contain any marker.
            written = self.backend.writing_steps(tools).complete(prompt, **self.sampling)
        return _ended_at_stops(written)

    def parse(self, inference: Any) -> ParsedStep:
        return check_answer(parse_react_step(inference.completion), inference)

    def act(self, action: Action) -> Observation:
        """Run the tool. An error becomes an observation that says what went wrong."""
        result = dispatch_tool_call(self.registry, ToolCall(action.tool, action.arguments))
        return Observation(result.output, result.is_error)


def escape_special_tokens(data: Any) -> Any:
    """The texts in `data` with the start of a model's special tokens escaped. The agent's own words
    may have them, too, where it repeats what it read.

    >>> escape_special_tokens([{"content": "a<|im_end|>"}])
    [{'content': 'a<\\\\|im_end|>'}]
    """
    match data:
        case str():
            return data.replace("<|", "<\\|")
        case Mapping():
            return {key: escape_special_tokens(value) for key, value in data.items()}
        case list() | tuple():
            return [escape_special_tokens(value) for value in data]
    return data


def _ended_at_stops(written: InferenceResult) -> InferenceResult:
    """The same text, cut at the first stop string if the backend could not stop there."""
    text = written.completion
    for stop in STOPS:
        text = text.partition(stop)[0]
    if text == written.completion:
        return written
    metadata = {**written.metadata, "finish_reason": "stop"}
    return replace(written, completion=text, metadata=metadata)
