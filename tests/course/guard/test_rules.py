"""Rules and calls in one form, and rules that can never apply."""

import os
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import command
import pytest

from g2c.agent import Agent
from g2c.guard.app.guard import Guard
from g2c.guard.app.judging import permission_of
from g2c.guard.app.permissions import PermissionLog
from g2c.guard.app.rules import ARGUMENTS, absent_server, misfit, misfit_server, never_applies
from g2c.guard.core.permission import ProposedCall, Rule
from g2c.home.settings import TOOLS
from g2c.inference import ScriptedBackend
from g2c.loop.app.toolbox import make_session_tools
from g2c.loop.core.delegate import SharedBudget, make_delegate
from g2c.loop.core.types import Budget
from g2c.memory import MemoryStore
from g2c.tools import Tool, ToolCall, ToolRegistry, dispatch_tool_call, make_list_files
from g2c.tools.files import _as_stored
from g2c.tools.web import make_read_page

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "private").mkdir(parents=True)
    (folder / "private/diary.txt").write_text("secret")
    (folder / "archive/2026").mkdir(parents=True)
    (folder / "archive/2026/a.txt").write_text("secret")
    (folder / "diary").symlink_to("archive/2026")
    decomposed = unicodedata.normalize("NFD", "Café")
    (folder / decomposed).mkdir()
    (folder / decomposed / "a.txt").write_text("secret")
    return folder


def guard_of(tmp_path: Path, *rules: Rule, told: list[str] | None = None) -> Guard:
    log = PermissionLog(tmp_path / "permissions.jsonl", lambda: NOW)
    tell = [].append if told is None else told.append
    return Guard("agent", rules, log, lambda *_: "no", lambda: NOW, tell=tell)


def tools_of(folder: Path, guard: Guard) -> ToolRegistry:
    tools = make_session_tools(("files",), folder=folder, may_write=True)
    return ToolRegistry(map(guard.guarded, tools))


@pytest.mark.parametrize("value", ["diary/", "archive/2026/", "archive/../diary/", "./diary/"])
@pytest.mark.parametrize(
    "path",
    ["diary/a.txt", "archive/2026/a.txt", " diary/a.txt", "x/../diary/a.txt", "{}/diary/a.txt"],
)
def test_a_rule_about_a_link_and_about_its_target_are_one(
    folder: Path, tmp_path: Path, value: str, path: str
) -> None:
    tools = tools_of(folder, guard_of(tmp_path, Rule("deny", "*", "path", value)))
    path = path.format(folder)
    for tool, more in (("read_file", {}), ("write_file", {"text": "x"})):
        assert dispatch_tool_call(tools, ToolCall(tool, {"path": path, **more})).is_error
    assert (folder / "diary/a.txt").read_text() == "secret"
    assert dispatch_tool_call(tools, ToolCall("list_files", {"path": "diary"})).is_error
    other = {"path": "private/diary.txt"}
    assert not dispatch_tool_call(tools, ToolCall("read_file", other)).is_error
    assert not dispatch_tool_call(tools, ToolCall("write_file", {**other, "text": "x"})).is_error


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_a_rule_holds_in_each_form_of_unicode(
    folder: Path, tmp_path: Path, form: str, asked: str
) -> None:
    value = unicodedata.normalize(form, "Café/")  # type: ignore[arg-type]
    tools = tools_of(folder, guard_of(tmp_path, Rule("deny", "read_file", "path", value)))
    path = unicodedata.normalize(asked, "Café/a.txt")  # type: ignore[arg-type]
    assert dispatch_tool_call(tools, ToolCall("read_file", {"path": path})).is_error


def test_an_absolute_value_holds(folder: Path, tmp_path: Path) -> None:
    rule = Rule("deny", "read_file", "path", f"{folder}/private/")
    tools = tools_of(folder, guard_of(tmp_path, rule))
    assert dispatch_tool_call(tools, ToolCall("read_file", {"path": "private/diary.txt"})).is_error


@pytest.mark.parametrize(
    "value, url",
    [
        ("https://CAVE.example/", "https://cave.example/a"),
        ("https://CAVE.example/", "HTTPS://Cave.EXAMPLE/a"),
        ("https://CAVE.example/", "https://cave.example:443/a"),
        ("https://cave.example:0443/", "https://cave.example?a=1"),
        ("https://cave.example", " https://cave.example./a"),
        ("https://cave.example/", "https://ada:pw@cave.example/a"),
        ("https://cave.example/", "https://c%61ve.example/a"),
        ("https://cave.example/", "https:\\\\cave.example\\a"),
        ("https://cave.example/", "https://ca\tve.example/a"),
        ("https://cave.example/in/", "https://cave.example/x/../%69n/a"),
        ("https://cave.example/in/", "https://cave.example//x/%2e%2e/in/a"),
        ("https://cave.example/in", "https://cave.example/in#below"),
        ("https://cave.example/in", "http://cave.example:80/in"),
        ("http://cave.example/", "https://cave.example/in"),
        ("https://cave.example/é/", "https://cave.example/%C3%A9/a"),
        ("https://stra\u00dfe.example/", "https://xn--strae-oqa.example/a"),
        ("http://8.8.8.8/", "http://134744072/a"),
        ("http://[2001:db8::1]/", "http://[2001:0db8:0:0:0:0:0:1]/a"),
    ],
)
def test_a_rule_about_an_address_holds_for_all_its_forms(
    tmp_path: Path, value: str, url: str
) -> None:
    rules = Rule("deny", "read_page", "url", value), Rule("allow")
    assert not any(map(never_applies, rules))
    tools = ToolRegistry([guard_of(tmp_path, *rules).guarded(make_read_page(lambda url: "Hi."))])
    said = dispatch_tool_call(tools, ToolCall("read_page", {"url": url}))
    assert "not permitted" in said.output
    for other in ("https://cave.example.org/in", "https://cave.example:8443/a", "http://8.8.8.9/"):
        said = dispatch_tool_call(tools, ToolCall("read_page", {"url": other}))
        assert "not permitted" not in said.output, other


@pytest.mark.parametrize("value", ["{folder}/", "{folder.parent}/", "../", "/"])
def test_a_rule_about_a_folder_above_holds_for_all_that_is_read(
    folder: Path, tmp_path: Path, value: str
) -> None:
    told: list[str] = []
    rule = Rule("deny", "*", "path", value.format(folder=folder))
    guard = guard_of(tmp_path, rule, told=told)
    tools = tools_of(folder, guard)
    for path in ("private/diary.txt", "diary/a.txt"):
        assert dispatch_tool_call(tools, ToolCall("read_file", {"path": path})).is_error
    assert dispatch_tool_call(tools, ToolCall("list_files", {})).is_error and not told


@pytest.mark.parametrize(
    "value, name",
    [
        ("Her diary", "her-diary"),
        ("her-diary", "Her Diary"),
        ("topics/her-diary.md", "her-diary.md:9"),
        ("2026-04-21.jsonl", "transcripts/2026-04-21.jsonl:12"),
    ],
)
def test_a_rule_about_a_topic_holds_for_all_its_names(
    tmp_path: Path, value: str, name: str
) -> None:
    store = MemoryStore(tmp_path / "memory")
    store.write_topic("Her diary", "What she wrote.", "A secret.")
    made = make_session_tools(("remember", "read_topic"), folder=tmp_path, store=store)
    guard = guard_of(tmp_path, Rule("deny", "*", "name", value))
    tools = ToolRegistry(map(guard.guarded, made))
    calls = (
        ToolCall("read_topic", {"name": name}),
        ToolCall("remember", {"name": name, "text": "."}),
    )
    for call in calls:
        assert "not permitted" in dispatch_tool_call(tools, call).output


@pytest.mark.parametrize(
    "value, right",
    [
        ("private", "private/"),
        ("Private/", "private/"),
        ("PRIVATE/DIARY.TXT", "private/diary.txt"),
        ("private/*", "private/"),
        ("private\\", "private/"),
        ("private/diary.*", "private/diary.txt"),
        ("private/diary.txt/", "private/diary.txt"),
        ("*", "./"),
        (".", "./"),
    ],
)
def test_a_value_that_can_never_apply_is_refused_with_the_one_that_would(
    folder: Path, value: str, right: str
) -> None:
    [_, read, write] = make_session_tools(("files",), folder=folder, may_write=True)
    for tool in (read, write):
        for named in (tool.name, "*"):
            found = misfit(Rule("deny", named, "path", value), tool, tool.name)
            assert f'Write value = "{right}".' in found
            assert not misfit(Rule("deny", named, "path", right), tool, tool.name)


def test_a_path_that_is_not_there_is_told_once(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    guard = guard_of(tmp_path, Rule("deny", "*", "path", "privat/"), told=told)
    tools_of(folder, guard)
    [sentence] = told
    assert "privat/" in sentence and str(folder) in sentence
    for value in ("/etc/", "/etc", "../other/", "~/", "a\0b", "private/ "):
        told.clear()
        tools_of(folder, guard_of(tmp_path, Rule("deny", "*", "path", value), told=told))
        [sentence] = told
        assert "is about nothing now" in sentence, value
    new: list[str] = []
    guard = guard_of(tmp_path, Rule("deny", "write_file", "path", "new/"), told=new)
    tools_of(folder, guard)
    assert not new, "what is to be written need not be there"


def test_an_argument_that_no_tool_takes_is_told_once(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    guard = guard_of(tmp_path, Rule("deny", "*", "Path", "private/"), told=told)
    backend = ScriptedBackend(["Thought: .\nFinal Answer: Done."] * 2)
    agent = Agent(backend, tools_of(folder, guard), plan=False, guard=guard)
    for _ in range(2):
        agent.run("What is there?")
    [sentence] = told
    assert "no tool here takes Path, but path, text." in sentence


@pytest.mark.parametrize(
    "rule, has",
    [
        (Rule("deny", "files", "path", "private/"), "read_file"),
        (Rule("deny", "read_*", "path", "private/"), "read_file"),
        (Rule("deny", "Read_File"), "read_file"),
        (Rule("deny", "read_file", "file", "private/"), "takes path"),
        (Rule("deny", "read_file", "path", "private/*"), "a folder with / at its end"),
        (Rule("deny", "*", "path", "private\\"), "a folder with / at its end"),
        (Rule("deny", "*", "path", ""), "go together"),
        (Rule("allow", "read_file", "", "private/"), "go together"),
        (Rule("deny", "read_page", "url", "cave.example"), 'value = "https://cave.example/"'),
        (Rule("deny", "*", "url", "https://*.cave.example/"), 'value = "https://cave.example/"'),
        (Rule("deny", "read_page", "url", "https://cave.example/*"), "no pattern"),
    ],
)
def test_a_rule_about_no_call_is_refused_by_each_command(
    tmp_path: Path, rule: Rule, has: str
) -> None:
    assert has in never_applies(rule)
    home = tmp_path / "home"
    home.mkdir()
    given = ("permission", "tool", *(("argument", "value") if rule.argument or rule.value else ()))
    lines = [f"{name} = '{getattr(rule, name)}'" for name in given]
    (home / "agent.toml").write_text("\n".join(["[[rules]]", *lines]))
    for asked in (["home", "show"], ["chat", "Who?"], ["loop", "start", "Write a.txt.", "--claim"]):
        done = command.g2c(
            *asked,
            "--home",
            str(home),
            *(["--model", "embedded"] if asked[0] != "home" else []),
            root=tmp_path,
            reference="all",
        )
        assert done.returncode == 1 and has in " ".join(done.stderr.split()), asked


def test_a_rule_may_be_about_tools_that_a_session_lacks() -> None:
    good = [Rule("deny"), Rule("ask", "bank/pay"), Rule("ask", "https://a.example/mcp/*")]
    values = {"url": "https://cave.example/search?q=*&to=1"}
    good += [
        Rule("deny", name, argument, values.get(argument, "x"))
        for name, (argument, *_) in ARGUMENTS.items()
    ]
    assert not any(map(never_applies, good))


def test_the_arguments_are_those_of_the_tools(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "memory")
    made = make_session_tools(TOOLS, folder=tmp_path, may_write=True, store=store)
    budget = SharedBudget(Budget(ticks=1))
    made.append(make_delegate(lambda _: None, "delegate", budget, now=lambda: NOW))  # type: ignore[arg-type,return-value]
    assert {tool.name: tuple(tool.parameters["properties"]) for tool in made} == dict(ARGUMENTS)


def test_a_tool_that_its_server_does_not_have_is_named() -> None:
    names = ["uvx bank/pay", "uvx bank/balance"]
    assert "uvx bank offers balance, pay" in misfit_server(Rule("deny", "uvx bank/send"), names)
    for good in ("uvx bank/pay", "uvx bank/*", "uvx post/send", "*", "read_file"):
        assert not misfit_server(Rule("deny", good), names)
    assert "the servers are uvx bank." in absent_server(Rule("deny", "bank/pay"), names)
    for good in ("uvx bank/*", "*", "read_file"):
        assert not absent_server(Rule("deny", good), names)
    assert not absent_server(Rule("deny", "uvx bank/pay"), []), "a session without any server"
    pay = Tool("pay", "Pay.", {"type": "object", "properties": {"to": {}}}, len)
    assert "takes to" in misfit(Rule("deny", "uvx bank/pay", "account", "1"), pay, "uvx bank/pay")


def test_a_name_in_another_case_is_the_stored_one_where_the_disk_finds_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk on which case does not matter, as macOS and Windows have it."""
    monkeypatch.setattr(os.path, "lexists", lambda path: True)
    assert _as_stored(folder, folder / "PRIVATE/Diary.txt") == folder / "private/diary.txt"
    assert make_list_files(folder).folder == folder


@pytest.mark.parametrize(
    ("argument", "value", "called"),
    [
        ("url", "https://Evil.example/a/", "HTTPS://evil.example:443/%61/b"),
        ("name", "Café", unicodedata.normalize("NFD", "Café")),
        ("to", "ada@évil.example", unicodedata.normalize("NFD", "ada@évil.example")),
    ],
)
def test_rules_about_all_tools_are_compared_in_an_attack_as_in_a_session(
    argument: str, value: str, called: str
) -> None:
    """The tools of an invented world have no form of their own, and the rules are compared all the
    same, or the table of `g2c attack` would be about another guard."""
    rules = (Rule("deny", "*", argument, value), Rule("allow"))
    call = ProposedCall("agent", "send_mail", {argument: called})
    tool = Tool("send_mail", "Send.", {"type": "object", "properties": {}}, lambda: "")
    for known in (None, tool):
        assert permission_of(call, rules, (), False, NOW, known) == "deny"


def test_a_tool_that_only_looks_like_one_is_named_as_it_is_written() -> None:
    assert 'deny "r\\u0435ad_file" can never apply' in never_applies(Rule("deny", "r\u0435ad_file"))
