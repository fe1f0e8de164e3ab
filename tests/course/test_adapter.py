"""An adapter over the small model: which files are refused, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2c.inference import BackendError, EmbeddedBackend, ModelNotFoundError, weights


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    return tmp_path


class TestFile:
    def test_a_path_that_leads_nowhere_is_named(self, tmp_path):
        with pytest.raises(ModelNotFoundError, match=r"no adapter file .*none\.gguf"):
            EmbeddedBackend(adapter=tmp_path / "none.gguf")

    def test_a_file_that_is_no_adapter_says_what_llama_cpp_said(self, tmp_path, capfd):
        file = tmp_path / "text.gguf"
        file.write_text("This is no adapter.")
        with pytest.raises(BackendError, match=r"with the adapter .*text\.gguf: .*llama\.log"):
            EmbeddedBackend(adapter=file)
        assert capfd.readouterr().err == ""

    def test_a_model_is_no_adapter(self):
        with pytest.raises(BackendError, match="with the adapter"):
            EmbeddedBackend(adapter=weights.find_weights())
