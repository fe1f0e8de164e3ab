"""How one server serves a class: seconds to the first token, and tokens a second in all, by how
many students ask at once and how many the server answers at once."""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from _llama_server import MODEL, llama_server
from _report import print_heading, print_table

from g2c.inference import InferenceResult, OpenAICompatibleBackend

N_CTX = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    numbers = {"type": int, "nargs": "+"}
    parser.add_argument("--students", default=[1, 2, 4, 8, 16, 32], **numbers)
    parser.add_argument("--slots", default=[1, 4, 8], help="answered at once", **numbers)
    parser.add_argument("--sentences", type=int, default=4, help="in a prompt (%(default)s)")
    parser.add_argument("--tokens", type=int, default=32, help="in an answer (%(default)s)")
    asked = parser.parse_args()
    rows, prompt_tokens = [], 0
    for slots in asked.slots:
        with llama_server(slots=slots, n_ctx=N_CTX) as url:
            ask_together(url, 1, "warm", asked.sentences, asked.tokens)
            for students in asked.students:
                started = time.perf_counter()
                results = ask_together(
                    url, students, f"{slots}.{students}", asked.sentences, asked.tokens
                )
                seconds = time.perf_counter() - started
                first = [result.metadata["first_token_ms"] / 1000 for result in results]
                written = sum(result.completion_tokens or 0 for result in results)
                prompt_tokens = results[0].prompt_tokens or 0
                rows.append(
                    [
                        f"{slots} at once",
                        students,
                        f"{statistics.median(first):.1f}",
                        f"{max(first):.1f}",
                        f"{seconds:.1f}",
                        f"{written / seconds:.1f}",
                    ]
                )
    print_heading(
        f"One llama.cpp server with the {MODEL} model (135M, Q4_1) on this machine's processor. So "
        f"many students send a prompt of their own of {prompt_tokens} tokens at the same moment, "
        f"and each gets up to {asked.tokens} tokens. Seconds until a student sees the first token, "
        "until the last student has all, and tokens written a second for all students together."
    )
    columns = ["the server answers", "students", "first: median", "worst", "all done", "tokens/s"]
    print_table(columns, rows)


def ask_together(
    url: str, students: int, run: str, sentences: int, tokens: int
) -> list[InferenceResult]:
    """What each of the students got. No prompt begins like another, so the cache helps nobody."""
    together = threading.Barrier(students)

    def ask(student: int) -> InferenceResult:
        backend = OpenAICompatibleBackend(url, MODEL, raw=True)
        backend.look_up()
        prompt = f"{student} of {run}. " + "A day of a lighthouse keeper begins early. " * sentences
        together.wait()
        return backend.complete(prompt, max_new_tokens=tokens, temperature=0)

    with ThreadPoolExecutor(students) as pool:
        return list(pool.map(ask, range(students)))


if __name__ == "__main__":
    main()
