"""The names of the files that the grader reads, wherever they are in a hand-in."""

import re
from collections.abc import Iterable
from functools import cache

from g2c.course.bounded import printable
from g2c.course.manifest import load_exercises

MANIFEST = "submission.json"
"""The list of hashes in an archive that `g2c submit` made."""

_OTHERS = re.compile(
    r"docs/agent-failure-modes\.md|\.g2c/handed-back|(work|runs)/[^/\\:]+\.(ipynb|json)"
)


def is_read(name: str) -> bool:
    """Whether the grader reads a file of this name, relative to the course; of a renamed one it
    reads the name."""
    own = name in _exercise_files().values() or _OTHERS.fullmatch(name)
    return bool(own or renamed_from(name))


def renamed_from(name: str) -> str:
    """The exercise's file that a browser or a person perhaps gave this name, or made a notebook of;
    "" for others.

    >>> renamed_from("g2c/agent/settle (1).py"), renamed_from("g2c/agent/settle.py")
    ('g2c/agent/settle.py', '')
    >>> renamed_from("g2c/agent/settle.py.txt"), renamed_from("g2c/agent/settle.ipynb")
    ('g2c/agent/settle.py', 'g2c/agent/settle.py')
    """
    plain = name.casefold()
    if (
        not (plain.startswith("g2c/") and plain.endswith((".py", ".py.txt", ".ipynb")))
        or plain in _exercise_files()
    ):
        return ""
    stems = {file.removesuffix(".py"): own for file, own in _exercise_files().items()}
    found = (stem for stem in stems if plain.startswith(stem) and not plain[len(stem)].isalpha())
    return stems.get(next(found, ""), "")


@cache
def _exercise_files() -> dict[str, str]:
    """The exercises' files, by their names in lower case, and by those that they had before 0.3."""
    own = {exercise.file.casefold(): exercise.file for exercise in load_exercises()}
    return {exercise.old_file: exercise.file for exercise in load_exercises() if exercise.was} | own


def has_exercise(names: Iterable[str]) -> bool:
    return any(name in _exercise_files().values() for name in names)


def own_names(names: Iterable[str]) -> dict[str, str]:
    """Map those names in an archive or a folder that the grader reads to their names in a course.

    The course may be in a folder there, or be the inside of the folder g2c, or of one module's
    folder in it, as after an upload file by file. Backslashes count as slashes, and case is
    ignored.

    >>> own_names(["ada\\\\G2C\\\\agent\\\\settle.py", "ada\\\\notes.txt"])
    {'ada\\\\G2C\\\\agent\\\\settle.py': 'g2c/agent/settle.py'}
    >>> own_names(["settle.py", "run.py"])
    {'settle.py': 'g2c/agent/settle.py', 'run.py': 'g2c/agent/run.py'}

    Raises:
        ValueError: there are two courses.
    """
    paths = {name: name.replace("\\", "/") for name in names}
    top, inner = _top_of(paths.values())
    found = {
        name: _own_name(inner + path.removeprefix(top))
        for name, path in paths.items()
        if path.startswith(top)
    }
    # A file of before 0.3 counts where the one of today is not there.
    today = {name for name, own in found.items() if _base(name) == _base(own)}
    newer = {found[name] for name in today}
    return {name: own for name, own in found.items() if own and (name in today or own not in newer)}


def _base(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].casefold()


def _own_name(path: str) -> str:
    """The name in a course of a file that the grader reads; "" for anything else."""
    first, slash, rest = path.partition("/")
    path = _exercise_files().get(path.casefold(), f"{first.lower()}{slash}{rest}")
    return path if is_read(path) or path == MANIFEST else ""


def _top_of(paths: Iterable[str]) -> tuple[str, str]:
    """The prefix before the course's own names ("", or folders and a slash), and the missing part
    of it ("", "g2c/" or "g2c/agent/"). If there are several courses, the highest counts: deeper
    ones are copies."""
    inside = "|".join(re.escape(file.removeprefix("g2c/")) for file in _exercise_files())
    whole = re.compile(f"((?:.*/)?)(?:{inside})", re.IGNORECASE | re.DOTALL)
    tops: set[tuple[str, str]] = set()
    paths = list(paths)
    for found in filter(None, map(whole.fullmatch, paths)):
        folders = found[1].casefold().split("/")[:-1]
        if folders[-1:] == ["g2c"]:
            tops.add((found[1][: -len("g2c/")], ""))
        else:
            tops.add((found[1], "g2c/"))
    if not tops:
        tops = {
            (path[: path.rfind("/") + 1], room) for path in paths if (room := _room_of(_base(path)))
        }
    if not tops:
        return "", ""
    least = min(top.count("/") for top, _ in tops)
    first, *others = sorted(folder for folder in tops if folder[0].count("/") == least)
    if others and first[0] == others[0][0]:
        raise ValueError(
            f"Files of {first[1]} and {others[0][1]} are in one folder. Hand in the folder g2c, "
            "which g2c submit packs."
        )
    if others:
        listed = printable(f"{first[0]} and {others[0][0]}")[:500]
        raise ValueError(f"There is more than one course: {listed}. Leave the right one.")
    return first


def _room_of(base: str) -> str:
    """The one folder of the course that has an exercise's file of this name; "" for others."""
    rooms = {
        own.rpartition("/")[0] + "/" for own in _exercise_files().values() if _base(own) == base
    }
    return rooms.pop() if len(rooms) == 1 else ""
