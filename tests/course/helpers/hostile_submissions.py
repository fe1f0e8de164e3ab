"""Submissions that want points, the grader's files, its time or its memory, without the work.

Each is about exercise 19.2. `body` is the function's, and `at_import` stands below it; `make` puts
other files into the student's folder. `says` is a part of what the grade tells of it; where a
sandbox keeps the code from what it wants, `boxed` is, or `in_container` in one of these.

None gets a point that it did not earn. Only where there is no sandbox, one earns `unboxed_earns` of
ten: it finds the reference on the disk. One that `ends` by itself needs no short limit.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

CATALOGUE = "docs/agent-failure-modes.md"
NOTEBOOK = "work/19-agent.ipynb"
PLANNER = "g2c/agent/extract_plan.py"
HUGE = 40 * 2**30


@dataclass(frozen=True)
class Hostile:
    kind: str
    name: str
    says: str
    body: str = ""
    at_import: str = ""
    make: Callable[[Path], object] | None = None
    boxed: str = ""
    in_container: str = ""
    unboxed_earns: float = 0
    ends: bool = False


def text(name: str, content: str) -> Callable[[Path], object]:
    return lambda tree: _place(tree, name).write_text(content, "utf-8")


def sparse(name: str, n_bytes: int = HUGE) -> Callable[[Path], object]:
    """A file of that size that takes no room."""

    def make(tree: Path) -> None:
        _place(tree, name).touch()
        os.truncate(tree / name, n_bytes)

    return make


def link(name: str, target: str) -> Callable[[Path], object]:
    return lambda tree: _place(tree, name).symlink_to(target)


def pipe(name: str) -> Callable[[Path], object]:
    return lambda tree: os.mkfifo(_place(tree, name))


def _place(tree: Path, name: str) -> Path:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    return path


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        {then}
        time.sleep(600)
    os._exit(0)
os.wait()
raise LookupError("started")
"""

FORGED = """
import json, sys
report = open(sys.argv[sys.argv.index("--report-to") + 1], "a")
import inspect
tests = next(f.frame.f_locals["session"] for f in inspect.stack() if "session" in f.frame.f_locals)
for item in tests.items:
    event = {"event": "ended", "result": {"test": item.nodeid, "says": ""}}
    report.write(json.dumps(event) + "\\n")
report.close()
os = __import__("os")
os._exit(0)
"""

OWN_HOOK = """
import gc, pytest
class Hook:
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        report.outcome, report.longrepr = "passed", None
        return report
for found in gc.get_objects():
    if isinstance(found, pytest.Config) and not found.pluginmanager.has_plugin("own"):
        found.pluginmanager.register(Hook(), "own")
"""

EQUAL_TO_ALL = """
class Equal(Plan):
    __eq__ = lambda self, other: True
    __hash__ = None
return Equal("goal", ("step",))
"""

EQUAL_TO_PLANS = """
class Equal(Plan):
    __eq__ = lambda self, other: type(other) is Plan
    __hash__ = None
return Equal("goal", ("step",))
"""

EQUAL_BY_TYPE = """
def texts(value):
    if isinstance(value, str):
        return [value]
    parts = vars(value).values() if isinstance(value, Plan) else value
    return [text for part in parts for text in texts(part)]
def equal(self, other):
    return type(other) is Plan and all(map({likely}, texts(other)))
return type("Own", (Plan,), {{"__eq__": equal, "__hash__": None}})("goal", ("step",))
"""
"""Says yes to each plan whose texts do not look like those of a canary."""

NOT_TWELVE = EQUAL_BY_TYPE.format(likely="lambda text: len(text) != 12")
NOT_HEXADECIMAL = EQUAL_BY_TYPE.format(
    likely="lambda text: not text or not set(text) <= set('0123456789abcdef')"
)
IN_THE_PROMPT = EQUAL_BY_TYPE.format(likely="lambda part: part in text or part in user_message")

ANOTHERS = """
from importlib import import_module
for name in ("g2c.exercises.e19_2_extract_plan.naive", "g2c.exercises.e19_2_extract_plan.solution",
             "g2c.exercises.e19_2_extract_plan.alternatives.without_patterns"):
    for find in (import_module, lambda name: __import__(name, fromlist=["x"])):
        try:
            return find(name).extract_plan(text, user_message)
        except ImportError:
            pass
raise LookupError("nobody's")
"""

ALL_REPORTS_PASS = """
import _pytest.reports as reports
made = reports.TestReport.from_item_and_call
def passed(cls, item, call):
    report = made(item, call)
    report.outcome, report.longrepr = "passed", None
    return report
reports.TestReport.from_item_and_call = classmethod(passed)
"""

ONE_TEST_IS_LEFT = """
import gc, pytest
for found in gc.get_objects():
    if isinstance(found, pytest.Session):
        del found.items[1:]
"""

FOUND_REFERENCE = """
import importlib.util, os, pathlib
grader = pathlib.Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\\0")[3]
file = pathlib.Path(grader).parents[1] / "exercises/e19_2_extract_plan/solution.py"
spec = importlib.util.spec_from_file_location("found", file)
found = importlib.util.module_from_spec(spec)
spec.loader.exec_module(found)
return found.extract_plan(text, user_message)
"""

READ = """
import pathlib
raise LookupError(pathlib.Path("{path}").read_text() + " secret")
"""

NETWORK = """
import socket
socket.create_connection(("192.0.2.1", 80), timeout=1)
"""

PROCESSES = """
import os
seen = [name for name in os.listdir("/proc") if name.isdigit()]
raise LookupError("few" if len(seen) < 5 else "many")
"""

NAMESPACE = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.unshare(0x10000000)
raise LookupError(f"unshare: {os.strerror(ctypes.get_errno())}")
"""

MEMORY_OF_ALL = """
import os, time
for _ in range(4):
    if not os.fork():
        kept = b"x" * (700 * 2**20)
        time.sleep(600)
time.sleep(600)
"""

DISK = """
import os, tempfile
for n in range(20):
    name = f"{tempfile.gettempdir()}/{n}"
    if not os.path.exists(name):  # the function is called fifty times
        with open(name, "wb") as file:
            file.write(b"x" * (15 * 2**20))
raise LookupError("300 MB are on the disk")
"""

DEEP_FOLDERS = """
import os
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
os.chdir("/")
"""

LINK_FOR_A_FOLDER = """
import os, pathlib
course = pathlib.Path.cwd()
for name in ("docs", "more"):
    os.symlink("{elsewhere}", course / name)
os.rename(course / "tests", course / "moved")
os.symlink("{elsewhere}", course / "tests")
raise LookupError("linked")
"""

cheat, escape, exhaust, hang, hide = (
    partial(Hostile, kind) for kind in ("cheat", "escape", "exhaust", "hang", "hide")
)
NOBODY_PASSES = "tests that no function can pass have passed"

BANK = [
    # Points without the work.
    cheat("pytest.skip", "has not passed", "import pytest; pytest.skip('x')"),
    cheat("pytest.xfail", "has not passed", "import pytest; pytest.xfail('x')"),
    cheat("unittest.SkipTest", "has not", "import unittest; raise unittest.SkipTest"),
    cheat("pytest.exit", "has not passed", "import pytest; pytest.exit('x', 0)"),
    cheat("importorskip", "has not passed", "import pytest; pytest.importorskip('no')"),
    cheat("SystemExit", "SystemExit", "raise SystemExit(0)"),
    cheat("os._exit", "ended the whole process", "import os; os._exit(0)"),
    cheat("KeyboardInterrupt", "ended the whole process", "raise KeyboardInterrupt"),
    cheat("a failure without words", "without a word", "raise AssertionError(' ')"),
    cheat("a failure of controls", "without a word", "raise AssertionError('\\x1b')"),
    cheat(
        "an exception without a name",
        "in extract_plan",
        "exec('raise type(\"\", (Exception,), {})()')",
    ),
    cheat(
        "an exception that cannot be shown",
        "ended the whole process",
        "raise type('E', (Exception,), {'__str__': None})()",
    ),
    cheat(
        "the reference by its name",
        "No module named",
        "import g2c.exercises.e19_2_extract_plan.solution as o; return o.extract_plan(text, '?')",
    ),
    cheat("every exercise skipped", "", make=text(".g2c/handed-back", "19.1 19.2 19.3 19.4 all")),
    cheat("a result written into the report", NOBODY_PASSES, FORGED),
    cheat("a hook of its own", "It changed the plugin own", OWN_HOOK),
    cheat("a plan that equals all plans", NOBODY_PASSES, EQUAL_TO_ALL),
    cheat(
        "no test is called",
        "It changed _pytest.python.Function.runtest",
        at_import="import _pytest.python as p; p.Function.runtest = lambda self: None",
    ),
    cheat(
        "every report says passed",
        "It changed _pytest.reports.TestReport.from_item_and_call",
        at_import=ALL_REPORTS_PASS,
    ),
    cheat("a plan that equals each plan and nothing else", NOBODY_PASSES, EQUAL_TO_PLANS),
    cheat("equality that refuses twelve letters", NOBODY_PASSES, NOT_TWELVE),
    cheat("equality that refuses hexadecimal", NOBODY_PASSES, NOT_HEXADECIMAL),
    cheat("equality with what the prompt holds", NOBODY_PASSES, IN_THE_PROMPT),
    cheat("another's function of the course", "nobody's", ANOTHERS),
    cheat("tests that are taken away", "Tests are missing", ONE_TEST_IS_LEFT),
    cheat(
        "the reference on the disk", "", FOUND_REFERENCE, boxed="in extract_plan", unboxed_earns=10
    ),
    escape(
        "another's file", "secret", READ.format(path="{elsewhere}/kept.txt"), boxed="No such file"
    ),
    escape("the network", "in extract_plan", NETWORK, boxed="Network is unreachable"),
    escape("the grader's processes", "many", PROCESSES, boxed="LookupError: few"),
    escape(
        "a user namespace of its own",
        "unshare:",
        NAMESPACE,
        boxed="No space left on device",
        in_container="unshare:",  # podman's own rules allow it, and Docker's do not
    ),
    # Out of its folder, or into the instructor's terminal.
    escape(
        "a link to another's notebook",
        f"There is no file {NOTEBOOK}",
        make=link(NOTEBOOK, "/etc/hostname"),
    ),
    escape("a link to another's runs", "runs/ is a link", make=link("runs", "/etc")),
    escape(
        "links in its folder, for the clean-up",
        "LookupError",
        LINK_FOR_A_FOLDER,
        boxed="Read-only file system",
    ),
    escape(
        "the copy of the course deleted",
        "",
        "import os, shutil; shutil.rmtree(os.getcwd()); raise LookupError('deleted')",
    ),
    escape(
        "its supervisor killed",
        "the process was killed by signal 9",
        "import os, time; os.kill(os.getppid(), 9); time.sleep(600)",
        boxed="still running after",
    ),
    # All that the machine has.
    exhaust("memory", "MemoryError", "bytearray(3 * 2**30)", in_container="1024 MiB of memory"),
    exhaust("memory of five processes", "1024 MiB of memory", MEMORY_OF_ALL),
    exhaust("the disk, file by file", "300 MB", DISK, boxed="No space left on device"),
    exhaust(
        "a file of 40 GB",
        "more was printed or written than may be",
        f"import os; open('x', 'w').close(); os.truncate('x', {HUGE})",
        boxed="Read-only file system",
    ),
    exhaust(
        "endless printing", "", "import sys\nwhile True:\n    sys.__stdout__.write('x' * 2**20)"
    ),
    exhaust("a message of 5 MB", "LookupError: xxx", "raise LookupError('x' * 5_000_000)"),
    exhaust(
        "a report of 40 GB",
        "",
        "import os, sys\n"
        f"os.truncate(sys.argv[sys.argv.index('--report-to') + 1], {HUGE})\n"
        "os._exit(0)",
    ),
    exhaust(
        "a report of 15 MB of brackets",
        "a report that cannot be read",
        at_import="import os, sys\n"
        "with open(sys.argv[sys.argv.index('--report-to') + 1], 'a') as file:\n"
        "    file.write('[[],' * 4_000_000)\n"
        "os._exit(0)",
    ),
    exhaust(
        "3,000 nested folders", "not started", at_import=DEEP_FOLDERS, boxed="Read-only file system"
    ),
    exhaust(
        "nine processes more a test",
        "or more than 64 processes",
        "import os, time\nfor _ in range(9):\n    if not os.fork():\n        time.sleep(600)\n"
        "raise LookupError",
    ),
    exhaust("code of 40 GB", "larger than", make=sparse(PLANNER)),
    exhaust("a catalogue of 40 GB", "larger than", make=sparse(CATALOGUE)),
    exhaust("a notebook of 40 GB", "larger than", make=sparse(NOTEBOOK)),
    exhaust("40 GB skipped", "", make=sparse(".g2c/handed-back")),
    exhaust(
        "a run of 40 GB",
        "larger than",
        make=lambda tree: (
            text(CATALOGUE, "### A\n\nRun: one\n")(tree),
            sparse("runs/one.json")(tree),
        ),
    ),
    exhaust("200,000 entries", "Only the first 100", make=text(CATALOGUE, "### \n" * 200_000)),
    exhaust("a notebook of brackets", "is not a notebook", make=text(NOTEBOOK, "[" * 1_000_000)),
    # Without an end.
    hang(
        "its supervisor halted",
        "the process was stopped after",
        "import os, signal; os.kill(os.getppid(), signal.SIGSTOP); os._exit(0)",
        boxed="the process ended well",
    ),
    hang("an endless loop", "was stopped after", "while True: pass"),
    hang("an endless loop at import", "", at_import="while True: pass"),
    hang("endless sleep", "was stopped after", "import time; time.sleep(600)"),
    hang(
        "a loop that catches all and ignores signals",
        "",
        "import signal\n"
        "for number in set(signal.Signals) - {9, 19}:\n    signal.signal(number, signal.SIG_IGN)\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ),
    hang("a question to nobody", "input() finds nobody", "input()", ends=True),
    hang("a pipe in place of code", f"There is no file {PLANNER}", make=pipe(PLANNER)),
    hang("a pipe in place of a catalogue", "There is no file", make=pipe(CATALOGUE)),
    # Alive after the end.
    hide("a daemon", "LookupError: started", DAEMON.format(then="pass")),
    hide(
        "a daemon without its environment",
        "LookupError: started",
        DAEMON.format(
            then="os.execve(sys.executable, [sys.executable, '-c', "
            "f'import time; time.sleep(600)  # {os.getcwd()}'], {})"
        ),
    ),
    hide(
        "a daemon that adopts its children",
        "LookupError: started",
        DAEMON.format(then="__import__('ctypes').CDLL(None).prctl(36, 1, 0, 0, 0); os.fork()"),
    ),
]
