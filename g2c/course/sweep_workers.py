"""Asks the models of a sweep, on this machine or on a Dask cluster.

Exercises are imported inside functions, after the references were switched on.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from g2c.course import cluster
from g2c.course.manifest import load_exercises
from g2c.course.other_functions import OtherFunctions
from g2c.evaluation.assembled.batches import Batch
from g2c.exercise import REFERENCE_VARIABLE

if TYPE_CHECKING:
    from g2c.evaluation.assembled.sweep import Asked, Asker, Show
    from g2c.inference import Backend

_WITH = "embedded+"
ONE_AT_A_TIME = threading.Lock()
"""A model uses all cores."""


def label_of(name: str) -> str:
    """The label of that model in a report.

    >>> label_of("llama3.2:3b"), label_of("embedded+runs/six.gguf")
    ('llama3.2:3b', 'six')
    >>> label_of("embedded+runs/six.gguf,max_steps=3")
    'six,max_steps=3'
    """
    model, comma, settings = name.partition(",")
    return (Path(model).stem if model.endswith(".gguf") else model) + comma + settings


def on_this_machine(models: Mapping[str, Backend]) -> Asker:
    """Ask these loaded models, given by name, one after the other."""

    def asked(batches: Sequence[Batch], show: Show) -> Iterator[tuple[Batch, Asked | Exception]]:
        from g2c.evaluation.assembled.runner import Attempt, run_suite
        from g2c.evaluation.assembled.settings import split_name

        others: dict[str, OtherFunctions] = {}
        with ExitStack() as stack:
            for batch in batches:
                backend, name = models[batch.model], batch.model

                def tell(one: Attempt, name: str = name) -> None:
                    show(name, one.family)

                _, settings = split_name(name)
                if settings.functions:
                    if name not in others:
                        others[name] = OtherFunctions(settings.functions)
                        stack.callback(others[name].close)
                    yield batch, others[name].ask(batch)
                    for task in batch.tasks:
                        show(name, task.family)
                    continue
                asked = run_suite(backend, batch.tasks, tell, settings)
                yield batch, (identity_of(backend) | settings.identity, asked)

    return asked


def on_cluster(scheduler: str) -> Asker:
    """Ask on the cluster whose scheduler has this address; see `g2c.course.cluster`."""

    def asked(batches: Sequence[Batch], show: Show) -> Iterator[tuple[Batch, Asked | Exception]]:
        done = cluster.on_cluster(
            scheduler, ask_batch, batches, lambda batch: (batch,), evaluation_state
        )
        for batch, result in done:
            for task in batch.tasks if not isinstance(result, Exception) else ():
                show(batch.model, task.family)
            yield batch, result

    return asked


def evaluation_state() -> str:
    """The hash of the code that asks and judges: the package without the student's files."""
    return cluster.course_state(("g2c",), [exercise.file for exercise in load_exercises()])


def ask_batch(batch: Batch) -> Asked:
    """Ask a batch on a worker. Its last models stay loaded.

    Raises:
        BackendError: the model is not available here, or does not answer.
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    return ask_here(batch)


def ask_here(batch: Batch) -> Asked:
    """Ask a batch with this process's functions."""
    from g2c.evaluation.assembled.runner import run_suite
    from g2c.evaluation.assembled.settings import split_name

    model, settings = split_name(batch.model)
    with ONE_AT_A_TIME:
        backend = loaded(model)
        asked = run_suite(backend, batch.tasks, settings=settings)
        return identity_of(backend) | settings.identity, asked


@lru_cache(maxsize=2)
def loaded(name: str) -> Backend:
    return load(name)


def load(name: str) -> Backend:
    """The model that `g2c eval` calls `name`, without the settings behind it.

    Raises:
        ValueError: the name or a setting is not valid.
        BackendError: the model is not available; says what to do.
    """
    from g2c.evaluation.assembled.settings import split_name
    from g2c.inference.embedded.backend import EmbeddedBackend
    from g2c.inference.selection import load_selection

    model, _ = split_name(name)
    if model.startswith(_WITH):
        return EmbeddedBackend(adapter=model.removeprefix(_WITH))
    return load_selection(model)


def identity_of(backend: Backend) -> dict[str, str]:
    """What distinguishes a model from others of its name, the same on every machine."""
    info = backend.info
    adapter = info.extra.get("adapter")
    digest = {"adapter": hashlib.sha256(Path(adapter).read_bytes()).hexdigest()} if adapter else {}
    return {"backend": info.name, "model": info.model_id, **digest}
