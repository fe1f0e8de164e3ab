"""How fast the embedded model is, plain and with the course's adapter: seconds to load, and tokens
a second."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

from _report import print_heading, print_table

# In a process of its own each time, since a model is loaded once a process.
TIMED = """
import json, sys, time
from g2c.inference.prodlm import load_prodlm

started = time.perf_counter()
model = load_prodlm(sys.argv[1])
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
MODELS = ("embedded-plain", "embedded")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="processes a model (%(default)s)")
    rounds = parser.parse_args().rounds
    # The first round finds cold files, and does not count.
    samples = [{name: measure(name) for name in MODELS} for _ in range(rounds + 1)][1:]
    first = samples[0]["embedded-plain"]
    print_heading(
        f"{rounds} processes a model, in turns, load it and continue {first['prompt tokens']} "
        f"tokens by up to {first['written tokens']}, at temperature 0. Loading includes that of "
        "llama.cpp. The ratio is the median of the rounds', with the adapter to without."
    )
    rows = []
    for what in ("seconds to load", "prompt tokens/s", "written tokens/s"):
        for name in MODELS:
            values = [sample[name][what] for sample in samples]
            spread = (statistics.median(values), min(values), max(values))
            rows.append([what, name, *(f"{value:.3g}" for value in spread), ""])
        ratio = statistics.median(s["embedded"][what] / s["embedded-plain"][what] for s in samples)
        rows[-1][-1] = f"{ratio:.2f}"
    print_table(["", "", "median", "least", "most", "ratio"], rows)


def measure(name: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", TIMED, name], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    sample: dict[str, float] = json.loads(done.stdout)
    return sample


if __name__ == "__main__":
    main()
