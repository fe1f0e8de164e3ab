"""The tools of MCP servers as they were when a person began to use them.

A tool's description is part of every prompt, and its server may change it tomorrow. So the
description at the first use is pinned, and a changed one is not used until a person has accepted
the difference.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from g2c.files import diff_of, is_there, locked, read_text
from g2c.foreign_json import load_json
from g2c.json_files import replace_json
from g2c.tools import Tool

Accept = Callable[[str, str], bool]
"""Whether a person accepts the tool of that name with its changes, given as a unified diff."""


def unchanged_tools(pinned: Path, tools: Mapping[str, Tool], accept: Accept) -> set[str]:
    """The names of those `tools` that are unchanged since the file `pinned`, new, or accepted.
    Names are those of `McpTools.full_names`. New and accepted tools are pinned.

    Raises:
        ValueError: the file cannot be read; the message says what to do.
        OSError: the file cannot be written.
    """
    offered = {name: _as_text(tool) for name, tool in tools.items()}
    before = _update(pinned, lambda known: offered | known)
    # Nobody holds the lock while a person reads. The answer is about this change, and no other.
    accepted = {
        name: text
        for name, text in offered.items()
        if text != before[name] and accept(name, diff_of({name: before[name]}, {name: text}))
    }
    known = _update(
        pinned,
        lambda known: (
            known
            | {name: text for name, text in accepted.items() if known.get(name) == before[name]}
        ),
    )
    return {name for name, text in offered.items() if known.get(name) == text}


def _update(pinned: Path, change: Callable[[dict[str, str]], dict[str, str]]) -> dict[str, str]:
    with locked(pinned.with_suffix(".lock")):
        before = _read(pinned)
        known = change(before)
        if known != before:
            replace_json(pinned, known, indent=1)
    return known


def _as_text(tool: Tool) -> str:
    """All text of the tool that its server wrote and a model reads."""
    schema = json.dumps(tool.parameters, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{tool.description}\n{schema}"


def _read(pinned: Path) -> dict[str, str]:
    if not is_there(pinned):
        return {}
    try:
        known = load_json(read_text(pinned))
    except ValueError:
        known = None
    if not isinstance(known, dict) or not all(isinstance(text, str) for text in known.values()):
        raise ValueError(
            f"{pinned} cannot be read. Delete it, and the tools of MCP servers are pinned as they "
            "are at the next use."
        )
    return known
