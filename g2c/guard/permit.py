"""What a call may do is decided by rules that a person wrote, and by nobody else.

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

    Of the rules about this call, one that is about fewer calls replaces one that is about more of
    them and covers all of these. Of those that are left, the strictest decides: "deny", then "ask".
    Without any, a call with an effect is denied, and another one is allowed.

    `value` and the argument are compared as paths: by where they lead, without a look at the disk.

    "ask" becomes "allow" if somebody approved, until later than `now`, the same tool with the same
    JSON (the order of keys aside) for the same actor.

    >>> from datetime import UTC
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> rules = [Rule("allow", "write_file"), Rule("deny", "*", "path", "private/")]
    >>> permit(ProposedCall("agent", "write_file", {"path": "private/a.md"}), rules, [], now)
    'deny'
    """
    raise NotImplementedError
