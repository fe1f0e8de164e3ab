"""An adapter over the small model: which files are refused, and what the course's own can do."""

from pathlib import Path

import pytest

from g2c.inference import BackendError, EmbeddedBackend, ModelNotFoundError
from g2c.inference.embedded import weights
from g2c.inference.model_choice import load_prodlm

COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "pink", "brown")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    return tmp_path


class TestFile:
    def test_a_path_that_leads_nowhere_is_named(self, tmp_path):
        with pytest.raises(ModelNotFoundError, match=r"no adapter file .*none\.gguf"):
            EmbeddedBackend(adapter=tmp_path / "none.gguf")

    def test_a_file_that_is_not_an_adapter_says_what_llama_cpp_said(self, tmp_path, capfd):
        file = tmp_path / "text.gguf"
        file.write_text("This is not an adapter.")
        with pytest.raises(BackendError, match=r"with the adapter .*text\.gguf: .*llama\.log"):
            EmbeddedBackend(adapter=file)
        assert capfd.readouterr().err == ""

    @pytest.mark.slow
    def test_a_model_is_not_an_adapter(self):
        with pytest.raises(BackendError, match="with the adapter"):
            EmbeddedBackend(adapter=weights.find_weights())


class TestCourseAdapter:
    def test_it_is_small_enough_to_come_with_the_package(self):
        assert weights.find_adapter().stat().st_size <= 12_000_000

    def test_a_damaged_file_is_refused_with_the_command_that_gets_it_again(
        self, tmp_path, monkeypatch
    ):
        damaged = tmp_path / "course.gguf"
        damaged.write_bytes(weights.ADAPTER.read_bytes()[:-1])
        monkeypatch.setattr(weights, "ADAPTER", damaged)
        with pytest.raises(BackendError, match=r"SHA-256 begins .* git checkout -- .*course\.gguf"):
            weights.find_adapter()

    def test_the_choice_names_it_and_its_note_says_what_it_is_for(self):
        model, plain = load_prodlm("embedded"), load_prodlm("embedded-plain")
        assert model.info.model_id.endswith("Q4_1+course")
        assert plain.info.model_id.endswith("Q4_1")
        assert "docs/model-card.md" in model.info.extra["note"]
        assert "docs/model-card.md" not in plain.info.extra["note"]

    @pytest.mark.slow
    def test_a_reply_to_a_chat_is_still_a_reply(self):
        model = load_prodlm("embedded")
        reply = model.as_chat().complete("Name three colours.", max_new_tokens=60, temperature=0)
        assert "Action:" not in reply.completion and "Thought:" not in reply.completion
        assert sum(colour in reply.completion.lower() for colour in COLOURS) >= 2, reply.completion
