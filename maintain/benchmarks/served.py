"""What a call to a model on a server costs without the model: a fake Ollama answers at once.

The model in the box is measured for comparison, and with `--beside FOLDER` another checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from _report import print_heading, print_table

ROOT = Path(__file__).parents[2]
CALLS = 150
MEASURES = ("import", "first answer", "a call", "its first token", "first token, in the box")

# It runs in both checkouts, so it uses only what both have.
MEASURED = """
import json, sys, time

def timed(do):
    started = time.perf_counter()
    do()
    return (time.perf_counter() - started) * 1000

class FirstPiece:
    def begins(self):
        self.ms, self.started = [], time.perf_counter()
    def writes(self):
        self.ms.append((time.perf_counter() - self.started) * 1000)
    def ends(self, answer):
        pass

import statistics
sys.path.append(sys.argv[1])
from ollama_server import OllamaServer
from g2c.inference import EmbeddedBackend, ScriptedBackend
ScriptedBackend(["Hi"]).complete("Hi")
imported = timed(lambda: __import__("g2c.inference.served.ollama"))
from g2c.inference import OllamaBackend
from g2c.inference.call_listeners import watch_calls
calls, pieces, first = [], [], FirstPiece()
with OllamaServer() as server:
    backend = OllamaBackend(base_url=server.url)
    answered = timed(lambda: backend.complete("Hi"))
    watch_calls(first)
    for _ in range(int(sys.argv[2])):
        calls.append(timed(lambda: backend.complete("Hi")))
        pieces.append(first.ms[0])
boxed = EmbeddedBackend(keep=False)
here = []
for n in range(40):
    boxed.complete(f"The capital of France is ({n})", max_new_tokens=1, temperature=0)
    here.append(first.ms[0])
print(json.dumps([imported, answered, *map(statistics.median, (calls, pieces, here))]))
"""


def measure(checkout: Path) -> list[float]:
    """The milliseconds of `MEASURES` in a fresh process with the code of that checkout."""
    helpers = ROOT / "tests/course/helpers"
    done = subprocess.run(
        [sys.executable, "-P", "-c", MEASURED, str(helpers), str(CALLS)],
        # Without written bytecode, every process would compile every module again.
        env=os.environ | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    milliseconds: list[float] = json.loads(done.stdout)
    return milliseconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="processes for each (%(default)s)")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="compare with this checkout")
    options = parser.parse_args()
    print_heading(
        f"Milliseconds: the import of Ollama's backend after g2c.inference, its first answer, and "
        f"the median of {CALLS} more calls and of the time to their first token; then the first "
        f"token of the small model in this process. Medians of {options.rounds} fresh processes "
        "each, in turns, and the least, which is nearest to a quiet machine."
    )
    checkouts = {"this checkout": ROOT}
    if options.beside:
        checkouts[options.beside.name] = options.beside.resolve()
    samples: dict[str, list[list[float]]] = {name: [] for name in checkouts}
    for number in range(-1, options.rounds):  # the first does not count
        order = list(checkouts)
        for name in order if number % 2 else reversed(order):
            measured = measure(checkouts[name])
            samples[name] += [measured] if number >= 0 else []
    columns = [f"{name}, {kind}" for name in checkouts for kind in ("median", "least")]
    rows = []
    for number, what in enumerate(MEASURES):
        cells: list[str] = []
        for taken in samples.values():
            values = [item[number] for item in taken]
            cells += [f"{statistics.median(values):.1f}", f"{min(values):.1f}"]
        rows.append([what, *cells])
    print_table(["", *columns], rows)


if __name__ == "__main__":
    main()
