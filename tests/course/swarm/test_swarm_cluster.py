"""A swarm's errands on a real Dask cluster, of which one worker is killed."""

import os
import signal
from pathlib import Path

import pytest

from g2c.course.swarm_workers import on_cluster
from g2c.swarm.app.folder import Found, SwarmFiles
from g2c.swarm.app.supervisor import Supervisor
from g2c.swarm.core.reading import Errand, File

ROOMS = ("cellar", "garden", "attic", "mill")
TEXTS = {f"{room}.txt": f"The code of the {room} is {1200 + len(room)}." for room in ROOMS}


@pytest.mark.slow
def test_another_machine_does_the_work_that_one_leaves(tmp_path: Path) -> None:
    """On the real model."""
    if not os.environ.get("CI"):  # there it is installed, or something is wrong
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:

        class Killing(SwarmFiles):
            """With the first result, a worker dies that has another errand."""

            def keep_result(self, name: str, found: Found) -> None:
                if not list(self.found.glob("*.json")):
                    workers = local.scheduler.workers.values()
                    busy = next(worker for worker in workers if worker.processing)
                    os.kill(local.workers[busy.name].pid, signal.SIGKILL)
                super().keep_result(name, found)

        files = Killing(tmp_path / "main")
        supervisor = Supervisor(
            files,
            [File(name, 20) for name in TEXTS],
            at_once=4,
            budget=100_000,
            wait=lambda: pytest.fail("nothing is waited for"),
            begin=on_cluster(local.scheduler_address, files, TEXTS.__getitem__, "embedded"),
        )
        errands = [Errand(f"the code of the {room}", (f"{room}.txt",)) for room in ROOMS]
        replies = supervisor.ask(errands)
    values = [[claim.value for claim in reply.claims] for reply in replies]
    assert values == [[str(1200 + len(room))] for room in ROOMS]
    assert len(list(files.found.glob("*.json"))) == len(ROOMS)
