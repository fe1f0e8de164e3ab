"""Work that nobody watches waits for its model's server, and says for what."""

from collections.abc import Callable

import pytest

from g2c.inference import (
    Backend,
    BackendBusyError,
    BackendError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ScriptedBackend,
)
from g2c.inference.errors import ModelChangedError
from g2c.inference.patient import (
    MAX_BROKEN_WAIT_S,
    MAX_PAUSE_S,
    MAX_WAIT_S,
    PatientBackend,
    patiently,
)


def away(error: Exception) -> Callable[[str], str]:
    def complete(prompt: str) -> str:
        raise error

    return complete


@pytest.mark.parametrize("stop", [(), ("Observation:",)], ids=["plain", "with stop strings"])
def test_it_waits_with_growing_pauses_and_goes_on(stop: tuple[str, ...]) -> None:
    gone = away(BackendUnreachableError("Nothing answers."))
    script = [gone, away(BackendBusyError("It loads.")), gone, "Here."]
    told, slept = list[str](), list[float]()
    backend: Backend = PatientBackend(ScriptedBackend(script), told.append, sleep=slept.append)
    if stop:
        backend = backend.stopping_at(*stop)
    assert backend.complete("Hi").completion == "Here."
    assert told == ["It waits for its model: Nothing answers.", "The model answers again."]
    assert sum(slept) == 1 + 2 + 4


def test_loading_waits_too_and_auto_does_not_become_another_model() -> None:
    errors = [
        BackendUnreachableError("Nothing answers."),
        ModelChangedError("auto would take embedded.", "embedded"),
    ]

    def load() -> str:
        if errors:
            raise errors.pop(0)
        return "the model"

    told, slept = list[str](), list[float]()
    assert patiently(load, told.append, sleep=slept.append) == "the model"
    assert len(told) == 2 and sum(slept) == 1 + 2


@pytest.mark.parametrize(
    ("error", "least", "most"),
    [
        (BackendUnreachableError("Nothing answers."), MAX_WAIT_S - MAX_PAUSE_S, MAX_WAIT_S),
        (BrokenStreamError("It hung up."), MAX_BROKEN_WAIT_S, MAX_BROKEN_WAIT_S),
    ],
)
def test_it_gives_up_in_the_end(error: BackendError, least: float, most: float) -> None:
    slept = list[float]()
    backend = PatientBackend(ScriptedBackend([away(error)] * 1_999), str, sleep=slept.append)
    with pytest.raises(type(error)):
        backend.complete("Hi")
    assert least <= sum(slept) <= most


def test_a_stop_ends_the_wait() -> None:
    slept = list[float]()
    script = [away(BackendUnreachableError("Nothing answers."))] * 999
    backend = PatientBackend(ScriptedBackend(script), str, lambda: sum(slept) >= 5, slept.append)
    with pytest.raises(BackendUnreachableError):
        backend.complete("Hi")
    assert sum(slept) == 5


@pytest.mark.parametrize("error", [ModelNotFoundError("No."), ContextOverflowError("Long.")])
def test_an_error_that_waiting_cannot_mend_is_raised_at_once(error: BackendError) -> None:
    backend = PatientBackend(ScriptedBackend([away(error)]), pytest.fail, sleep=pytest.fail)
    with pytest.raises(type(error)):
        backend.complete("Hi")
