"""Grading a class: a result for each submission, on this machine or on a cluster.

A result is one file that is replaced as a whole, so a killed run continues where it was. Only the
main process writes results. Workers only return them.
"""

import contextlib
import hashlib
import json
import os
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Any

from g2c.classroom.grader import Task, grade_tree
from g2c.classroom.regrade import made_with, options_of
from g2c.classroom.reports import to_json
from g2c.clocks import not_after
from g2c.course.bounded import printable
from g2c.course.submission import as_tree, files_below, names_in, only_archive
from g2c.course.submission_names import has_exercise, own_names
from g2c.ending import EndingPool
from g2c.files import read_text, sha256_of
from g2c.foreign_json import load_json
from g2c.json_files import read_object, replace_json, replace_own_json
from g2c.text import fold, named_reason, reason_of

SETTINGS = "settings.json"
"""The file with the settings of the results in a folder. Different settings would be unfair to
some."""

ANSWERS = "answers.json"
"""The points of the written answers, by name and module."""

COUNTED = "counted.json"
"""The points that the gradebook counts for each submission, for the student's feedback page."""

OWN_FILES = (SETTINGS, ANSWERS, COUNTED)

MAX_READ_BYTES = 2**26
"""A larger file of a hand-in is compared by its time and size."""

MAX_NAME_BYTES = 200
"""The longest name of a result, without its suffix; files beside it have longer suffixes."""

_SYSTEM_FILES = (
    *(
        "__macosx",
        ".ds_store",
        "._*",
        ".localized",
        ".spotlight-*",
        ".fseventsd",
        ".temporaryitems",
    ),
    *("thumbs.db", "desktop.ini", ".directory", ".trash*", ".nfs*", ".fuse_hidden*", ".~lock.*"),
    *(".git*", ".hg*", ".svn", ".idea", ".vscode", ".ipynb_checkpoints", ".*.sw?", "~$*"),
    *("index.html", "grades-*.csv", "submission_metadata.yml"),
    f"*_attempt_{'-'.join(['????', *['??'] * 5])}.txt",
)
"""Files that a system, an editor or an LMS (Brightspace, Moodle, Gradescope; Blackboard's receipts)
puts into a folder, in lower case. A hidden name alone is not a sign of that: a student's may begin
with a dot."""

Result = dict[str, Any]
Grader = Callable[[Sequence["Submission"], Task], Generator[tuple["Submission", Result]]]
"""Grades submissions, and yields each with its result, in any order. Closing it ends the rest."""


@dataclass(frozen=True)
class Submission:
    """A student's hand-in at `path`: a folder, an archive, or something else."""

    name: str
    path: Path


def submissions_in(folder: Path, out: Path | None = None) -> list[Submission]:
    """All submissions in `folder`, each with a unique name, without a system's own files and the
    results' folder `out`. An archive's name is its file's without the suffix, unless something else
    has that name.

    Raises:
        ValueError: there is none, or `folder` is itself one.
        OSError: it cannot be read.
    """
    if folder.is_file() or has_exercise(names_in(folder)):
        raise ValueError(f"{folder} is one hand-in; name a folder with one for each student.")
    results = out and os.path.realpath(out)
    paths = [
        path
        for path in sorted(folder.iterdir())
        if not is_system_file(path) and os.path.realpath(path) != results
    ]
    if not paths:
        raise ValueError(f"There is no submission in {folder}: no folder, and no zip.")
    taken = Counter(fold(path.name) for path in paths)
    taken.update(fold(stem) for path in paths if (stem := _stem(path)) != path.name)
    return [
        Submission(stem if taken[fold(stem := _stem(path))] == 1 else path.name, path)
        for path in paths
    ]


def is_system_file(path: Path) -> bool:
    """Whether it is an operating system's or an LMS's file, and not a submission. Moodle has a
    second folder of a student, with what was typed into its form."""
    name = path.name.lower()
    other = path.name.replace("_assignsubmission_onlinetext", "_assignsubmission_file")
    is_second = other != path.name and path.with_name(other).exists()
    return is_second or any(fnmatchcase(name, pattern) for pattern in _SYSTEM_FILES)


def _stem(path: Path) -> str:
    is_archive = path.suffix.lower() == ".zip" and not path.is_dir()
    return path.stem if is_archive else path.name


def left_to_grade(submissions: Iterable[Submission], out: Path) -> list[Submission]:
    """The submissions to grade: without a result in the folder `out`, not graded the last time, or
    changed since."""
    return [submission for submission in submissions if not _is_done(submission, out)]


def _is_done(one: Submission, out: Path) -> bool:
    result = read_object(result_file(one, out))
    return "not_graded" not in result and result.get("submission") == state_of(one)


def result_file(one: Submission, out: Path) -> Path:
    """The name of its result's file: `name`.json, or one with a hash if the name is taken, too
    long, or not printable."""
    name = one.name
    is_fit = printable(name) == name and len(name.encode()) <= MAX_NAME_BYTES
    if not is_fit or f"{name}.json".casefold() in OWN_FILES:
        own = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        name = f"{printable(name)[:40]}-{own}"
    return out / f"{name}.json"


def state_of(one: Submission) -> str:
    """A text that changes with the content of a graded file, or with the time and the size of one
    that is too large to be read."""
    state = hashlib.sha256()
    with contextlib.suppress(Exception):  # whoever grades it says so
        files = [one.path / name for name in names_in(one.path)]
        if one.path.is_dir():
            files = files or sorted(files_below(one.path))
        for file in files or [one.path]:
            found = file.stat()
            is_read = S_ISREG(found.st_mode) and found.st_size <= MAX_READ_BYTES
            content = sha256_of(file) if is_read else found.st_mtime_ns
            name = file.relative_to(one.path.parent)  # the class may be moved
            line = f"{name} {found.st_size} {content}\n"
            state.update(line.encode("utf-8", "replace"))
    return state.hexdigest()


def handed_in(one: Submission) -> str:
    """The time of handing in, by the date of its archive: UTC, as ISO 8601; "" if it is unknown.

    A folder may contain its archive, as in Moodle's download. Dates inside an archive, and those of
    unpacked files, are ignored: the student who packs them can set any.
    """
    with contextlib.suppress(OSError, ValueError, OverflowError):
        archive = one.path
        if archive.is_dir():
            files = {str(file.relative_to(archive)): file for file in files_below(archive)}
            if has_exercise(own_names(files).values()):
                return ""
            archive = files[only_archive(files, archive)]
        return datetime.fromtimestamp(
            int(not_after(archive.stat().st_mtime, time.time())), UTC
        ).isoformat()
    return ""


def named(submissions: Sequence[Submission], names: Iterable[str]) -> list[Submission]:
    """The submissions of these names.

    Raises:
        ValueError: there is none of a name; the message says a near one.
    """
    # A file system may write an accent in another way than a keyboard.
    by_name = {
        unicodedata.normalize("NFC", submission.name): submission for submission in submissions
    }
    by_name |= {submission.name: submission for submission in submissions}
    names = [given if given in by_name else unicodedata.normalize("NFC", given) for given in names]
    for name in names:
        if name not in by_name:
            # An LMS adds to a name.
            longer = [known for known in by_name if _letters(name) in _letters(known)]
            near = sorted(longer, key=len) or get_close_matches(name, by_name, n=1, cutoff=0.4)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(printable(f"There is no submission {name}.{meant}"))
    return list(dict.fromkeys(by_name[name] for name in names))


def withdrawn(folder: Path, out: Path) -> dict[str, Path]:
    """The results in `out`, by name, of submissions that are no longer in `folder`, such as the
    wrong one of two archives, or one that a folder has replaced."""
    found = {}
    for file in sorted(out.glob("*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            result = read_object(file)
            path, name = Path(result["tree"]), str(result["name"])
            if os.path.realpath(path.parent) == os.path.realpath(folder) and not path.exists():
                found[name] = file
    return found


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, fold(name)))


def why_not_graded(one: Submission, out: Path) -> str:
    """The data of its result, or of a missing one."""
    unknown = "g2c class grade has not come to it, or it has changed since then."
    return str(read_object(result_file(one, out)).get("not_graded", unknown))


def keep_settings(out: Path, task: Task, *, anew: bool = False) -> None:
    """Write the settings of this folder's results. `anew` replaces older settings; the gradebook
    then says which results were made with others.

    Raises:
        ValueError: the folder has results with other settings.
    """
    # Through JSON, so that lists are compared with lists, not tuples.
    exercises = [exercise.id for exercise in task.exercises]
    own = json.loads(
        json.dumps(
            {"conditions": asdict(task.conditions), "model": task.model, "exercises": exercises}
        )
    )
    file = out / SETTINGS
    before = settings_of(out)
    if before and anew and _modules(before) != _modules(own):
        only = " and ".join(_modules(before))
        raise ValueError(
            f"The grades in {out} are of module {only}. Say --module {only} again, or leave "
            "--module out if it was left out before."
        )
    if before and not anew and before != own:
        was, now = (
            f"{options_of(made)} --seed {(made.get('conditions') or {}).get('seed')}".strip()
            for made in (before, own)
        )
        how = f"in another way: {was}" if was != now else "by another version of the course"
        raise ValueError(
            f"The grades in {out} were made {how}. Use the same options, another folder, or "
            "--again NAME for those to grade anew."
        )
    if before != own:
        replace_json(file, own, indent=1)


def _modules(settings: dict[str, Any]) -> list[str]:
    """The modules of a folder's exercises."""
    ids = settings.get("exercises") or []
    return list(dict.fromkeys(str(identifier).partition(".")[0] for identifier in ids))


def settings_of(out: Path) -> dict[str, Any]:
    """The settings of the results in a folder; empty if there are none.

    Raises:
        ValueError: its file cannot be read.
    """
    try:
        found = load_json(read_text(out / SETTINGS))
    except FileNotFoundError:
        return {}
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"{out / SETTINGS} does not say how the results were made. Move it away, and grade "
            "again with the same options."
        )
    return found


def seed_of(out: Path) -> int | None:
    """The seed of the results in a folder; None if there are none."""
    try:
        return int(read_object(out / SETTINGS)["conditions"]["seed"])
    except (ValueError, KeyError, TypeError):
        return None


def grade_one(submission: Path, task: Task) -> Result:
    """The grade of a submission as data, or why there is none. No submission can stop the grading
    of others."""
    try:
        with as_tree(submission) as tree:
            return to_json(grade_tree(tree, task))
    except (ValueError, OSError) as error:
        return not_graded(reason_of(error))
    except Exception as error:
        return not_graded(f"The grader failed: {named_reason(error)}")


def not_graded(why: str) -> Result:
    return {"not_graded": printable(why)[:2000]}


def on_this_machine(workers: int) -> Grader:
    """Grade several submissions at a time. Threads are enough, since processes that they start do
    the work."""

    def graded(
        submissions: Sequence[Submission], task: Task
    ) -> Generator[tuple[Submission, Result]]:
        with EndingPool(workers) as pool:
            waiting = iter(submissions)
            running = {
                pool.submit(grade_one, submission.path, task): submission
                for submission in islice(waiting, workers)
            }
            while running:
                done = next(as_completed(running))
                yield running.pop(done), done.result()
                for submission in islice(waiting, 1):
                    running[pool.submit(grade_one, submission.path, task)] = submission

    return graded


def grade_all(
    submissions: Sequence[Submission], task: Task, out: Path, grader: Grader
) -> Generator[Submission]:
    """Grade these submissions and write each result; yield each when its result is written.

    Raises:
        OSError: a result cannot be written.
    """
    states = {submission: state_of(submission) for submission in submissions}
    made = made_with(task)
    with contextlib.closing(grader(submissions, task)) as results:
        for one, result in results:
            whole = {
                "name": printable(one.name),
                "submission": states[one],
                "handed_in": handed_in(one),
                "made_with": made,
                **result,
                "tree": str(one.path),
            }
            replace_own_json(result_file(one, out), whole, indent=1)
            yield one


def pace_in_words(done: int, of: int, seconds: float) -> str:
    """A run's progress, one submission or more in.

    >>> pace_in_words(10, 40, 120.0)
    '10 of 40, 5.0 a minute, about 6 minutes left'
    >>> pace_in_words(39, 40, 120.0)
    '39 of 40, 19.5 a minute, less than a minute left'
    """
    a_minute = done / max(seconds, 1e-9) * 60
    left = (of - done) / a_minute
    how_long = f"about {left:.0f} minutes" if left >= 1.5 else "about a minute"
    how_long = how_long if left >= 1 else "less than a minute"
    return f"{done} of {of}, {a_minute:.1f} a minute, {how_long} left"


def with_pace(done: Iterable[Submission], of: int) -> Iterator[tuple[Submission, str]]:
    """Each finished submission, with the run's progress."""
    began = time.monotonic()
    for number, submission in enumerate(done, 1):
        yield submission, pace_in_words(number, of, time.monotonic() - began)
