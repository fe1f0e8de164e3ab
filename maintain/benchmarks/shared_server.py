"""How one server serves a class: seconds to the first token, and tokens a second in all, by the
number of students who ask at once and the number that the server answers at once."""

import argparse
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from _report import print_heading, print_table

from g2c.inference import InferenceResult, OpenAICompatibleBackend
from g2c.inference.embedded.serve import MODEL, llama_server

N_CTX = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    numbers = {"type": int, "nargs": "+"}
    parser.add_argument("--students", default=[1, 2, 4, 8, 16, 32], **numbers)
    parser.add_argument("--slots", default=[1, 4, 8], help="answers at once", **numbers)
    parser.add_argument("--sentences", type=int, default=4, help="of a prompt (%(default)s)")
    parser.add_argument("--tokens", type=int, default=32, help="of an answer (%(default)s)")
    parser.add_argument("--url", help="measure this server instead; it has OpenAI's API")
    parser.add_argument("--model", default=MODEL, help="its model (%(default)s)")
    asked = parser.parse_args()
    rows: list[list[object]] = []
    prompt_tokens = 0
    prompts = asked.sentences, asked.tokens
    with ExitStack() as stack:
        # All run at the same time, so that they take turns; an idle one takes no time.
        servers = {"as it is": asked.url} if asked.url else {}
        for slots in [] if asked.url else asked.slots:
            opened = stack.enter_context(llama_server(slots=slots, n_ctx=N_CTX))
            servers[f"{slots} at once"] = opened
        for url in servers.values():
            ask_together(url, asked.model, 1, "warm", *prompts)
        for students in asked.students:
            for name, url in servers.items():
                started = time.perf_counter()
                results = ask_together(url, asked.model, students, str(students), *prompts)
                seconds = time.perf_counter() - started
                first = [result.metadata["first_token_ms"] / 1000 for result in results]
                prompt_tokens = results[0].prompt_tokens or 0
                rows.append(
                    [
                        name,
                        students,
                        f"{statistics.median(first):.1f}",
                        f"{max(first):.1f}",
                        f"{seconds:.1f}",
                        f"{sum(result.completion_tokens or 0 for result in results) / seconds:.1f}",
                    ]
                )
    server = "One llama.cpp server, on this machine's processor, with the small model (135M, Q4_1)"
    if asked.url:
        server = f"{asked.model} at {asked.url}"
    print_heading(
        f"{server}. So many students send a prompt of their own of {prompt_tokens} tokens at the "
        f"same moment, and each gets up to {asked.tokens} tokens. Seconds until a student sees the "
        "first token, until the last student has all, and tokens written a second for all students "
        "together."
    )
    columns = ["the server answers", "students", "first: median", "worst", "all done", "tokens/s"]
    print_table(columns, rows)


def ask_together(
    url: str, model: str, students: int, run: str, sentences: int, tokens: int
) -> list[InferenceResult]:
    """Each student's answer. No prompt begins like another, so the cache helps nobody."""
    together = threading.Barrier(students)

    def ask(student: int) -> InferenceResult:
        backend = OpenAICompatibleBackend(url, model, raw=True)
        backend.look_up()
        prompt = f"{student} of {run}. " + "A day of a lighthouse keeper begins early. " * sentences
        together.wait()
        return backend.complete(prompt, max_new_tokens=tokens, temperature=0)

    with ThreadPoolExecutor(students) as pool:
        return list(pool.map(ask, range(students)))


if __name__ == "__main__":
    main()
