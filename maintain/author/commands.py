"""The page of all commands, made from the program: `python -m maintain.author commands`."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from g2c.cli.app import app
from g2c.cli.commands import PANELS

PAGES = {
    "agent": "mcp.md",
    "attack": "modules/25-guard/guards.md",
    "class": "instructor.md",
    "compare": "modules/23-evaluation/comparing.md",
    "eval": "modules/23-evaluation/suites.md",
    "home": "home.md",
    "loop": "modules/22-loops/the-agent-at-home.md",
    "memory": "mcp.md",
    "runs": "modules/23-evaluation/traces.md",
    "swarm": "modules/24-swarm/swarms.md",
}
"""The page in `docs/` that explains a command."""

HEAD = """# Commands

Made by `python -m maintain.author commands` from the program. Each command has `--help`, with all
of its options.
"""


def page() -> str:
    """The text of `docs/commands.md`."""
    root = typer.main.get_group(app)
    parts = [HEAD]
    for panel in PANELS:
        own = {n: c for n, c in root.commands.items() if getattr(c, "rich_help_panel", "") == panel}
        rows = [row for name, command in own.items() for row in _rows(name, command)]
        more = [f"[{name}]({PAGES[name]})" for name in own if name in PAGES]
        parts.append(f"## {panel}\n\n| command | what it does | for example |\n|---|---|---|\n")
        parts[-1] += "".join(rows)
        if more:
            parts[-1] += f"\nMore: {', '.join(more)}.\n"
    return "\n".join(parts)


def _rows(name: str, command: Any) -> Iterator[str]:
    inner = getattr(command, "commands", {})
    if not inner or command.invoke_without_command:
        text = re.sub(r"\s+", " ", command.help or "")
        says = re.split(r"(?<=[.:]) (?=[A-Z])", text)[0]
        example = re.search(r"Example: (.+?)(?= Example: |$)", text)
        yield f"| `g2c {name}` | {says} | `{example[1].strip() if example else ''}` |\n"
    for below, one in inner.items():
        yield from _rows(f"{name} {below}", one)
