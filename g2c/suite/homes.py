"""Asking an agent in a home, with an earlier conversation and a memory."""

from datetime import datetime, timedelta
from pathlib import Path

from g2c.agent import Agent
from g2c.agent.core.conversation import Exchange
from g2c.home import Home, HomeMemory
from g2c.inference import Backend
from g2c.loop.app.toolbox import FILE_TOOLS, make_session_tools
from g2c.memory import MemoryStore
from g2c.suite.tasks import HomeTask
from g2c.suite.tools import shown, write_files
from g2c.suite.verdicts import Verdict, judge_home
from g2c.tools import ToolRegistry


def ask_home(
    backend: Backend,
    task: HomeTask,
    folder: Path,
    now: datetime,
    max_steps: int,
    max_new_tokens: int,
) -> Verdict:
    """Ask as a chat of a home in `folder` asks at the time `now`."""
    home, work = Home(folder / "home"), folder / "work"
    work.mkdir()
    write_files(task.files, work)
    home.create()
    _fill_memory(home.memory, task, now - timedelta(days=3))
    store = MemoryStore(home.memory, now=lambda: now)
    names = {"files" if name in FILE_TOOLS else name for name in task.tools}
    agent = Agent(
        backend,
        ToolRegistry(shown(make_session_tools(names, folder=work, store=store), task)),
        plan=False,
        max_steps=max_steps,
        max_new_tokens=max_new_tokens,
        temperature=0.0,
        memory=HomeMemory(store, home.identity),
    )
    agent.earlier = tuple(Exchange(said, answer) for said, answer in task.earlier)
    result = agent.run(task.question)
    return judge_home(task, result, [topic.body for topic in store.topics.list()])


def _fill_memory(folder: Path, task: HomeTask, then: datetime) -> None:
    """Write the task's topics and earlier turns into the memory, at the time `then`; this chat's
    turns are logged, too."""
    before = MemoryStore(folder, now=lambda: then)
    for said in task.said:
        before.log_turn("user", said)
        before.log_turn("assistant", "Noted.")
    for name, description, body in task.topics:
        before.write_topic(name, description, body)
