"""What follows a loop: it becomes a memory, and what it teaches may change the agent.

The idea to take away: a crash can come between any two of these steps, so each is noted. What does
no harm when it is done twice is noted after it is done; what must not happen twice, before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from g2c.files import replace_text
from g2c.inference import Backend
from g2c.loop.base import LoopState
from g2c.loop.evolution import evolve
from g2c.loop.files import LoopFiles
from g2c.loop.summary import consolidate_session, summarize
from g2c.loop.ticklog import read_ticks
from g2c.memory.store import MemoryStore


def close_loop(
    files: LoopFiles,
    state: LoopState,
    *,
    store: MemoryStore | None,
    backend: Backend | None,
    now: datetime,
    tell: Callable[[str], None],
) -> None:
    """Remember in `store` how the loop in `state` ended, and evolve with `backend`; what is None is
    left out. Each is done once for an end, however often this is called.

    What goes wrong with one of them is told, and costs nothing else.
    """
    if state.tick == 0:
        return
    end = {"tick": state.tick, "status": state.status}
    done = _read(files, end)

    def note(step: str) -> None:
        done.append(step)
        replace_text(files.closed, json.dumps(end | {"done": done}) + "\n")

    def remember() -> None:
        if store is not None and "memory" not in done:
            consolidate_session(store, summarize(state, read_ticks(files.ticks, state.tick)))
            note("memory")

    def learn() -> None:
        if backend is not None and "evolution" not in done:
            summary = summarize(state, read_ticks(files.ticks, state.tick))
            note("evolution")
            tell(f"Evolution: {evolve(files.agent, summary, backend, now).reason}")

    for name, step in (("memory", remember), ("evolution", learn)):
        try:
            step()
        except NotImplementedError:
            raise  # an exercise that has no body yet is not a step that went wrong
        except Exception as error:
            tell(f"The loop's {name} was left out ({type(error).__name__}: {error}).")
        except KeyboardInterrupt:
            tell(f"The loop's {name} was interrupted.")


def _read(files: LoopFiles, end: dict[str, Any]) -> list[str]:
    """The steps that were noted for this end of the loop."""
    try:
        data = json.loads(files.closed.read_bytes())
        return list(data["done"]) if data | end == data else []
    except (OSError, ValueError, TypeError, KeyError):
        return []
