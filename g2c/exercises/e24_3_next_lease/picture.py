"""Page 24.3: a worker sleeps through the end of its lease, and its number shows it."""

from drawing import Kind, Picture

from g2c.exercises.e24_3_next_lease.naive import ASKED
from g2c.exercises.e24_3_next_lease.solution import next_lease
from g2c.swarm.core.leases import Lease, Request

LEFT, SCALE = 66, 2.7
LANES = {"ann": 62, "bob": 148}
SECONDS = 60


def draw() -> Picture:
    lease: Lease | None = None
    numbers: dict[str, int] = {}
    told: list[tuple[float, str, str, Kind]] = []
    held: list[Lease] = []
    for now, asks, worker in ASKED:
        got = next_lease(lease, Request(asks, worker, numbers.get(worker, 0)), now, SECONDS)
        if got and asks == "claim":
            numbers[worker] = got.number
            held.append(got)
        lease = got or lease
        words = f"{asks} with {numbers[worker]}"
        told.append((now, worker, words, "good" if got else "bad"))
    p = Picture(
        246,
        "A number that is too old",
        "Ann claims a task for a minute, gets number 1, and is asleep. At 70 seconds Bob claims it "
        "and gets number 2, and at 80 he finishes. At 150 Ann wakes, believes that the task is "
        "hers, and finishes with number 1: that is refused.",
    )
    p.text(20, 28, "two workers, one task", "head")
    for worker, y in LANES.items():
        p.text(20, y + 17, worker, "")
        p.line((LEFT, y + 12), (LEFT + 160 * SCALE, y + 12))
    for hold in held:
        p.box(
            round(LEFT + (hold.until - SECONDS) * SCALE),
            LANES[hold.worker],
            round(SECONDS * SCALE),
            24,
            f"lease {hold.number}",
            kind="program",
        )
    p.bar(LEFT + 20 * SCALE, LANES["ann"] + 32, 125 * SCALE, 14, "plain")
    p.text(LEFT + 82 * SCALE, LANES["ann"] + 44, "asleep, and without a clock", "soft middle")
    for at, worker, words, kind in told[2:]:
        x, y = LEFT + at * SCALE, LANES[worker]
        p.box(round(x) - 5, y - 4, 10, 32, kind=kind)
        word = f"at {at:.0f} s: {words}, {'granted' if kind == 'good' else 'refused'}"
        p.text(x + (8 if at > 100 else -30), y - 12, word, "soft end" if at > 100 else "soft")
    p.text(
        20,
        226,
        "The clock let bob begin. The number, and no clock, keeps ann from writing.",
        "soft",
    )
    return p
