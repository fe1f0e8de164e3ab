"""Running an exercise's tests at every save.

The operating system reports a save, by way of `watchfiles`. On some network drives it does not; set
`WATCHFILES_FORCE_POLLING=1` in the environment to poll the files instead.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from g2c.course.check.progress import Standing, standings_up_to, tests_up_to
from g2c.course.check.results import TestRun
from g2c.course.check.worker import TestWorker
from g2c.course.manifest import Exercise, load_exercises
from g2c.exercise import is_requested, requested_references
from g2c.paths import project_root

LOOK_EVERY_MS = 25
"""How often to check whether the tests have ended. Writes closer together than this are one save:
some editors write a file in several steps."""


def watch(first: Exercise, stay: bool = False) -> Iterator[list[Standing]]:
    """The state of `first`, now and after every save. Once it is done, go on to the next exercise
    that is not skipped, unless `stay` is set.

    Each list ends with that exercise. Before it come the earlier ones of its module, on which it
    may depend. The iteration ends when the last exercise is done. A save during a run ends that
    run.
    """
    later = load_exercises()[load_exercises().index(first) + 1 :]
    following = (other for other in later if not is_requested(other.id, requested_references()))
    exercise: Exercise | None = first
    worker = TestWorker()
    try:
        saved = saves(watched_folders())
        while exercise:
            run, left = TestRun(), tuple(tests_up_to(exercise))
            was_saved = False
            while left and not was_saved:
                worker.start(left)
                if not (was_saved := _wait(worker, saved)):
                    part = worker.result(0)
                    run = run.followed_by(part) if run.collected else part
                    left = part.classes_left()
                worker.close()
                worker = TestWorker()  # it loads while the student edits
            if was_saved:
                continue
            standings = standings_up_to(exercise, run.completed())
            yield standings
            if standings[-1].is_done and not stay:
                exercise = next(following, None)
            while exercise is standings[-1].exercise and not next(saved):
                pass
    finally:
        worker.close()


def _wait(worker: TestWorker, saved: Iterator[bool]) -> bool:
    """Wait until the run is over, or silent for too long; True if a file was saved before that."""
    while not worker.has_ended() and not worker.is_silent():
        if next(saved):
            return True
    return False


def saves(folders: Iterable[Path]) -> Iterator[bool]:
    """Whether a Python file in one of these folders was saved since the last answer; an answer
    takes at least `LOOK_EVERY_MS`. No save after the return of this function is missed.

    A folder that was replaced, as by a program that syncs files, counts as a save. The system goes
    on to report the old one, so the watch begins anew."""
    folders = tuple(folders)

    def anew(there: Mapping[Path, tuple[int, int]], changes: Iterator[bool]) -> Iterator[bool]:
        while True:
            for was_saved in changes:
                if (now := _identities(folders)) != there:
                    break
                yield was_saved
            there = now
            with suppress(FileNotFoundError):  # it is gone again; the next look sees that
                changes = _saves(there)
            yield True

    there = _identities(folders)
    return anew(there, _saves(there))


def _identities(folders: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """The device and inode of each existing folder: they differ if another takes its place."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            status = folder.stat()
            found[folder] = status.st_dev, status.st_ino
    return found


def _saves(folders: Iterable[Path]) -> Iterator[bool]:
    from watchfiles import PythonFilter, watch

    def start(force_polling: bool | None) -> Iterator[bool]:
        changes = watch(
            *folders,
            watch_filter=PythonFilter(),
            step=LOOK_EVERY_MS,
            rust_timeout=LOOK_EVERY_MS,
            yield_on_timeout=True,
            force_polling=force_polling,
            recursive=False,
        )
        next(changes)
        return map(bool, changes)

    try:
        return start(None)
    except RuntimeError:  # watchfiles' own: the system cannot watch any more files
        return start(True)


def watched_folders() -> set[Path]:
    """The folders with what a student edits, and the tests."""
    files = {name for exercise in load_exercises() for name in (exercise.file, exercise.suite)}
    return {(project_root() / file).parent for file in files}
