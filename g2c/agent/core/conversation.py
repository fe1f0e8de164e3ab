"""The earlier questions and answers of a session, which are part of each of its prompts.

The text only grows at its end, so the model's cache keeps it. It cannot grow for ever: once it is
longer than its bound, the older half is cut off at once. Cutting one exchange each time would
change the beginning of every prompt and make the cache useless.
"""

from dataclasses import dataclass

MAX_CHARS = 3_000
"""About 750 tokens of English."""

HEADING = "What was said before in this conversation:"


@dataclass(frozen=True)
class Exchange:
    """A question, and the agent's answer."""

    question: str
    answer: str

    def render(self) -> str:
        """The two lines in a prompt.

        >>> print(Exchange("My name is Ann.", "Hello,\\nAnn.").render())
        - The user said: My name is Ann.
        - You answered: Hello, Ann.
        """
        said, answered = " ".join(self.question.split()), " ".join(self.answer.split())
        return f"- The user said: {said}\n- You answered: {answered}"


def extended(
    earlier: tuple[Exchange, ...], newest: Exchange, max_chars: int = MAX_CHARS
) -> tuple[Exchange, ...]:
    """`earlier` with `newest` at its end. If that is longer than `max_chars`, the oldest exchanges
    are left out until it is at most half as long. An exchange that is too long by itself is left
    out, too.

    >>> long = Exchange("a" * 40, "b" * 40)
    >>> len(extended((long,) * 4, long, max_chars=600))
    2
    """
    exchanges = (*earlier, newest)
    if len(render_conversation(exchanges)) <= max_chars:
        return exchanges
    while exchanges and len(render_conversation(exchanges)) > max_chars // 2:
        exchanges = exchanges[1:]
    return exchanges


def render_conversation(earlier: tuple[Exchange, ...]) -> str:
    """The conversation's part of a prompt; empty without one."""
    return "\n".join([HEADING, *(exchange.render() for exchange in earlier)]) if earlier else ""
