"""How fast the embedded model is: plain and with the course's adapter, exact and not; and how long
a new process takes to its first token."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from _report import print_heading, print_table

SENTENCE = "A day in the life of a lighthouse keeper begins early. "


PROMPTS = {"short": 40, "long": 100}
"""How often the sentence occurs in a prompt."""
LENGTHS = (40, 160)
"""How often it occurs in the prompts that an exact model reads beside one that is not."""

# Each of these runs in its own process, since a process loads a model once.
RUN_MODEL = """
import json, sys, time
from g2c.inference.model_choice import load_prodlm

started = time.perf_counter()
model = load_prodlm(sys.argv[1])
load_s = time.perf_counter() - started
result = model.complete(sys.argv[2], max_new_tokens=128, temperature=0)
counts = result.metadata
print(json.dumps({
    "seconds to load": load_s,
    "prompt tokens/s": counts["prompt_n"] / counts["prompt_ms"] * 1000,
    "written tokens/s": result.completion_tokens / counts["generate_ms"] * 1000,
    "prompt tokens": counts["prompt_n"],
    "written tokens": result.completion_tokens,
}))
"""
RUN_START = """
import json, sys, time
from g2c.inference import EmbeddedBackend

imported = time.time()
model = EmbeddedBackend()
loaded = time.time()
result = model.complete(sys.argv[1], max_new_tokens=1, temperature=0)
print(json.dumps([imported, loaded, time.time(), result.prompt_tokens, result.metadata["cache_n"]]))
"""
MODELS = ("embedded-plain", "embedded")
EXACT = {"exact": "1", "not exact": "0"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    tables = {"adapter": compare_models, "exact": compare_exact, "start": compare_starts}
    parser.add_argument(
        "table", nargs="*", choices=[*tables, []], help="which tables; default: all"
    )
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each (%(default)s)")
    options = parser.parse_args()
    os.environ["G2C_KEEP_PROMPTS"] = "0"
    for name in options.table or tables:
        tables[name](options.rounds)


def compare_models(rounds: int) -> None:
    prompt = SENTENCE * PROMPTS["short"]
    # The first round finds cold files, and does not count.
    samples = [{name: run(RUN_MODEL, name, prompt) for name in MODELS} for _ in range(rounds + 1)][
        1:
    ]
    first = samples[0]["embedded-plain"]
    print_heading(
        f"{rounds} processes a model, in turns, load it and continue {first['prompt tokens']} "
        f"tokens by up to {first['written tokens']}, at temperature 0. Loading includes that of "
        "llama.cpp. The ratio is the median of the rounds', with the adapter to without."
    )
    rows = []
    for what in ("seconds to load", "prompt tokens/s", "written tokens/s"):
        for name in MODELS:
            rows.append([what, name, *spread([sample[name][what] for sample in samples]), ""])
        ratio = statistics.median(s["embedded"][what] / s["embedded-plain"][what] for s in samples)
        rows[-1][-1] = f"{ratio:.2f}"
    print_table(["", "", "median", "least", "most", "ratio"], rows)


def compare_exact(rounds: int) -> None:
    print_heading(
        f"{rounds} processes each, in turns, read a prompt and continue it by up to 128 tokens, as "
        "a lesson does (exact) and as a chat, a loop, or a dream does. The ratio is the median of "
        "the rounds', not exact to exact."
    )
    rows = []
    for length in LENGTHS:
        samples = [
            {
                way: run(
                    RUN_MODEL,
                    "embedded",
                    SENTENCE * length,
                    environment={**os.environ, "G2C_EXACT": value},
                )
                for way, value in EXACT.items()
            }
            for _ in range(rounds)
        ]
        read = samples[0]["exact"]["prompt tokens"]
        for what in ("prompt tokens/s", "written tokens/s"):
            for way in EXACT:
                rows.append([read, what, way, *spread([s[way][what] for s in samples]), ""])
            ratios = (sample["not exact"][what] / sample["exact"][what] for sample in samples)
            rows[-1][-1] = f"{statistics.median(ratios):.2f}"
    print_table(["prompt", "", "", "median", "least", "most", "ratio"], rows)


def compare_starts(rounds: int) -> None:
    samples = {"first": [], "second": []}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "G2C_CACHE": folder, "G2C_KEEP_PROMPTS": "1"}
        run(RUN_START, "Hello", environment=environment)  # finds cold files, and does not count
        for number in range(rounds):
            prompt = f"{number}. {SENTENCE * PROMPTS['long']}"
            for which, day in (("first", "Monday"), ("second", "Tuesday")):
                started = time.time()
                *times, tokens, cached = run(RUN_START, prompt + day, environment=environment)
                parts = [after - before for before, after in pairwise([started, *times])]
                samples[which].append([*parts, sum(parts), cached])
    print_heading(
        f"Seconds from the start of a process to its first token, after a prompt of {tokens} "
        f"tokens, {rounds} times: a process that is the first to read it, and one that asks for "
        "the same front with another end."
    )
    rows = []
    for which, values in samples.items():
        for number, part in enumerate(("Python and imports", "the model", "the prompt", "in all")):
            rows.append([which, part, *spread([value[number] for value in values])])
        rows.append(
            [which, "prompt tokens from the cache", *spread([value[-1] for value in values])]
        )
    print_table(["process", "", "median", "least", "most"], rows)


def spread(values: Sequence[float]) -> list[str]:
    return [f"{value:.3g}" for value in (statistics.median(values), min(values), max(values))]


def run(script: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Any:
    """Run the script in a process, and parse its output as JSON."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
