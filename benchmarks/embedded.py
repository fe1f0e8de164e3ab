"""How fast the embedded model is: seconds to load, and tokens a second."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

from _report import print_heading, print_table

# In a process of its own each time, since a model is loaded once a process.
TIMED = """
import json, time
from g2c.inference.embedded import EmbeddedBackend

started = time.perf_counter()
model = EmbeddedBackend()
load_s = time.perf_counter() - started
prompt = "A day in the life of a lighthouse keeper begins early. " * 40
result = model.complete(prompt, max_new_tokens=128, temperature=0)
counts = result.metadata
print(json.dumps({
    "seconds to load": load_s,
    "prompt tokens/s": counts["prompt_n"] / counts["prompt_ms"] * 1000,
    "written tokens/s": result.completion_tokens / counts["generate_ms"] * 1000,
    "prompt tokens": counts["prompt_n"],
    "written tokens": result.completion_tokens,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="processes (%(default)s)")
    rounds = parser.parse_args().rounds
    samples = [measure() for _ in range(rounds + 1)][1:]  # the first finds cold files
    first = samples[0]
    print_heading(
        f"{rounds} processes load the model and continue {first['prompt tokens']} tokens by "
        f"{first['written tokens']}, at temperature 0. Loading includes llama.cpp's own import."
    )
    rows = []
    for name in ("seconds to load", "prompt tokens/s", "written tokens/s"):
        values = [sample[name] for sample in samples]
        spread = (statistics.median(values), min(values), max(values))
        rows.append([name, *(f"{value:.3g}" for value in spread)])
    print_table(["", "median", "least", "most"], rows)


def measure() -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    sample: dict[str, float] = json.loads(done.stdout)
    return sample


if __name__ == "__main__":
    main()
