"""`g2c loop`: a runner over the student's own functions, and how it is set up, kept in the loop's
folder so that a loop goes on as it began."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2c.course.chat import MOST_OF_A_FILE
from g2c.course.importing import import_students
from g2c.files import replace_text

if TYPE_CHECKING:
    from g2c.agent import Agent
    from g2c.inference import Backend
    from g2c.loop.base import LoopConfig
    from g2c.loop.runner import LoopRunner
    from g2c.tools import Tool

MAX_STEPS = 6
"""Steps of an agent in one tick; what takes longer is for the next tick."""


@dataclass(frozen=True)
class Settings:
    """How a loop was started.

    `files` is the folder that its tools see, `work/` in the loop's where it is None; `success` the
    success command; `checkpoint` the ticks between two reviews; `model` as `--model` takes it.
    """

    files: str | None = None
    success: tuple[str, ...] = ()
    checkpoint: int = 5
    recall: bool = True
    review: bool = True
    evolve: bool = True
    model: str | None = None

    def save(self, root: Path) -> None:
        """Keep them in the loop's folder."""
        replace_text(_file(root), json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, root: Path) -> Settings:
        """Those of the loop in `root`.

        Raises:
            ValueError: there is no loop, or its settings cannot be read.
        """
        try:
            data = json.loads(_file(root).read_text("utf-8"))
            return cls(**data | {"success": tuple(data["success"])})
        except FileNotFoundError:
            raise ValueError(f"There is no loop in {root}; g2c loop start begins one.") from None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{_file(root)} cannot be read ({type(error).__name__}: {error}); mend it, or "
                "delete it and start the loop in another folder."
            ) from error

    @cached_property
    def config(self) -> LoopConfig:
        """The same for a runner."""
        from g2c.loop.base import LoopConfig

        return LoopConfig(
            checkpoint_interval=self.checkpoint if self.review else 0,
            success_command=self.success,
            recall=self.recall,
            evolve=self.evolve,
        )


def _file(root: Path) -> Path:
    return root / "settings.json"


def make_runner(root: Path, settings: Settings, backend: Backend, **callbacks: Any) -> LoopRunner:
    """The runner that `g2c.loop` holds, over the loop in `root`, with agents of `g2c.agent` that
    may list, read and write the files of one folder. `callbacks` are `LoopRunner`'s.

    Raises:
        ValueError: a file of the student's cannot be imported.
        ToolError: the folder is none.
    """
    import_students("g2c.loop.runner")
    from g2c.loop.files import LoopFiles
    from g2c.loop.runner import LoopRunner
    from g2c.memory import MemoryStore

    files = LoopFiles(root)
    work = Path(settings.files) if settings.files else files.work
    work.mkdir(parents=True, exist_ok=True)
    return LoopRunner(
        make_agent_factory(backend, work),
        MemoryStore(files.memory),
        settings.config,
        root,
        backend=backend,
        work=work,
        **callbacks,
    )


def make_agent_factory(backend: Backend, folder: Path) -> Callable[[Sequence[Tool]], Agent]:
    """What makes a fresh agent for each tick: the loop's tools, and those for the files in
    `folder`."""
    from g2c.agent import Agent
    from g2c.tools import ToolRegistry, make_list_files, make_read_file, make_write_file

    own = [
        # Their examples end with the file, and a small model that follows them keeps no state.
        replace(tool, example=None, more_examples=())
        for tool in (
            make_list_files(folder),
            make_read_file(folder, max_bytes=MOST_OF_A_FILE),
            make_write_file(folder, max_bytes=MOST_OF_A_FILE),
        )
    ]

    def make_agent(tools: Sequence[Tool]) -> Agent:
        return Agent(
            backend,
            ToolRegistry([*map(as_tick, tools), *own]),
            plan=False,
            max_steps=MAX_STEPS,
            max_new_tokens=200,
            temperature=0.0,
        )

    return make_agent


def as_tick(tool: Tool) -> Tool:
    """The tool with each example's question put as the goal of a tick: a small model follows an
    example that looks like what it has before it, and no other."""
    from g2c.loop.base import EvolvedConfig, TickParts
    from g2c.loop.prompt import build_tick_prompt

    def put(question: str) -> str:
        config = EvolvedConfig(identity="I work on one goal.")
        return build_tick_prompt(TickParts("You work on a goal in ticks.", config, goal=question))

    examples = tuple(replace(one, question=put(one.question)) for one in tool.examples)
    return replace(tool, example=examples[0] if examples else None, more_examples=examples[1:])
