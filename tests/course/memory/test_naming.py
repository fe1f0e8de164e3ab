"""Names of topics come from what was said, and a sentence lives in one topic."""

from datetime import UTC, datetime

import pytest

from g2c.critic.app.reflexion import PITFALLS
from g2c.memory.app.evidence import sift
from g2c.memory.app.naming import OWN_NAMES, with_said_names
from g2c.memory.core.types import DreamPlan, Topic, TopicDraft, Turn

DAY = datetime(2026, 4, 21, 12, tzinfo=UTC)
SAID = [
    Turn(DAY, "s1", "user", text)
    for text in (
        "My sister Ada lives in Bergen.",
        "The auth module uses JWT, which expires after 15 minutes.",
        "私は東京に住んでいます",
    )
]
SISTER, JWT = "- The user's sister Ada lives in Bergen.", "- JWT expires after 15 minutes."


def draft(name: str, *lines: str) -> TopicDraft:
    return TopicDraft(name, "", "user", "\n".join(lines))


def topic(slug: str, *lines: str) -> Topic:
    return Topic(slug, slug.title(), "", "user", DAY, "\n".join(lines))


@pytest.mark.parametrize(
    ("name", "line", "named"),
    [
        ("my sister's sister", SISTER, "sister"),
        ("who", SISTER, "sister Ada lives"),
        ("Sister Ada", SISTER, "Sister Ada"),
        ("Auth_module tokens", f"{JWT}\n- The auth module uses JWT.", "Auth module"),
        ("Conversation style", JWT, "JWT expires after"),
        ("東京", "- 私は東京に住んでいます", "東京"),
    ],
)
def test_a_new_topic_is_named_with_words_that_were_said(name: str, line: str, named: str) -> None:
    (found,) = with_said_names(DreamPlan((draft(name, line),)), [], SAID).upserts
    assert found.name == named


def test_the_topic_of_pitfalls_keeps_the_name_by_which_it_is_read() -> None:
    assert PITFALLS in OWN_NAMES
    plan = DreamPlan((draft(PITFALLS, SISTER),))
    assert with_said_names(plan, [], SAID) == plan


def test_a_topic_that_exists_keeps_its_name() -> None:
    plan = DreamPlan((draft("Family", SISTER),))
    assert with_said_names(plan, [topic("family", SISTER)], SAID) == plan


def test_drafts_that_get_one_name_are_one_draft_and_are_not_deleted() -> None:
    plan = DreamPlan((draft("sister", SISTER), draft("her sister", JWT, SISTER)), ("sister",))
    found = with_said_names(plan, [topic("sister", "- The sister is well.")], SAID)
    assert [draft.name for draft in found.upserts] == ["Sister"] and not found.deletes
    assert found.upserts[0].body == f"{SISTER}\n{JWT}\n{SISTER}"


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_sentence_that_another_topic_has_is_not_written_again(is_shown: bool) -> None:
    known = [topic("family", SISTER)]
    plan = DreamPlan((draft("Bergen", SISTER), draft("JWT", JWT), draft("auth", JWT)))
    shown, unshown = (known, []) if is_shown else ([], known)
    found = sift(plan, shown, SAID, unshown).plan
    assert [draft.name for draft in found.upserts] == ["JWT"]


def test_a_topic_that_goes_gives_its_sentences_to_another() -> None:
    plan = DreamPlan((draft("Bergen", SISTER),), ("family",))
    found = sift(plan, [topic("family", SISTER)], SAID).plan
    assert [draft.body for draft in found.upserts] == [SISTER] and found.deletes == ("family",)
