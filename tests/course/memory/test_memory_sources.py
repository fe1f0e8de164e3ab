"""Which turns a topic came from: found by a dream, kept by the next, checked by `health`."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from g2c.inference import ScriptedBackend
from g2c.memory import MemoryStore, TopicDraft
from g2c.memory.app.store import STALE_ADVICE
from g2c.memory.core.sources import missing_sources, with_sources
from g2c.memory.core.types import DreamPlan, Topic, Turn
from maintain.crash.checks import believed

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
DAY = "transcripts/2026-04-21.jsonl"


@pytest.fixture(scope="module", autouse=True)
def believing() -> Iterator[None]:
    with believed():
        yield


def dreamt(store: MemoryStore, *upserts: dict[str, str], deletes: tuple[str, ...] = ()) -> None:
    plan = {"upserts": upserts, "deletes": deletes, "summary": "Noted."}
    result = store.maybe_dream(ScriptedBackend([json.dumps(plan)]), force=True)
    assert result.dreamed, result.reason


def note(name: str, body: str) -> dict[str, str]:
    return {"name": name, "description": f"on {name}", "type": "user", "body": body}


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    store = MemoryStore(tmp_path, now=lambda: NOON)
    store.log_turn("user", "I am Ben, and I stopped taking sugar in my coffee.")
    store.log_turn("assistant", "Noted: no sugar in coffee.")
    store.log_turn("user", "Do I take sugar in my coffee, and when is my flight to Oslo?")
    store.log_turn("user", "My flight to Oslo is on 10 February.")
    return store


def test_a_dream_says_which_turns_a_topic_came_from(store: MemoryStore) -> None:
    dreamt(
        store,
        note("Coffee", "- 2026-04-21: Ben takes no sugar in his coffee."),
        note("Oslo", "- 2026-04-21: Ben's flight to Oslo is on 10 February."),
        note("Whales", "- Whales sing."),
    )
    assert store.read_topic("Coffee").sources == (f"{DAY}:1",)
    assert store.read_topic("Oslo").sources == (f"{DAY}:4",)
    assert store.read_topic("Whales").sources == (), "no turn says so"
    assert store.recall("Who takes sugar?")[0].sources == (f"{DAY}:1",)


def test_sources_stay_through_later_dreams_and_changes(store: MemoryStore) -> None:
    coffee = "- 2026-04-21: Ben takes no sugar in his coffee."
    dreamt(store, note("Coffee", coffee))
    store.log_turn("user", "I take oat milk in coffee now.")
    dreamt(store, note("Coffee", f"{coffee}\n- Ben takes oat milk in coffee."))
    assert store.read_topic("Coffee").sources == (f"{DAY}:1", f"{DAY}:5")
    store.write_topic("Coffee", "how Ben takes it", "With oat milk.")
    assert store.read_topic("Coffee").sources == (f"{DAY}:1", f"{DAY}:5")
    dreamt(store, note("Drinks", "With oat milk."), deletes=("coffee",))
    assert store.read_topic("Drinks").sources == (f"{DAY}:1", f"{DAY}:5"), "it was renamed"


def test_the_users_first_of_equal_turns_is_the_source() -> None:
    turns = [
        Turn(NOON + timedelta(seconds=second), "a", role, content)
        for second, (role, content) in enumerate(
            [
                ("assistant", "The door is green."),
                ("action", "recall green door"),
                ("user", "Yes, the door is green."),
                ("user", "The door is green."),
            ]
        )
    ]
    places = {turn: f"{DAY}:{line}" for line, turn in enumerate(turns, 1)}
    plan = DreamPlan((TopicDraft("Door", "", "fact", "The door is green."),))
    assert with_sources(plan, [], places).upserts[0].sources == (f"{DAY}:3",)
    only_actions = {turns[1]: f"{DAY}:2"}
    assert with_sources(plan, [], only_actions).upserts[0].sources == ()


def test_the_day_of_a_line_is_not_a_word_that_it_shares_with_an_answer() -> None:
    said = Turn(NOON, "a", "user", "The door is green.")
    answered = Turn(NOON, "a", "assistant", "The door is green. (2026-04-21.jsonl:1)")
    plan = DreamPlan((TopicDraft("Door", "", "fact", '- 2026-04-21: "The door is green."'),))
    found = with_sources(plan, [], {said: f"{DAY}:1", answered: f"{DAY}:2"})
    assert found.upserts[0].sources == (f"{DAY}:1",)


def test_one_word_in_common_is_not_a_source_unless_the_line_has_no_other() -> None:
    turn = Turn(NOON, "a", "user", "The door is green.")
    for body, sources in (
        ("A green boat sails.", ()),
        ("Green.", (f"{DAY}:1",)),
        ("So it is.", ()),
    ):
        plan = DreamPlan((TopicDraft("Boat", "", "fact", body),))
        assert with_sources(plan, [], {turn: f"{DAY}:1"}).upserts[0].sources == sources, body


@pytest.mark.parametrize(
    "source",
    [
        f"{DAY}:9",
        f"{DAY}:2",
        f"{DAY}:0",
        "transcripts/2026-01-01.jsonl:1",
        "../../etc/passwd:1",
        "transcripts/../MEMORY.md:1",
        "what Ada said",
        "",
    ],
)
def test_a_source_that_leads_to_no_turn_is_named(tmp_path: Path, source: str) -> None:
    store = MemoryStore(tmp_path, now=lambda: NOON)
    store.log_turn("user", "I drink tea.")
    with store.transcripts.path_of(NOON.date()).open("ab") as file:
        file.write(b"torn\n")
    there = f"{DAY}:1"
    topic = Topic("tea", "Tea", "", "note", NOON, "Tea.", (there, source))
    assert missing_sources([topic], store.transcripts) == [("tea", source)]


def test_the_prompt_says_to_check_what_is_stale_and_only_then(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path, now=lambda: NOON)
    store.write_topic("Train", "when it leaves", "At 8:05.")
    assert STALE_ADVICE not in store.context()
    store.now = lambda: NOON + timedelta(days=31)
    assert store.context().splitlines()[-1] == STALE_ADVICE


SAID = (
    ("My sister Vera lives in Turku, near the harbour.", "Vera, the sister, lives in Turku."),
    ("We keep the spare key below the third pot.", "The spare key lies below the third pot."),
    ("I am allergic to walnuts, so no cake with them.", "Allergic to walnuts."),
    ("The boiler is serviced by Lahti Heating every May.", "Lahti Heating services the boiler."),
    ("The dentist moved me to 21 March at 8:15.", "The dentist is on 21 March at 8:15."),
    ("Our train to Oslo leaves at 9:05 from platform 4.", "The train to Oslo leaves at 9:05."),
    ("The code of the cellar is 7061 since Monday.", "The code of the cellar is 7061."),
    ("I paid 340 for the bicycle, brakes included.", "The bicycle cost 340."),
)


def test_the_turn_behind_a_note_is_found_in_what_dreams_are_made_of() -> None:
    """With the notes that a good model would write."""
    for seed in range(50):
        pairs = random.Random(seed).sample(SAID, 4)
        turns = [Turn(NOON, "a", "user", said) for said, _ in pairs]
        places = {turn: str(line) for line, turn in enumerate(turns)}
        drafts = [TopicDraft(said, "a fact", "user", f"- {note}") for said, note in pairs]
        plan = with_sources(DreamPlan(tuple(drafts)), [], places)
        assert [draft.sources for draft in plan.upserts] == [(places[turn],) for turn in turns]
