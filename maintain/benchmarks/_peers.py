"""Other frameworks' agents, each over a fake model of its own kind, for `agent_overhead.py`.

Each entry of `PEERS` imports its framework (an `ImportError` means that it is not installed) and
returns a function that prepares an agent. Each run of the agent makes the same calls of the same
tool. Tracing and printing are off wherever they can be; agents and event loops are made once.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

Run = Callable[[], object]
Prepare = Callable[[int], Run]
"""From the number of tool calls to a function that makes one run."""

made: list[int] = []
"""The results of `add` so far: the proof that the tool was called."""


def add(a: int, b: int) -> int:
    """Add two numbers.

    Args:
        a: The first number.
        b: The second number.
    """
    made.append(a + b)
    return made[-1]


def turns(n: int) -> Iterator[dict[str, int] | None]:
    """The arguments of each call of a run, then None for the answer; the same for each run."""
    return itertools.cycle([*({"a": i, "b": 1} for i in range(n)), None])


def load_smolagents() -> Prepare:
    from smolagents import ChatMessage, LogLevel, MessageRole, Model, ToolCallingAgent, tool
    from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction

    class Fake(Model):
        def __init__(self, n: int) -> None:
            super().__init__()
            self.turns = turns(n)

        def generate(self, messages: Any, **_: Any) -> ChatMessage:
            arguments = next(self.turns)
            name = "add" if arguments else "final_answer"
            function = ChatMessageToolCallFunction(
                name=name, arguments=arguments or {"answer": "done"}
            )
            call = ChatMessageToolCall(id="call", type="function", function=function)
            return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])

    def prepare(n: int) -> Run:
        agent = ToolCallingAgent(
            tools=[tool(add)], model=Fake(n), max_steps=n + 1, verbosity_level=LogLevel.OFF
        )
        return lambda: agent.run("Add")

    return prepare


def load_openai_agents() -> Prepare:
    from agents import (
        Agent,
        Model,
        ModelResponse,
        Runner,
        Usage,
        function_tool,
        set_tracing_disabled,
    )
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    set_tracing_disabled(True)

    class Fake(Model):
        def __init__(self, n: int) -> None:
            self.turns = turns(n)

        async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
            arguments = next(self.turns)
            if arguments:
                item: Any = ResponseFunctionToolCall(
                    type="function_call",
                    call_id=f"call_{arguments['a']}",
                    name="add",
                    arguments=json.dumps(arguments),
                )
            else:
                text = ResponseOutputText(type="output_text", text="done", annotations=[])
                item = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[text]
                )
            return ModelResponse(output=[item], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    loop = asyncio.new_event_loop()

    def prepare(n: int) -> Run:
        agent = Agent(name="adder", tools=[function_tool(add)], model=Fake(n))
        return lambda: loop.run_until_complete(Runner.run(agent, "Add", max_turns=n + 1))

    return prepare


def load_pydantic_ai() -> Prepare:
    from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart, UsageLimits
    from pydantic_ai.models.function import FunctionModel

    loop = asyncio.new_event_loop()
    no_limit = UsageLimits(request_limit=None)

    def prepare(n: int) -> Run:
        script = turns(n)

        async def answer(messages: Any, info: Any) -> ModelResponse:
            arguments = next(script)
            part = ToolCallPart("add", arguments) if arguments else TextPart("done")
            return ModelResponse(parts=[part])

        agent = Agent(FunctionModel(answer), tools=[add])
        return lambda: loop.run_until_complete(agent.run("Add", usage_limits=no_limit))

    return prepare


def load_langgraph() -> Prepare:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langgraph.prebuilt import create_react_agent

    class Fake(BaseChatModel):
        script: Any

        @property
        def _llm_type(self) -> str:
            return "fake"

        def bind_tools(self, tools: Any, **_: Any) -> Fake:
            return self

        def _generate(self, messages: Any, *_: Any, **__: Any) -> ChatResult:
            arguments = next(self.script)
            calls = []
            if arguments:
                calls = [{"name": "add", "args": arguments, "id": f"call_{arguments['a']}"}]
            message = AIMessage(content="" if calls else "done", tool_calls=calls)
            return ChatResult(generations=[ChatGeneration(message=message)])

    def prepare(n: int) -> Run:
        graph = create_react_agent(Fake(script=turns(n)), [add])
        question = {"messages": [("user", "Add")]}
        return lambda: graph.invoke(question, {"recursion_limit": 2 * n + 2})

    return prepare


def load_llama_index() -> Prepare:
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
    from llama_index.core.llms import MockLLM
    from llama_index.core.llms.function_calling import FunctionCallingLLM
    from llama_index.core.llms.llm import ToolSelection

    class Fake(MockLLM, FunctionCallingLLM):
        script: Any = None

        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(is_function_calling_model=True)

        def _prepare_chat_with_tools(self, tools: Any, **_: Any) -> dict[str, Any]:
            return {}

        async def achat_with_tools(self, tools: Any, **_: Any) -> ChatResponse:
            arguments = next(self.script)
            content = "" if arguments else "done"
            message = ChatMessage(role="assistant", content=content)
            return ChatResponse(message=message, raw={"call": arguments})

        def get_tool_calls_from_response(
            self, response: ChatResponse, *_: Any, **__: Any
        ) -> list[ToolSelection]:
            arguments = response.raw["call"]
            if not arguments:
                return []
            call_id = f"call_{arguments['a']}"
            return [ToolSelection(tool_id=call_id, tool_name="add", tool_kwargs=arguments)]

    loop = asyncio.new_event_loop()

    def prepare(n: int) -> Run:
        model = Fake()
        model.script = turns(n)
        agent = FunctionAgent(tools=[add], llm=model, streaming=False)

        async def run() -> object:
            return await agent.run("Add", max_iterations=n + 2)

        return lambda: loop.run_until_complete(run())

    return prepare


PEERS: dict[str, Callable[[], Prepare]] = {
    "smolagents": load_smolagents,
    "openai-agents": load_openai_agents,
    "pydantic-ai": load_pydantic_ai,
    "langgraph": load_langgraph,
    "llama-index": load_llama_index,
}
