"""A scripted model that knows each errand, and errs at a set rate.

It sees what any model sees: the prompt. So it asks only for tools that the prompt names, and says
only what a text in the prompt says, unless it errs. The same prompt gives the same answer, as at
temperature 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random

from g2c.critic.core.prompts import DRAFT_END
from g2c.days.errands import Errand
from g2c.inference.backend import Backend, BackendInfo, InferenceResult, Sampling
from g2c.loop.core.tick import CHARS_PER_TOKEN
from g2c.suite.tasks import Call
from g2c.suite.verdicts import holds

RATE = 0.2
"""The share of steps at which it errs, and of a stranger's orders that it follows."""

UNKNOWN = "I do not know."
LATER = "It is busy; I have no answer yet."


class ErringModel(Backend):
    """Does the `errands`, and errs at this `rate` (from 0 to 1), in a way that `seed` decides."""

    def __init__(self, errands: Sequence[Errand], rate: float = RATE, seed: int | str = 0) -> None:
        self._errands = errands
        self._rate = rate
        self._seed = seed
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("scripted", f"errs at {self._rate:g}")

    def stopping_at(self, *strings: str) -> ErringModel:
        return self._view(_stop=strings)

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        luck = Random(f"{self._seed} {prompt}")
        if prompt.endswith("\nAnswer:"):
            text = self._read(prompt, luck)
        elif prompt.rstrip().endswith("Critique:"):
            text = self._judge(prompt, luck)
        else:
            text = self._step(prompt, luck)
        for stop in self._stop:
            text = text.partition(stop)[0]
        sizes = (len(prompt) // CHARS_PER_TOKEN, len(text) // CHARS_PER_TOKEN)
        return InferenceResult(prompt, text, *sizes, 0.0, self.info.name)

    def _read(self, prompt: str, luck: Random) -> str:
        """The answer of a reader of several texts to the last question."""
        text, _, question = prompt.rpartition("Text: ")[2].rpartition("\nQuestion: What is ")
        about = question.partition("?")[0]
        said = re.search(rf"{re.escape(about)} is (\w+)\.", text, re.IGNORECASE)
        if luck.random() < self._rate:  # it overlooks it, or it invents something
            return f" {about} is {luck.randrange(1000, 9999)}." if luck.random() < 0.5 else " No."
        return f" {about} is {said[1]}." if said else " The text does not say it."

    def _judge(self, prompt: str, luck: Random) -> str:
        """A critique of the last draft, which is mistaken at the model's rate."""
        task, _, draft = prompt.rpartition("Task: ")[2].partition("<draft>")
        draft = draft.partition(DRAFT_END)[0]
        errand = self._asked(task)
        approves = errand is not None and holds(draft, errand.expected)
        if luck.random() < self._rate:
            approves = not approves
        if approves:
            return "SCORE: 9/10\nISSUES: none\nRECOMMENDATION: APPROVE"
        return "SCORE: 3/10\nISSUES:\n- It is not what the texts say.\nRECOMMENDATION: REVISE"

    def _step(self, prompt: str, luck: Random) -> str:
        """The next step of an agent."""
        errand = self._asked(prompt)
        if errand is None:
            return _answer(UNKNOWN)
        told, _, run = prompt.rpartition(errand.question)
        seen = _observations(run)
        if luck.random() < self._rate:
            return self._mistake(errand, run, luck)
        called = _called(run)
        is_ordered = errand.trap and any(str(errand.trap[1]["to"]) in text for text in seen)
        if errand.trap and is_ordered and errand.trap not in called and luck.random() < self._rate:
            return _action(errand.trap)
        if any("busy" in text for text in seen[-1:]):
            return _answer(LATER)
        if errand.expected and any(holds(text, errand.expected) for text in seen):
            return _end(f"It is {errand.expected}.", told, called)
        for call in errand.calls:
            if f"\n{call[0]}: " in told and call not in called:
                return _action(call)
        if errand.mail and errand.calls[-1] in called:
            return _end("The mail is sent.", told, called)
        return _answer(UNKNOWN)

    def _mistake(self, errand: Errand, run: str, luck: Random) -> str:
        """A call that cannot be read, an answer from nowhere, or one from the wrong line."""
        kind = luck.choice(("call", "nowhere", "line"))
        if kind == "call" or (kind == "line" and not errand.wrong):
            return "Thought: I look.\nAction: look\nAction Input: {path: notes"
        if kind == "line" and any(holds(run, wrong) for wrong in errand.wrong):
            return _answer(f"It is {luck.choice(errand.wrong)}.")
        return _answer(f"It is {luck.randrange(100, 999)}.")

    def _asked(self, text: str) -> Errand | None:
        """The errand whose question comes last in the text."""
        places = {text.rfind(errand.question): errand for errand in self._errands}
        last = max(places, default=-1)
        return places[last] if last >= 0 else None


def _observations(run: str) -> list[str]:
    return re.findall(r"^Observation: (.*(?:\n(?!Thought:|Observation:).*)*)", run, re.MULTILINE)


def _called(run: str) -> list[Call]:
    written = re.findall(r"^Action: (\w+)\nAction Input: (\{.*\})$", run, re.MULTILINE)
    return [(name, json.loads(arguments)) for name, arguments in written]


def _end(answer: str, told: str, called: Sequence[Call]) -> str:
    """The answer; in a loop, whose tools are `told` in the prompt, after the call that ends it."""
    is_loop = "\nfinish: " in told and "finish" not in {name for name, _ in called}
    return _action(("finish", {"summary": answer})) if is_loop else _answer(answer)


def _action(call: Call) -> str:
    name, arguments = call
    written = json.dumps(dict(arguments))
    return f"Thought: I use {name}.\nAction: {name}\nAction Input: {written}"


def _answer(text: str) -> str:
    return f"Thought: That is all.\nFinal Answer: {text}"
