"""How fast the embedded model is: in each of the ways in which llama.cpp can run it, plain and with
the course's adapter, and from the start of a process to the first token."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from _report import print_heading, print_table

SENTENCE = "A day in the life of a lighthouse keeper begins early. "


@dataclass(frozen=True)
class Way:
    """`ready`: the weights that `prepare` makes, with the adapter in them; else those that come in
    the package, with the adapter over them. `flash`: flash attention. `keys` and `values`: how the
    cache keeps them."""

    ready: bool
    flash: bool
    keys: str
    values: str
    batch: int


WAYS = {
    "as it comes": Way(False, True, "Q8_0", "Q8_0", 64),
    "prepared": Way(True, True, "Q8_0", "Q8_0", 64),
    "batches of 128": Way(True, True, "Q8_0", "Q8_0", 128),
    "batches of 512": Way(True, True, "Q8_0", "Q8_0", 512),
    "no flash, bf16": Way(True, False, "BF16", "BF16", 128),
    "no flash, q8_0, bf16": Way(True, False, "Q8_0", "BF16", 128),
    "flash, f16": Way(True, True, "F16", "F16", 128),
    "no flash, f16": Way(True, False, "F16", "F16", 128),
    "flash, q8_0, f16": Way(True, True, "Q8_0", "F16", 128),
}
PROMPTS = {"short": 40, "long": 100}
"""How often the sentence stands in a prompt."""

# Each of these runs in a process of its own, since a model is loaded once a process.
RUN_WAY = """
import json, os, sys
os.environ.setdefault("GOMP_SPINCOUNT", "300")
import xllamacpp
from g2c.inference import prepared, weights
from g2c.paths import cache_dir

way, sentence, prompts = json.loads(sys.argv[1])
package, adapter = weights.find_weights(), weights.find_adapter()
params = xllamacpp.CommonParams()
if way["ready"]:
    folder = cache_dir() / "weights"
    params.model.path = str(prepared.prepare(package, weights.SHA256, adapter, folder))
else:
    params.model.path = str(package)
    params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
params.n_ctx, params.n_batch, params.verbosity = 8192, way["batch"], 0
params.warmup = params.ui = False
flash = "ENABLED" if way["flash"] else "DISABLED"
name = f"LLAMA_FLASH_ATTN_TYPE_{flash}"
params.flash_attn_type = getattr(xllamacpp.llama_flash_attn_type, name)
params.cache_type_k = getattr(xllamacpp.ggml_type, f"GGML_TYPE_{way['keys']}")
params.cache_type_v = getattr(xllamacpp.ggml_type, f"GGML_TYPE_{way['values']}")
server = xllamacpp.Server(params)

def ask(prompt, max_tokens):
    pieces = []
    request = {"prompt": prompt, "max_tokens": max_tokens, "temperature": 0, "logprobs": 10}
    server.handle_completions(request, pieces.append)
    (choice,) = pieces[-1]["choices"]
    return choice["logprobs"]["content"][0]["top_logprobs"], pieces[-1]["timings"]

ask("Hello", 2)
sample = {}
for name, times in prompts.items():
    prompt = f"{name}: {sentence * times}"
    fresh, counts = ask(prompt, 33)
    cached, _ = ask(prompt, 1)  # its last token comes alone
    sample[f"{name} tokens"] = counts["prompt_n"]
    sample[f"{name} read"] = counts["prompt_n"] / counts["prompt_ms"] * 1000
    sample[f"{name} written"] = (counts["predicted_n"] - 1) / counts["predicted_ms"] * 1000
    sample["exact"] = sample.get("exact", True) and fresh == cached
print(json.dumps(sample), flush=True)
os._exit(0)
"""
RUN_MODEL = """
import json, sys, time
from g2c.inference.prodlm import load_prodlm

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    tables = {"ways": compare_ways, "adapter": compare_models, "start": compare_starts}
    parser.add_argument(
        "table", nargs="*", choices=[*tables, []], help="all, unless some are named"
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (%(default)s)")
    options = parser.parse_args()
    os.environ["G2C_KEEP_PROMPTS"] = "0"
    for name in options.table or tables:
        tables[name](options.rounds)


def compare_ways(rounds: int) -> None:
    samples = [
        {
            name: run(RUN_WAY, json.dumps([asdict(way), SENTENCE, PROMPTS]))
            for name, way in WAYS.items()
        }
        for _ in range(rounds)
    ]
    sizes = " and ".join(f"{samples[0]['prepared'][f'{name} tokens']:.0f}" for name in PROMPTS)
    print_heading(
        f"Tokens a second that the small model with the course's adapter reads and writes, for "
        f"prompts of {sizes} tokens. The median of {rounds} rounds in turns; after it that of the "
        "ratios to the first way. A way is not exact if the last token of a prompt gave other "
        "numbers alone than among the others; where it gave the same, it may yet differ elsewhere."
    )
    rows = []
    for name in WAYS:
        row = [name]
        for what in [f"{prompt} {done}" for prompt in PROMPTS for done in ("read", "written")]:
            row.append(f"{statistics.median(sample[name][what] for sample in samples):.3g}")
            ratios = [sample[name][what] / sample["as it comes"][what] for sample in samples]
            row.append(f"{statistics.median(ratios):.2f}")
        rows.append([*row, "yes" if all(sample[name]["exact"] for sample in samples) else "no"])
    head = [f"{prompt} {done}" for prompt in PROMPTS for done in ("read", "written")]
    print_table(["", *(cell for name in head for cell in (name, "")), "exact"], rows)


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
    return [f"{one:.3g}" for one in (statistics.median(values), min(values), max(values))]


def run(script: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Any:
    """What a process with that script printed, as JSON."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
