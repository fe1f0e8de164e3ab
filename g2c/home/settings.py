"""An agent's permissions: the settings that a person wrote into `agent.toml` in its home."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from g2c.files import open_file
from g2c.inference import BackendInfo
from g2c.inference.model_options import NO_OPTIONS, ModelOptions, read_options
from g2c.written import text_of, toml_of

Evolve = Literal["never", "ask", "on"]
Examples = Literal["always", "never"]
Permission = Literal["allow", "ask", "deny"]

TOOLS = (
    "calculator",
    "files",
    "recall",
    "remember",
    "read_topic",
    "delegate",
    "read_page",
    "web_search",
)
USUAL_TOOLS = ("calculator", "files", "recall", "remember", "read_topic")
SMALL_MODEL_TOOLS = ("calculator", "files", "recall", "remember")
"""Each tool costs a small model some of its attention. The index in its prompt has the topics'
descriptions, and it seldom opens one."""
SMALL_MODEL_LOOP_TOOLS = ("files",)
"""A loop has three tools of its own beside these, and recalls before each tick."""

MAX_BYTES = 64_000

DEFAULT_TEXT = f"""\
# What this agent may do. A line that is missing has its default.

# Its tools, in a chat and in a loop: some of {", ".join(TOOLS)}.
# "files" works on the folder that the session is given; a loop may write there, and a chat only
# read. "delegate" hands a question to a fresh agent. "read_page" and "web_search" reach the
# internet; docs/modules/25-guard/guards.md says what that means. Default: all but these three; the
# small model has fewer, and in a loop only files.
# tools = ["calculator", "files", "recall", "remember"]

# Worked examples in a chat's prompt: "always" or "never".
examples = "always"

# May it propose changes to its own files? "never", "ask" (a proposal waits for
# g2c loop evolution accept ID), or "on".
evolve = "ask"

# Is each answer held against what was seen? If one says something else, the agent is asked once
# more, and then you read what you said yourself, or that there is nothing.
check_answers = true

# The SearXNG server that web_search asks.
# search = "http://localhost:8888"

# MCP servers whose tools it has in a chat, each a command line or a URL. docs/mcp.md says what such
# a server may do.
# mcp = ["uvx mcp-server-time"]

# The model of a swarm's workers, of delegates and of dreams. Default: its own.
# helper = "llama3.2:1b"

# What is permitted to a tool: "allow", "ask" or "deny". The narrowest rule decides, and of those
# that cannot be compared the strictest. A tool of an MCP server is "SERVER/NAME", all of them are
# "SERVER/*", and "*" is every tool. Default: its own tools are allowed, others are asked about.
# [[rules]]
# permission = "deny"
# tool = "write_file"
# argument = "path"
# value = "private/"   # a folder ends with "/"

# How its model works in a chat, a loop and a swarm. Default: as `g2c model` was told.
# [model]
# num_ctx = 16384     # the context window in tokens, with Ollama
# keep_alive = "30m"  # how long it stays loaded, with Ollama
# think = true        # a model that can think does so, and takes longer
# temperature = 0.0
# seed = 0

# What a million tokens cost with a model, read and written, in your currency. Then g2c runs trace
# says what a run cost. Nothing is fetched: prices are what you write here.
# [prices]
# "llama3.2:3b" = [0.06, 0.06]
"""


@dataclass(frozen=True)
class AgentSettings:
    """The lines of `agent.toml`. Without `tools`, the model decides; see `tools_for`. `helper` is
    the model of delegates, of a swarm's workers and of dreams; "" is the agent's own. `rules` have
    the fields of `g2c.guard.core.permission.Rule`. `search` is the address of a SearXNG
    server."""

    tools: tuple[str, ...] | None = None
    examples: Examples = "always"
    evolve: Evolve = "ask"
    check_answers: bool = True
    mcp: tuple[str, ...] = ()
    model: ModelOptions = NO_OPTIONS
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    helper: str = ""
    rules: tuple[Mapping[str, str], ...] = ()
    search: str = ""

    def price_of(self, model: str, read: int, written: int) -> float | None:
        """The cost of so many tokens with `model`; None if no price is known. A model on a server
        has one price, with or without the server's address before its name.

        >>> AgentSettings(prices={"big": (3.0, 15.0)}).price_of("big", 1_000_000, 100_000)
        4.5
        >>> AgentSettings(prices={"big": (1.0, 1.0)}).price_of("openai:http://h/v1#big", 10**6, 0)
        1.0
        """
        names = (model, model.rpartition("#")[2], f"{model}:latest", model.removesuffix(":latest"))
        known = [self.prices[name] for name in names if name in self.prices]
        if not known:
            return None
        for_read, for_written = known[0]
        return (for_read * read + for_written * written) / 1_000_000

    def tools_for(self, model: BackendInfo, *, in_loop: bool = False) -> tuple[str, ...]:
        """The tools of a chat, or of a loop, with that model.

        >>> small, other = BackendInfo("embedded", "135M"), BackendInfo("ollama", "8B")
        >>> AgentSettings(tools=("recall",)).tools_for(small)
        ('recall',)
        >>> AgentSettings().tools_for(small, in_loop=True)
        ('files',)
        >>> AgentSettings().tools_for(other) == USUAL_TOOLS
        True
        """
        if self.tools is not None:
            return self.tools
        if model.name != "embedded":
            return USUAL_TOOLS
        return SMALL_MODEL_LOOP_TOOLS if in_loop else SMALL_MODEL_TOOLS


def read_settings(file: Path) -> AgentSettings:
    """The settings in `file`; the defaults if there is no such file.

    Raises:
        ValueError: the file cannot be used; the message says what to change.
    """
    try:
        with open_file(file, "rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return AgentSettings()
    if len(content) > MAX_BYTES:
        raise ValueError(f"{file} is longer than {MAX_BYTES:,} bytes.")
    data = toml_of(text_of(content, file), file)
    if trouble := _trouble(data):
        raise ValueError(f"{file}: {trouble}")
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    prices = {name: tuple(map(float, pair)) for name, pair in data.get("prices", {}).items()}
    own = {"model": read_options(data.get("model", {})), "prices": prices}
    return AgentSettings(**data | lists | own)


def _trouble(data: dict[str, Any]) -> str:
    known = [field.name for field in fields(AgentSettings)]
    if strange := sorted(data.keys() - known):
        return f"there is no setting {strange[0]!r}; there are {', '.join(known)}."
    tools = data.get("tools", [])
    if not isinstance(tools, list) or not set(map(str, tools)) <= set(TOOLS):
        return f"tools is a list of some of {', '.join(TOOLS)}; got {tools!r:.200}."
    servers = data.get("mcp", [])
    if not isinstance(servers, list) or not all(isinstance(server, str) for server in servers):
        return f"mcp is a list of command lines and URLs; got {servers!r:.200}."
    if not isinstance(check := data.get("check_answers", True), bool):
        return f"check_answers is true or false; got {check!r:.200}."
    model = data.get("model", {})
    try:
        if not isinstance(model, dict):
            return f"[model] is a table of its own; got {model!r:.200}."
        read_options(model)
    except ValueError as error:
        return f"in [model], {error}."
    for name, what in (("helper", "the name of a model"), ("search", "the address of a server")):
        if not isinstance(data.get(name, ""), str):
            return f"{name} is {what}; got {data[name]!r:.200}."
    rules = data.get("rules", [])
    if not isinstance(rules, list) or not all(map(_is_rule, rules)):
        return (
            "[[rules]] have a permission (allow, ask or deny), and may have tool, argument and "
            f"value, which are texts; got {rules!r:.200}."
        )
    prices = data.get("prices", {})
    if not isinstance(prices, dict) or not all(map(_is_price, prices.values())):
        return (
            '[prices] has a line for each model, such as "llama3.2:3b" = [0.06, 0.06]: what a '
            f"million tokens cost, read and written; got {prices!r:.200}."
        )
    for name, kind in (("examples", Examples), ("evolve", Evolve)):
        if data.get(name, get_args(kind)[0]) not in get_args(kind):
            return f"{name} is one of {', '.join(get_args(kind))}; got {data[name]!r:.200}."
    return ""


def _is_rule(rule: object) -> bool:
    return (
        isinstance(rule, dict)
        and rule.get("permission") in get_args(Permission)
        and rule.keys() <= {"permission", "tool", "argument", "value"}
        and all(isinstance(text, str) for text in rule.values())
        and ("argument" in rule) == ("value" in rule)
    )


def _is_price(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(number) in (int, float) and 0 <= number < float("inf") for number in value)
    )
