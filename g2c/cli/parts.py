"""The command that measures the worth of each module to an agent: compare --parts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from random import randrange
from typing import TYPE_CHECKING

from g2c.cli.asking import bar_of
from g2c.cli.console import out, tell_aside
from g2c.cli.options import load
from g2c.cli.steps import going_on
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import REFERENCE_VARIABLE, is_requested, requested_references
from g2c.files import is_there
from g2c.interrupted import measure_each
from g2c.json_files import replace_json
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from g2c.days.errands import Errand
    from g2c.days.lives import Lived
    from g2c.inference import Backend

DAYS = 20
MAX_SEED = 1_000_000


def compare_parts(model: str | None, days: int | None, seed: str | None, file: Path | None) -> None:
    """Measure the agents of the ladder on so many `days`, and print the report. Without a `model`,
    a scripted one errs at a set rate. All outcomes are written to `file`.

    Raises:
        ValueError: `file` exists.
        BackendError: the model could not be asked.
    """
    if file and is_there(file):
        raise ValueError(f"{file} exists; name another file.")
    stand_in = _take_references_for_unwritten()
    import_students("g2c.days.lives")
    from g2c.days.errands import make_day
    from g2c.days.erring import ErringModel
    from g2c.days.lives import LADDER, live
    from g2c.days.report import to_markdown

    if stand_in:
        tell_aside(f"Not written yet, so the reference stands in: {', '.join(stand_in)}.")
    if seed is None:
        seed = str(randrange(MAX_SEED))
        tell_aside(f"The days are new; --fresh {seed} makes the same ones again.")
    days = days or DAYS
    errands = [errand for day in range(days) for errand in make_day(f"{seed}/{day}")]
    parts = dict(LADDER)
    asked = [(name, errand) for errand in errands for name in parts]
    with ExitStack() as stack:
        backend: Backend = ErringModel(errands)
        if model:
            backend = stack.enter_context(going_on(load(model, exact=True), "compare", " --parts"))
        advance = stack.enter_context(bar_of("living small days", len(asked)))

        def lived(item: tuple[str, Errand]) -> tuple[str, Lived]:
            name, errand = item
            with tempfile.TemporaryDirectory(prefix="g2c-day-") as folder:
                found = live(errand, parts[name], backend, Path(folder))
            advance(f"{name}: {errand.kind}")
            return name, found

        def report(found: Sequence[tuple[str, Lived]]) -> str:
            by_id = {name: {life.id: life for of, life in found if of == name} for name in parts}
            common = [item.id for item in errands if all(item.id in by_id[name] for name in parts)]
            name, model_id = backend.info.name, backend.info.model_id
            about = (
                f"{len(common)} errands of {days} small days, drawn from {seed}, with {name} "
                f"{model_id}. Per cent, with the 95 % interval; the rest are means."
            )
            lives = {name: [of[id] for id in common] for name, of in by_id.items()}
            return to_markdown(lives, about)

        found = measure_each(asked, lived, report)
    if file:
        kept = {name: [asdict(life) for of, life in found if of == name] for name in parts}
        replace_json(file, {"days": days, "seed": seed, "lived": kept})
    out.print(report(found), markup=False, soft_wrap=True, end="")
    tell_outcome("measured")


def _take_references_for_unwritten() -> list[str]:
    """Let the references stand in for the exercises that are not written, and return their ids.
    Call this before anything imports the exercises."""
    asked = requested_references()
    missing = [
        item.id for item in load_exercises() if is_stub(item) and not is_requested(item.id, asked)
    ]
    os.environ[REFERENCE_VARIABLE] = ",".join(filter(None, [asked, *missing]))
    return missing
