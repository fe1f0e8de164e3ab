"""The parts of a model's plan that reach the memory: nothing unsaid, and nothing known is lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2c.exercises.e20_8_is_grounded.solution import is_grounded
from g2c.memory import MemoryStore, make_remember_tool
from g2c.memory.app.evidence import sift, with_user_statements
from g2c.memory.app.outdated import without_outdated
from g2c.memory.core.plan import MAX_BODY_BYTES
from g2c.memory.core.sources import QUOTED_CHARS
from g2c.memory.core.types import DreamPlan, Topic, TopicDraft, Turn
from g2c.tools import ToolError

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


def said(*texts: str, role: str = "user") -> list[Turn]:
    return [Turn(NOON + timedelta(minutes=n), "a", role, text) for n, text in enumerate(texts)]


def topic(slug: str, *lines: str) -> Topic:
    return Topic(slug, slug.title(), f"on {slug}", "fact", NOON, "\n".join(lines))


def draft(name: str, *lines: str, about: str = "") -> TopicDraft:
    return TopicDraft(name, about or name, "fact", "\n".join(lines))


MOVED = '- 2026-04-21: "My sister moved from Bergen to Oslo."'


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("- The user's sister moved to Oslo.", "- The user's sister moved to Oslo."),
        ("- 2026-04-21: The user's sister moved to Oslo.", None),
        ("- 2026-04-20: The user's sister moved to Oslo.", MOVED),
        ("- The user's sister lives in Bergen.", MOVED),
        ("- The user's kitten bites.", ""),
    ],
)
def test_a_line_that_was_not_said_gives_way_to_what_was(line: str, kept: str | None) -> None:
    plan = DreamPlan((draft("Sister", line),))
    found = sift(plan, [], said("My sister moved from Bergen to Oslo."))
    bodies = [upsert.body for upsert in found.plan.upserts]
    assert bodies == ([line if kept is None else kept] if kept != "" else [])
    assert bool(found.refused) == (bodies != [line])
    assert all(line.removeprefix("- ")[-20:] in refusal for refusal in found.refused)


def test_a_change_follows_only_from_a_turn_that_says_so() -> None:
    moved = "Actually, the dentist appointment was moved to Sunday."
    turns = said("My dentist appointment is on Saturday at nine.", moved)
    plan = DreamPlan(
        (draft("Dentist", "- Actually, the dentist appointment on Saturday at nine."),)
    )
    (found,) = sift(plan, [], turns).plan.upserts
    assert found.body == f'- 2026-04-21: "{turns[0].content}"'


@pytest.mark.parametrize(
    ("call", "given", "line"),
    [
        ("recall", "The code is 44. (2026-04-21.jsonl:13)", "- 2026-04-21.jsonl:13)"),
        ("recall", "Mia is six. (2026-04-21.jsonl:2)", "- Mia is six."),
        ("read_topic", "Mia is six.", "- Mia is six."),
    ],
)
def test_a_recalled_fact_is_not_evidence_for_itself(call: str, given: str, line: str) -> None:
    action, result = (
        Turn(NOON, "a", "action", f"I look.\n{call} {{}}"),
        Turn(NOON, "a", "tool", given),
    )
    assert sift(DreamPlan((draft("Mia", line),)), [], [action, result]).plan.upserts == ()
    from_elsewhere = Turn(NOON, "a", "action", "I look.\nread_file {}")
    assert sift(DreamPlan((draft("Mia", line),)), [], [from_elsewhere, result]).plan.upserts


@pytest.mark.parametrize(
    "asked",
    ["Remember that", "Please remember:", "Don't forget that", "Write this down for later:"],
)
def test_a_fact_to_keep_is_kept_once_in_the_persons_words(asked: str) -> None:
    turns = said(f"{asked} Ann lives in Oslo.")
    plan = sift(DreamPlan((draft("Ann", "- Ann lives in Oslo."),)), [], turns)
    assert not plan.refused
    assert with_user_statements(plan.plan, [], turns) == plan.plan


def test_a_change_of_mind_leaves_both_and_a_fuller_line_takes_the_shorter_ones_place() -> None:
    known = [topic("tea", "- 2026-03-01: The user drinks black tea.", "- The user has a cat.")]
    turns = said("I drink green tea.", "I have a cat and two dogs.")
    new = ["- 2026-04-21: The user drinks green tea.", "- The user has a cat and two dogs."]
    found = sift(DreamPlan((draft("Tea", *new),)), known, turns)
    assert found.plan.upserts[0].body.split("\n") == [known[0].body.split("\n")[0], *new]
    assert not found.refused


BERGEN = "- 2026-04-20: The user's sister lives in Bergen."
NEWS = "My sister no longer lives in Bergen."
NOT_ANY_MORE = "Not Bergen any more: my sister lives in Oslo."


@pytest.mark.parametrize("told", [NEWS, NOT_ANY_MORE, "My sister doesn't live in Bergen anymore!"])
def test_an_outdated_fact_gives_way_to_the_sentence_that_ends_it(told: str) -> None:
    known = [topic("sister", BERGEN, "", "- She paints.")]
    (found,) = without_outdated(DreamPlan(), known, said(told)).upserts
    assert found.body.split("\n") == [f'- 2026-04-21: "{told}"', "", "- She paints."]


@pytest.mark.parametrize(
    ("line", "told", "why"),
    [
        (BERGEN, "My sister moved from Bergen to Oslo.", "both stay until somebody settles it"),
        (BERGEN, "My sister lives in Bergen and no longer paints.", "another clause is denied"),
        (BERGEN, "My sister does not live in Bergen. She no longer paints.", "it may never have"),
        (BERGEN, "Does my sister no longer live in Bergen?", "it is asked"),
        (BERGEN, "Maybe my sister no longer lives in Bergen.", "it is doubted"),
        (BERGEN, f"{NEWS} {'She told me. ' * 50}", "it could not be quoted whole"),
        (BERGEN.replace("20:", "22:"), NEWS, "it was said on a later day"),
        ("- The user's sister lives in Oslo.", NEWS, "it is something else"),
        ("- The user's brother lives in Bergen.", NEWS, "it is somebody else"),
        ("## My sister in Bergen", NEWS, "a heading says nothing"),
    ],
)
def test_a_fact_that_may_still_hold_stays(line: str, told: str, why: str) -> None:
    known = [topic("sister", line)]
    assert without_outdated(DreamPlan(), known, said(told)) == DreamPlan(), why
    assert without_outdated(DreamPlan(), known, said(NEWS, role="assistant")) == DreamPlan()


def test_a_line_without_a_day_ends_too_with_the_description_that_says_it() -> None:
    claim = "My sister lives in Bergen."  # as `remember` writes it
    known = [replace(topic("sister", claim, "", NEWS), description=claim)]
    recalled = [
        Turn(NOON, "a", "action", "I look.\nrecall {}"),
        Turn(NOON, "a", "tool", f"{claim} (sister.md:8)"),
    ]
    (found,) = without_outdated(DreamPlan(), known, [*said(NEWS), *recalled]).upserts
    assert (found.description, found.body) == (NEWS, f'- 2026-04-21: "{NEWS}"\n')


def test_a_fact_that_ended_and_began_again_stays() -> None:
    turns = said(NEWS, "My sister lives in Bergen again.", "My sister lives in Bergen.")
    assert without_outdated(DreamPlan(), [topic("sister", BERGEN)], turns) == DreamPlan()


def test_a_plan_does_not_bring_back_what_ended() -> None:
    turns = [replace(turn, ts=NOON - timedelta(days=1)) for turn in said("My cat is Tom.")]
    turns += said("My cat is no longer Tom.")
    plan = DreamPlan((draft("Cat", "- The user's cat is Tom."),))
    (found,) = without_outdated(plan, [], turns).upserts
    assert found.body == '- 2026-04-21: "My cat is no longer Tom."'


def test_a_topic_goes_only_where_all_that_it_says_stands_elsewhere() -> None:
    known = [topic("cat", "The user's cat is Tom."), topic("dog", "The user's dog is Rex.")]
    plan = DreamPlan((draft("Pets", "The user's cat is Tom."),), ("cat", "dog"))
    found = sift(plan, known, [])
    assert found.plan.deletes == ("cat",)
    assert found.refused == ("Dog was to go, and with it: The user's dog is Rex.",)


def test_a_description_has_no_word_that_the_topic_lacks() -> None:
    turns = said("My cat is Tom.")
    for about, kept in (
        ("the user's cat", "the user's cat"),
        ("Tom bites", "Tom is the user's cat."),
    ):
        plan = DreamPlan((draft("Cat", "- Tom is the user's cat.", about=about),))
        (found,) = sift(plan, [], [*turns, *said("Tom is my cat.")]).plan.upserts
        assert found.description == kept


@pytest.mark.parametrize("about", ["the user's sister's sister", "who", "Bergen sister"])
def test_a_description_is_words_that_stand_together_in_a_line(about: str) -> None:
    line = "The user's sister lives in Bergen."
    plan = DreamPlan((draft("Sister", line, about=about),))
    (found,) = sift(plan, [], said("My sister lives in Bergen.")).plan.upserts
    assert found.description == line


def test_a_users_turn_outside_all_topics_is_kept_whole() -> None:
    turns = [
        *said("I am allergic to peanuts. You know that?", "Do I like fish?", "My cat is Tom."),
        *said("You are a pilot.", role="assistant"),
    ]
    known = [topic("cat", "The user's cat is Tom.")]
    (kept,) = with_user_statements(DreamPlan(), known, turns).upserts
    assert kept.name == "What the user said in 2026-04"
    assert kept.body == '- 2026-04-21: "I am allergic to peanuts. You know that?"'
    again = Topic("what-the-user-said-in-2026-04", kept.name, "", "user", NOON, kept.body)
    assert with_user_statements(DreamPlan(), [*known, again], turns) == DreamPlan()


@pytest.mark.parametrize("end", [". ", " and ", "\n"])
def test_a_long_message_is_kept_whole_and_once(end: str) -> None:
    facts = [f"my boat {number} lies in Bergen beside the mill" for number in range(60)]
    turns = said("I tell you " + end.join(facts) + ".")
    (kept,) = with_user_statements(DreamPlan(), [], turns).upserts
    lines = kept.body.split("\n\n")
    assert max(map(len, lines)) <= QUOTED_CHARS + len('- 2026-04-21: ""') + len(" and ")
    told = " ".join(line.partition('"')[2].removesuffix('"') for line in lines)
    assert all(fact in told for fact in facts), "the words of a sentence stand in their order"
    again = Topic("what-the-user-said-in-2026-04", kept.name, "", "user", NOON, kept.body)
    assert with_user_statements(DreamPlan(), [again], turns) == DreamPlan()


def test_a_full_file_stays_as_it_is() -> None:
    line = "The user has a cat. " * (MAX_BODY_BYTES // 20)
    known = [topic("cat", line), topic("what-the-user-said-in-2026-04", line)]
    turns = said(*(f"I have the boat {n}." for n in range(9)))
    found = sift(DreamPlan((draft("Cat", "- The user has the boat 3."),)), known, turns)
    assert found.plan == DreamPlan()
    assert found.refused == ("Cat is full, and stays as it is.",)
    assert with_user_statements(found.plan, known, turns) == DreamPlan()


WORDS = st.sampled_from(
    [
        "user",
        "sister",
        "cat",
        "Tom",
        "Ann",
        "Oslo",
        "moved",
        "to",
        "from",
        "not",
        "has",
        "4",
        "four",
        "is",
        ".",
    ]
)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), max_size=3)


@given(LINES, LINES, LINES)
def test_whatever_a_plan_says_no_line_is_lost_and_none_is_new(
    old: list[str], new: list[str], turns: list[str]
) -> None:
    known, heard = topic("cat", *old), said(*turns)
    plan = sift(DreamPlan((draft("Cat", *new),), ("cat",)), [known], heard).plan
    after = plan.upserts[0].body.split("\n") if plan.upserts else old
    beside = said(*(line.rpartition(": ")[2] for line in after))
    for line in old:
        assert line in after or is_grounded(line, beside)
    for line in set(after) - set(old):
        is_quoted = any(f'"{text}"' in line for text in turns)
        assert is_quoted or is_grounded(line, [*said(*old), *heard])


class TestRemember:
    @pytest.fixture
    def store(self, tmp_path: Path) -> MemoryStore:
        store = MemoryStore(tmp_path, now=lambda: NOON)
        store.log_turn("user", "My sister moved from Bergen to Oslo.")
        return store

    def test_a_fact_that_never_held_is_kept_in_the_persons_words(self, store: MemoryStore) -> None:
        remember = make_remember_tool(store, checked=True).func
        said = remember(name="Sister", text="The user's sister lives in Bergen.")
        assert said == f"That was not said like this. Kept is: {MOVED} It is in topics/sister.md."
        assert store.read_topic("sister").body == MOVED

    def test_a_topic_is_named_with_the_persons_words(self, store: MemoryStore) -> None:
        remember = make_remember_tool(store, checked=True).func
        assert remember(name="Sister's Tooth", text=MOVED) == "It is kept in topics/sister.md."
        store.write_topic("Rent", "the rent", "The rent is 840.")
        store.write_topic("Family", "all of us", "We are five.")
        assert "rent.md" not in remember(name="Rent", text=MOVED), "her move has no rent"
        store.log_turn("user", "Add to our family notes that my sister moved to Oslo.")
        assert "family.md" in remember(name="Family", text=MOVED), "the person named this topic"

    def test_a_name_near_to_nothing_is_refused(self, store: MemoryStore) -> None:
        with pytest.raises(ToolError, match="Nobody said that"):
            make_remember_tool(store, checked=True).func(name="Cat", text="The kitten bites.")
        assert store.topics.list() == ()


@pytest.mark.parametrize("before", [0, 20, 200])
def test_facts_about_oneself_are_kept_in_any_home(tmp_path: Path, before: int) -> None:
    store = MemoryStore(tmp_path, now=lambda: NOON)
    for number in range(before):
        store.log_turn("user", f"The shop has {number} boats.")
    if before:
        store.write_topic("Peanuts", "on peanuts", "Peanuts cost 3 crowns.")
    store = MemoryStore(tmp_path, now=lambda: NOON + timedelta(hours=1))
    for role, text in (
        ("user", "I am allergic to peanuts."),
        ("assistant", "I am allergic to peanuts."),
        ("user", "What is 3 * 4?"),
        ("user", "Bread costs 3 crowns."),
    ):
        store.log_turn(role, text)
    for _ in range(2):
        store.store_user_facts(NOON + timedelta(hours=1))
    topic = store.read_topic("What the user said in 2026-04")
    assert topic.body == '- 2026-04-21: "I am allergic to peanuts."'
    assert topic.sources == (f"transcripts/2026-04-21.jsonl:{before + 1}",)
    assert topic.body == store.recall("What am I allergic to?", transcripts=True)[0].excerpt
