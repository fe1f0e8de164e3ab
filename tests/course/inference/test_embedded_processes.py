"""The embedded model in processes that fork, end early, or are interrupted."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks and signals are POSIX's")

# An answer of thousands of tokens. `began` is set at its first piece, and `pieces` counts them.
LONG_ANSWER = """
import atexit, os, signal, sys, threading
began, pieces = threading.Event(), []
atexit.register(lambda: print(f"pieces: {len(pieces)}", flush=True))
from g2c.inference import BackendError, EmbeddedBackend
from g2c.inference.embedded import _llama
answer = _llama.Llama._answer
def watched(self, request, take):
    def count(piece):
        pieces.append(1)
        began.set()
        return take(piece)
    answer(self, request, count)
_llama.Llama._answer = watched
model = EmbeddedBackend()
def generate(repeats=1):
    model.complete("1 2 3 4 5 6 7 8 9 10 " * repeats, max_new_tokens=100_000, temperature=0)
"""
MANY = 200

# Once the interpreter ends, it lets no other thread go on: it flushes after that moment.
SLOW_END = """
import time
class Slow:
    closed = False
    def flush():
        time.sleep(2)
        os.write(1, b"waits\\n" if os.path.exists(f"/proc/self/task/{task}") else b"ended\\n")
_llama.EXIT_S = 0
began.wait()
task = next(iter(_llama._loaded.values()))._thread.native_id
atexit.register(setattr, sys, "stderr", Slow)
raise SystemExit(3)
"""

FORK = """
import os, sys
from g2c.inference import BackendError, EmbeddedBackend
model = EmbeddedBackend()
model.complete("a", max_new_tokens=1)
def in_child(work):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        work()
        sys.exit(7)
    print("child:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
def attempt(work):
    try:
        work()
    except BackendError as error:
        print(error)
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    # Python 3.12 and later warn of a fork beside threads, which is what is tried here.
    quiet = ("-W", "ignore:This process:DeprecationWarning")
    return subprocess.run(
        [sys.executable, *quiet, "-c", script], capture_output=True, text=True, timeout=300
    )


def pieces(done: subprocess.CompletedProcess[str]) -> int:
    return int(done.stdout.rpartition("pieces: ")[2])


class TestFork:
    def test_a_child_that_uses_the_model_is_told_at_once(self):
        done = run(
            FORK + "in_child(lambda: attempt(lambda: model.complete('b', max_new_tokens=1)))\n"
            "in_child(lambda: attempt(lambda: EmbeddedBackend().complete('b', max_new_tokens=1)))\n"
            "in_child(lambda: attempt(lambda: EmbeddedBackend(n_ctx=300)))\n"
            "in_child(lambda: in_child(lambda: attempt(EmbeddedBackend)))"  # a child of a child
        )
        lines = done.stdout.splitlines()
        told = [line for line in lines if "a fork of one that had loaded a model" in line]
        assert lines == [told[0], "child: 7"] * 4 + ["child: 7"] and "spawn" in told[0], done
        assert (done.stderr, done.returncode) == ("", 0)

    def test_a_child_that_only_exits_does_so_and_the_parent_goes_on(self):
        done = run(
            FORK + "in_child(lambda: None)\n"
            "print(model.complete('b', max_new_tokens=1).completion_tokens)\n"
            "raise SystemExit(3)"
        )
        assert (done.stdout, done.stderr, done.returncode) == ("child: 7\n1\n", "", 3)

    def test_a_pool_of_forks_is_told(self):
        done = run(
            FORK + "import multiprocessing\n"
            "def use(text):\n"
            "    try: model.complete(text)\n"
            "    except BackendError as error: return str(error)[:25]\n"
            "with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(use, 'abc'))"
        )
        assert done.stdout == f"{['This process is a fork of'] * 3}\n", done.stderr

    def test_a_child_that_is_the_first_to_load_a_model_has_one(self):
        done = run(
            "import os\n"
            "from g2c.inference import EmbeddedBackend\n"
            "child = os.fork()\n"
            "model = EmbeddedBackend()\n"
            "said = model.complete('The capital of France is', max_new_tokens=1, top_k=1)\n"
            "if child: os.waitpid(child, 0)\n"  # one after the other: a line is two writes
            "print(said.completion, flush=True)\n"
        )
        assert (done.stdout, done.stderr) == (" Paris\n Paris\n", "")

    def test_a_fork_while_another_thread_loads_is_told(self):
        done = run(
            "import os, threading\n"
            "from g2c.inference import BackendError, EmbeddedBackend\n"
            "from g2c.inference.embedded import _llama\n"
            "loads, forked = threading.Event(), threading.Event()\n"
            "ask = _llama._ask_props\n"
            "def held(*place):\n"
            "    loads.set()\n"
            "    forked.wait()\n"
            "    return ask(*place)\n"
            "_llama._ask_props = held\n"
            "thread = threading.Thread(target=EmbeddedBackend)\n"
            "thread.start()\n"
            "loads.wait()\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try: EmbeddedBackend()\n"
            "    except BackendError as error: print(error, flush=True)\n"
            "    raise SystemExit(7)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
            "forked.set()\n"
            "thread.join()\n"
        )
        assert done.stdout.startswith("This process is a fork") and done.stdout.endswith("7\n")
        assert (done.stderr, done.returncode) == ("", 0)


class TestExit:
    @pytest.mark.parametrize("repeats", [1, 300], ids=["an answer", "a prompt"])
    def test_a_daemon_threads_answer_is_given_up(self, repeats):
        done = run(
            LONG_ANSWER
            + f"threading.Thread(target=generate, args=({repeats},), daemon=True).start()\n"
            "began.wait()\n"
            "raise SystemExit(3)"
        )
        assert (done.returncode, done.stderr) == (3, "")
        assert pieces(done) < MANY

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the thread goes on")
    def test_a_thread_that_reads_a_prompt_stays_away_from_an_ending_interpreter(self):
        begin = "threading.Thread(target=generate, args=(300,), daemon=True).start()"
        done = run(LONG_ANSWER + begin + SLOW_END)
        assert (done.returncode, done.stderr) == (3, "")
        assert "waits" in done.stdout and "ended" not in done.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("repeats", [1, 300], ids=["an answer", "a prompt"])
    def test_a_thread_that_outlives_main_is_told(self, repeats):
        done = run(
            LONG_ANSWER + "def outlive():\n"
            "    for _ in range(2):\n"
            f"        try: generate({repeats})\n"
            "        except BackendError as error: print(error)\n"
            "threading.Thread(target=outlive).start()\n"
            "began.wait()\n"
            "raise SystemExit(3)"
        )
        assert done.stdout.count("The program is ending, so its model answers no more.") == 2
        assert (done.returncode, done.stderr) == (3, "")
        assert pieces(done) < MANY

    def test_ctrl_c_ends_the_program_as_ever(self):
        done = run(
            LONG_ANSWER + "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "def interrupt():\n"
            "    began.wait()\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "threading.Thread(target=interrupt, daemon=True).start()\n"
            "generate()"
        )
        assert done.returncode == -signal.SIGINT
        assert done.stderr.endswith("KeyboardInterrupt\n"), done.stderr
        assert pieces(done) < MANY

    def test_ctrl_c_at_exit_does_not_abort_the_interpreter(self):
        done = run(
            LONG_ANSWER + "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "threading.Thread(target=generate, daemon=True).start()\n"
            "began.wait()\n"
            "close = _llama.Llama.close\n"
            "def interrupted(self):\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "    close(self)\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "_llama.Llama.close = interrupted\n"
            "raise SystemExit(3)"
        )
        assert (done.returncode, done.stderr) == (3, "")
        assert pieces(done) < MANY
