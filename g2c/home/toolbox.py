"""The tools of a session, by what stands in `agent.toml` and by what there is to use them on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from g2c.home.settings import AgentSettings
from g2c.inference import Backend
from g2c.memory import (
    MemoryStore,
    make_read_topic_tool,
    make_recall_tool,
    make_remember_tool,
)
from g2c.tools import Tool, make_calculator, make_list_files, make_read_file
from g2c.tools.files import SMALL_CONTEXT_BYTES


def make_tools(
    settings: AgentSettings,
    backend: Backend,
    folder: Path | None = None,
    store: MemoryStore | None = None,
) -> list[Tool]:
    """The tools, in the order in which a prompt lists them. Those for files need a `folder`, those
    for the memory a `store`.

    Raises:
        ToolError: `folder` is not a folder.
    """
    wanted = settings.tools_for(is_small=backend.info.name == "embedded")
    made: list[tuple[str, Tool]] = [("calculator", make_calculator())]
    if folder:
        read_file = make_read_file(folder, max_bytes=SMALL_CONTEXT_BYTES)
        made = [("files", make_list_files(folder)), *made, ("files", read_file)]
    if store:
        recall = make_recall_tool(partial(store.recall, transcripts=True))
        made = [
            ("recall", recall),
            ("remember", make_remember_tool(store)),
            ("read_topic", make_read_topic_tool(store)),
            *made,
        ]
    tools = [tool for name, tool in made if name in wanted]
    if settings.examples == "never":
        return [replace(tool, example=None, more_examples=()) for tool in tools]
    return tools
