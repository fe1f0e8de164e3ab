"""Let the model in the box write a function and mend it once. The critic runs the function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from g2c.course.breaks import Seen, last_rows
from g2c.critic import Critique, RefinementState, Round
from g2c.critic.core.prompts import DRAFT_END, generator_prompt, refiner_prompt
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import ToolCall, ToolRegistry, dispatch_tool_call, make_run_python

QUESTION = "Which of the drafts has the critic seen?"


def run_refinement_loop(
    task: str,
    *,
    generator: Callable[[str], str],
    critic: Callable[[str, str], Critique],
    refiner: Callable[[str, str, Critique], str],
    max_rounds: int = 3,
    on_round: Callable[[Round], None] | None = None,
) -> RefinementState:
    text, seen = generator(task), []
    for count in range(max_rounds):
        verdict = critic(task, text)
        seen.append(Round(count + 1, text, verdict))
        if verdict.approved:
            return RefinementState(tuple(seen), True, text, "approved", 2 * count + 2)
        text = refiner(task, text, verdict)
    return RefinementState(tuple(seen), False, text, "max_rounds", 2 * max_rounds + 1)


TASK = (
    "Write the Python function largest(numbers) that returns the largest number, or 0 if there is "
    "none."
)


def show(folder: Path) -> Seen:
    tools = ToolRegistry([make_run_python()])
    model = EmbeddedBackend().stopping_at(DRAFT_END)
    judged: list[str] = []

    def ask(prompt: str) -> str:
        return model.complete(prompt, max_new_tokens=60, temperature=0.0).completion.strip()

    def critic(task: str, draft: str) -> Critique:
        judged.append(draft)
        code = f"{draft}\nprint(largest([]) == 0)"
        result = dispatch_tool_call(tools, ToolCall("run_python", {"code": code}))
        if result.output.strip() == "True":
            return Critique(9, (), "APPROVE")
        return Critique(2, ("largest([]) is not 0.",))

    yield "task", TASK
    state = run_refinement_loop(
        TASK,
        generator=lambda task: ask(generator_prompt(task)),
        critic=critic,
        refiner=lambda task, draft, critique: ask(refiner_prompt(task, draft, critique)),
        max_rounds=1,
    )
    for round in state.rounds:
        yield "judged", round.draft
        yield "the critic", "; ".join(round.critique.issues) or "approves"
    final = state.final_draft or ""
    yield "handed back", final
    was_judged = final in judged
    verdict = "; ".join(critic(TASK, final).issues) or "approves"
    result = f"a draft that was never judged; the critic, asked about it now: {verdict}"
    yield from last_rows(not was_judged, result, "a draft that the critic has judged")
