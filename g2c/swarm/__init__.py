"""Module 24: several agents, one memory.

The exercises of module 24 are yours. They use the code in `provided/`; `assembled/` puts them
together into what `g2c swarm` runs.
"""

from g2c.swarm.brief import write_brief
from g2c.swarm.lease import next_lease
from g2c.swarm.merging import merge_reports
from g2c.swarm.reading import read_all
from g2c.swarm.record import write_behind
from g2c.swarm.routing import choose_route
from g2c.swarm.starting import may_start

__all__ = [
    "choose_route",
    "may_start",
    "merge_reports",
    "next_lease",
    "read_all",
    "write_behind",
    "write_brief",
]
