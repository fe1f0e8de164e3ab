"""Finding what bears on a question, in the topics and, on request, in what was said.

The idea to take away: counting words is cheap and reads everything, a model understands and is
slow. So words choose twenty candidates from all there is, the model chooses among the twenty, and
whoever cannot ask a model still has the twenty in a good order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from g2c.inference import Backend, BackendError
from g2c.memory.base import MemoryStoreError, Recollection
from g2c.memory.follow import FollowedFiles
from g2c.memory.paragraphs import Paragraph, excerpt
from g2c.memory.rerank import choose
from g2c.memory.terms import STOP_WORDS, extract_terms, split_words, stem
from g2c.memory.topics import Topics
from g2c.memory.transcript import TranscriptLog
from g2c.tools import Tool, ToolExample

CANDIDATES = 20
EXCERPT_CHARS = 400
SHOWN_CHARS = 200
"""The model reads so much of a candidate: of all twenty, about 1,200 tokens."""

Found = Sequence[tuple[Paragraph, float]]


class Recall:
    """Search in `topics` and, where it is given, in a transcript log.

    The first question reads the files, each further one only what has changed in them. Several
    threads may ask at once.
    """

    def __init__(self, topics: Topics, transcripts: TranscriptLog | None = None) -> None:
        self._files = FollowedFiles(topics, transcripts)
        self._one_at_a_time = threading.Lock()

    def __call__(
        self, query: str, k: int = 3, *, backend: Backend | None = None
    ) -> list[Recollection]:
        """The `k` paragraphs that bear on `query` most, best first, as `rank` orders them.

        There are fewer where fewer share a word with it, or stand beside one that does.

        Raises:
            MemoryStoreError: `k` is less than 1.
        """
        if k < 1:
            raise MemoryStoreError(f"k is how many things to recall, at least 1; got {k}.")
        with self._one_at_a_time:
            self._files.catch_up()
            found = self._files.corpus.search(query, max(k, CANDIDATES))
        return rank(query, found, k, backend)


def rank(query: str, found: Found, k: int, backend: Backend | None) -> list[Recollection]:
    """The best `k` of what a corpus found, which is best first: those that the model chooses, and
    then, where these are fewer than `k`, the others as they are.

    Without a model, where it cannot be asked, and where its answer cannot be read, it chooses none.
    Each `reason` is the model's own, or says why there is none of the model's.
    """
    chosen, problem = _ask(query, found, k, backend)
    for place, (paragraph, _) in enumerate(found):
        chosen.setdefault(place, f"In lexical order ({problem}): {_shared(query, paragraph)}.")
    return [
        Recollection(
            excerpt=excerpt(found[place][0].text, query, EXCERPT_CHARS),
            file=found[place][0].file,
            line=found[place][0].line,
            reason=reason,
            score=found[place][1],
        )
        for place, reason in list(chosen.items())[:k]
    ]


def _ask(query: str, found: Found, k: int, backend: Backend | None) -> tuple[dict[int, str], str]:
    """The places of what the model chose, each with its reason, and why there are no more."""
    if backend is None:
        return {}, "no model was asked"
    if len(found) < 2:
        return {}, "there was nothing to choose"
    shown = [excerpt(paragraph.searched, query, SHOWN_CHARS) for paragraph, _ in found[:CANDIDATES]]
    try:
        chosen = choose(backend, query, shown, min(k, len(shown)))
    except BackendError as error:
        return {}, f"the model could not be asked: {error}"
    if not chosen:
        return {}, "the model's answer cannot be read"
    reasons = {
        place: why or f"The model gave no reason: {_shared(query, found[place][0])}."
        for place, why in chosen.items()
    }
    return reasons, "the model chose no more"


def _shared(query: str, paragraph: Paragraph) -> str:
    terms = set(extract_terms(paragraph.searched))
    words = [word for word in split_words(query) if word not in STOP_WORDS and stem(word) in terms]
    return f"it has {', '.join(dict.fromkeys(words))}" if words else "it stands beside a match"


def make_recall_tool(recall: Callable[[str], Sequence[Recollection]]) -> Tool:
    """Return the tool `recall`, which searches what was kept in earlier sessions.

    Each thing found is one line: the excerpt, and behind it the file and the line.

    >>> from pathlib import Path
    >>> found = Recollection("The door is green.", Path("house.md"), 7, "It has door.", 1.0)
    >>> make_recall_tool(lambda query: [found]).func("door")
    'The door is green. (house.md:7)'
    """

    def search(query: str) -> str:
        found = [f"{hit.excerpt} ({hit.file.name}:{hit.line})" for hit in recall(query)]
        return "\n".join(found) or f"Nothing is known about {query!r:.200}."

    return Tool(
        name="recall",
        description="Search your memory of earlier sessions.",
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string", "description": "words to look for"}},
            "required": ["query"],
            "additionalProperties": False,
        },
        func=search,
        example=_EXAMPLES[0],
        more_examples=_EXAMPLES[1:],
    )


def _example(question: str, *observed: str) -> ToolExample:
    # A small model copies best: so the query is the question, whose stop words cost nothing, and
    # the answer is the first thing found, with the place that it is from.
    return ToolExample(
        question=question,
        thought="I need to look into my memory.",
        arguments={"query": question},
        observation="\n".join(observed),
        answer=observed[0],
        conclusion="My memory says this first.",
    )


_EXAMPLES = (
    _example(
        "Who owns the house?",
        "Ada owns the house. (house.md:9)",
        "The house has a green door. (house.md:11)",
    ),
    _example("What is my shoe size?", "Nothing is known about 'What is my shoe size?'."),
    _example(
        "When is the party?",
        "The party is on Friday at six. (party.md:8)",
        "Tom brings a cake. (party.md:10)",
    ),
    _example(
        "Which book does Tom like?",
        "Tom likes a book about whales. (tom.md:10)",
        "Tom has a red bicycle. (tom.md:8)",
    ),
)
