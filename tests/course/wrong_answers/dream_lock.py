"""20.6 gone wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from g2c.memory.lock import DreamLock, LockHolder

from . import wrong

wrong = partial(wrong, "20.6")


def is_stale(lock: DreamLock, holder: LockHolder) -> bool:
    if holder.pid is not None and holder.host == lock.host:
        return not lock.is_alive(holder.pid)
    return is_old(lock, holder)


def is_old(lock: DreamLock, holder: LockHolder) -> bool:
    return lock.now() - holder.since > lock.max_age


@wrong(
    caught_by="test_of_two_that_find_a_stale_lock_one_gets_it",
    says="2 of two processes got a lock whose process is gone",
)
def exclusive_creation_is_enough(self: DreamLock) -> bool:
    """A file that is created exclusively is created once, so no guard is needed."""
    holder = self.holder()
    if holder and not is_stale(self, holder):
        return False
    self.file.unlink(missing_ok=True)
    return self._create()


@wrong(
    caught_by="test_of_two_that_find_a_stale_lock_one_gets_it",
    says="belong into one and the same turn of the guard",
)
def looking_changes_nothing(self: DreamLock) -> bool:
    """The guard is for changes; looking and judging may be done before, and spare others a wait."""
    holder = self.holder()
    if holder and not is_stale(self, holder):
        return False
    with self._guarded():
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_of_two_that_find_a_stale_lock_one_gets_it",
    says="right after this one had left the guard",
)
def a_turn_for_each_step(self: DreamLock) -> bool:
    """The guard should be held for as short as possible: once to judge, once to act."""
    with self._guarded():
        holder = self.holder()
        stale = holder is not None and is_stale(self, holder)
    if holder and not stale:
        return False
    with self._guarded():
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_another_computer_does_not_wait_at_the_guard",
    says="another computer made its lock just before ours was made",
)
def what_is_free_is_ours(self: DreamLock) -> bool:
    """Inside the guard nobody else can make a lock, so making it succeeds."""
    with self._guarded():
        holder = self.holder()
        if holder and not is_stale(self, holder):
            return False
        self.file.unlink(missing_ok=True)
        self._create()
        return True


@wrong(
    caught_by="test_another_computer_does_not_wait_at_the_guard",
    says="_create said so with False",
)
def whatever_is_there_is_stale(self: DreamLock) -> bool:
    """Once the lock was judged stale, whatever stands in the way of ours may go."""
    with self._guarded():
        holder = self.holder()
        if holder and not is_stale(self, holder):
            return False
        if self._create():
            return True
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_our_own_lock_is_not_free",
    says="a second one, from another of its threads, would disturb it",
)
def our_own_lock_is_ours(self: DreamLock) -> bool:
    """A lock that is ours already has been acquired, so the answer is yes."""
    with self._guarded():
        holder = self.holder()
        if holder and (holder.pid, holder.host) == (self.pid, self.host):
            return True
        if holder and not is_stale(self, holder):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_a_living_process_keeps_its_lock_for_as_long_as_it_lives",
    says="Age only speaks where a process cannot be asked",
)
def an_hour_is_enough_for_anybody(self: DreamLock) -> bool:
    """Whoever has had the lock for more than an hour hangs."""
    with self._guarded():
        holder = self.holder()
        if holder and not is_stale(self, holder) and not is_old(self, holder):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_processes_of_another_computer_cannot_be_asked",
    says="says nothing about that one",
)
def a_pid_is_a_pid(self: DreamLock) -> bool:
    """A process is alive or not; is_alive tells."""
    with self._guarded():
        holder = self.holder()
        if holder and holder.pid is not None and self.is_alive(holder.pid):
            return False
        if holder and holder.pid is None and not is_old(self, holder):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_processes_of_another_computer_cannot_be_asked",
    says="is a coincidence",
)
def alive_anywhere_is_alive(self: DreamLock) -> bool:
    """To be safe, a lock is stale only if it is old and no process of that number is alive."""
    with self._guarded():
        holder = self.holder()
        alive = holder and holder.pid is not None and self.is_alive(holder.pid)
        if holder and (alive or not is_stale(self, holder)):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_a_lock_that_cannot_be_read_is_held_while_it_is_young",
    says="it is new, so somebody may be dreaming",
)
def nonsense_is_no_lock(self: DreamLock) -> bool:
    """A file that cannot be read is what a crash left, and belongs to nobody."""
    with self._guarded():
        holder = self.holder()
        if holder and holder.pid is not None and not is_stale(self, holder):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_a_lock_that_cannot_be_read_is_held_while_it_is_young",
    says="there would never be a dream again",
)
def nonsense_is_somebodys(self: DreamLock) -> bool:
    """A file that cannot be read may be anybody's, so it is left for a person to look at."""
    with self._guarded():
        holder = self.holder()
        if holder and (holder.pid is None or not is_stale(self, holder)):
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_a_lock_is_old_when_it_is_older_than_an_hour",
    says="is not older than an hour",
)
def an_hour_is_over_after_an_hour(self: DreamLock) -> bool:
    """A lock is held for an hour, so at an hour it is stale."""
    with self._guarded():
        holder = self.holder()
        if holder and not is_stale(self, holder):
            foreign = holder.host != self.host
            if not foreign or self.now() - holder.since < self.max_age:
                return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_a_lock_is_old_when_it_is_older_than_an_hour",
    says="by the lock's own clock, self.now()",
)
def the_time_is_what_the_system_says(self: DreamLock) -> bool:
    """The age of a file is the difference to the system's time."""
    with self._guarded():
        holder = self.holder()
        if holder and holder.pid is not None and holder.host == self.host:
            if self.is_alive(holder.pid):
                return False
        elif holder and abs(datetime.now(UTC) - holder.since) <= self.max_age:
            return False
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_the_lock_of_a_living_process_is_left_alone",
    says="A lock that is held is no error: acquire says False",
)
def a_held_lock_is_an_error(self: DreamLock) -> bool:
    """Whoever cannot have the lock must not go on, and an exception sees to that."""
    with self._guarded():
        holder = self.holder()
        if holder and not is_stale(self, holder):
            raise BlockingIOError(f"process {holder.pid} holds the lock")
        self.file.unlink(missing_ok=True)
        return self._create()


@wrong(
    caught_by="test_the_lock_of_a_process_that_is_gone_is_taken_over",
    says="if nobody takes it over, there will never be a dream again",
)
def removing_it_is_enough(self: DreamLock) -> bool:
    """A stale lock is cleared away for the next one who asks; this time the answer is no."""
    with self._guarded():
        if self._create():
            return True
        holder = self.holder()
        if holder and is_stale(self, holder):
            self.file.unlink(missing_ok=True)
        return False


@wrong(
    caught_by="test_a_stale_lock_may_vanish_by_itself",
    says="that it is gone already is what was wanted",
)
def what_was_there_is_there(self: DreamLock) -> bool:
    """Inside the guard the file that was seen a line above is still there."""
    with self._guarded():
        holder = self.holder()
        if holder:
            if not is_stale(self, holder):
                return False
            self.file.unlink()
        return self._create()
