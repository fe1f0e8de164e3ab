"""Topics that a person has named and edited: whoever writes, nothing of theirs is lost."""

import json
import re
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from g2c.agent import AgentRunResult
from g2c.inference import ScriptedBackend
from g2c.loop.app.lifecycle import consolidate_session
from g2c.loop.core.delegate import make_delegate
from g2c.loop.core.types import Budget, SessionSummary, Spent
from g2c.memory import MemoryStore, MemoryStoreError, make_read_topic_tool, make_remember_tool
from g2c.memory.core.heads import change_head
from g2c.memory.core.topics import Topics
from g2c.memory.core.types import Topic, TopicDraft
from maintain.crash.checks import believed

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


@pytest.fixture(scope="module", autouse=True)
def believing() -> Iterator[None]:
    with believed():
        yield


def store_in(folder: Path) -> MemoryStore:
    return MemoryStore(folder, now=lambda: NOON)


def plan(name: str, body: str, *deletes: str) -> str:
    draft = {"name": name, "description": "it is hot", "type": "user", "body": body}
    return json.dumps({"upserts": [draft], "deletes": deletes, "summary": "Tea."})


def replaced(store: MemoryStore) -> str:
    return store.write_topic("Tea", "how she takes it", "No sugar.", type="user").slug


def test_several_lines_that_nobody_checks_are_kept_as_they_are(tmp_path: Path) -> None:
    said = make_remember_tool(MemoryStore(tmp_path)).func(name="Tea", text="No sugar.\nNo milk.")
    assert said == "It is kept in topics/tea.md."


def added(store: MemoryStore) -> str:
    return store.add_to_topic("tea", "No sugar.")[0].slug


def remembered(store: MemoryStore) -> str:
    make_remember_tool(store).func(name="Tea", text="No sugar.")
    return "tea"


def dreamt(store: MemoryStore) -> str:
    store.log_turn("user", "No sugar in my tea.")
    assert store.maybe_dream(ScriptedBackend([plan("Tea", "No sugar.")]), force=True).dreamed
    return "tea"


def looped(store: MemoryStore) -> str:
    spent = Spent(ticks=1)
    summary = SessionSummary("Tea.", "success", "done", 1, spent, "No sugar.", NOON, NOON)
    return consolidate_session(store, summary).slug


def delegated(store: MemoryStore) -> str:
    class Delegate:
        on_step = None

        def run(self, question: str) -> AgentRunResult:
            return AgentRunResult(question, None, "No sugar.", (), "final_answer")

    def make(tools: object) -> Delegate:
        return Delegate()

    budget = Budget(ticks=1)
    make_delegate(make, "ask", budget, now=lambda: NOON, store=store).func(question="Tea?")  # type: ignore[arg-type]
    return next(topic.slug for topic in store.topics.list() if "ask" in topic.slug)


WRITERS: list[Callable[[MemoryStore], str]] = [
    *(replaced, added, remembered, dreamt, looped, delegated)
]
OURS = ("name", "description", "type", "updated", "sources")
PERSONS = [
    "tags: [drinks, 'hot: ones']  # mine",
    "# a comment of mine",
    "aliases:\n  - Chai   # in India\n  -   'Té'",
    "key:    a value, far away   ",
    "base: &base value\nother: *base",
    "kept: |+\n  a  text\n\n  in lines\n",
    "",
    '"quoted key": "a \\"value\\""',
    "deep:\n    deeper:\n          - {a: 1,\n             b: 2}",
    "<<: {note: 1}",
    "? odd\n: value",
    "no_value:",
    "day: 2026-04-21",
]
NAMES = ["name: Tea", "name:   'Tea'  # its title", '"name" : &n Tea\ntitle: *n', "name:"]
ABOUTS = [
    "description: | # in lines\n  how she\n  takes it",
    "description: >-\n      folded,\n\n      with a gap",
    "description:   # not yet",
    "description: on two\n  lines # behind",
    "description: &d !!str hot\nagain: [*d]",
    "about: &x hot\ndescription: *x",
]
TYPES = ["type: user # who", "type: 'beverage'", "type: &t fact\ntypes: {is: *t}"]
TIMES = ["updated: 2026-04-20", "updated: &u 2026-04-20T10:00:00Z  # hand-made\nseen: *u"]
SOURCES = [
    "sources: [transcripts/2026-04-20.jsonl:1]  # one",
    "sources:  # where from\n- transcripts/a.jsonl:1 # best\n# next\n- 'transcripts/a.jsonl:2'",
    "sources: &s\n    - transcripts/2026-04-20.jsonl:1\n    # the last\nevidence: *s",
    "sources: [\n  transcripts/2026-04-20.jsonl:1, # in here\n  transcripts/2026-04-20.jsonl:2 ]",
    "sources: []",
]
heads = st.tuples(
    st.lists(st.sampled_from(PERSONS), unique=True, max_size=5),
    *(st.sampled_from([*some, None]) for some in (NAMES, ABOUTS, TYPES, TIMES, SOURCES)),
    st.randoms(use_true_random=False),
)


def lines_of(parts: tuple) -> list[str]:  # type: ignore[type-arg]
    persons, *ours, random = parts
    lines = [*persons, *filter(None, ours)]
    random.shuffle(lines)
    return lines


def written(file: Path, head: str, body: str, newline: str, mark: str) -> bytes:
    text = f"{mark}---\n{head}---\n\n{body}\n".replace("\n", newline)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file.read_bytes()


@pytest.mark.slow
@settings(
    derandomize=True, max_examples=150, deadline=None, phases=[Phase.explicit, Phase.generate]
)
@given(
    heads,
    st.sampled_from(WRITERS),
    st.sampled_from(["", " ", "   "]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_writing_a_topic_keeps_a_persons_lines_in_its_head(
    tmp_path_factory: pytest.TempPathFactory,
    parts: tuple,  # type: ignore[type-arg]
    writer: Callable[[MemoryStore], str],
    indent: str,
    newline: str,
    mark: str,
) -> None:
    store = store_in(tmp_path_factory.mktemp("m"))
    slug = writer(store)  # what the writer calls it
    file = store.topics.path_of(slug)
    lines = lines_of(parts)
    head = "".join(f"{indent}{line}\n" for part in lines for line in part.split("\n"))
    written(file, head, "It is green.", newline, mark)
    old = yaml.load(head, Loader=yaml.BaseLoader) or {}
    was = store.read_topic(slug)

    assert writer(store) == slug

    data = file.read_bytes()
    text = data.decode().removeprefix("\ufeff")
    assert data.startswith("\ufeff---".encode()) == bool(mark)
    assert (newline == "\n") == ("\r" not in text) and text.count("\n") == text.count(newline)
    text = text.replace("\r\n", "\n")
    _, new, _ = text.split("---\n", 2)
    for comment in re.findall("#.*", head):
        assert new.count(comment) == head.count(comment), "each comment is there"
    places = []
    for part in filter(None, parts[0]):
        indented = "".join(f"{indent}{line}\n" for line in part.split("\n"))
        assert indented in new, "in its place and form"
        places.append((new.index(indented), head.index(indented)))
    assert sorted(places) == sorted(places, key=lambda place: place[1]), "and in its order"
    read = yaml.load(new, Loader=yaml.BaseLoader)
    assert read.keys() == old.keys() | {*OURS[:4], *(["sources"] if "sources" in read else [])}
    aliases = {"title", "again", "types", "seen", "evidence"}
    for key in old.keys() - {*OURS, *aliases}:
        assert read[key] == old[key]
    topic = store.read_topic(slug)
    assert topic.updated == NOON and topic.body.endswith("No sugar.")
    assert topic.sources[: len(was.sources)] == was.sources
    assert (read["type"], read["description"]) == (topic.type, topic.description)
    if writer is replaced:
        expected = Topic("tea", "Tea", "how she takes it", "user", NOON, "No sugar.", was.sources)
        assert topic == expected
    again = file.read_bytes()
    if writer is not dreamt:
        writer(store)
        assert file.read_bytes() == again, "written again, it is the same"


UNREADABLE = [
    "---\nname: [\n---\n\nIt is green.\n",
    "---\nname: Tea\n\nIt is green.\n",
    "---\r\ntags:\r\n\t- a\r\n---\r\nIt is green.",
    "---\n- a\n---\nIt is green.\n",
    "---\nname: {a: 1}\nsources: x\n---\nIt is green.\n",
    "--- # mine\nname: Tea\n---\nIt is green.\n",
    "\ufeff---\nname: *gone\n---\nIt is green.\n",
    "---\nname: \udcff\n---\nIt is green.\n",
]


@pytest.mark.parametrize("text", UNREADABLE)
@pytest.mark.parametrize("writer", WRITERS[:4])
def test_a_head_that_cannot_be_read_stays_and_what_is_new_stands_below(
    tmp_path: Path, text: str, writer: Callable[[MemoryStore], str]
) -> None:
    store = store_in(tmp_path)
    file = tmp_path / "topics" / "tea.md"
    file.parent.mkdir()
    data = text.encode("utf-8", "surrogateescape")
    file.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):
            assert writer(store) == "tea"
            after = file.read_bytes()
            assert after.startswith(data.rstrip()) and after.count(b"No sugar.") == 1
            assert after.count(b"---") == data.count(b"---"), "no second head"
    [said] = store.topics.faults()
    assert said.startswith("The head of topics/tea.md cannot be read (") and "mend it" in said


def test_a_head_in_braces_is_changed_in_its_braces() -> None:
    head = "{name: Tea, tags: [a], # mine\n type: , }\n"
    values = {"name": "Tea, hot", "type": "note", "sources": ["a:1", "b, c"]}
    assert change_head(head, values) == (
        "{name: 'Tea, hot', tags: [a], # mine\n type: note, sources: ['a:1', 'b, c'] , }\n"
    )


def test_a_source_is_added_below_the_others_and_one_that_goes_leaves_its_comment() -> None:
    head = "sources: # from\n  - a # first\n  - b\nx: 1\n"
    more = change_head(head, {"sources": ["a", "b", "c"]})
    assert more == "sources: # from\n  - a # first\n  - b\n  - c\nx: 1\n"
    assert change_head(more, {"sources": ["b"]}) == "# first\nsources: # from\n  - b\nx: 1\n"
    assert change_head(head, {"sources": []}) == "# first\nsources: # from\n   []\nx: 1\n"


def test_a_strange_setting_is_refused_with_a_remedy(tmp_path: Path) -> None:
    topics = Topics(tmp_path)
    (tmp_path / "tea.md").write_text("---\ntags: [a]\n...\n---\nx\n")
    with pytest.raises(MemoryStoreError, match=r"tea\.md cannot be changed: .* as in name: Tea\."):
        topics.write(TopicDraft("Tea", "", "note", "y"), NOON)
    assert (tmp_path / "tea.md").read_text() == "---\ntags: [a]\n...\n---\nx\n"


def test_a_file_is_named_as_people_name_them(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    file = tmp_path / "topics" / "My Notes.md"
    written(file, "name: What I like\ntags: [me]\n", "Fir trees.", "\n", "")
    assert [topic.slug for topic in store.topics.list()] == ["my-notes"]
    assert store.read_topic("My Notes").name == "What I like"
    [found] = store.recall("fir")
    assert found.file == file
    assert "Fir trees." in make_read_topic_tool(store).func(name="topics/my-notes.md:7")
    for writer in (
        lambda: store.add_to_topic("my notes", "Lakes."),
        lambda: make_remember_tool(store).func(name="my-notes", text="Snow."),
    ):
        writer()
    assert [path.name for path in file.parent.iterdir()] == ["My Notes.md"]
    topic = store.read_topic("my-notes")
    assert topic.body == "Fir trees.\n\nLakes.\n\nSnow." and topic.name == "What I like"
    assert [hit.excerpt for hit in store.recall("snow, lakes")][:2] == ["Snow.", "Lakes."]
    assert store.topics.faults() == ()


def test_other_programs_files_are_not_topics_and_two_of_one_name_are_told(tmp_path: Path) -> None:
    topics = Topics(tmp_path / "topics")
    topics.folder.mkdir()
    for name in ("._tea", "Tea", "tea", "TEA!"):
        (topics.folder / f"{name}.md").write_text(name)
    assert [topic.body for topic in topics.list()] == ["tea"]
    assert topics.faults() == (
        "topics/TEA!.md is not read, because tea.md is the same topic; give one of them "
        "another name.",
        "topics/Tea.md is not read, because tea.md is the same topic; give one of them "
        "another name.",
    )


def test_a_dream_deletes_no_topic_whose_head_a_person_has_edited(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for name in ("Tea", "Milk"):
        store.write_topic(name, "what she drinks", "No sugar.")
    file = store.topics.path_of("Tea")
    file.write_text(file.read_text().replace("name:", "# mine\nname:", 1))
    assert store.topics.is_edited("Tea") and not store.topics.is_edited("Milk")
    store.log_turn("user", "No sugar.")
    model = ScriptedBackend([plan("Drinks", "No sugar.", "tea", "milk")])
    result = store.maybe_dream(model, force=True)
    assert result.dreamed and "tea was to go, and you have edited its head." in result.refused
    assert [topic.slug for topic in store.topics.list()] == ["drinks", "tea"]


words = st.text(st.sampled_from("ab:#-,[]{}'\"&*!|> \n?%@`\\"), max_size=12)


@settings(derandomize=True, max_examples=150, deadline=None)
@example(["a: b"], "x # y", ["- a", "b: c"])
@given(st.lists(st.sampled_from([*PERSONS, *NAMES, *SOURCES]), max_size=4), words, st.lists(words))
def test_any_value_can_be_put_into_any_head(
    lines: list[str], text: str, sources: list[str]
) -> None:
    head = "".join(f"{line}\n" for line in dict.fromkeys(lines))
    wanted = {
        "name": " ".join(text.split()),
        "sources": [" ".join(source.split()) for source in sources],
    }
    if head.count("\nsources:") + head.startswith("sources:") > 1:
        return
    read = yaml.load(change_head(head, wanted), Loader=yaml.BaseLoader)
    assert {key: read[key] for key in wanted} == wanted
