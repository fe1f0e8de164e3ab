"""The course's folders on this machine."""

import os
import shlex
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

STATE_NAME = ".g2c"
"""The folder in a course for what is kept there."""


def project_root() -> Path:
    """The folder with `pyproject.toml`, `notebooks` and `tests`: `G2C_ROOT` if it is set, else the
    checkout that this package runs from, else the current folder."""
    if root := os.environ.get("G2C_ROOT"):
        return Path(root)
    return checkout() or Path.cwd()


def checkout() -> Path | None:
    """The course's folder that this package runs from; None if it was installed from a wheel."""
    folder = package_folder()
    return folder if (folder / "pyproject.toml").exists() else None


def package_folder() -> Path:
    """The folder that this package is in: a course's, or that of installed packages."""
    return Path(__file__).resolve().parent.parent


@cache
def exercise_functions() -> dict[str, str]:
    """The function of each exercise by its id, as the folders in `g2c/exercises` are named."""
    folders = (package_folder() / "g2c/exercises").glob("e*_*_*")
    found = (folder.name[1:].split("_", 2) for folder in folders)
    return {f"{module}.{number}": function for module, number, function in found}


def course_above(folder: Path) -> Path | None:
    """The course's folder that `folder` is, or is in; None if it is in none."""
    return next(filter(is_course, (folder, *folder.parents)), None)


def is_course(folder: Path) -> bool:
    return (folder / "g2c/agent").is_dir()


def check_own_course(folder: Path) -> None:
    """Refuse to serve a course with the package of another one.

    Raises:
        ValueError: `folder` is in a course that has its own package, and this is another's. The
            course that `G2C_ROOT` names is the one that is meant.
    """
    here, ours = course_above(folder.resolve()), checkout()
    if here and ours and here != ours and "G2C_ROOT" not in os.environ:
        raise ValueError(
            f"This is the course in {here}, and the g2c that runs is the one of {ours}, with its "
            f"functions. Here: unset PYTHONPATH, {activation(here)}, and then the same again."
        )


def in_shell(path: str | os.PathLike[str]) -> str:
    """The path as one word of a command that is shown to a person.

    >>> in_shell("my notes"), in_shell("notes")
    ("'my notes'", 'notes')
    """
    text = os.fspath(path)
    if os.name == "nt":
        return f'"{text}"' if " " in text else text
    return shlex.quote(text)


def home_arguments(home: Path) -> list[str]:
    """The option that names a home to a command; none for the usual one."""
    is_usual = home == project_root() / STATE_NAME / "home"
    return [] if is_usual else ["--home", str(home)]


def home_options(home: Path) -> str:
    """As `home_arguments`, in a command that is shown, with a space before each."""
    return "".join(f" {in_shell(word)}" for word in home_arguments(home))


def activation(folder: Path) -> str:
    """The command by which the `g2c` of the course in `folder` becomes the one that runs. An
    environment that is half made, or was moved with its folder, is made anew first."""
    environment = folder / ".venv"
    if os.name == "nt" or ((environment / "bin/g2c").exists() and _is_in_its_place(environment)):
        return in_environment(environment)
    return f"cd {in_shell(folder)} && ./prodlm.sh doctor && {in_environment(Path('.venv'))}"


def in_environment(environment: Path) -> str:
    """The command that activates an environment in this system's shell, or the one that `SHELL`
    names."""
    if os.name == "nt":
        return in_shell(environment / "Scripts" / "activate")
    shell = Path(os.environ.get("SHELL", "")).name
    file = environment / f"bin/activate{_ENDINGS.get(shell, '')}"
    return f"{'.' if shell in ('sh', 'dash', 'ash') else 'source'} {in_shell(file)}"


_ENDINGS = {"fish": ".fish", "csh": ".csh", "tcsh": ".csh"}


def _is_in_its_place(environment: Path) -> bool:
    """Whether an environment is where it was made. `prodlm.sh` notes that; others are believed."""
    from g2c.files import read_text

    try:
        made = read_text(environment / "g2c-installed", errors="replace")
    except OSError:
        return True
    return f" in {environment.parent} " in made


def state_dir() -> Path:
    """The folder `.g2c` for what the course keeps about this machine; made when first needed."""
    folder = project_root() / STATE_NAME
    with suppress(OSError):  # whoever writes there says so; others only read
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def check_state() -> None:
    """Refuse to go on where something else has the name of the folder `.g2c`.

    Raises:
        ValueError: so it is.
    """
    folder = project_root() / STATE_NAME
    if os.path.lexists(folder) and not folder.is_dir():
        raise ValueError(
            f"{folder} is not a folder, and g2c keeps its notes in a folder of this name. Move it "
            "away, and then the same again."
        )


def cache_dir() -> Path:
    """The folder for what can be made anew at any time; not made here.

    It is `G2C_CACHE` if that is set, else the folder `g2c` where this system keeps caches.
    """
    if folder := os.environ.get("G2C_CACHE"):
        return Path(folder).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "g2c"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/g2c"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "g2c"
