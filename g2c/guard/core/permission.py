"""A call that a model proposes, a person's rules about such calls, and their approvals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Permission = Literal["allow", "ask", "deny"]


@dataclass(frozen=True)
class ProposedCall:
    """A call that nobody has carried out yet.

    `actor` is the agent's id. `tool` is the name of a tool, and "SERVER/NAME" for one of another
    server. A server's name may have slashes, as an address has; a tool's own never has any.
    `arguments` are JSON. `effect`: whether it changes or sends anything.
    """

    actor: str
    tool: str
    arguments: Mapping[str, Any]
    effect: bool = True


@dataclass(frozen=True)
class Rule:
    """The tool that a rule is about: "NAME", "SERVER/NAME", "SERVER/*", or "*" for all tools.

    With `argument`, the rule is about calls in which that argument is the text `value`. If `value`
    ends with "/", the rule is about paths of that folder and of everything below it.
    """

    permission: Permission
    tool: str = "*"
    argument: str = ""
    value: str = ""


@dataclass(frozen=True)
class Approval:
    """A person's yes to one call. It ends at `until`, which has a time zone and no longer counts
    itself."""

    call: ProposedCall
    until: datetime
