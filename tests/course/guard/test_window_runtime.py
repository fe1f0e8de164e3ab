"""A long run whose prompts stay within a model's context."""

import json
from itertools import pairwise

from g2c.agent import Agent
from g2c.guard.app.window import WindowScratchpad
from g2c.inference import ScriptedBackend
from g2c.tools import Tool, ToolRegistry

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}
STEPS = 30
BUDGET = 2_000


def count(text: str) -> int:
    return len(text) // 4 + 1


def prompts_of(budget: int, chars: int = 600) -> list[str]:
    """The prompts of a run of many steps, each of which gives so many characters."""
    says = [
        f"Thought: Next.\nAction: read\nAction Input: {json.dumps({'name': str(number)})}"
        for number in range(STEPS)
    ]
    backend = ScriptedBackend([*says, "Thought: .\nFinal Answer: Done."])
    read = Tool("read", "Read.", SCHEMA, lambda name: f"{name}: " + "a" * chars)
    agent = Agent(
        backend,
        ToolRegistry([read]),
        plan=False,
        max_steps=STEPS + 1,
        make_scratchpad=lambda head: WindowScratchpad(head, budget, count),
    )
    assert agent.run("Read them all.").final_answer == "Done."
    return [str(call.prompt) for call in backend.history]


def test_every_prompt_fits_and_has_the_newest_whole() -> None:
    for number, prompt in enumerate(prompts_of(BUDGET)[1:]):
        assert count(prompt) <= BUDGET + 20, "a few words are behind the steps"
        assert f"Observation: {number}: " + "a" * 600 in prompt
        assert "Question: Read them all." in prompt


def test_the_front_of_the_prompt_changes_seldom() -> None:
    prompts = prompts_of(BUDGET)
    changed = sum(
        not new.startswith(old.removesuffix("Thought:")) for old, new in pairwise(prompts)
    )
    assert 1 <= changed <= STEPS / 3


def test_a_cut_text_says_how_much_was_there() -> None:
    prompts = prompts_of(BUDGET)
    assert any("more characters were here]" in prompt for prompt in prompts)
    assert all(prompt.count("Action Input:") >= prompt.count("Observation: ") for prompt in prompts)


def test_a_step_that_fits_in_no_way_is_given_whole() -> None:
    assert "a" * 20_000 in prompts_of(BUDGET, chars=20_000)[1]
