"""A student's file that cannot be imported costs its own exercise, and no other.

A package such as `g2c.agent` exports the functions of all its exercises. A syntax error in one of
their files would end the import of the package, and with it every program that stands on it. So a
file at the top of a student's package has a loader of its own. If the file cannot be imported, or
is gone, its module has a stand-in for the function, which says so as soon as it is called.
"""

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, NoReturn

from g2c.files import read_bytes
from g2c.paths import exercise_functions, project_root

STUDENTS = tuple(
    f"g2c.{name}" for name in ("agent", "memory", "critic", "loop", "evaluation", "swarm", "guard")
)

IMPORT_LIMIT_S = 2
"""Seconds of the processor's time. Importing an exercise takes milliseconds."""

RETRY_S = 0.05
"""Seconds between attempts to stop code. An attempt fails while a recursion is at its limit, since
the handler is a call, too."""

_broken: dict[str, str] = {}


class BrokenFile(ImportError):
    """An exercise was called whose file could not be imported. The message is for a person."""


class ImportTooLong(BaseException):
    """The import of a file was stopped. No `except Exception` of the file may catch it."""


class StudentsFinder:
    """Finds the files at the top of a student's package, and gives them their loader."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.rpartition(".")[0] not in STUDENTS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None and path and _exercise_of(name):
            file = f"{path[0]}/{name.rpartition('.')[2]}.py"
            return spec_from_file_location(name, file, loader=StudentsLoader(name, file))
        if (
            spec
            and isinstance(spec.loader, SourceFileLoader)
            and not spec.submodule_search_locations
        ):
            spec.loader = StudentsLoader(name, spec.loader.path)
        return spec


class StudentsLoader(SourceFileLoader):
    """Imports one file; if that fails, or it lacks its exercise's function, its module gives a
    stand-in for whatever it is asked for."""

    def get_data(self, path: str) -> bytes:
        return read_bytes(path)  # in its place may be a pipe

    def exec_module(self, module: ModuleType) -> None:
        vars(module).pop("__getattr__", None)  # of a failure before this reload
        _broken.pop(module.__name__, None)
        try:
            with _time_limit(self.path):
                super().exec_module(module)
        except KeyboardInterrupt:  # somebody wants the program to end
            raise
        except BaseException as error:  # also SystemExit, and what skips a test
            _stand_in(module, self.path, trouble_of(error, self.path))
            return
        function = module.__name__.rpartition(".")[2]
        if not (own := _exercise_of(module.__name__)):
            return
        name, mark = _name_of(self.path), getattr(vars(module).get(function), "__exercise__", own)
        if not hasattr(module, function):
            _stand_in(module, self.path, no_function(name, function, own))
        elif mark != own:
            says = f'{name} has @exercise("{mark}") for its function; its own is "{own}".'
            _stand_in(module, self.path, says)


def broken_files() -> dict[str, str]:
    """For each module that could not be imported in this process, by its name: why. Those are left
    out for which the reference stands in."""
    return dict(_broken)


def install() -> None:
    """Use `StudentsFinder` for all imports from now on."""
    if StudentsFinder not in sys.meta_path:
        sys.meta_path.insert(0, StudentsFinder)


def trouble_of(error: BaseException, file: str) -> str:
    """Why `file` could not be imported: the place, the error, and the line."""
    import traceback  # only a file in trouble needs these two

    from g2c.written import REMEDY, code_written

    if not Path(file).is_file():
        return f"{_name_of(file)} is missing, or is not a file; g2c reset brings an exercise back."
    with contextlib.suppress(OSError):
        if found := code_written(read_bytes(file)).trouble:
            return f"{_name_of(file)}: the file {found}. {REMEDY}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    line = frames[-1].lineno if frames else None
    text = (frames[-1].line if frames else "") or ""
    message = str(error)
    if isinstance(error, SyntaxError) and error.filename == file:
        line, text, message = error.lineno, error.text or "", error.msg
    name = _name_of(file)
    place = f"{name}, line {line}" if line else name
    told = message if isinstance(error, ImportTooLong) else limit_of_tests(error)
    told = told or f"{type(error).__name__}: {message}"
    return "\n    ".join(filter(None, [f"{place}: {told}".rstrip(": "), text.strip()]))


def limit_of_tests(error: BaseException) -> str:
    """Return a sentence if the error is what a test does not allow, else ""."""
    import traceback

    through = {Path(frame.filename).name for frame in traceback.extract_tb(error.__traceback__)}
    asks = isinstance(error, OSError) and "reading from stdin" in str(error)
    if type(error).__name__ == "BdbQuit" or (asks and "bdb.py" in through):
        return "breakpoint() finds nobody to talk to in a test; use print, or pytest --pdb."
    if asks:
        return "input() finds nobody to ask in a test."
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return "more was printed or written than may be: is there a loop that nothing ends?"
    return ""


def no_function(file: str, function: str, exercise_id: str) -> str:
    return (
        f"{file} has no {function} any more; g2c reset {exercise_id} brings it back, and keeps a "
        "copy of your file."
    )


def _name_of(file: str) -> str:
    path, root = Path(file), project_root()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file


def _exercise_of(name: str) -> str:
    """The id of the exercise whose file is the module `name`; empty for another module."""
    package, _, function = name.rpartition(".")
    module = str(19 + STUDENTS.index(package))
    functions = exercise_functions().items()
    found = (number for number, own in functions if own == function and number.startswith(module))
    return next(found, "")


def _stand_in(module: ModuleType, file: str, trouble: str) -> None:
    """Take from `module` what the failed import left there. Whatever it is asked for from now on
    is a function that raises `BrokenFile`, or the reference where that was asked for."""
    for name in [name for name in vars(module) if not name.startswith("__")]:
        delattr(module, name)
    import g2c.exercise as switch  # a student's file imports it, and it imports nothing of theirs

    exercise_id, own = _exercise_of(module.__name__), module.__name__.rpartition(".")[2]
    if not (exercise_id and switch.is_requested(exercise_id, switch.requested_references())):
        _broken[module.__name__] = trouble

    def __getattr__(name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        # Of the module, and without a closure: in a notebook, autoreload puts the code of the newer
        # function of two into the older one, whichever of them is the stand-in.
        broken = FunctionType(_in_place.__code__, vars(module), name)
        function = switch.exercise(exercise_id)(broken) if exercise_id and name == own else broken
        setattr(module, name, function)
        return function

    vars(module)["__trouble__"] = trouble
    module.__getattr__ = __getattr__  # type: ignore[method-assign]
    if exercise_id:
        getattr(module, own)


def _in_place(*args: object, **options: object) -> NoReturn:
    import g2c.broken

    g2c.broken.refuse(__name__)


def refuse(module: str) -> NoReturn:
    """Say why a file could not be imported, in place of a function of its module."""
    broken = sys.modules[module]
    raise BrokenFile(vars(broken)["__trouble__"], name=module, path=broken.__file__)


@contextlib.contextmanager
def _time_limit(file: str) -> Iterator[None]:
    """Raise `ImportTooLong` in the block when it has computed for too long. Only the main thread of
    a POSIX system can do that; elsewhere, also in a browser's tab, a loop that nothing ends has to
    be interrupted."""
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and hasattr(signal, "setitimer")):
        yield
        return

    says = f"still running after {IMPORT_LIMIT_S} seconds. Is there a loop outside the function?"
    stops = 0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stops
        signal.setitimer(signal.ITIMER_VIRTUAL, 1, RETRY_S)
        stops += 1
        if stops > 1:  # the file catches even that
            sys.stderr.write(f"{file}: {says}\n")
            os._exit(1)
        raise ImportTooLong(says)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, IMPORT_LIMIT_S, RETRY_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
