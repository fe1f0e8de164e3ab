"""From what a critic wrote to a verdict that a program can act on.

The idea to take away: a gate fails closed. An approval that nobody can read is no approval, for
what is let through by mistake is seen by nobody, and what is sent back by mistake costs one round.
"""

from __future__ import annotations

import json
from typing import Any

from g2c.critic.base import Critique
from g2c.exercise import exercise

CRITIQUE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        # The verdict comes last: a model that writes it first has only the draft to go by.
        "issues": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 120},
            "maxItems": 3,
        },
        "score": {"type": "integer", "minimum": 0, "maximum": 10},
        "recommendation": {"enum": ["APPROVE", "REVISE"]},
    },
    "required": ["issues", "score", "recommendation"],
    "additionalProperties": False,
}
"""The same critique as JSON, for a backend that can hold its output to a schema."""


@exercise("21.1")
def parse_critique(text: str) -> Critique:
    r"""Read a critique in the form of `SCORE:`, `ISSUES:` and `RECOMMENDATION:`.

    These three are the markers, in any order and any case, each at the start of a line. Before one
    may stand spaces, tabs, `#` and the `**` of bold print; between it and its colon spaces, tabs
    and stars; and right after the colon `**`. A line ends with `\n` or `\r\n`, and with nothing
    else. All lines that belong to no marker are prose and are passed over.

    Spaces, tabs and stars around a value say nothing, and neither does one period after it.

    - The recommendation is the rest of its marker's line: the one word APPROVE or REVISE, in any
      case. Whatever else stands there cannot be read.
    - The score is the rest of its marker's line: a number from 0 to 10 in the digits 0 to 9, such
      as `7` or `7.5`, alone or with `/10` or ` / 10`. Anything else is no score: None.
    - A marker may come twice. Where its lines say different things, they cannot be read.
    - The issues are the lines from `ISSUES:` to the next marker or the end, what stands beside the
      colon included, of all such sections in order. Each is stripped of whitespace and of one
      bullet at its start (`-`, `*`, `•`, `1.` or `1)`, with a space or nothing after it). A line
      without a letter or digit is no issue, and neither is one with the value `none`, in any case.

    Where the recommendation is missing or cannot be read, it is REVISE, and `parse_error` is a
    sentence with the word RECOMMENDATION in it. Score and issues never change a recommendation.
    Without a score, an APPROVE is still one, and `parse_error` is None. No text raises anything.

    >>> parse_critique("SCORE: 7/10\nISSUES:\n- Too long.\nRECOMMENDATION: REVISE")
    Critique(score=7.0, issues=('Too long.',), recommendation='REVISE', parse_error=None)
    >>> parse_critique("**Recommendation:** approve.").approved
    True
    >>> critique = parse_critique("SCORE: 80/100\nRECOMMENDATION: APPROVE | REVISE")
    >>> critique.score, critique.recommendation, "RECOMMENDATION" in critique.parse_error
    (None, 'REVISE', True)
    """
    raise NotImplementedError


def critique_from_json(text: str) -> Critique:
    """Read a critique of the form `CRITIQUE_SCHEMA`; what does not match it is not read at all.

    >>> critique_from_json('{"issues": ["Too long."], "score": 4, "recommendation": "REVISE"}')
    Critique(score=4.0, issues=('Too long.',), recommendation='REVISE', parse_error=None)
    >>> critique_from_json('{"recommendation": "APPROVE"}').parse_error
    'The critique does not match its JSON schema.'
    """
    from jsonschema import Draft202012Validator

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Critique(parse_error="The critique is not JSON.")
    if not Draft202012Validator(CRITIQUE_SCHEMA).is_valid(data):
        return Critique(parse_error="The critique does not match its JSON schema.")
    return Critique(float(data["score"]), tuple(data["issues"]), data["recommendation"])
