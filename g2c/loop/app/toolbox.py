"""The tools of a session, the same in a chat and in a loop.

A person names them in `agent.toml`. A session has only those that have something to work on: a
folder, a memory.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from g2c.agent import Agent
from g2c.loop.app.again import again
from g2c.loop.core.delegate import Run, SharedBudget, make_delegate
from g2c.loop.core.types import Budget
from g2c.memory import (
    MemoryStore,
    MemoryStoreError,
    make_read_topic_tool,
    make_recall_tool,
    make_remember_tool,
)
from g2c.memory.app.store import utc_now
from g2c.text import within
from g2c.tools import (
    Tool,
    make_calculator,
    make_list_files,
    make_read_file,
    make_web_search,
    make_write_file,
)
from g2c.tools.files import SMALL_CONTEXT_BYTES
from g2c.tools.web import make_read_page, searxng

FILE_TOOLS = ("list_files", "read_file", "write_file")
"""The meaning of `files`."""

NOTE_CHARS = 1_000
NOTE_TITLE_CHARS = 100

DELEGATES = Budget(ticks=20, tokens=100_000)
"""The questions and tokens that all delegates of a conversation, or of one run of a loop, share."""


def make_session_tools(
    names: Collection[str],
    *,
    folder: Path | None = None,
    may_write: bool = False,
    store: MemoryStore | None = None,
    own: Sequence[Path] = (),
    search: str = "",
) -> list[Tool]:
    """The tools of those `names`, in the order in which a prompt lists them.

    `files` needs a `folder`. It lists and reads there, and writes if it `may_write`. It cannot
    touch an agent's own files; the folders `own` count as such. `recall`, `remember` and
    `read_topic` need a `store`. If there is a `store`, it keeps a note of each page that
    `read_page` reads. `web_search` asks the server at `search`. For `delegate` see
    `make_delegate_tool`.

    Raises:
        ToolError: `folder` is not a folder.
    """
    made: list[tuple[str, Tool]] = []
    if store:
        made += [
            ("recall", make_recall_tool(partial(store.recall, transcripts=True))),
            ("remember", make_remember_tool(store, checked=True)),
            ("read_topic", make_read_topic_tool(store)),
        ]
    if folder:
        made += [("files", make_list_files(folder, own=own))]
    made += [("calculator", make_calculator())]
    if folder:
        made += [("files", make_read_file(folder, max_bytes=SMALL_CONTEXT_BYTES, own=own))]
    if folder and may_write:
        made += [("files", make_write_file(folder, max_bytes=SMALL_CONTEXT_BYTES, own=own))]
    page = make_read_page()
    made += [
        ("web_search", again(make_web_search(searxng(search) if search else None))),
        ("read_page", again(_keeping_notes(page, store) if store else page)),
    ]
    return [tool for name, tool in made if name in names]


def _keeping_notes(read_page: Tool, store: MemoryStore) -> Tool:
    """The tool, which also keeps a note of each page: the date, the address, and how it begins."""

    def read(url: str) -> str:
        text: str = read_page.func(url=url)
        day = utc_now().date()
        body = f"On {day} {url} said:\n\n{text[:NOTE_CHARS]}"
        title = within(f"{day} page: {url}", NOTE_TITLE_CHARS)
        with suppress(MemoryStoreError, OSError):  # the page was read all the same
            store.write_topic(title, url[:200], body, type="episode")
        return text

    return replace(read_page, func=read)


def make_delegate_tool(
    make_agent: Callable[[], Agent], budget: SharedBudget, store: MemoryStore | None, run: Run
) -> Tool:
    """The tool `delegate`, which hands a question to the fresh agent that `make_agent` makes.

    `run` runs it, and may check its answer. `store` keeps a note of each question, with the date
    and the sources of the answer. The agent has no `delegate` of its own: a small model would pass
    the question on until the budget is used up.
    """
    return make_delegate(
        lambda tools: make_agent(), "delegate", budget, now=utc_now, store=store, run=run
    )
