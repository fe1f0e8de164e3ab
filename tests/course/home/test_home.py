"""One agent's home: what chats and loops share, and what waits for a person."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import command
import pytest
from references import references

from g2c.agent import Agent, NativeAgent
from g2c.agent.core.conversation import Exchange, extended, render_conversation
from g2c.cli.chat import Inbox, _answer, make_agent
from g2c.guard.core.permission import Rule
from g2c.home import AgentSettings, Home, HomeMemory, dream_if_due, evolve_after_chat
from g2c.home.adopt import adopt
from g2c.home.inbox import locked_messages
from g2c.home.session import identity_text
from g2c.home.settings import TOOLS, USUAL_TOOLS, read_settings
from g2c.inference import BackendError, ScriptedBackend
from g2c.loop.app.evolution import evolve, history
from g2c.loop.app.proposal import accept, refuse, waiting
from g2c.loop.app.setup import LoopSettings, make_runner
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.core.folder import LoopFiles, exclusive
from g2c.loop.core.identity import read_config
from g2c.loop.core.inbox import claim, leave, unread
from g2c.loop.core.journal import read_ticks
from g2c.loop.core.state import write_state
from g2c.loop.core.tick import CHARS_PER_TOKEN
from g2c.loop.core.types import Budget, LoopError, LoopState, SessionSummary, Spent
from g2c.memory import MemoryStore, MemoryStoreError
from g2c.memory.app.own_words import NOTHING
from g2c.tools import ToolRegistry

NOW = datetime(2026, 4, 21, 12, tzinfo=UTC)
STATE = LoopState("Bake a cake.", "stopped", 1, Budget(), Spent(1), NOW, NOW)
SUMMARY = SessionSummary("Bake.", "success", "done", 1, Spent(1), "It baked.", NOW, NOW)
EDITS = json.dumps(
    {"edits": [{"file": "knowledge.md", "why": "It was asked.", "text": "Eggs are in box 3."}]}
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "-x", "x" * 41, "a b", "\x1b"])
def test_the_name_of_a_loop_never_leaves_the_home(home: Home, name: str) -> None:
    with pytest.raises(ValueError, match="not a name for a loop"):
        home.loop(name)


def test_a_loop_in_a_home_shares_it_and_another_has_its_own(home: Home, tmp_path: Path) -> None:
    inside, outside = home.loop("garden"), LoopFiles(tmp_path / "loop")
    assert (inside.memory, inside.agent) == (home.memory, home.identity)
    assert inside.flares.is_relative_to(home.root / "outbox") and inside.work.is_relative_to(
        inside.root
    )
    assert outside.memory == tmp_path / "loop" / "memory"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tools = 'recall'", "tools is a list"),
        ("tools = ['fly']", "tools is a list"),
        ("evolve = 'always'", "evolve is one of never, ask, on"),
        ("mcp = 'uvx x'", "mcp is a list"),
        ("colour = 1", "there is no setting 'colour'; there are tools"),
        ("model = 'llama3.2:3b'", r"\[model\] is a table"),
        ("[model]\nnum_ctx = '8k'", r"in \[model\], num_ctx must be a whole number"),
        ("[model]\nheat = 1", r"in \[model\], there is no 'heat' of a model; there are num_ctx"),
        ("tools = [", "cannot be read"),
        ("#" * 70_000, "longer than"),
        ("a = " + "[" * 5_000, "cannot be read"),
        *(
            (f'[prices]\n"llama3.2:3b" = {price}', r"\[prices\] has a line for each model")
            for price in ("0.5", "[0.5]", "[0.5, -1]", "[true, 1]", "[inf, 1]", "['a', 1]")
        ),
        *(
            (f"[[rules]]\n{lines}\n", r"\[\[rules\]\] have a permission")
            for lines in (  # a rule that is read in part would permit what it seems to deny
                'tool = "write_file"',
                'permission = "yes"',
                'permission = "deny"\ntools = "write_file"',
                'permission = "deny"\ntool = 7',
                'permission = "deny"\nargument = "path"',
                'permission = "deny"\nvalue = "private/"',
            )
        ),
    ],
)
def test_settings_that_cannot_be_used_say_what_to_change(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "agent.toml").write_text(text)
    with pytest.raises(ValueError, match=says):
        read_settings(tmp_path / "agent.toml")


def test_the_settings_of_a_new_home_are_the_defaults(home: Home) -> None:
    assert home.settings() == AgentSettings() == read_settings(home.root / "none.toml")
    home.settings_file.write_text("tools = ['calculator']\nevolve = 'on'")
    assert not home.create(), "what a person wrote stays"
    assert home.settings() == AgentSettings(("calculator",), evolve="on")


def test_prices_are_what_a_person_wrote(home: Home) -> None:
    home.settings_file.write_text('[prices]\n"llama3.2:3b" = [0.5, 2]')
    settings = home.settings()
    assert settings.price_of("llama3.2:3b", 2_000_000, 500_000) == 2.0
    assert settings.price_of("llama3.2:1b", 1, 1) is None, "another model has no price"


def test_rules_and_a_search_server_are_read(home: Home) -> None:
    home.settings_file.write_text(
        'search = "http://localhost:8888"\n[[rules]]\npermission = "deny"\ntool = "write_file"\n'
        'argument = "path"\nvalue = "private/"\n[[rules]]\npermission = "ask"\n'
    )
    settings = home.settings()
    assert settings.search == "http://localhost:8888"
    [rule, other] = [Rule(**rule) for rule in settings.rules]  # type: ignore[arg-type]
    assert rule == Rule("deny", "write_file", "path", "private/") and other == Rule("ask")


def test_a_session_has_the_tools_for_which_there_is_something_to_use_them_on(home: Home) -> None:
    def names(wanted: Sequence[str], **given: Any) -> list[str]:
        return [tool.name for tool in make_session_tools(wanted, **given)]

    store = MemoryStore(home.memory)
    assert names(TOOLS) == ["calculator", "web_search", "read_page"]
    assert names(USUAL_TOOLS, folder=home.root, store=store) == [
        *("recall", "remember", "read_topic", "list_files", "calculator", "read_file")
    ]
    assert names(["recall"], folder=home.root, store=store) == ["recall"]
    assert names(["files"], folder=home.root, may_write=True) == [
        *("list_files", "read_file", "write_file")
    ]


def a_chat(settings: AgentSettings, says: list[str]) -> tuple[Agent, ScriptedBackend]:
    backend = ScriptedBackend(says)
    return make_agent(backend, None, settings, native=False, plan=False, max_steps=4), backend


def test_a_chat_without_examples_has_none() -> None:
    agent, _ = a_chat(AgentSettings(("calculator", "delegate"), "never"), [])
    assert agent.registry.names() == ["calculator", "delegate"]
    assert not any(tool.examples for tool in agent.registry)


def handing_on(question: str) -> str:
    return f'I hand it on.\nAction: delegate\nAction Input: {{"question": "{question}"}}'


def test_a_chat_hands_a_question_to_an_agent_that_knows_nothing_else() -> None:
    agent, backend = a_chat(
        AgentSettings(("calculator", "delegate")),
        [handing_on("How high is it?"), "Final Answer: 42 metres.", "Final Answer: It is 42 m."],
    )
    agent.earlier = (Exchange("I look at the tower.", "Good."),)
    with references():
        assert agent.run("Ask somebody how high it is.").final_answer == "It is 42 m."
    _, asked, last = (str(call.prompt) for call in backend.history)
    assert "Question: How high is it?" in asked and "calculator" in asked
    assert "I look at the tower." not in asked
    assert "delegate" not in asked, "nobody hands a question on who was handed it"
    assert "42 metres." in last


def test_the_delegates_of_a_conversation_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("g2c.loop.app.toolbox.DELEGATES", Budget(ticks=1))
    says = [handing_on("Why?"), "Final Answer: So.", "Final Answer: Done.", handing_on("Why not?")]
    agent, backend = a_chat(AgentSettings(("delegate",)), [*says, "Final Answer: I do not know."])
    with references():
        agent.run("First.")
        assert agent.run("Second.").final_answer == "I do not know."
    assert "1 of 1 questions are used up" in str(backend.history[-1].prompt)


def test_a_tick_pays_for_those_whom_its_agent_asked(home: Home) -> None:
    backend = ScriptedBackend([handing_on("Why?"), "Final Answer: So.", "Final Answer: Done."])
    files = home.loop("asked")
    settings = LoopSettings(review=False, evolve=False, recall=False)
    with references(fsync=False):
        runner = make_runner(files.root, settings, backend, tools=("delegate",))
        runner.run("Ask somebody.", Budget(ticks=1))
    (tick,) = read_ticks(files.ticks)
    assert tick.answer == "Done." and "So." in tick.actions[0]
    read = sum(len(str(call.prompt)) // CHARS_PER_TOKEN for call in backend.history)
    assert len(backend.history) == 3 and read < tick.tokens < read + 50


@pytest.mark.parametrize("is_checked", [True, False])
def test_a_loop_holds_what_its_delegate_says_against_what_it_saw(
    home: Home, monkeypatch: pytest.MonkeyPatch, is_checked: bool
) -> None:
    home.settings_file.write_text(
        f'tools = ["recall", "delegate"]\ncheck_answers = {str(is_checked).lower()}\n'
    )
    MemoryStore(home.memory).log_turn("user", "My landlord's name is Mr Hansen.")
    wrong = [
        'I look.\nAction: recall\nAction Input: {"query": "wife"}',
        "Final Answer: Your wife's name is Hansen.",
    ]
    backend = ScriptedBackend(
        [handing_on("What is my wife's name?"), *wrong * (1 + is_checked), "Final Answer: I asked."]
    )
    monkeypatch.setattr("g2c.cli.run_loop.load", lambda *_: backend)
    asked = ("loop", "start", "Find out her name.", "--claim", "--no-review", "--no-evolve")
    command.g2c(*asked, "--ticks", "1", "--home", str(home.root), root=home.root.parent)
    (tick,) = read_ticks(home.loop("main").ticks)
    assert tick.answer == "I asked." and not tick.error
    said = NOTHING if is_checked else "Your wife's name is Hansen."
    assert tick.actions[0].endswith(f"-> {said}")


def test_the_agents_lessons_are_in_a_chat(home: Home) -> None:
    memory = HomeMemory(MemoryStore(home.memory), home.identity)
    assert memory.context() == "", "a new home adds nothing to a prompt"
    (home.identity / "knowledge.md").write_text("Eggs are in box 3.\n")
    agent = Agent(ScriptedBackend([]), ToolRegistry([]), plan=False, memory=memory)
    assert "Eggs are in box 3." in agent.start("Where are the eggs?").head


def test_earlier_turns_are_in_the_prompt_before_the_question() -> None:
    for kind in (Agent, NativeAgent):
        agent = kind(ScriptedBackend([]), ToolRegistry([]), plan=False)
        agent.earlier = extended((), Exchange("My name is Ann.", "Hello."))
        prompt = str(agent.build_prompt(agent.start("What is my name?")))
        assert 0 < prompt.find("My name is Ann.") < prompt.find("What is my name?")


def test_the_conversation_only_grows_at_its_end_until_its_older_half_goes() -> None:
    earlier: tuple[Exchange, ...] = ()
    cuts, texts = 0, [""]
    for number in range(100):
        earlier = extended(earlier, Exchange(f"Question {number}?", "Yes. " * 10), 1_000)
        texts.append(render_conversation(earlier))
        assert len(texts[-1]) <= 1_000
        cuts += not texts[-1].startswith(texts[-2])
    assert cuts <= 100 / 4, "a cut in every turn would spoil the model's cache each time"
    assert extended((), Exchange("?", "x" * 2_000), 1_000) == ()


def test_a_change_waits_until_a_person_accepts_it(home: Home) -> None:
    assert "waits" in evolve(home.identity, SUMMARY, ScriptedBackend([EDITS]), NOW, ask=True).reason
    assert read_config(home.identity).knowledge == "", "nothing has changed yet"
    change = waiting(home.identity)
    assert change is not None and "+Eggs are in box 3." in change.diff
    assert accept(home.identity, change.id, NOW).version == 2, "version 1 is what was there before"
    assert read_config(home.identity).knowledge == "Eggs are in box 3.\n"
    assert waiting(home.identity) is None
    with pytest.raises(LoopError, match="No change waits"):
        accept(home.identity, change.id, NOW)


def pending_id(home: Home) -> str:
    change = waiting(home.identity)
    assert change is not None
    return change.id


@pytest.mark.parametrize("answer", [accept, refuse])
def test_an_answer_is_about_the_change_that_was_shown(home: Home, answer: Any) -> None:
    evolve(home.identity, SUMMARY, ScriptedBackend([EDITS]), NOW, ask=True)
    shown = pending_id(home)
    other = EDITS.replace("box 3", "box 4")
    evolve(home.identity, SUMMARY, ScriptedBackend([other]), NOW, ask=True)
    with pytest.raises(LoopError, match="another change does"):
        answer(home.identity, shown, NOW)
    assert pending_id(home) != shown, "the other one still waits"


def test_a_change_that_was_refused_is_noted_and_gone(home: Home) -> None:
    evolve(home.identity, SUMMARY, ScriptedBackend([EDITS]), NOW, ask=True)
    refuse(home.identity, pending_id(home), NOW)
    assert waiting(home.identity) is None
    assert [change.kind for change in history(home.identity)] == ["proposed", "refused"]


def test_a_change_is_not_made_over_what_a_person_wrote_since(home: Home) -> None:
    evolve(home.identity, SUMMARY, ScriptedBackend([EDITS]), NOW, ask=True)
    (home.identity / "knowledge.md").write_text("My own words.\n")
    with pytest.raises(LoopError, match=r"Somebody changed knowledge\.md"):
        accept(home.identity, pending_id(home), NOW)
    assert read_config(home.identity).knowledge == "My own words.\n"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"before": 1, "after": 2, "why": 3}', "[" * 9999]
)
def test_a_proposal_that_cannot_be_read_says_which_file(home: Home, text: str) -> None:
    (home.identity / "proposal.json").write_text(text)
    with pytest.raises(LoopError, match=r"proposal\.json"):
        waiting(home.identity)


def test_a_chat_may_propose_a_change_which_waits(home: Home) -> None:
    said = (Exchange("Answer in few words.", "I will."),) * 3
    edit = {"file": "knowledge.md", "why": "The user asked.", "text": "Answer in few words."}
    backend = ScriptedBackend([json.dumps({"edits": [edit]})])
    told: list[str] = []
    with references():
        assert evolve_after_chat(home, said[:2], backend, NOW, told.append) is None, "too short"
        evolve_after_chat(home, said, backend, NOW, told.append)
    assert told == ["Evolution: It waits for you: The user asked. Learned from: the chat."]
    assert "The user said: Answer in few words." in backend.history[0].prompt
    assert waiting(home.identity) and "few words" not in identity_text(home.identity)
    lie = ScriptedBackend([json.dumps({"edits": [{**edit, "text": "There is a file sales.csv."}]})])
    with references():
        evolve_after_chat(home, said, lie, NOW, told.append)
    assert len(told) == 1, "a line that nobody said is refused, which is no news to a person"


def test_no_model_is_asked_if_no_change_is_allowed(home: Home) -> None:
    home.settings_file.write_text('evolve = "never"\n')
    said = (Exchange("Be brief.", "I will."),) * 3
    assert evolve_after_chat(home, said, ScriptedBackend(), NOW, print) is None


def test_a_dream_that_fails_is_told_and_costs_nothing(home: Home) -> None:
    store = MemoryStore(home.memory)
    for _ in range(5):
        store.start_session()
    store.log_turn("user", "My name is Ann.")
    told: list[str] = []

    assert not dream_if_due(store, ScriptedBackend([BackendError("gone")]), told.append)
    assert len(told) == 1 and "gone" in told[0]


@pytest.mark.parametrize(
    "place",
    [
        *("memory/topics/x.md", "memory/transcripts/2026-04-20.jsonl", "inbox/1.txt"),
        *("agent/x.md", "loops/main/state.md"),
    ],
)
@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a link to nowhere"])
def test_a_folder_with_a_files_name_is_skipped(home: Home, place: str, kind: str) -> None:
    (home.root / place).parent.mkdir(parents=True, exist_ok=True)
    make = {"a folder": Path.mkdir, "a pipe": os.mkfifo}.get(kind)
    make(home.root / place) if make else (home.root / place).symlink_to("nowhere")
    store = MemoryStore(home.memory, now=lambda: NOW)
    store.log_turn("user", "My cat is Otto.")
    agent, _ = a_chat(AgentSettings(), ["Final Answer: Hello."])
    agent.memory = HomeMemory(store, home.identity)
    assert agent.run("Hello?").final_answer == "Hello."
    plan = json.dumps({"upserts": [], "deletes": [], "summary": "Nothing."})
    assert store.maybe_dream(ScriptedBackend([plan]), force=True).dreamed
    assert store.recall("cat", transcripts=True) and not home.loops() and not unread(home.inbox)


def test_a_turn_that_is_too_long_is_cut_and_says_so(home: Home) -> None:
    store = MemoryStore(home.memory, now=lambda: NOW)
    store.log_turn("user", "a" * 54_000_000)
    (turn,) = store.transcripts.tail(1)
    assert len(turn.content) < 201_000 and turn.content.endswith("53,800,000 characters more]")
    file = store.transcripts.path_of(NOW.date())
    with file.open("ab") as opened:
        opened.write(b'{"ts": "%s"}\n' % (b"a" * 5_000_000))
    assert store.transcripts.tail(1) == [turn]


def test_a_topic_is_not_written_over_a_folder(home: Home) -> None:
    (home.memory / "topics/x.md").mkdir(parents=True)
    with pytest.raises(MemoryStoreError, match=r"x\.md is not a file; move it away"):
        MemoryStore(home.memory).write_topic("x", "about", "body")


def test_a_message_removes_what_a_killed_one_left(home: Home) -> None:
    home.inbox.mkdir(parents=True)
    torn = home.inbox / ".1.txt.99999999-01234567"
    torn.touch()
    leave(home.inbox, "Milk.", NOW)
    assert not torn.exists()


def test_a_dream_that_is_not_due_says_nothing(home: Home) -> None:
    told: list[str] = []
    assert not dream_if_due(MemoryStore(home.memory), ScriptedBackend([]), told.append)
    assert told == []


def test_files_of_an_older_course_come_home(tmp_path: Path) -> None:
    home, old = Home(tmp_path / ".g2c" / "home"), LoopFiles(tmp_path / "loop")
    write_state(old.state, STATE)
    MemoryStore(old.memory).log_turn("user", "Six eggs.")
    with exclusive(old.lock), pytest.raises(LoopError, match="works on this loop"):
        adopt(tmp_path, home)
    assert len(adopt(tmp_path, home)) == 1
    assert home.loops() == ["main"] and not old.root.exists()
    assert [turn.content for turn in MemoryStore(home.memory).transcripts.tail(1)] == ["Six eggs."]
    assert adopt(tmp_path, home) == []
    MemoryStore(tmp_path / "memory").log_turn("user", "Milk.")
    assert adopt(tmp_path, home) == [] and (tmp_path / "memory").exists(), "nothing is overwritten"


def g2c(root: Path, *arguments: str, code: int = 0) -> str:
    done = command.g2c(*arguments, root=root)
    assert done.returncode == code, (done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_day")
def test_the_commands_work_on_one_home(tmp_path: Path) -> None:
    root = tmp_path / "ann"
    assert "g2c home init" in g2c(tmp_path, "home", "show", "--home", str(root), code=1)
    assert "is ready" in g2c(tmp_path, "home", "init", "--home", str(root))
    assert "nothing in it was changed" in g2c(tmp_path, "home", "init", "--home", str(root))
    asked = ("chat", "My name is Ann.", "--home", str(root), "--model", "embedded")
    g2c(tmp_path, *asked, "--no-dream")
    assert "My name is Ann." in g2c(tmp_path, "memory", "grep", "name", "--home", str(root))
    goal = ("Write list.txt. It is to say: milk", "--success", "grep -q milk list.txt")
    at = ("--home", str(root), "--name", "shop")
    said = g2c(tmp_path, "loop", "start", *goal, *at, "--ticks", "3", "--model", "embedded")
    assert f"g2c loop log --home {root} --name shop shows" in said
    shown = g2c(tmp_path, "home", "show", "--home", str(root))
    assert "Loop shop" in shown and "done after tick" in shown and "2 sessions of 5" in shown
    assert "success: Write list.txt" in g2c(tmp_path, "memory", "show", *at[:2]), (
        "what the loop did is in the memory that the chat reads"
    )
    g2c(tmp_path, "loop", "status", *at)
    said = g2c(tmp_path, "loop", "status", *at, "--folder", str(tmp_path / "other"), code=1)
    assert "leave out --home and --name" in said


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_day")
def test_a_loop_recalls_what_a_chat_was_told(tmp_path: Path) -> None:
    home = Home(tmp_path / "ben")
    home.create()
    at = ("--home", str(home.root), "--model", "embedded", "--no-dream")
    g2c(tmp_path, "chat", "My sister lives in Bergen.", *at)
    home.settings_file.write_text('tools = ["files", "recall", "remember"]\n')
    asked = ("Where does my sister live?", "--name", "asked", "--ticks", "1")
    without = ("--no-recall", "--no-review", "--no-evolve", "--claim")  # only the tool can know it
    g2c(tmp_path, "loop", "start", *asked, *without, *at)
    (tick,) = read_ticks(home.loop("asked").ticks)
    assert tick.actions[0].startswith("recall ") and "Bergen" in tick.answer


@pytest.fixture
def runs_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))


@pytest.mark.usefixtures("runs_elsewhere")
def test_a_chat_reads_a_message_once(home: Home) -> None:
    agent, backend = a_chat(AgentSettings(), ["Final Answer: Hello."] * 2)
    store = MemoryStore(home.memory)
    agent.memory = HomeMemory(store, home.identity)
    inbox = Inbox(home.inbox)
    leave(home.inbox, "The shop closes at six.", NOW)
    with references():
        assert all(_answer(agent, question, inbox) for question in ("Hello?", "And now?"))
        remembered = [(turn.role, turn.content) for turn in store.transcripts.tail(9)]
    said = "A message from the user: The shop closes at six."
    assert ("user", said) in remembered
    assert [str(call.prompt).count(said) for call in backend.history] == [1, 1], (
        "the second time as a part of the conversation"
    )
    assert unread(home.inbox) == () and len(list((home.inbox / "read").iterdir())) == 1


@pytest.mark.usefixtures("runs_elsewhere")
def test_a_message_waits_until_there_is_an_answer(home: Home) -> None:
    agent, _ = a_chat(AgentSettings(), ["Thought: hm."] * 4)
    leave(home.inbox, "The shop closes at six.", NOW)
    inbox = Inbox(home.inbox)
    with references():
        assert not _answer(agent, "Hello?", inbox)
    (message,) = unread(home.inbox)
    with pytest.raises(RuntimeError), inbox.deliver_to(agent):
        raise RuntimeError("It broke.")
    assert unread(home.inbox) == (message,)
    assert sum("six" in each.question for each in agent.earlier) == 1, "it was told already"


def test_no_tick_takes_a_message_that_a_chat_reads_unless_the_chat_dies(home: Home) -> None:
    leave(home.inbox, "The shop closes at six.", NOW)
    own = home.loop().inbox
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom g2c.home.inbox import locked_messages\n"
        "with locked_messages(Path(sys.argv[1])) as found:\n"
        "    print(len(found), flush=True)\n    time.sleep(600)"
    )
    chat = subprocess.Popen(
        [sys.executable, "-c", code, str(home.inbox)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert chat.stdout is not None and chat.stdout.readline() == "1\n"
        claim(home.inbox, own)
        with locked_messages(home.inbox) as found:
            assert found == () and unread(own) == ()
    finally:
        chat.kill()
        chat.wait()
    claim(home.inbox, own)
    assert len(unread(own)) == 1


@pytest.mark.slow
def test_a_chat_shows_what_was_left_for_it(tmp_path: Path) -> None:
    at = ("--home", str(tmp_path / "cleo"))
    g2c(tmp_path, "home", "init", *at)
    assert "The next tick or chat reads it." in g2c(
        tmp_path, "loop", "tell", "The shop closes at 6.", *at
    )
    asked = ("chat", "What is 2 + 3?", *at, "--model", "embedded", "--no-dream")
    assert "A message from the user: The shop closes at 6." in g2c(tmp_path, *asked)
    assert "closes" not in g2c(tmp_path, *asked).partition("Thought")[0]
    assert "closes at 6" in g2c(tmp_path, "memory", "grep", "closes", *at)
