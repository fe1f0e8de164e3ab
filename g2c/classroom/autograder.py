"""Autograders for other machines: Gradescope's zip, and GitHub Classroom's workflow.

Both are scripts around `g2c class grade`, in `autograder_files/`. Gradescope's layout is in its
documentation of autograders, under "Specifications".
"""

import io
import json
import re
import shlex
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c import __version__
from g2c.classroom.confinement import COURSE
from g2c.course.folder.course_files import AROUND, course_in
from g2c.course.manifest import load_exercises
from g2c.files import open_file, read_bytes, read_text
from g2c.foreign_json import load_json
from g2c.inference.embedded.weights import REQUIREMENT

MARK = "g2c-autograder.json"
"""The member that marks our own zips; it says how the zip was made."""

YML_MARK = "# Made by g2c class autograder github"
"""The first line of our workflow."""

_FILES = Path(__file__).with_name("autograder_files")
_TIME = (2020, 1, 1, 0, 0, 0)
"""The time of all members, so that equal courses make equal zips; all tools accept the year."""

_AROUND = (
    *("pyproject.toml", "constraints.txt", "hatch_build.py", "README.md", "LICENSE", "NOTICE.md"),
    "LICENSES/*",
    "tests/*.py",
)
"""The files of a course that grading needs besides the package and the notebooks."""

_MAX_MARK_BYTES = 10_000

_PINNED = re.compile(r"g2c==[\w.!+-]+")
_WHEEL_URL = re.compile(
    r"(g2c @ )?https://[\w./%+~@:-]+/g2c-[\w.%+!-]+\.whl(#sha256=[0-9a-f]{64})?"
)

_STOPPED = (
    "The autograder was stopped before it had a result. Hand in again, or tell your instructor."
)


@dataclass(frozen=True)
class Settings:
    """How submissions are graded. `module` None is all modules; `seed` None is drawn each time."""

    module: str | None = None
    seed: int | None = None
    model: bool = True
    time_limit: float = 60

    @property
    def options(self) -> str:
        """For `g2c class grade`, quoted for a shell.

        >>> Settings("19", 7, model=False).options
        '--module 19 --seed 7 --no-model --time-limit 60'
        """
        words = ["--module", self.module] if self.module is not None else []
        words += ["--seed", str(self.seed)] if self.seed is not None else []
        words += [] if self.model else ["--no-model"]
        return shlex.join([*words, "--time-limit", f"{self.time_limit:g}"])


def check_module(module: str | None) -> None:
    """Refuse an unknown module.

    Raises:
        ValueError: there is no such module; the message lists the existing ones.
    """
    known = dict.fromkeys(exercise.module for exercise in load_exercises())
    if module is not None and module not in known:
        raise ValueError(f"There is no module {module!r}; there are {', '.join(known)}.")


def course_files(module: str | None, wheel: Path | None = None) -> dict[str, bytes]:
    """The files of a course that grading needs, by their paths, from this checkout or from a wheel.
    An instructor's other files in a checkout are left out.

    Raises:
        ValueError: the file is not a wheel of the course, or the checkout lacks something.
        OSError: a file cannot be read.
    """
    found = _of_wheel(wheel, module) if wheel else _of_checkout(COURSE, module)
    for name in ("g2c/course/manifest.py", "pyproject.toml", "constraints.txt"):
        if name not in found:
            raise ValueError(f"{wheel or COURSE} has no {name}; grading needs it.")
    return found


def _of_wheel(wheel: Path, module: str | None) -> dict[str, bytes]:
    if not wheel.is_file():
        raise ValueError(f"There is no wheel {wheel}.")
    if not zipfile.is_zipfile(wheel):
        raise ValueError(f"{wheel} is not a wheel.")
    with zipfile.ZipFile(wheel) as archive:
        if f"g2c/{AROUND}/pyproject.toml" not in archive.namelist():
            raise ValueError(f"{wheel} is not a wheel of the course.")
    files = course_in(wheel).files
    return {name: files[name] for name in sorted(files) if _is_needed(name, module)}


def _of_checkout(root: Path, module: str | None) -> dict[str, bytes]:
    patterns = ("g2c/**/*", "notebooks/*", *_AROUND)
    files = {file for pattern in patterns for file in root.glob(pattern)}
    names = sorted(
        file.relative_to(root).as_posix()
        for file in files
        if file.is_file() and not file.is_symlink()
    )
    return {name: read_bytes(root / name) for name in names if _is_needed(name, module)}


def _is_needed(name: str, module: str | None) -> bool:
    path = Path(name)
    if any(part == "__pycache__" or part.startswith(".") for part in path.parts):
        return False
    patterns = ("notebooks/*.ipynb" if module is None else f"notebooks/{module}-*.ipynb", *_AROUND)
    return path.parts[0] == "g2c" or any(
        path.match(pattern) and len(path.parts) == len(Path(pattern).parts) for pattern in patterns
    )


def gradescope_zip(settings: Settings, course: Mapping[str, bytes]) -> bytes:
    """Gradescope's autograder: `setup.sh`, `run_autograder`, and the course."""
    given = {"@OPTIONS@": settings.options, "@WEIGHTS@": REQUIREMENT if settings.model else ""}
    stopped = {"score": 0, "output": _STOPPED, "output_format": "text", "visibility": "visible"}
    mark = {
        "made_by": "g2c class autograder gradescope",
        "course": __version__,
        "seed": settings.seed,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("setup.sh", "run_autograder"):
            _add(archive, name, _filled(name, given).encode(), 0o755)
        _add(archive, "failed.py", read_bytes(_FILES / "failed.py"))
        _add(archive, "stopped.json", (json.dumps(stopped) + "\n").encode())
        _add(archive, MARK, (json.dumps(mark) + "\n").encode())
        for name, content in course.items():
            _add(archive, f"course/{name}", content)
    return packed.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.create_system = 3  # Unix: the modes are read
    info.external_attr = (stat.S_IFREG | mode) << 16
    archive.writestr(info, content, zipfile.ZIP_DEFLATED)


def _filled(name: str, given: Mapping[str, str]) -> str:
    text = read_text(_FILES / name)
    for place, words in given.items():
        text = text.replace(place, words)
    return text


def seed_of_zip(file: Path) -> int | None:
    """The seed of an existing zip, so that a newer one of the same class gets it, too.

    Raises:
        ValueError: something else is at that place, and must not be overwritten.
    """
    if not (file.exists() or file.is_symlink()):
        return None
    try:
        with zipfile.ZipFile(file) as archive, archive.open(MARK) as member:
            mark: Any = load_json(member.read(_MAX_MARK_BYTES))
            seed = mark["seed"]
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        raise _not_ours(file) from None
    return seed if isinstance(seed, int) else None


def _not_ours(file: Path) -> ValueError:
    return ValueError(
        f"{file} exists, and g2c class autograder did not make it: name another file, or move it "
        "away."
    )


def github_workflow(settings: Settings, install: str) -> str:
    """GitHub Classroom's workflow, which installs the course with pip by `install`.

    Raises:
        ValueError: `install` is neither one version nor a wheel's address.
    """
    if not (_PINNED.fullmatch(install) or _WHEEL_URL.fullmatch(install)):
        raise ValueError(
            f"{install!r} is neither one version, such as g2c=={__version__}, nor the address of a "
            f"wheel, such as https://example.org/g2c-{__version__}-py3-none-any.whl."
        )
    given = {
        "@INSTALL@": json.dumps(install),
        "@WEIGHTS@": json.dumps(REQUIREMENT if settings.model else ""),
        "@OPTIONS@": settings.options,
    }
    return _filled("classroom.yml", given)


def check_may_write_workflow(file: Path) -> None:
    """Refuse to overwrite a file that is not our workflow.

    Raises:
        ValueError: something else is at that place.
    """
    if not (file.exists() or file.is_symlink()):
        return
    try:
        with open_file(file, encoding="utf-8") as lines:
            first = lines.readline(len(YML_MARK) + 2)
    except (OSError, ValueError):
        raise _not_ours(file) from None
    if first.rstrip() != YML_MARK:
        raise _not_ours(file)
