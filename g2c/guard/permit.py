"""Rules that a person wrote decide what a call may do; nobody else does.

The idea to take away: a model proposes a call, so it must not be what permits it. And a yes is to
one call, with these arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from g2c.exercise import exercise
from g2c.guard.core.permission import Approval, Permission, ProposedCall, Rule


@exercise("25.2")
def permit(
    call: ProposedCall, rules: Sequence[Rule], approvals: Sequence[Approval], now: datetime
) -> Permission:
    """Decide whether a call is allowed, denied, or has to be asked about.

    - Among the rules about this call, a narrower rule replaces a wider one that contains it.
    - The strictest of the remaining rules decides: "deny", then "ask".
    - Without a rule, a call with an effect is denied, and any other is allowed.
    - Compare `value` and the argument as paths: by where they lead, without reading the disk.
    - "ask" becomes "allow" if somebody approved, until later than `now`, the same tool with the
      same JSON (ignoring the order of keys) for the same actor.

    >>> from datetime import UTC
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> rules = [Rule("allow", "write_file"), Rule("deny", "*", "path", "private/")]
    >>> permit(ProposedCall("agent", "write_file", {"path": "private/a.md"}), rules, [], now)
    'deny'
    """
    raise NotImplementedError
