"""The results of a search: paragraphs, each with its place in a file.

A result must be short, and must say where it was found. People also search for the name of a topic
and the day of a turn, which the paragraph itself may lack. Those words are its context.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from g2c.memory.core.questions import is_question
from g2c.memory.core.scripts import words_in
from g2c.memory.core.terms import extract_terms, indexed_terms
from g2c.memory.core.types import CALLER, Topic, Turn
from g2c.text import without_citations

MAX_PARAGRAPH_CHARS = 1_000
"""A longer paragraph is cut at the end of a line: a list of fifty facts is too long for a
result."""


@dataclass(frozen=True)
class Paragraph:
    """A piece of a file that begins in `line` (counted from 1).

    A search also looks in `context`. A question is never a result; it only helps its neighbours to
    be found. An answer is the agent's own: if another paragraph has the same text, the answer is
    not the original. `sources` are those of the topic.
    """

    text: str
    file: Path
    line: int
    context: str = ""
    is_question: bool = False
    is_answer: bool = False
    sources: tuple[str, ...] = ()

    @property
    def searched(self) -> str:
        """The text that a search looks in."""
        return f"{self.context}: {self.text}" if self.context else self.text


def split_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    r"""Each paragraph of `text`, with the number of its first line, counted from 1.

    Blank lines separate paragraphs. A Markdown heading belongs to the text below it. A paragraph
    longer than `MAX_PARAGRAPH_CHARS` is cut at the end of a line, if it has several.

    >>> list(split_paragraphs("# Auth\n\nTokens expire.\nDaily.\n\n\nKeys do not."))
    [(1, '# Auth\nTokens expire.\nDaily.'), (7, 'Keys do not.')]
    """
    lines: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip()
        if line:
            is_over = bool(lines) and sum(map(len, lines)) + len(line) > MAX_PARAGRAPH_CHARS
        else:
            is_over = bool(lines) and not lines[-1].startswith("#")
        if is_over:
            yield first, "\n".join(lines)
            lines = []
        if line:
            first = first if lines else number
            lines.append(line)
    if lines:
        yield first, "\n".join(lines)


def topic_paragraphs(topic: Topic, file: Path, text: str) -> list[Paragraph]:
    """The paragraphs of a topic's body. `text` is the whole file, which ends with the body."""
    head = text.rstrip("\n").removesuffix(topic.body)
    above = head.count("\n")
    return [
        Paragraph(piece, file, above + line, topic.name, sources=topic.sources)
        for line, piece in split_paragraphs(without_citations(topic.body))
    ]


BY_CALLER = "Another program said: "
"""The mark before the words of a caller, in what recall shows."""


def turn_paragraphs(turn: Turn, file: Path, line: int) -> list[Paragraph]:
    """The paragraphs of a turn, all in its one line of the transcript.

    Their context is the day (in UTC, in words) and the role. Actions and tool results have no
    paragraphs: recall would find its own earlier results. For the same reason, places that a model
    copied from a result are left out.
    """
    if turn.role in ("action", "tool"):
        return []
    is_asked = turn.role == "user" and is_question(turn.content)
    ts = turn.ts.astimezone(UTC)
    context = f"{ts.day} {ts:%B %Y} {turn.role}"
    by = BY_CALLER if turn.role == CALLER else ""
    return [
        Paragraph(by + piece, file, line, context, is_asked, turn.role == "assistant")
        for _, piece in split_paragraphs(without_citations(turn.content))
    ]


def excerpt(text: str, query: str, limit: int) -> str:
    """At most `limit` characters of `text` on one line, around its first term of `query`.

    >>> excerpt("Tokens expire after\\nan hour. Keys never do.", "What about keys?", 30)
    '…after an hour. Keys never do.'
    """
    line = one_line(text)
    if len(line) <= limit:
        return line
    terms = set(extract_terms(query))
    meets = next((place for place, word in words_in(line) if terms & indexed_terms(word)), 0)
    start = line.rfind(" ", 0, max(0, meets - limit // 3)) + 1
    if meets - start >= limit:  # a script without spaces
        start = meets - limit // 3
    before = "…" if start else ""
    rest, room = line[start:], limit - len(before)
    return before + (rest if len(rest) <= room else rest[: room - 1] + "…")


def one_line(text: str) -> str:
    """`text` on one line, so that no part of it looks like an entry of its own. Lone surrogates,
    which can be neither printed nor sent, become `?`."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
