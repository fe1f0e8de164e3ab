"""Runs many short programs, each in a fork of one Python process that is started once.

A new Python takes longer to start than most drafts take to run. A fork costs about a millisecond.
The limits are those of `run_python`, with less time, and they are not a sandbox either: a program
runs as the user, and can read and write what the user can.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from g2c.tools import ToolError
from g2c.tools.limits import private_environment, scratch_folder
from g2c.tools.run_python import make_run_python

COMPUTING_S = 0.2
"""Seconds of the processor's time that a program may take. Drafts of a function take thousandths,
and a busy machine is not a reason to stop one."""

WAITING_S = 5.0
"""Seconds by the clock, for a program that waits."""

_SERVER = r"""
import json, os, resource, select, signal, sys, time

MAX_BYTES = 100_000

def kill(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass

def run(code, computing_s, waiting_s):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(write, 1)
            os.dup2(write, 2)
            for number in range(3, 64):
                try:
                    os.close(number)
                except OSError:
                    pass
            for kind, most in (("AS", 512 * 2**20), ("CPU", 2), ("FSIZE", 2**20), ("CORE", 0)):
                resource.setrlimit(getattr(resource, "RLIMIT_" + kind), (most, most))
            signal.setitimer(signal.ITIMER_PROF, computing_s)
            status = 0
            try:
                exec(compile(code, "main.py", "exec"), {"__name__": "__main__"})
                sys.stdout.flush()
            except BaseException as error:
                sys.stdout.flush()
                print(named_reason(error), flush=True)
                status = 1
            os._exit(status)
        finally:
            os._exit(1)
    os.close(write)
    end = time.monotonic() + waiting_s
    output, is_late = b"", False
    while True:
        ready, _, _ = select.select([read], [], [], max(0, end - time.monotonic()))
        if not ready:
            is_late = True
            break
        part = os.read(read, 65536)
        if not part:
            break
        output = (output + part)[-MAX_BYTES:]
    os.close(read)
    if is_late:
        kill(child)
    _, status = os.waitpid(child, 0)
    kill(child)  # what it started
    is_late = is_late or os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    how = "was stopped" if is_late else "failed" if status else ""
    return {"trouble": how, "output": output.decode("utf-8", "replace")}

for line in sys.stdin:
    print(json.dumps(run(*json.loads(line))), flush=True)
"""


@contextmanager
def many_programs() -> Iterator[Callable[[str], str]]:
    """Yield a function that runs a program and returns what it prints. It raises `ToolError` for a
    program that fails, or that takes more than `COMPUTING_S` or `WAITING_S`; the program and all
    that it started are then killed. If processes cannot be forked, each program gets its own
    Python.
    """
    if not hasattr(os, "fork"):
        yield make_run_python(WAITING_S).func
        return
    with scratch_folder() as folder:
        server = subprocess.Popen(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=private_environment(folder),
            text=True,
            encoding="utf-8",
        )
        assert server.stdin and server.stdout
        asked, answered = server.stdin, server.stdout

        def run(code: str) -> str:
            asked.write(json.dumps([code, COMPUTING_S, WAITING_S]) + "\n")
            asked.flush()
            answer = json.loads(answered.readline())
            if answer["trouble"]:
                raise ToolError(f"The program {answer['trouble']}. It printed:\n{answer['output']}")
            return str(answer["output"])

        try:
            yield run
        finally:
            server.kill()
            server.communicate()
