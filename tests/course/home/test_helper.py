"""The model that `helper` in agent.toml names, and the note that a delegate leaves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from command import g2c
from references import references

from g2c.cli.chat import make_agent
from g2c.home import AgentSettings, HomeMemory
from g2c.home.settings import read_settings
from g2c.inference import ScriptedBackend
from g2c.memory import MemoryStore

ASK = ' Ask.\nAction: delegate\nAction Input: {"question": "What is 23 * 17?"}'
COMPUTE = ' Work.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'
ANSWER = " I know.\nFinal Answer: 391"


@pytest.fixture(scope="module", autouse=True)
def reference() -> Iterator[None]:
    with references(fsync=False):
        yield


def test_a_delegate_works_with_the_helper_and_leaves_a_note_with_its_sources(
    tmp_path: Path,
) -> None:
    asker, helper = ScriptedBackend([ASK, ANSWER]), ScriptedBackend([COMPUTE, ANSWER])
    store = MemoryStore(tmp_path / "memory")
    agent = make_agent(
        asker,
        None,
        AgentSettings(tools=("calculator", "delegate")),
        native=False,
        plan=False,
        max_steps=4,
        memory=HomeMemory(store, tmp_path / "agent"),
        helper=helper,
    )
    assert agent.run("Find out.").final_answer == "391"
    assert len(asker.history) == len(helper.history) == 2
    [note] = store.topics.list()
    assert note.type == "episode" and "delegate was asked: What is 23 * 17?" in note.body
    assert 'calculator {"expression": "23 * 17"}: 391' in note.body


def test_a_helper_is_a_name_and_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = tmp_path / "agent.toml"
    file.write_text("helper = 7\n")
    with pytest.raises(ValueError, match="helper is the name of a model; got 7"):
        read_settings(file)
    home = tmp_path / "home"
    home.mkdir()
    (home / "agent.toml").write_text('helper = "no-such.gguf"\n')
    done = g2c("chat", "Hello.", "--home", str(home), root=tmp_path, reference="all")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "The helper of agent.toml, no-such.gguf: " in " ".join(done.stderr.split())
