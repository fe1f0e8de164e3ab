"""The name of a new topic: words of the lines that it holds, and never the model's own.

A small model that is asked for a name makes one up, such as "my sister's sister". A name stands in
the index and so in each prompt, where it reads as something that was said.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from g2c.memory.core.sources import claim_of, seen_outside
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import slugify
from g2c.memory.core.types import DreamPlan, Topic, TopicDraft, Turn

_BETWEEN = re.compile(r"(?:['\u2019]s)?(?:[.,;:!?\"()]*[\s_/-]+|[.,;:!?\"()]*\Z)")
OWN_NAMES = ("Common pitfalls",)
"""Names that the program gives, and looks up: the topic of what critics found wrong (module 21)."""

_MAX_WORDS, _MAX_CHARS = 3, 80


def with_said_names(plan: DreamPlan, known: Sequence[Topic], turns: Sequence[Turn]) -> DreamPlan:
    """The plan, in which each new topic is named with words of its lines that were said.

    The words of the model's name that were said stay, each once. Without any, the first three said
    words of the body are the name. A name in `OWN_NAMES` stays. Drafts that now have one name are
    one draft, and a topic that is written is not deleted.
    """
    names = {slugify(name): name for name in (*OWN_NAMES, *(topic.name for topic in known))}
    texts = [*(turn.content for turn in seen_outside(turns)), *(topic.body for topic in known)]
    drafts: dict[str, TopicDraft] = {}
    for draft in plan.upserts:
        if slugify(draft.name) not in names:
            draft = replace(draft, name=said_name(draft.name, draft.body, texts))
        slug = slugify(draft.name)
        draft = replace(draft, name=names.get(slug, draft.name))
        before = f"{drafts[slug].body}\n" if slug in drafts else ""
        drafts[slug] = replace(draft, body=before + draft.body)
    deletes = tuple(slug for slug in plan.deletes if slug not in drafts)
    return replace(plan, upserts=tuple(drafts.values()), deletes=deletes)


def said_name(name: str, body: str, texts: Iterable[str]) -> str:
    """A name for a new topic: the words of `name` that stand in `body` and in `texts`. If there are
    none, the first such words of `body`; if it has none either, `name`.

    >>> said_name("my tooth", "- The tortoise is called Otto.", ["Our tortoise is called Otto."])
    'tortoise called Otto'
    """
    said = {term for text in texts for term in extract_terms(text)}
    claims = " ".join(claim_of(line)[1] for line in body.splitlines())
    shared = said.intersection(extract_terms(claims))
    words = _words_of(name, shared) or _words_of(claims, shared)[:_MAX_WORDS]
    return " ".join(words)[:_MAX_CHARS].strip() or name


def _words_of(text: str, terms: set[str]) -> list[str]:
    """The words of `text` that have only these terms, each once. A number names nothing."""
    found: dict[tuple[str, ...], str] = {}
    for word in _BETWEEN.split(text):
        own = tuple(extract_terms(word))
        if own and terms.issuperset(own) and not word.isdigit():
            found.setdefault(own, word)
    return list(found.values())
