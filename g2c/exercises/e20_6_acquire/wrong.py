"""20.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.6")

IS_HELD = "not _is_stale(lock, holder)"
REMOVE = "lock.file.unlink(missing_ok=True)"
TAKE = f"            {REMOVE}\n        return lock.create()\n"

wrong(
    "A file that is created exclusively is created once, so no guard is needed.",
    ("with lock.guarded():", "if True:"),
)
wrong(
    "Inside the guard nobody else can make a lock, so making it succeeds.",
    ("return lock.create()", "lock.create()\n        return True"),
)
wrong(
    "A lock that is ours already has been acquired, so the answer is yes.",
    (
        f"if {IS_HELD}:",
        "if (holder.pid, holder.host) == (lock.pid, lock.host):\n"
        f"                return True\n            if {IS_HELD}:",
    ),
)
wrong(
    "A process that has had the lock for more than an hour hangs.",
    ("return not lock", "if not lock"),
    ("is_alive(holder.pid)", "is_alive(holder.pid):\n            return True"),
)
wrong("A process is alive or not; is_alive tells.", ("holder.host == lock.host and ", ""))
wrong(
    "A file that cannot be read is what a crash left, and belongs to nobody.",
    (IS_HELD, f"holder.pid is not None and {IS_HELD}"),
)
wrong(
    "A lock is held for an hour, so at an hour it is stale.", ("> lock.max_age", ">= lock.max_age")
)
wrong(
    "A process that cannot have the lock must not go on, so it gets an exception.",
    ("return False", 'raise BlockingIOError(f"process {holder.pid} holds the lock")'),
)
wrong(
    "A stale lock is cleared away for the next one who asks; this time the answer is no.",
    ("holder = lock", "if lock.create():\n            return True\n        holder = lock"),
    (TAKE, f"            {REMOVE}\n        return False\n"),
)
wrong(
    "Inside the guard the file that was seen a line above is still there.", ("missing_ok=True", "")
)
wrong(
    "Whoever holds the lock may take it again.",
    (
        "if not _is_stale(lock, holder):",
        "if holder.pid != lock.pid and not _is_stale(lock, holder):",
    ),
)
