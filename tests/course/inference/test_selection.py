"""Which of a student's own models is taken, and what is said where there is none."""

import socket
from pathlib import Path

import pytest
from ollama_server import OllamaServer, recorded

from g2c.inference import BackendError, ModelNotFoundError, load_selection
from g2c.inference.embedded.weights import find_weights
from g2c.inference.selection import strongest


@pytest.fixture(autouse=True)
def models(tmp_path, monkeypatch) -> Path:
    """The folder for models of one's own, empty, on a machine without an Ollama."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.setenv("G2C_BACKEND", "embedded")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{unused.getsockname()[1]}")
    folder = tmp_path / "artifacts/models"
    folder.mkdir(parents=True)
    return folder


class TestStrongest:
    @pytest.mark.parametrize(
        ("names", "base", "taken"),
        [
            (["m.gguf", "m-SFT.gguf", "m-DPO.gguf"], None, "m-DPO.gguf"),
            (["m.gguf", "m-SFT.gguf"], None, "m-SFT.gguf"),
            (["m.gguf"], None, "m.gguf"),
            (["a.gguf", "z-DPO.gguf", "b-SFT.gguf"], None, "z-DPO.gguf"),
            (["b.gguf", "a.gguf"], None, "a.gguf"),
            (["m.gguf", "m-sft.GGUF"], None, "m-sft.GGUF"),
            (["m.gguf", "m-Dpo.gguf", "m-SFT.gguf"], "m", "m-Dpo.gguf"),
            (["m.gguf", "mm-DPO.gguf"], "m", "m.gguf"),
            (["m-SFT.gguf", "m-DPO.gguf"], "m-SFT", "m-SFT.gguf"),
            (["M.gguf"], "m", None),
            (["m.gguf"], "", None),
            (["m.txt", "m-DPO.bin"], None, None),
            ([], None, None),
        ],
    )
    def test_later_stages_win_whatever_the_case_of_their_suffix(self, names, base, taken):
        assert strongest(names, base) == taken
        assert strongest(reversed(names), base) == taken, "the order of the folder must not matter"


class TestLoadSelection:
    @pytest.fixture
    def own(self, models) -> Path:
        for name in ("mymodel.gguf", "mymodel-SFT.gguf"):
            (models / name).symlink_to(find_weights())
        return models

    def test_prodlm_is_what_the_machine_chose(self, own):
        assert load_selection("prodlm").info.model_id == f"{find_weights().stem}+course"
        assert load_selection().info.name == "embedded"

    @pytest.mark.parametrize(
        ("selection", "file"),
        [
            ("course", "mymodel-SFT.gguf"),
            (" mymodel ", "mymodel-SFT.gguf"),
            ("mymodel.gguf", "mymodel.gguf"),
        ],
    )
    def test_a_model_of_ones_own_is_found_by_name(self, own, monkeypatch, selection, file):
        taken = []
        monkeypatch.setattr(
            "g2c.inference.selection.load_prodlm", lambda choice, options: taken.append(choice)
        )
        load_selection(selection)
        assert taken[0].kind == "embedded" and taken[0].model == str(own / file)

    def test_a_file_of_ones_own_is_loaded_and_answers(self, own):
        result = load_selection("course").complete("One, two,", max_new_tokens=2, temperature=0)
        assert result.completion

    def test_without_a_file_course_says_where_it_looked(self, models):
        with pytest.raises(ModelNotFoundError, match=r"artifacts.models has no \.gguf file; put"):
            load_selection("course")

    def test_an_unknown_name_lists_those_that_there_are(self, own):
        with pytest.raises(
            ModelNotFoundError, match=r"'yours': .* has mymodel-SFT\.gguf, mymodel\.gguf\. .*Ollama"
        ):
            load_selection("yours")

    def test_a_name_never_leaves_the_folder(self, own):
        (own.parent / "secret.gguf").write_bytes(b"GGUF")
        with pytest.raises(BackendError, match="none answers there"):
            load_selection("../secret")

    @pytest.mark.parametrize("selection", ["", "  "])
    def test_nothing_is_not_a_selection(self, models, selection):
        with pytest.raises(ValueError, match="Name one: auto"):
            load_selection(selection)

    def test_a_tag_means_ollama(self, own, monkeypatch):
        with OllamaServer() as server:
            server.on("/api/show", recorded("show_thinking.json"))
            monkeypatch.setenv("OLLAMA_HOST", server.url)
            thinker = load_selection("mymodel2", think=True)
            assert thinker.info.name == "ollama" and thinker.complete("Hi").completion
            assert server.bodies("/api/chat")[0]["think"] is True
