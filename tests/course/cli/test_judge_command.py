"""`g2c judge` over a real file, once with the real model."""

import json
from pathlib import Path

import pytest
from checkout import ROOT, Checkout
from command import g2c

from g2c.inference import ScriptedBackend

EXAMPLE = str(ROOT / "docs/judging-example.jsonl")


@pytest.mark.slow
def test_it_measures_the_model_in_the_box_on_the_shipped_pairs(tmp_path: Path) -> None:
    done = g2c("judge", EXAMPLE, "--limit", "2", "--model", "embedded", root=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "agreement with the labels" in done.stdout and "of 2" in done.stdout


def test_it_reports_and_keeps_every_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedBackend(['{"better": "first"}', '{"better": "second"}'] * 2)
    named = []
    monkeypatch.setattr("g2c.cli.judge.load", lambda name, exact: named.append(name) or model)
    asked = ("--limit", "2", "--model", "one", "--judge-model", "other", "--json", "kept.json")
    done = g2c("judge", EXAMPLE, *asked, root=tmp_path)
    assert done.returncode == 0, done.stderr
    assert named == ["other"] and "50 % (9 to 91): 1 of 2" in done.stdout
    kept = json.loads((tmp_path / "kept.json").read_text("utf-8"))
    assert kept["model"] == "scripted" and kept["split"] == 0
    assert [(pair["better"], pair["winner"]) for pair in kept["pairs"]] == [("a", "a"), ("b", "a")]
    assert all(pair["task"] and pair["a_first"] == "first" for pair in kept["pairs"])


def test_an_interruption_shows_what_was_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(prompt: str) -> str:
        raise KeyboardInterrupt

    model = ScriptedBackend(['{"better": "first"}', '{"better": "second"}', stop])
    monkeypatch.setattr("g2c.cli.judge.load", lambda name, exact: model)
    done = g2c("judge", EXAMPLE, root=tmp_path)
    assert done.returncode == 130 and "Stopped after 1 of 20." in done.stdout
    assert "1 of 1" in done.stdout


def test_a_model_that_cannot_be_held_to_a_schema_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedBackend()
    monkeypatch.setattr(model, "supports_json", False, raising=False)
    monkeypatch.setattr("g2c.cli.judge.load", lambda name, exact: model)
    done = g2c("judge", EXAMPLE, root=tmp_path)
    assert done.returncode == 1 and "Name another model with --judge-model" in done.stderr


def test_an_unusable_setting_is_reported_before_a_model_loads(tmp_path: Path) -> None:
    done = g2c("judge", "none.jsonl", root=tmp_path)
    assert done.returncode == 1 and "none.jsonl" in done.stderr
    (tmp_path / "bad.jsonl").write_text('{"task": "t", "a": "x", "b": "y", "better": "c"}\n')
    done = g2c("judge", "bad.jsonl", root=tmp_path)
    assert done.returncode == 1 and "bad.jsonl:1: 'better' is 'c'; write a, b or tie" in done.stderr
    done = Checkout(tmp_path / "course").g2c("judge", EXAMPLE, G2C_REFERENCE="21.6")
    assert done.returncode == 1 and "23.3" in done.stderr, done.stderr
    assert "not written" in done.stderr or "not started" in done.stderr
