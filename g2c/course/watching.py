"""Running an exercise's tests at every save.

A save is noticed by looking at the files, which works on every file system and with every editor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from g2c.course.manifest import Exercise, load_exercises
from g2c.course.progress import Standing, standings_of
from g2c.course.running import RUN_LIMIT_S, TestProcess, tests_upto
from g2c.paths import project_root

LOOK_EVERY_S = 0.05

Stamps = dict[Path, tuple[int, int]]


def watch(first: Exercise, sleep: Callable[[float], None]) -> Iterator[list[Standing]]:
    """How `first` stands, now and after every save; when it is done, the exercise after it.

    In front of each stand the exercises before it in its module, on which it may depend.

    It ends when the last one is done. A save during a run ends that run.
    """
    following = iter(load_exercises()[load_exercises().index(first) + 1 :])
    exercise: Exercise | None = first
    process = TestProcess()
    try:
        while exercise:
            seen = stamps(watched_folders())
            process.start(tests_upto(exercise))
            waited = 0.0
            while not process.has_ended() and stamps(watched_folders()) == seen:
                sleep(LOOK_EVERY_S)
                waited += LOOK_EVERY_S
                if waited > RUN_LIMIT_S:
                    break
            was_saved = not process.has_ended() and waited <= RUN_LIMIT_S
            run = None if was_saved else process.result(0)
            process.close()
            process = TestProcess()  # it gets ready while the student edits
            if run is None:
                continue
            standings = standings_of(exercise, run)
            yield standings
            if standings[-1].is_done:
                exercise = next(following, None)
            while exercise is standings[-1].exercise and stamps(watched_folders()) == seen:
                sleep(LOOK_EVERY_S)
    finally:
        process.close()


def stamps(folders: Iterable[Path]) -> Stamps:
    """When each Python file of `folders` was last written, in nanoseconds, and its size in bytes.

    A file that vanishes meanwhile, as it does while an editor replaces it, is left out.
    """
    found: Stamps = {}
    for folder in folders:
        for file in folder.glob("*.py"):
            try:
                status = file.stat()
            except FileNotFoundError:
                continue
            found[file] = (status.st_mtime_ns, status.st_size)
    return found


def watched_folders() -> set[Path]:
    """The folders with what a student edits, and the tests."""
    files = {name for exercise in load_exercises() for name in (exercise.file, exercise.suite)}
    return {(project_root() / file).parent for file in files}
