"""24.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "24.3")

HELD = "lease is not None and (lease.is_done or now < lease.until)"
NOT_ITS = "(request.worker, request.number) != (lease.worker, lease.number)"
UNTIL = "until=max(lease.until, now + seconds)"

wrong(
    "A lease has a holder, and the holder's name shows whose it is.",
    (NOT_ITS, "request.worker != lease.worker"),
)
wrong(
    "A number is given to one worker, so it is enough.", (NOT_ITS, "request.number != lease.number")
)
wrong(
    "When a lease is over, anybody who has worked on the task may hand in.",
    (NOT_ITS, f"{NOT_ITS} and now < lease.until"),
)
wrong(
    "Each lease has a number of its own, and the first one's was 1: a new holder gets it again.",
    ("lease.number + 1 if lease else 1", "lease.number if lease else 1"),
)
wrong(
    "Numbers count from 0.",
    ("lease.number + 1 if lease else 1", "lease.number + 1 if lease else 0"),
)
wrong(
    "A claim with the number that the lease has is a renewal.",
    (
        f"        if {HELD}:",
        f"        if {HELD} and not (\n            request.number == lease.number\n        ):",
    ),
)
wrong(
    "A lease that is over gives no right any more, so its finish is refused.",
    (NOT_ITS, f"{NOT_ITS} or now >= lease.until"),
)
wrong("A renewal adds to what is left.", (UNTIL, "until=lease.until + seconds"))
wrong(
    "A renewal ends so many seconds from now, and now is what the clock says.",
    (UNTIL, "until=now + seconds"),
)
wrong(
    "Of a done lease nothing is granted.",
    ('    if request.kind == "finish":', '    if request.kind == "finish" and not lease.is_done:'),
)
wrong(
    "What is done is done: whoever says so is right, and hears yes.",
    (
        "    if lease is None or (request",
        '    if lease and lease.is_done and request.kind == "finish":\n'
        "        return lease\n"
        "    if lease is None or (request",
    ),
)
wrong(
    "Nobody has the task, so whoever finishes it has done it.",
    (
        "    if lease is None or (request",
        '    if lease is None and request.kind == "finish":\n'
        "        return Lease(request.worker, 1, now, True)\n"
        "    if lease is None or (request",
    ),
)
