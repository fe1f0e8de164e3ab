"""A healer's decision about a loop that broke: nothing, restore a good state, or call for help.

It has no model, since a model may have broken the loop. The idea to take away: what acts by itself
needs a bound that it cannot talk itself out of. A healer without one would restore a broken loop
every few minutes, for ever, and look like a loop that works.
"""

from __future__ import annotations

from datetime import datetime

from g2c.exercise import exercise
from g2c.loop.core.types import DEFAULTS, Decision, HealConfig, HealHistory


@exercise("22.7")
def decide(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Decide what a healer does at `now`. The first that holds is the answer:

    - `panic` where there is `history.trouble`; `reason` holds it.
    - `none` where fewer than `config.failures` ticks have failed in a row up to the newest; ticks
      up to `history.recovered_tick` are settled.
    - `panic` where `config.recoveries` or more are less than `config.window_hours` old, or there is
      no snapshot.
    - `restore` otherwise: the snapshot with the highest number.

    A restore has a flare; a panic has one unless a panic flare is less than `config.flare_minutes`
    old. Hours are hours that passed. A recovery in the future counts as new, a flare as none.

    Raises:
        ValueError: `now`, or any time of a recovery or flare, has no time zone.

    >>> from g2c.loop import TickRecord
    >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> failed = tuple(TickRecord(number, noon, "failed") for number in range(8, 13))
    >>> decision = decide(HealHistory(failed, snapshots=(6, 7)), noon)
    >>> decision.action, decision.snapshot, decision.flare
    ('restore', 7, True)
    >>> decide(HealHistory(failed[:4], snapshots=(6, 7)), noon).action
    'none'
    """
    raise NotImplementedError
