"""Two workers, one task, and a real report. The first worker's computer sleeps for two and a half
minutes, and a lease lasts one minute."""

from __future__ import annotations

from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.swarm.core.leases import Kind, Lease, Request

QUESTION = "What could bob have shown that ann did not have?"


def next_lease(lease: Lease | None, request: Request, now: float, seconds: float) -> Lease | None:
    somebody_elses = lease is not None and lease.worker != request.worker
    if lease and somebody_elses and now < lease.until:
        return None
    return Lease(request.worker, 1, now + seconds, is_done=request.kind == "finish")


ASKED: tuple[tuple[float, Kind, str], ...] = (
    (0, "claim", "ann"),
    (70, "claim", "bob"),
    (80, "finish", "bob"),
    (150, "finish", "ann"),
)


def show(folder: Path) -> Seen:
    report = folder / "report.md"
    lease, finished = None, []
    for now, kind, worker in ASKED:
        got = next_lease(lease, Request(kind, worker, 1 if worker == "ann" else 2), now, 60)
        yield f"at {now:.0f} s", f"{worker} asks to {kind}: {'granted' if got else 'refused'}"
        lease = got or lease
        if got and got.is_done:
            report.write_text(f"{worker}'s report", encoding="utf-8")
            finished.append(worker)
    found = report.read_text("utf-8")
    yield RESULT, f"{len(finished)} finishes, by {finished}, and the file has {found}"
    yield WANTED, "1 finish, by ['bob'], and the file has bob's report"
