"""Module 24: several agents, one memory.

The exercises of module 24 are yours. They use the code in `core/`; `app/` puts them
together into what `g2c swarm` runs.
"""

from g2c.swarm.choose_route import choose_route
from g2c.swarm.may_start import may_start
from g2c.swarm.merge_reports import merge_reports
from g2c.swarm.next_lease import next_lease
from g2c.swarm.read_all import read_all
from g2c.swarm.write_behind import write_behind
from g2c.swarm.write_brief import write_brief

__all__ = [
    "choose_route",
    "may_start",
    "merge_reports",
    "next_lease",
    "read_all",
    "write_behind",
    "write_brief",
]
