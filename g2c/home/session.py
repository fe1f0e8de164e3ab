"""The beginning and the end of every session of an agent, chat or loop."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from g2c.agent import Agent, AgentRunResult
from g2c.agent.core.conversation import Exchange, render_conversation
from g2c.files import if_possible
from g2c.home.home import Home
from g2c.home.settings import AgentSettings
from g2c.inference import Backend
from g2c.loop.app.evolution import EvolutionResult, evolve
from g2c.loop.core.identity import DEFAULT_CONFIG, read_config
from g2c.loop.core.types import SessionSummary, Spent
from g2c.memory import MemoryStore, Turn
from g2c.memory.app.checked import run_checked
from g2c.text import named_reason

MIN_EXCHANGES = 3
"""The fewest questions and answers of a chat after which a change of the agent's files is
proposed."""

CHAT_GOAL = "Talk with the user."


@dataclass(frozen=True)
class HomeMemory:
    """A memory for `Agent`: the agent's own files in the folder `identity`, then what it
    remembers. `asker` is the role of whoever asks: the user, or another program (`CALLER`)."""

    store: MemoryStore
    identity: Path
    asker: str = "user"

    def context(self) -> str:
        """The text that follows the system prompt in every prompt; may be empty."""
        return "\n\n".join(filter(None, [identity_text(self.identity), self.store.context()]))

    def log_turn(self, role: str, content: str) -> None:
        """Keep one turn, if the memory can be written."""
        with if_possible("what is said, in the memory"):
            self.store.log_turn(self.asker if role == "user" else role, content)


def identity_text(folder: Path) -> str:
    """The agent's own files in `folder`, for a prompt. Files with the default text are left out: a
    small model's prompt has no room for them.

    Raises:
        LoopError: a file is not UTF-8.
    """
    own, first = asdict(read_config(folder)), asdict(DEFAULT_CONFIG)
    texts = [text.strip() for name, text in own.items() if text.strip() != first[name].strip()]
    return "\n\n".join(["What you know of yourself and your work:", *texts]) if any(texts) else ""


def answering(
    settings: AgentSettings,
    store: MemoryStore | None,
    tell: Callable[[str], None],
    *,
    is_persons: bool,
) -> Callable[[Agent, str], AgentRunResult]:
    """A function that answers a message with an agent: its run, with the answer checked if
    `settings` say so. A check that fails to run is reported to `tell`. A message that is not the
    person's (`is_persons`) is not evidence."""
    if not settings.check_answers:
        return lambda agent, message: agent.run(message)
    return partial(run_checked, store=store, tell=tell, is_persons=is_persons)


def store_user_facts(store: MemoryStore, since: datetime, tell: Callable[[str], None]) -> None:
    """Keep what the user said of themselves since then, unless a topic has it. An error goes to
    `tell`.
    """
    try:
        store.store_user_facts(since)
    except NotImplementedError:  # an exercise of module 20 that is not written yet
        return
    except Exception as error:  # a student's function may raise anything
        tell(f"What was said stands in the transcript alone ({named_reason(error)}).")


def dream_if_due(store: MemoryStore, backend: Backend, tell: Callable[[str], None]) -> bool:
    """Dream if the three gates are open, and `tell` what was kept. Returns whether it dreamed.

    A session that is over must not fail because of its dream, so an error goes to `tell`.
    """
    try:
        result = store.maybe_dream(backend)
    except NotImplementedError:  # an exercise of module 20 that is not written yet
        return False
    except KeyboardInterrupt:
        tell("The dream was interrupted; the next session begins it again.")
        return False
    except Exception as error:  # a student's function may raise anything
        tell(f"The dream was left out ({named_reason(error)}).")
        return False
    if result.dreamed:
        names = ", ".join(draft.name for draft in result.plan.upserts) if result.plan else ""
        tell(f"It dreamed, and kept: {names or 'nothing new'}.")
    elif not result.closed:
        tell(f"The dream was given up: {result.reason}")
    return result.dreamed


def evolve_after_chat(
    home: Home,
    conversation: tuple[Exchange, ...],
    backend: Backend,
    now: datetime,
    tell: Callable[[str], None],
) -> EvolutionResult | None:
    """Let a chat propose a change of the agent's own files, as a loop may, if it had
    `MIN_EXCHANGES` and `agent.toml` allows it. Return the result, or None. An error goes to
    `tell`.
    """
    allowed = home.settings().evolve
    if allowed == "never" or len(conversation) < MIN_EXCHANGES:
        return None
    spent = Spent(ticks=len(conversation))
    said = render_conversation(conversation)
    summary = SessionSummary(CHAT_GOAL, "success", "done", spent.ticks, spent, said, now, now)
    try:
        asked = [Turn(now, "the chat", "user", exchange.question) for exchange in conversation]
        result = evolve(home.identity, summary, backend, now, evidence=asked, ask=allowed == "ask")
    except NotImplementedError:  # an exercise of module 22 that is not written yet
        return None
    except KeyboardInterrupt:
        tell("The evolution was interrupted.")
        return None
    except Exception as error:
        tell(f"The evolution was left out ({named_reason(error)}).")
        return None
    if result.diff:  # of an attempt that changed no text, the history tells who asks
        tell(f"Evolution: {result.reason}")
    return result
