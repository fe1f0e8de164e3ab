"""The settings in which two compared configurations may differ, besides the model.

A setting is written after the model's name, so that it also reaches the machines of a cluster:
`embedded,max_steps=3`, or `embedded,FILE.toml` with the same and the descriptions of tools. Nothing
here imports an exercise until a home is named.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from g2c.inference import Backend
from g2c.inference.backend import ChatResult, InferenceResult, Message, Sampling, ToolSchema
from g2c.inference.backend_view import BackendView
from g2c.suite.tasks import AgentTask, CallTask, OutsideTask, PlanTask, SuiteTask, TickTask
from g2c.tools import Tool
from g2c.written import read_text

TICK_TOOLS = (
    *("update_state", "leave_directive", "finish"),
    *("read_file", "list_files", "write_file"),
)
MAX_STEPS = 6
"""The most steps of an agent."""

_KEYS = "max_steps=N, home=DIR, 19.3=yours, 19.3=FILE.py, line=TEXT (as the last) or FILE.toml"
_EXERCISE = re.compile(r"\d+\.\d+")


@dataclass(frozen=True)
class Settings:
    """How a model is asked.

    `max_steps` is the most steps of an agent, or of a tick. `line` comes before each prompt, in a
    chat as a system message. `tools` has other descriptions of tools, by the tools' names in tasks.
    `functions` maps an exercise's id to the function that replaces the reference: `yours`, or a
    file's.
    """

    max_steps: int = MAX_STEPS
    line: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def identity(self) -> dict[str, str]:
        """The settings that differ from the defaults."""
        usual = asdict(Settings())
        return {name: str(value) for name, value in asdict(self).items() if value != usual[name]}

    def described(self, tools: Iterable[Tool]) -> list[Tool]:
        """The tools, with the descriptions from these settings."""
        return [
            replace(tool, description=self.tools.get(tool.name, tool.description)) for tool in tools
        ]

    def ahead(self, backend: Backend) -> Backend:
        """The model, with the line before each prompt."""
        return _WithLine(backend, self.line) if self.line else backend


def split_name(name: str) -> tuple[str, Settings]:
    """Split a model's name from the settings behind it.

    Raises:
        ValueError: there is no such setting, or its value does not fit.
        OSError: its file cannot be read.

    >>> split_name("embedded,max_steps=3,line=Be brief, please.")
    ('embedded', Settings(max_steps=3, line='Be brief, please.', tools={}, functions={}))
    """
    model, *parts = name.split(",")
    given: dict[str, Any] = {}
    while parts:
        part = parts.pop(0)
        key, _, value = part.partition("=")
        if part.endswith(".toml"):
            given |= _read(Path(part))
        elif _EXERCISE.fullmatch(key):
            given["functions"] = {**given.get("functions", {}), key: value}
        elif key == "home":
            given["line"] = home_context(Path(value))
        elif key == "max_steps":
            given[key] = int(value) if value.isdecimal() else value
        elif key == "line":
            text = ",".join([value, *parts])
            given[key] = "\n\n".join(filter(None, [given.get(key), text]))
            break
        else:
            raise ValueError(f"{part!r} behind {model} is not a setting; there are {_KEYS}.")
    return model, _checked(given, name)


def home_context(home: Path) -> str:
    """The text that the home in that folder adds to each prompt of a chat: the agent's own files,
    and the index of its memory.

    Raises:
        ValueError: there is no home.
    """
    from g2c.home.home import Home
    from g2c.home.session import HomeMemory
    from g2c.memory import MemoryStore

    if not (home / "agent").is_dir():
        raise ValueError(f"{home} is not a home; g2c home init makes one.")
    own = Home(home)
    return HomeMemory(MemoryStore(own.memory), own.identity).context()


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file} is not TOML: {error}.") from None


def _checked(given: Mapping[str, Any], where: str) -> Settings:
    unknown = sorted(set(given) - set(Settings.__dataclass_fields__))
    tools = given.get("tools", {})
    if unknown:
        raise ValueError(f"{where}: there is no setting {unknown[0]!r}; there are {_KEYS}.")
    steps = given.get("max_steps", 1)
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
        raise ValueError(f"{where}: max_steps is a whole number of 1 or more, not {steps!r}.")
    functions = given.get("functions", {})
    if not isinstance(functions, dict) or not all(
        _EXERCISE.fullmatch(id) and isinstance(whose, str) and whose.endswith(("yours", ".py"))
        for id, whose in functions.items()
    ):
        raise ValueError(f"{where}: a function is 19.3=yours or 19.3=FILE.py.")
    if not isinstance(given.get("line", ""), str):
        raise ValueError(f"{where}: line is a text.")
    if not isinstance(tools, dict) or not all(
        isinstance(text, str) and text.strip() for text in tools.values()
    ):
        raise ValueError(f"{where}: [tools] has a description, NAME = TEXT, for each tool.")
    return Settings(**given)


def tools_of(tasks: Iterable[SuiteTask]) -> Collection[str]:
    """The names of the tools in `tasks`; these can get other descriptions."""
    names: set[str] = set()
    for task in tasks:
        match task:
            case CallTask():
                names.update(function["name"] for function in task.functions)
            case AgentTask() | PlanTask():
                names.update(task.tools)
            case TickTask():
                names.update(TICK_TOOLS)
        if isinstance(task, OutsideTask):
            names.update(tool["name"] for tool in task.made)
    return names


class _WithLine(BackendView):
    """A backend whose prompts begin with a line."""

    def __init__(self, backend: Backend, line: str) -> None:
        self._backend, self._line = backend, line

    def _after_line(self, prompt: str) -> str:
        return f"{self._line}\n\n{prompt}"

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        return self._backend.complete(self._after_line(prompt), **sampling.as_options())

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        options = sampling.as_options()
        return self._backend.complete_json(self._after_line(prompt), schema, **options)

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        first = {"role": "system", "content": self._line}
        if messages and messages[0].get("role") == "system":
            first["content"] = self._after_line(messages[0]["content"])
            messages = messages[1:]
        return self._backend.chat_with_tools(
            [first, *messages], tools, think=think, **sampling.as_options()
        )
