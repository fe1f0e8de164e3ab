"""The speed of the small model in a browser's tab and in the native engine: tokens a second, with
the same files, prompt and number of threads."""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _report import print_heading, print_table
from playwright.sync_api import sync_playwright

from g2c.course.browser.build import FOLDER, build_tab
from g2c.course.browser.serve import serve
from g2c.paths import project_root

Asked = tuple[str, int, int]
"""The prompt, the tokens to write, the threads."""

PROMPT = "A day in the life of a lighthouse keeper begins early. " * 16
WRITTEN = 32
NATIVE = """
import json, sys
import xllamacpp
from g2c.inference import EmbeddedBackend

prompt, written, threads = json.loads(sys.argv[1])
make = xllamacpp.CommonParams
def with_threads():
    params = make()
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    return params
xllamacpp.CommonParams = with_threads
result = EmbeddedBackend().complete(prompt, max_new_tokens=written, temperature=0)
print(json.dumps({**result.metadata, "written": result.completion_tokens}))
"""
IN_TAB = """
async ([prompt, written, threads]) => {
  const { loadModel, ask } = await import("./model.js");
  const { versions } = await (await fetch("model.json")).json();
  const llama = await loadModel({ versions, threads, nCtx: 8192, onBytes: () => {} });
  const request = { prompt, n_predict: written, temperature: 0 };
  const pieces = await ask(llama, request, () => {}, new AbortController().signal);
  await llama.exit();
  return pieces.at(-1).timings;
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="for each engine (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="for each engine (%(default)s)")
    given = parser.parse_args()
    asked = (PROMPT, WRITTEN, given.threads)
    samples = [
        {"native": in_process(asked), "in the tab": sample}
        for sample in in_tab(asked, given.rounds)
    ]
    first = samples[0]["native"]
    print_heading(
        f"{given.rounds} times in turns, each loads the model and continues {first['prompt_n']} "
        f"tokens by {WRITTEN}, at temperature 0, with {given.threads} "
        f"thread{'s' * (given.threads > 1)}. The ratio is the median of the rounds', the tab to "
        "native."
    )
    rows = []
    for what in ("prompt", "written"):
        for name in ("native", "in the tab"):
            values = [sample[name][f"{what} tokens/s"] for sample in samples]
            spread = (statistics.median(values), min(values), max(values))
            rows.append([f"{what} tokens/s", name, *(f"{value:.3g}" for value in spread), ""])
        rows[-1][-1] = f"{statistics.median(_ratio(sample, what) for sample in samples):.2f}"
    print_table(["", "", "median", "least", "most", "ratio"], rows)


def in_process(asked: Asked) -> dict[str, float]:
    """The cost of one answer of the native engine, in its own process."""
    command = [sys.executable, "-c", NATIVE, json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    counts = json.loads(done.stdout)
    return _rates(counts, counts["generate_ms"], counts["written"])


def in_tab(asked: Asked, rounds: int) -> Iterator[dict[str, float]]:
    """The cost of each answer in a tab of the built page."""
    chromium = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build_tab(project_root(), Path(folder))
        with serve(Path(folder)) as address:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
            page = browser.new_page()
            # The page's own program would also load Python and the model.
            page.route("**/page.js*", lambda route: route.fulfill(body=""))
            page.goto(f"{address}/{FOLDER}/index.html")
            for _ in range(rounds):
                counts = page.evaluate(IN_TAB, asked)
                yield _rates(counts, counts["predicted_ms"], counts["predicted_n"])
            browser.close()


def _rates(counts: dict[str, float], written_ms: float, written: float) -> dict[str, float]:
    return {
        "prompt_n": counts["prompt_n"],
        "prompt tokens/s": counts["prompt_n"] / counts["prompt_ms"] * 1000,
        "written tokens/s": written / written_ms * 1000,
    }


def _ratio(sample: dict[str, dict[str, float]], what: str) -> float:
    return sample["in the tab"][f"{what} tokens/s"] / sample["native"][f"{what} tokens/s"]


if __name__ == "__main__":
    main()
