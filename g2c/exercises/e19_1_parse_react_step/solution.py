"""19.1: split the text at its markers first, then ask what the pieces mean.

`_sections` knows where a marker may stand, and nothing about steps. `parse_react_step` knows which
piece wins, and nothing about lines. Its questions are in the order of the contract: an invented
observation ends the text, an answer beats an action, and only then does it matter what is missing.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from g2c.agent.core.types import Action, ParsedStep

# [ \t] and never \s: \s matches newlines, and an empty marker would swallow the line below it.
_MARKER = re.compile(
    r"^[ \t]*(thought|action input|action|observation|final answer)[ \t]*:[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
# A language's name ends where white space or JSON begins: `c++` and `json5` are names, too.
_LANGUAGE = re.compile(r"```[^`\s{\[]*")


def parse_react_step(text: str) -> ParsedStep:
    if not isinstance(text, str):
        raise TypeError(f"a completion is a string, got {type(text).__name__}")
    sections = _sections(text.replace("\r\n", "\n"))
    thoughts = []
    for marker, body in sections:
        if marker != "thought":
            break
        thoughts.append(body.strip())
    thought = "\n".join(filter(None, thoughts))
    first = dict(reversed(sections))
    answer = first.get("final answer", "").strip()
    tool = first.get("action", "").partition("\n")[0].strip().removesuffix(".").strip()
    tool_input = first.get("action input", "").strip()

    if answer:
        return ParsedStep(thought, final_answer=answer)
    if "action" not in first and "action input" not in first:
        problem = "Final Answer is empty." if "final answer" in first else "Action is missing."
        return ParsedStep(thought, parse_error=f"{problem} {_FORMAT}")
    if not tool:
        return ParsedStep(thought, parse_error=f"Action names no tool. {_FORMAT}")
    if not tool_input:
        return ParsedStep(thought, parse_error=f"Action Input is missing. {_FORMAT}")
    try:
        return ParsedStep(thought, Action(tool, _json_object(tool_input)))
    except (ValueError, RecursionError) as error:
        return ParsedStep(thought, parse_error=f"Action Input is not a JSON object: {error}.")


_FORMAT = (
    'Write "Action:" with a tool\'s name and "Action Input:" with a JSON object on the next line, '
    'or "Final Answer:" with the answer.'
)


def _sections(text: str) -> list[tuple[str, str]]:
    """The text cut at its markers, as (marker, body), up to the first observation.

    A body begins on its marker's line, so an empty first line means no text after the marker.
    """
    pieces = _MARKER.split(text)
    # The prompt ended with "Thought:".
    markers = ["thought", *map(str.lower, pieces[1::2]), "observation"]
    return list(zip(markers[: markers.index("observation")], pieces[::2], strict=False))


def _json_object(text: str) -> dict[str, Any]:
    # Matched at each end separately: one pattern for both would try every space in a model's text.
    if (fence := _LANGUAGE.match(text)) and text.endswith("```", fence.end()):
        text = text[fence.end() : -3]
    # A model may write anything: a number too long to convert is a ValueError of another kind
    # than bad syntax, and brackets too deep are a RecursionError. The caller catches all three.
    value = _DECODER.decode(text)
    if not isinstance(value, dict):
        raise ValueError(f"it is a {type(value).__name__}")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")


# `json.loads` with an argument makes one at each call, which takes as long as reading the text.
_DECODER = json.JSONDecoder(parse_constant=_refuse)
