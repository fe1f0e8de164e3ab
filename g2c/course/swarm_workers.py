"""A swarm's errands on a Dask cluster, for a question that one machine is too small for.

A worker of the cluster gets the texts with the errand, so no shared disk is needed. If a worker
dies, Dask gives its work to another, and the supervisor keeps each result once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from g2c.course import cluster
from g2c.course.sweep_workers import ONE_AT_A_TIME, evaluation_state, loaded
from g2c.exercise import REFERENCE_VARIABLE
from g2c.tools import ToolError

if TYPE_CHECKING:
    from g2c.swarm.app.folder import Found, Posted, SwarmFiles
    from g2c.swarm.app.reader import ReadFile
    from g2c.swarm.core.reading import Errand


def on_cluster(
    scheduler: str, files: SwarmFiles, read_file: ReadFile, model: str
) -> Callable[[Sequence[Posted]], None]:
    """Yield a function that does errands on the cluster whose scheduler has this address, until all
    have ended."""
    from g2c.swarm.app.folder import Found

    def arguments(posted: Posted) -> tuple[Errand, Mapping[str, str], str]:
        texts = {}
        for name in posted.errand.files:
            try:
                texts[name] = read_file(name)
            except ToolError:
                continue
        return posted.errand, texts, model

    def begin(begun: Sequence[Posted]) -> None:
        if not begun:
            return
        for posted, result in cluster.on_cluster(
            scheduler, read_errand, begun, arguments, evaluation_state
        ):
            is_found = isinstance(result, Found)
            found = result if is_found else Found("cluster", error=f"{result}"[:500])
            files.keep_result(posted.name, found)

    return begin


def read_errand(errand: Errand, texts: Mapping[str, str], model: str) -> Found:
    """Do an errand on a worker. Its last model stays loaded.

    Raises:
        BackendError: the model is not available here, or does not answer.
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    from distributed import get_worker

    from g2c.swarm.app.reader import read_for

    def read_file(name: str) -> str:
        if name not in texts:
            raise ToolError(f"{name} could not be read.")
        return texts[name]

    with ONE_AT_A_TIME:
        return read_for(errand, read_file, loaded(model), str(get_worker().name))
