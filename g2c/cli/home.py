"""The commands about the folder in which one agent lives: home init, home show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.markup import escape

from g2c.cli.console import out, show
from g2c.cli.guarding import in_words, rules_of, waiting_in
from g2c.cli.options import HomeOption, find_home, require_home
from g2c.files import is_folder
from g2c.paths import home_options, project_root

if TYPE_CHECKING:
    from g2c.home import AgentSettings

app = typer.Typer()
home_app = typer.Typer(no_args_is_help=True)
app.add_typer(home_app, name="home")


@home_app.callback()
def about_home() -> None:
    """Make or show a home: the folder that an agent's chats and loops share.

    Example: g2c home show
    """


@home_app.command("init")
def init_home(home: HomeOption = None) -> None:
    """Make the files that you may want to edit: agent.toml and the constitution.

    Files that exist already do not change. If an older version of the course left a loop in loop/
    and a memory in memory/, they move into the home.

    Example: g2c home init --home ~/agents/garden
    """
    opened = find_home(home)
    from g2c.home.adopt import adopt

    told = adopt(project_root(), opened) if home is None else []
    is_new = opened.create()
    for sentence in told:
        out.print(escape(sentence), soft_wrap=True)
    done = "is ready" if is_new else "was there already; nothing in it was changed"
    out.print(f"{escape(str(opened.root))} {done}.", soft_wrap=True)
    out.print("agent.toml says what the agent may do; agent/constitution.md is yours to write.")


@home_app.command("show")
def show_home(home: HomeOption = None) -> None:
    """Show a home: what its agent may do and remembers, its loops, and what waits for you.

    Example: g2c home show
    """
    opened = find_home(home)
    require_home(opened)
    at = home_options(opened.root)
    from g2c.loop.app.evolution import history
    from g2c.loop.app.proposal import waiting
    from g2c.loop.core.state import StateError, read_state
    from g2c.memory import MemoryStore

    settings = opened.settings()
    show("Home", str(opened.root), "bold")
    show("Tools", _tools(settings), "cyan")
    show("Rules", str(len(rules_of(opened))), "cyan")
    if is_folder(opened.memory):
        memory = MemoryStore(opened.memory)
        days = len(memory.transcripts.days())
        show("Memory", f"topics: {len(memory.topics.list())}, days of transcripts: {days}", "cyan")
        show("Dreams", memory.dream_health(), "cyan")
    else:
        show("Memory", "nothing yet", "cyan")
    made = [change for change in history(opened.identity) if change.version]
    show("Evolution", f"{settings.evolve}; versions: {len(made)}", "cyan")
    if waiting(opened.identity):
        show("", f"a change waits for you: g2c loop evolution pending{at}", "yellow")
    for question in waiting_in(opened):
        show("Asks", f"{question.id}: {in_words(question)} g2c loop tell{at} answers it.", "yellow")
    for name in opened.loops():
        try:
            state = read_state(opened.loop(name).state)
            show(f"Loop {name}", f"{state.status} after tick {state.tick}: {state.goal}", "cyan")
        except StateError as error:
            show(f"Loop {name}", str(error), "red")


def _tools(settings: AgentSettings) -> str:
    """The tools of a session, and those with the small model if they differ."""
    from g2c.inference import BackendInfo

    small, other = BackendInfo("embedded", ""), BackendInfo("", "")
    lines = {
        "": settings.tools_for(other),
        "small model: ": settings.tools_for(small),
        "in a loop: ": settings.tools_for(small, in_loop=True),
    }
    if len(set(lines.values())) == 1:
        return ", ".join(lines[""])
    return "\n".join(f"{whose}{', '.join(tools)}" for whose, tools in lines.items())
