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
    caught_by="test_one_of_two_gets_a_stale_lock",
    says="2 of two processes got a lock whose process is gone",
)
wrong(
    "Inside the guard nobody else can make a lock, so making it succeeds.",
    ("return lock.create()", "lock.create()\n        return True"),
    caught_by="test_another_computer_does_not_wait_at_the_guard",
    says="another computer made its lock just before ours was made",
)
wrong(
    "A lock that is ours already has been acquired, so the answer is yes.",
    (
        f"if {IS_HELD}:",
        "if (holder.pid, holder.host) == (lock.pid, lock.host):\n"
        f"                return True\n            if {IS_HELD}:",
    ),
    caught_by="test_our_own_lock_is_not_free",
    says="a second one, from another of its threads, would disturb it",
)
wrong(
    "A process that has had the lock for more than an hour hangs.",
    ("return not lock", "if not lock"),
    ("is_alive(holder.pid)", "is_alive(holder.pid):\n            return True"),
    caught_by="test_a_living_process_keeps_its_lock_for_as_long_as_it_lives",
    says="Age only speaks where a process cannot be asked",
)
wrong(
    "A process is alive or not; is_alive tells.",
    ("holder.host == lock.host and ", ""),
    caught_by="test_processes_of_another_computer_cannot_be_asked",
    says="says nothing about that one",
)
wrong(
    "A file that cannot be read is what a crash left, and belongs to nobody.",
    (IS_HELD, f"holder.pid is not None and {IS_HELD}"),
    caught_by="test_a_lock_that_cannot_be_read_is_held_while_it_is_young",
    says="it is new, so somebody may be dreaming",
)
wrong(
    "A lock is held for an hour, so at an hour it is stale.",
    ("> lock.max_age", ">= lock.max_age"),
    caught_by="test_a_lock_is_old_when_it_is_older_than_an_hour",
    says="is not older than an hour",
)
wrong(
    "A process that cannot have the lock must not go on, so it gets an exception.",
    ("return False", 'raise BlockingIOError(f"process {holder.pid} holds the lock")'),
    caught_by="test_the_lock_of_a_living_process_is_left_alone",
    says="A lock that is held is not an error: acquire says False",
)
wrong(
    "A stale lock is cleared away for the next one who asks; this time the answer is no.",
    ("holder = lock", "if lock.create():\n            return True\n        holder = lock"),
    (TAKE, f"            {REMOVE}\n        return False\n"),
    caught_by="test_the_lock_of_a_process_that_is_gone_is_taken_over",
    says="if nobody takes it over, there will never be a dream again",
)
wrong(
    "Inside the guard the file that was seen a line above is still there.",
    ("missing_ok=True", ""),
    caught_by="test_a_stale_lock_may_vanish_by_itself",
    says="that it is gone already is what was wanted",
)
wrong(
    "Whoever holds the lock may take it again.",
    (
        "if not _is_stale(lock, holder):",
        "if holder.pid != lock.pid and not _is_stale(lock, holder):",
    ),
    caught_by="test_its_examples_hold",
    says="This example of the contract gives something else.",
)
