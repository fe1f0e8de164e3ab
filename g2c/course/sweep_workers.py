"""Asks the models of a sweep, on this machine or on a Dask cluster.

Exercises are imported inside functions, after the references were switched on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from g2c.course import cluster
from g2c.course.manifest import load_exercises
from g2c.course.other_functions import OtherFunctions, identity_of_functions
from g2c.exercise import REFERENCE_VARIABLE
from g2c.interrupted import OutageError, PartlyMeasuredError, StoppedEarly, measure_each
from g2c.suite.batches import Batch

if TYPE_CHECKING:
    from g2c.inference import Backend
    from g2c.suite.runner import Attempt
    from g2c.suite.settings import Settings
    from g2c.suite.sweep import Asked, Asker, Identity, Show
    from g2c.suite.tasks import SuiteTask

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
    """Ask these loaded models, given by name, one after the other. A model that answers nothing of
    a batch is not asked the next ones."""

    def asked(batches: Sequence[Batch], show: Show) -> Iterator[tuple[Batch, Asked | Exception]]:
        from g2c.suite.runner import run_task
        from g2c.suite.settings import split_name

        others: dict[str, OtherFunctions] = {}
        given_up = set()
        with ExitStack() as stack:
            for batch in batches:
                name = batch.model
                if name in given_up:
                    continue
                backend, (_, settings) = models[name], split_name(name)
                identity = identity_of(backend, settings)
                if settings.functions and name not in others:
                    others[name] = OtherFunctions(settings.functions)
                    stack.callback(others[name].close)

                def ask_one(
                    task: SuiteTask,
                    name: str = name,
                    backend: Backend = backend,
                    settings: Settings = settings,
                ) -> Attempt:
                    if settings.functions:
                        attempt = others[name].ask(name, task)
                    else:
                        attempt = run_task(backend, task, settings)
                    show(name, task.family)
                    return attempt

                try:
                    yield batch, (identity, measure_each(batch.tasks, ask_one, len))
                except StoppedEarly as stopped:
                    yield batch, (identity, stopped.results)
                    raise
                except PartlyMeasuredError as partly:
                    yield batch, (identity, partly.results)
                    yield batch, partly.outage
                except (OutageError, RuntimeError) as error:
                    given_up.add(name)
                    yield batch, error

    return asked


def on_cluster(scheduler: str) -> Asker:
    """Ask on the cluster whose scheduler has this address; see `g2c.course.cluster`."""

    def asked(batches: Sequence[Batch], show: Show) -> Iterator[tuple[Batch, Asked | Exception]]:
        done = cluster.on_cluster(
            scheduler, ask_batch, batches, lambda batch: (batch,), evaluation_state
        )
        for batch, result in done:
            if isinstance(result, Exception):
                yield batch, result
                continue
            identity, attempts, outage = result
            for attempt in attempts:
                show(batch.model, attempt.family)
            yield batch, (identity, attempts)
            if outage:
                yield batch, outage

    return asked


def identify_on_cluster(scheduler: str, names: Sequence[str]) -> dict[str, Identity]:
    """The identity of each of these models on that cluster.

    Raises:
        ValueError, OSError, BackendError: it cannot be asked, or has not the model.
    """
    found = {}
    for name, identity in cluster.on_cluster(
        scheduler, identify, names, lambda name: (name,), evaluation_state
    ):
        if isinstance(identity, Exception):
            raise identity
        found[name] = identity
    return found


def identify(name: str) -> Identity:
    """The identity of the model that `g2c eval` calls `name`, with its settings, on this machine.

    Raises:
        BackendError: the model is not available here.
    """
    from g2c.suite.settings import split_name

    model, settings = split_name(name)
    with ONE_AT_A_TIME:
        return identity_of(loaded(model), settings)


@lru_cache
def evaluation_state() -> str:
    """The hash of the code that asks and judges: the package without the student's files."""
    return cluster.course_state(("g2c",), [exercise.file for exercise in load_exercises()])


def ask_batch(batch: Batch) -> tuple[Identity, Sequence[Attempt], OutageError | None]:
    """Ask a batch on a worker, and say why some of it could not be asked. Its last models stay
    loaded.

    Raises:
        BackendError: the model is not available here, or answers nothing.
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    from g2c.suite.runner import run_suite
    from g2c.suite.settings import split_name

    model, settings = split_name(batch.model)
    with ONE_AT_A_TIME:
        backend = loaded(model)
        identity = identity_of(backend, settings)
        try:
            return identity, run_suite(backend, batch.tasks, settings=settings), None
        except PartlyMeasuredError as partly:
            return identity, partly.results, partly.outage


@lru_cache(maxsize=2)
def loaded(name: str) -> Backend:
    return load(name)


def load(name: str) -> Backend:
    """The model that `g2c eval` calls `name`, without the settings behind it.

    Raises:
        ValueError: the name or a setting is not valid.
        BackendError: the model is not available; says what to do.
    """
    from g2c.inference.embedded.backend import EmbeddedBackend
    from g2c.inference.selection import load_selection
    from g2c.suite.settings import split_name

    model, _ = split_name(name)
    if model.startswith(_WITH):
        return EmbeddedBackend(adapter=model.removeprefix(_WITH))
    return load_selection(model)


def identity_of(backend: Backend, settings: Settings) -> Identity:
    """All that an outcome depends on besides the suite, the same on every machine: the model and
    its options, the settings, the functions and the course's code."""
    return {
        **backend.identity,
        **settings.identity,
        **identity_of_functions(settings.functions),
        "the course": evaluation_state()[:12],
    }
