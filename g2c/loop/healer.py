"""What a healer is to do about a loop that broke: nothing, restore a good state, or call for help.

It has no model, for what it mends may be the model's doing. The idea to take away: what acts by
itself needs a bound that it cannot talk itself out of. A healer without one would restore a broken
loop every few minutes, for ever, and look like a loop that works.
"""

from __future__ import annotations

from datetime import datetime

from g2c.exercise import exercise
from g2c.loop.base import Decision, HealConfig, HealHistory

DEFAULTS = HealConfig()


@exercise("22.7")
def decide(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Decide what a healer does at the time `now`.

    - `panic` where `history.trouble` says that something is broken, whatever the ticks say.
    - `none` where fewer than `config.failures` ticks have failed in a row. A row of failures ends
      with the newest tick, and begins after `history.recovered_tick`: what failed before a recovery
      is settled by it.
    - `panic` where `config.recoveries` or more are less than `config.window_hours` old, and where
      there is no snapshot.
    - `restore` otherwise: the snapshot with the highest number.

    The first of them that holds is the answer. A restore always comes with a flare. A panic does
    unless a panic flare is less than `config.flare_minutes` old; with no action there is none.

    The times in `history` are in no order, and hours are hours that passed. A clock that was wrong
    may have left times that lie in the future. Then the healer does less by itself, and says more:
    such a recovery counts as one made just now, such a flare as none.

    `reason` is a sentence for people; where there is trouble, it holds `history.trouble`.

    Raises:
        ValueError: `now`, or the time of a recovery or of a flare, has no time zone, whether or not
            the answer depends on it.

    >>> from g2c.loop.base import TickRecord
    >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> failed = tuple(TickRecord(number, noon, "failed") for number in range(8, 13))
    >>> decision = decide(HealHistory(failed, snapshots=(6, 7)), noon)
    >>> decision.action, decision.snapshot, decision.flare
    ('restore', 7, True)
    >>> decide(HealHistory(failed[:4], snapshots=(6, 7)), noon).action
    'none'
    """
    raise NotImplementedError
