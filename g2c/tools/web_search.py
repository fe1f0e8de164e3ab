"""Searching the web through whatever search the caller has: `make_web_search`.

There is no network code here. A tool is a name, a schema and a text for the model. The program
decides where its answer comes from, and one line can change that.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.text import one_line
from g2c.tools.tool import Tool, ToolError, ToolExample, check_limits


@dataclass(frozen=True)
class SearchHit:
    """One result of a search."""

    title: str
    url: str = ""
    snippet: str = ""


Search = Callable[[str], Iterable[SearchHit | Mapping[str, Any] | str]]
"""From a query to hits, best first; a mapping has a `SearchHit`'s fields, perhaps by another name
that a service has for them, and a string is a title."""

_FIELDS = (("title",), ("url", "href", "link"), ("snippet", "body", "content", "description"))


def make_web_search(search: Search | None = None, *, max_results: int = 5) -> Tool:
    """Return the tool `web_search`, which asks `search` and shows the first `max_results` hits.

    Without `search` the tool says that none is configured, and the model has to do without.

    Raises:
        ToolError: `search` cannot be called, or the limit as `check_limits`.

    >>> def search(query):
    ...     return [{"title": "Capital of France", "snippet": "Paris is the capital."}]
    >>> print(make_web_search(search).func("capital of France"))
    1. Capital of France
       Paris is the capital.
    """
    check_limits(max_results=max_results)
    if search is not None and not callable(search):
        raise ToolError(f"search must be a function from a query to hits, got {search!r:.80}.")

    def web_search(query: str) -> str:
        if search is None:
            raise ToolError(
                "No web search is configured, so answer without it. (The program can give one: "
                "make_web_search(search), where search takes a query and returns hits.)"
            )
        found = search(query) or ()
        if isinstance(found, (str, Mapping)) or not isinstance(found, Iterable):
            raise ToolError(f"The search gave {found!r:.80}, which is not a list of hits.")
        hits = [_as_hit(hit) for hit in islice(found, max_results)]
        return "\n".join(_render(i, hit) for i, hit in enumerate(hits, 1)) or "(no results)"

    return Tool(
        name="web_search",
        effect="none",
        description="Search the web.",
        parameters=object_schema(query=text_schema(about="what to look for")),
        func=web_search,
        example=ToolExample(
            question="How tall is the Eiffel Tower?",
            thought="I need to look this up.",
            arguments={"query": "height of the Eiffel Tower"},
            observation="1. Eiffel Tower\n   It is 330 metres tall.",
            answer="The Eiffel Tower is 330 metres tall.",
        ),
    )


def _as_hit(hit: SearchHit | Mapping[str, Any] | str) -> SearchHit:
    if isinstance(hit, SearchHit):
        return hit
    if isinstance(hit, str):
        return SearchHit(hit)
    if not isinstance(hit, Mapping):
        raise ToolError(f"The search gave {hit!r:.80}, which is not a hit.")
    return SearchHit(
        *(next((str(hit[name]) for name in names if hit.get(name)), "") for names in _FIELDS)
    )


def _render(number: int, hit: SearchHit) -> str:
    parts = (one_line(part) for part in (hit.title, hit.url, hit.snippet))
    return f"{number}. " + "\n   ".join(part for part in parts if part)
