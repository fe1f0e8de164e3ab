"""Ask the model in the box which number is in count.txt, do not stop it, and parse its text."""

from __future__ import annotations

import json
from pathlib import Path

from g2c.agent import Action, Agent, ParsedStep
from g2c.course.breaks import Seen, last_rows, outcome
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import Tool, ToolRegistry, tool

QUESTION = "Which of these lines did the model know, and where did it get the others from?"


def parse_react_step(text: str) -> ParsedStep:
    thought = text.partition("Action:")[0].removeprefix("Thought:").strip()
    if "Final Answer:" in text:
        return ParsedStep(thought, final_answer=text.partition("Final Answer:")[2].strip())
    tool = text.partition("Action:")[2].partition("\n")[0].strip()
    arguments = text.partition("Action Input:")[2]
    return ParsedStep(thought, Action(tool, json.loads(arguments)))


NUMBER = 17


def make_read_file(folder: Path) -> Tool:
    """The tool `read_file`, without the worked examples that make a prompt long."""

    @tool
    def read_file(path: str) -> str:
        """Read a text file."""
        return (folder / Path(path).name).read_text("utf-8")

    return read_file


def show(folder: Path) -> Seen:
    (folder / "count.txt").write_text(f"{NUMBER}\n", encoding="utf-8")
    yield "count.txt", f"{NUMBER}"
    model = EmbeddedBackend()
    agent = Agent(model, ToolRegistry([make_read_file(folder)]), plan=False)
    prompt = agent.build_prompt(agent.start("What number is in count.txt?"))
    written = model.complete(prompt, max_new_tokens=80, temperature=0.0).completion
    yield "it wrote", f"Thought:{written}"
    result = outcome(lambda: parse_react_step(written).final_answer)
    wanted = f"{NUMBER}, read from the file, which nobody has opened yet"
    yield from last_rows(result != "None", result, wanted)
