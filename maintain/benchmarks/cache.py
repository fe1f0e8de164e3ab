"""How much of an agent's prompts the model finds in its cache, and what makes it lose them."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.agent import Agent, AgentRunResult, RunRecord
from g2c.inference import Backend, BackendInfo, InferenceResult
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import ToolRegistry, make_calculator, make_read_file

FILES = {"count.txt": "17\n", "notes.txt": "Buy apples, bread and a lamp.\n"}
QUESTIONS = ("What is 21 * 2?", "What is in notes.txt?", "What is in missing.txt?")
LONG_QUESTION = "What is 3 plus the number in count.txt?"
LONG_RUN = (
    ' I need the number.\nAction: read_file\nAction Input: {"path": "count.md"}\n',
    ' It has another name.\nAction: read_file\nAction Input: {"path": "count.txt"}\n',
    ' I add 3.\nAction: calculator\nAction Input: {"expression": "17 + 3"}\n',
    " I can answer.\nFinal Answer: 20",
)


class HistoryFirst(Agent):
    def build_prompt(self, record: RunRecord) -> str:
        return "\n\n".join([record.scratchpad.render(), record.head, "Thought:"]).lstrip()


class StepNumberFirst(Agent):
    def build_prompt(self, record: RunRecord) -> str:
        return f"Step {len(record.steps) + 1}.\n\n{super().build_prompt(record)}"


LAYOUTS: dict[str, type[Agent]] = {
    "as g2c has it": Agent,
    "history first": HistoryFirst,
    "step number first": StepNumberFirst,
}


class FixedWords(Backend):
    """Lets the model read each prompt, and answers with `texts` instead, so that runs compare."""

    def __init__(self, model: Backend, texts: Iterable[str]) -> None:
        self._model = model
        self._texts = iter(texts)

    @property
    def info(self) -> BackendInfo:
        return self._model.info

    def complete(self, prompt: str, **_: Any) -> InferenceResult:
        read = self._model.complete(prompt, max_new_tokens=1, temperature=0)
        return InferenceResult(
            prompt,
            next(self._texts),
            read.prompt_tokens,
            read.completion_tokens,
            read.latency_ms,
            read.backend,
            read.metadata,
        )


def after_first_step(run: AgentRunResult) -> list[object]:
    """The number of steps after the first, their prompt tokens, and how many the cache had."""
    calls = [step.inference for step in run.steps[1:] if step.inference]
    cached = sum(call.metadata["cache_n"] for call in calls)
    total = cached + sum(call.metadata["prompt_n"] for call in calls)
    return [len(calls), total, cached, f"{cached / total:.1%}" if total else "-"]


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    model = EmbeddedBackend()
    print_heading(
        f"Prompt tokens at each step of a run, those that {model.info.model_id} found in its cache "
        "and those that it computed. First a run whose words are fixed, in three layouts of the "
        "prompt; then runs in the model's own words, at temperature 0."
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text)
        registry = ToolRegistry([make_calculator(), make_read_file(folder)])
        fixed = {
            name: layout(FixedWords(model, LONG_RUN), registry, plan=False).run(LONG_QUESTION)
            for name, layout in LAYOUTS.items()
        }
        agent = Agent(model, registry, plan=False, temperature=0, max_new_tokens=128)
        own = {question: agent.run(question) for question in QUESTIONS}
    for runs in (fixed, own):
        rows = [
            [name, number, call.prompt_tokens, call.metadata["cache_n"], call.metadata["prompt_n"]]
            for name, run in runs.items()
            for number, step in enumerate(run.steps, 1)
            if (call := step.inference)
        ]
        print_table(["", "step", "prompt tokens", "from cache", "computed"], rows)
        print()
    print_table(
        ["after a run's first step", "steps", "prompt tokens", "from cache", "share"],
        [[name, *after_first_step(run)] for name, run in {**fixed, **own}.items()],
    )


if __name__ == "__main__":
    main()
