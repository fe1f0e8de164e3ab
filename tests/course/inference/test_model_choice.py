"""The choice of a model, Ollama's side of it over real HTTP, and the doctor's findings."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ollama_server import Answer, OllamaServer, lines, recorded

from g2c.inference import (
    BackendError,
    BackendUnreachableError,
    BrokenStreamError,
    EmbeddedBackend,
    ModelNotFoundError,
    load_prodlm,
)
from g2c.inference.embedded import weights
from g2c.inference.errors import ModelChangedError
from g2c.inference.model_choice import Choice, parse_choice, read_choice, settle, write_choice
from g2c.inference.served import _ollama_address, diagnosis
from g2c.inference.served._ollama_models import has_model, list_tags, pull
from g2c.inference.served.diagnosis import diagnose
from g2c.inference.served.ollama import OllamaBackend

TAG = "llama3.2:3b"
NOT_FOUND = recorded("error_model_not_found.json", 404)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """A machine on which nothing was chosen and no Ollama runs."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.delenv("G2C_BACKEND", raising=False)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    monkeypatch.setattr(_ollama_address, "DEFAULT_PORT", 1)
    return tmp_path


@pytest.fixture
def server(monkeypatch):
    with OllamaServer() as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.url)
        yield ollama


class TestParseChoice:
    @pytest.mark.parametrize(
        ("text", "choice"),
        [
            ("auto", Choice("auto")),
            (" embedded\n", Choice("embedded")),
            ("embedded-plain", Choice("embedded-plain")),
            ("llama3.2:3b", Choice("ollama", "llama3.2:3b")),
            ("hf.co/someone/Some-GGUF:Q4_K_M", Choice("ollama", "hf.co/someone/Some-GGUF:Q4_K_M")),
        ],
    )
    def test_words_and_tags(self, text, choice):
        assert parse_choice(text) == choice
        assert str(choice) == text.strip()

    @pytest.mark.parametrize("name", ["m.gguf", "M.GGUF", "no-suffix"])
    def test_a_file_is_a_path_and_kept_whole(self, home, monkeypatch, name):
        (home / name).touch()
        monkeypatch.chdir(home)
        assert parse_choice(name) == Choice("embedded", str(home / name))

    def test_a_gguf_that_is_not_there_is_no_tag(self):
        with pytest.raises(ModelNotFoundError, match=r"no file models.nowhere\.gguf"):
            parse_choice("models/nowhere.gguf")

    @pytest.mark.parametrize(
        "text",
        [
            *("", "  ", "/", "ollama:smollm2:135m", "ollama run smollm2:135m"),
            "http://127.0.0.1:8000/v1",
        ],
    )
    def test_text_that_names_no_model_is_refused(self, text):
        with pytest.raises(ValueError, match="Name one: auto"):
            parse_choice(text)


class TestKeptChoice:
    def test_it_is_auto_until_somebody_chooses(self):
        assert read_choice() == Choice("auto")

    @pytest.mark.parametrize("choice", [Choice(), Choice("embedded", "/m"), Choice("ollama", TAG)])
    def test_it_comes_back(self, home, choice):
        write_choice(Choice("embedded"))
        write_choice(choice)
        assert read_choice() == choice
        assert [file.name for file in (home / ".g2c").iterdir()] == ["prodlm.json"]

    def test_another_process_reads_it(self):
        write_choice(Choice("ollama", TAG))
        code = "from g2c.inference.model_choice import read_choice; print(read_choice())"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.strip() == TAG

    def test_the_environment_overrides_it(self, monkeypatch):
        write_choice(Choice("ollama", TAG))
        monkeypatch.setenv("G2C_BACKEND", "embedded")
        assert read_choice() == Choice("embedded")

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", '{"kind": "cloud"}', '{"knid": "auto"}', "\xff"]
    )
    def test_a_file_that_cannot_be_read_says_how_to_mend_it(self, home, text):
        write_choice(Choice())
        (home / ".g2c" / "prodlm.json").write_text(text, "latin-1")
        with pytest.raises(BackendError, match=r"cannot be read .*; run: g2c model auto"):
            read_choice()


class TestLoadProdlm:
    def test_auto_takes_ollama_where_it_has_the_tag(self, server):
        backend = load_prodlm()
        assert isinstance(backend, OllamaBackend)
        assert (backend.info.model_id, backend.info.extra["base_url"]) == (TAG, server.url)

    def test_auto_is_embedded_where_ollama_lacks_the_tag(self, server):
        server.on("/api/show", NOT_FOUND)
        assert settle(Choice("auto")) == Choice("embedded")

    def test_auto_is_embedded_where_no_ollama_answers(self):
        backend = load_prodlm("auto")
        assert isinstance(backend, EmbeddedBackend)
        assert backend.complete("The capital of France is", max_new_tokens=1, temperature=0)

    @pytest.mark.parametrize("scheme", ["http://user:pw@", "https://"])
    def test_an_address_where_no_ollama_answers_is_named_with_its_variable(
        self, server, monkeypatch, scheme
    ):
        monkeypatch.setenv("OLLAMA_HOST", server.url.replace("http://", scheme))
        for choice in ("auto", TAG):
            with pytest.raises(BackendError, match=r"OLLAMA_HOST") as caught:
                load_prodlm(choice)
            assert "127.0.0.1" in str(caught.value) and "pw" not in str(caught.value)

    def test_auto_stays_with_what_it_took_at_its_first_use(self, server):
        assert load_prodlm().info.model_id == TAG
        server.on("/api/show", NOT_FOUND)
        with pytest.raises(
            ModelChangedError, match=rf"works with {TAG}, .* g2c model auto"
        ) as told:
            load_prodlm()
        assert told.value.found == "embedded", "a yes is to this one, and to no third"
        assert load_prodlm("auto").info.name == "embedded", "what is named for once is not a change"
        write_choice(Choice("auto"))  # as `g2c model auto` does
        assert load_prodlm().info.name == "embedded"
        server.on("/api/show", recorded("show.json"))
        with pytest.raises(ModelChangedError, match=f"now auto would take {TAG}"):
            load_prodlm()

    def test_a_choice_that_the_server_lacks_is_an_error_not_another_model(self, server):
        write_choice(Choice("ollama", "qwen3:4b"))
        server.on("/api/show", NOT_FOUND, recorded("show.json"))
        with pytest.raises(ModelNotFoundError, match="g2c model qwen3:4b"):
            load_prodlm()
        assert load_prodlm().info.model_id == "qwen3:4b"

    def test_the_embedded_model_asks_no_server(self, server):
        assert load_prodlm("embedded").info.name == "embedded"
        assert server.requests == [], "what runs in the process has nothing to ask a server"

    def test_a_path_that_is_gone_is_an_error_not_another_model(self):
        with pytest.raises(ModelNotFoundError, match=r"no model file /gone\.gguf"):
            load_prodlm(Choice("embedded", "/gone.gguf"))


class TestOllama:
    def test_its_models_are_listed(self, server):
        assert list_tags() == [TAG]
        server.on("/api/tags", lines({"models": []}))
        assert list_tags() == [], "a server without models is not the same as no server"

    def test_the_server_says_whether_a_name_is_one_of_its_models(self, server):
        assert has_model("LLAMA3.2:3B"), "a list of tags would have been searched letter by letter"
        assert server.bodies("/api/show") == [{"model": "LLAMA3.2:3B"}]
        server.on("/api/show", NOT_FOUND)
        assert not has_model(TAG)

    @pytest.mark.parametrize("answer", [Answer((b"hello",)), Answer((b"no such page",), 404)])
    def test_something_else_at_its_address_is_not_an_ollama(self, server, answer):
        server.on("/api/tags", answer)
        server.on("/api/show", answer)
        for ask in (list_tags, lambda: has_model(TAG), lambda: settle(Choice("auto"))):
            with pytest.raises(BackendError, match="OLLAMA_HOST"):
                ask()

    def test_another_program_at_the_usual_port_is_not_an_ollama(self, server, monkeypatch):
        monkeypatch.delenv("OLLAMA_HOST")
        monkeypatch.setattr(_ollama_address, "DEFAULT_PORT", int(server.url.rpartition(":")[2]))
        assert settle(Choice("auto")) == Choice("ollama", TAG)
        server.on("/api/show", Answer((b"hello",)))
        assert settle(Choice("auto")) == Choice("embedded")

    def test_a_server_that_was_named_and_does_not_answer_is_not_replaced(self, monkeypatch):
        monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:1/a")
        with pytest.raises(BackendUnreachableError, match=r"OLLAMA_HOST names .*127\.0\.0\.1:1/a"):
            load_prodlm("auto")

    def test_no_server_takes_no_client(self):
        code = (
            "import sys; from g2c.inference.model_choice import Choice, settle\n"
            "from g2c.inference.served import _ollama_address as a; a.DEFAULT_PORT = 1\n"
            "print(settle(Choice('auto')))\n"
            "print([name for name in ('ollama', 'httpx', 'xllamacpp') if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.split("\n")[:2] == ["embedded", "[]"], done.stderr

    def test_a_pull_tells_how_far_it_is(self, server):
        told = []
        pull(TAG, lambda *step: told.append(step))

        assert server.bodies("/api/pull")[0]["model"] == TAG
        assert told[0] == ("pulling manifest", None, None)
        assert ("pulling dde5aa3fc5ff", 807_750_950, 2_019_377_376) in told
        assert told[-1][0] == "success"

    def test_a_model_that_nobody_has_is_not_found(self, server):
        server.on("/api/pull", lines({"error": "pull model manifest: file does not exist"}))
        with pytest.raises(ModelNotFoundError, match="finds no such model"):
            pull("no-such-model", print)

    def test_a_refusal_is_passed_on(self, server):
        server.on("/api/pull", lines({"error": "no space left on device"}))
        with pytest.raises(BackendError, match="Ollama refused: no space left on device"):
            pull(TAG, print)

    @pytest.mark.parametrize("whole", [True, False])
    def test_a_download_that_breaks_off_is_not_success(self, server, whole):
        step = {"status": "pulling", "total": 10, "completed": 5}
        server.on("/api/pull", lines(step).but(whole=whole))
        with pytest.raises(BrokenStreamError, match="again"):
            pull(TAG, lambda *_: None)

    def test_no_server_says_how_to_start_one(self):
        with pytest.raises(BackendUnreachableError, match="ollama serve"):
            pull(TAG, print)


class TestDiagnose:
    def test_a_file_in_the_place_of_the_cache_is_told(self, tmp_path, monkeypatch):
        monkeypatch.setenv("G2C_CACHE", str(tmp_path / "cache"))
        assert diagnosis._cache()[0], "it is made when it is needed"
        (tmp_path / "cache").touch()
        assert diagnosis._cache()[:2] == (False, f"{tmp_path / 'cache'} is not a folder")

    def test_a_machine_that_has_all_is_told_so(self, server):
        found = {check.name: check for check in diagnose()}

        missing = [check for check in found.values() if not check.ok]
        assert not missing, f"{missing} on a machine where these tests run"
        assert "Paris" in found["embedded model"].detail, "the model must have been asked"
        assert found["ollama"].detail == TAG
        assert found["choice"].detail.startswith(f"auto: {TAG} answers, ")
        assert not any(check.remedy for check in found.values())

    def test_no_ollama_is_not_a_fault(self):
        found = {check.name: check for check in diagnose()}
        assert (found["ollama"].ok, found["choice"].detail) == (None, "auto: embedded")

    @pytest.mark.parametrize(
        ("gigabytes", "largest"), [(4, ""), (8, "3b"), (16, "8b"), (24, "14b")]
    )
    def test_larger_models_are_named_if_the_machine_has_room(self, monkeypatch, gigabytes, largest):
        monkeypatch.setattr(diagnosis, "_memory_gb", lambda: gigabytes)
        remedy = diagnosis._ollama()[2]
        assert re.findall(r":(\d+b) ", remedy)[-1:] == ([largest] if largest else [])

    def test_a_named_server_that_does_not_answer_is_one(self, monkeypatch):
        monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
        found = {check.name: check for check in diagnose()}
        assert found["ollama"].ok is False and found["choice"].ok is False
        assert "127.0.0.1:1" in found["ollama"].detail and "OLLAMA_HOST" in found["ollama"].remedy

    def test_a_server_that_lists_its_models_and_cannot_run_them_is_one(self, server):
        server.on("/api/chat", Answer((b'{"error": "llama runner process has terminated"}',), 500))
        found = {check.name: check for check in diagnose()}
        assert found["ollama"].ok and found["choice"].ok is False
        assert "runner process has terminated" in found["choice"].remedy

    def test_missing_weights_come_with_the_command_that_gets_them(self, monkeypatch):
        monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
        found = {check.name: check for check in diagnose()}
        for name in ("weights", "embedded model"):
            assert found[name].ok is False
            assert weights.INSTALL in found[name].remedy
        assert found["python"].ok, "one thing missing must not hide the rest"

    def test_a_choice_that_cannot_be_read_is_a_finding(self, home):
        write_choice(Choice())
        (home / ".g2c" / "prodlm.json").write_text("{")
        found = {check.name: check for check in diagnose()}
        assert found["choice"].ok is False and "g2c model auto" in found["choice"].remedy

    def test_a_variable_that_names_no_model_is_a_finding(self, home, monkeypatch):
        monkeypatch.setenv("G2C_BACKEND", "ollama run x")
        found = {check.name: check for check in diagnose()}
        assert found["choice"].ok is False and "Name one: auto" in found["choice"].remedy


def test_importing_the_backends_imports_no_heavy_library():
    code = (
        "import sys, g2c.inference.embedded.backend, g2c.inference.recording\n"
        "import g2c.inference.model_choice\n"
        "heavy = 'requests httpx ollama pydantic jsonschema xllamacpp rich typer'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert json.loads(done.stdout) == [], done
