"""One agent's home: what its chats, loops, reviews and dreams share."""

from g2c.home.home import Home
from g2c.home.session import (
    HomeMemory,
    answering,
    dream_if_due,
    evolve_after_chat,
    store_user_facts,
)
from g2c.home.settings import AgentSettings

__all__ = [
    "AgentSettings",
    "Home",
    "HomeMemory",
    "answering",
    "dream_if_due",
    "evolve_after_chat",
    "store_user_facts",
]
