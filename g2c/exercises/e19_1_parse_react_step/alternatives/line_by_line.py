"""19.1 line by line: the meaning of a line depends on its section.

It needs one small pattern, and a person can follow it with a finger on the text. It costs a
variable for the current section, which every branch has to leave right. The reference finds all
markers first, so that no line depends on the one before.
"""

from __future__ import annotations

import json
import re

from g2c.agent.core.types import Action, ParsedStep

_MARKER = re.compile(
    r"[ \t]*(thought|action input|action|observation|final answer)[ \t]*:[ \t]*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_HELP = (
    'Write "Action:" with a tool\'s name and "Action Input:" with a JSON object on the next line, '
    'or "Final Answer:" with the answer.'
)


def parse_react_step(text: str) -> ParsedStep:
    if not isinstance(text, str):
        raise TypeError(f"a completion is a string, got {type(text).__name__}")
    found: dict[str, list[str]] = {}
    thoughts: list[list[str]] = [[]]
    section = thoughts[0]
    for line in text.replace("\r\n", "\n").split("\n"):
        if not (marker := _MARKER.fullmatch(line)):
            section.append(line)
            continue
        name, section = marker[1].lower(), [marker[2]]
        if name == "observation":
            break
        if name == "thought" and not found:
            thoughts.append(section)
        else:
            found.setdefault(name, section)
    bodies = {name: "\n".join(lines).strip() for name, lines in found.items()}
    thought = "\n".join(filter(None, ("\n".join(lines).strip() for lines in thoughts)))

    if answer := bodies.get("final answer"):
        return ParsedStep(thought, final_answer=answer)
    if "action" not in bodies and "action input" not in bodies:
        missing = "Action is missing" if answer is None else "Final Answer is empty"
        return ParsedStep(thought, parse_error=f"{missing}. {_HELP}")
    # The name is on the marker's own line, even if the rest of that line is empty.
    tool = found.get("action", [""])[0].strip().removesuffix(".").strip()
    if not tool:
        return ParsedStep(thought, parse_error=f"Action names no tool. {_HELP}")
    given = bodies.get("action input", "")
    if not given:
        return ParsedStep(thought, parse_error=f"Action Input is missing. {_HELP}")
    if fenced := re.match(r"```[^`\s{\[]*", given):
        given = given[fenced.end() :].removesuffix("```") if given.endswith("```") else given
    try:
        arguments = json.loads(given, parse_constant=_no_json)
    except (ValueError, RecursionError) as error:
        return ParsedStep(thought, parse_error=f"Action Input is not a JSON object: {error}.")
    if not isinstance(arguments, dict):
        return ParsedStep(thought, parse_error="Action Input is JSON, but not an object.")
    return ParsedStep(thought, Action(tool, arguments))


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
