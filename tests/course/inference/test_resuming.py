"""Work that was stopped goes on: what a model has answered is not asked again."""

from pathlib import Path

import pytest

from g2c.inference import BackendError, ScriptedBackend
from g2c.inference.resuming import resuming


def test_only_what_is_missing_is_asked(tmp_path: Path) -> None:
    with (
        pytest.raises(BackendError, match="500"),
        resuming(ScriptedBackend(["one", "two", BackendError("500")]), tmp_path, "work") as model,
    ):
        assert [model.complete("a").completion for _ in range(3)] == ["one", "two"]
    rest = ScriptedBackend(["three", "four"])
    with resuming(rest, tmp_path, "work") as model:
        assert model.found == 2
        assert [model.complete("a").completion for _ in range(3)] == ["one", "two", "three"]
        assert model.complete("another").completion == "four"
    with resuming(ScriptedBackend(["anew"]), tmp_path, "work") as model:
        assert not model.found and model.complete("a").completion == "anew", "the work was done"


def test_an_answer_to_another_call_or_of_another_model_answers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(backend: ScriptedBackend) -> None:
        with resuming(backend, tmp_path, "work") as model:
            model.complete("a", temperature=0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped(ScriptedBackend(["warm"]))
    with resuming(ScriptedBackend(["cold", "of a seed"]), tmp_path, "work") as model:
        assert model.complete("a", temperature=0.0).completion == "cold"
        assert model.with_seed(1).complete("a", temperature=0.5).completion == "of a seed"
        assert model.complete("a", temperature=0.5).completion == "warm"
    with pytest.raises(KeyboardInterrupt):
        stopped(ScriptedBackend(["warm"]))
    monkeypatch.setattr(ScriptedBackend, "identity", {"model": "another"})
    with resuming(ScriptedBackend(), tmp_path, "work") as model:
        assert not model.found


def test_a_line_that_a_crash_tore_costs_that_answer_alone(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), resuming(ScriptedBackend(["1"]), tmp_path, "w") as model:
        model.complete("a")
        raise KeyboardInterrupt
    [file] = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b'{"key": "')
    with pytest.raises(KeyboardInterrupt), resuming(ScriptedBackend(["2"]), tmp_path, "w") as model:
        model.complete("b")
        raise KeyboardInterrupt
    with resuming(ScriptedBackend([]), tmp_path, "w") as model:
        assert [model.complete(text).completion for text in "ab"] == ["1", "2"]
