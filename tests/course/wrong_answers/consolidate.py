"""20.7 gone wrong."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from g2c.memory.base import DreamPlan, MemoryStoreError, TopicDraft
from g2c.memory.index import MemoryIndex
from g2c.memory.topics import Topics, slugify

from . import wrong

wrong = partial(wrong, "20.7")


def write_all(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    for draft in plan.upserts:
        topic = topics.write(draft, now)
        index.upsert(f"topics/{topic.slug}.md", topic.description)


def delete_all(plan: DreamPlan, topics: Topics, index: MemoryIndex) -> None:
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
        topics.delete(slug)


@wrong(
    caught_by="test_every_pointer_leads_somewhere_whenever_it_dies",
    says="A pointer comes after its file, and goes before it",
)
def the_index_is_what_is_read_first(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """The index is in every prompt, so it is brought up to date first."""
    for draft in plan.upserts:
        index.upsert(f"topics/{slugify(draft.name)}.md", draft.description)
    for draft in plan.upserts:
        topics.write(draft, now)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_every_pointer_leads_somewhere_whenever_it_dies",
    says="A pointer comes after its file, and goes before it",
)
def topics_then_index(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    """Topics first, then the index, for what is written and for what is deleted alike."""
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        topics.delete(slug)
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")


@wrong(
    caught_by="test_nothing_is_taken_away_before_the_new_is_there",
    says="What it said is lost",
)
def room_is_made_first(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    """What is to go goes first, so that there is room for what is new."""
    delete_all(plan, topics, index)
    write_all(plan, topics, index, now)


@wrong(
    caught_by="test_nothing_is_taken_away_before_the_new_is_there",
    says="the old topic's pointer is taken out",
)
def pointers_are_cheap(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    """Only files hold anything; of the index, all that is to go can go at once."""
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        topics.delete(slug)


@wrong(
    caught_by="test_written_topics_are_pointed_to",
    says="below topics/",
)
def a_pointer_is_a_file_name(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """The index points to a topic by the name of its file."""
    for draft in plan.upserts:
        topic = topics.write(draft, now)
        index.upsert(f"{topic.slug}.md", topic.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_written_topics_are_pointed_to",
    says="the file is called as the Topic that write returned says",
)
def a_slug_is_a_name_in_small_letters(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A slug is the name in small letters, with hyphens for spaces."""
    for draft in plan.upserts:
        topics.write(draft, now)
        slug = "-".join(draft.name.lower().replace("(", "").replace(")", " ").split(" "))
        index.upsert(f"topics/{slug}.md", draft.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_written_topics_are_pointed_to",
    says="the pointer still says",
)
def who_has_a_pointer_needs_none(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic that was there before is pointed to already."""
    for draft in plan.upserts:
        topic = topics.write(draft, now)
        if index.lookup(f"topics/{topic.slug}.md") is None:
            index.upsert(f"topics/{topic.slug}.md", topic.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_deleted_topics_are_gone",
    says="every prompt still promises it",
)
def a_pointer_goes_by_its_topics_name(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic is known to the index by its slug, as it is to topics."""
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        index.remove(slug)
        topics.delete(slug)


@wrong(
    caught_by="test_all_else_stays",
    says="a slug is a whole name, not its beginning",
)
def a_slug_may_have_parts(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """What begins with the slug of a deleted topic is a part of it."""
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        for topic in topics.list():
            if topic.slug.startswith(slug):
                index.remove(f"topics/{topic.slug}.md")
                topics.delete(topic.slug)


@wrong(
    caught_by="test_all_else_stays",
    says="lines of MEMORY.md that the plan has nothing to do with are gone",
)
def the_index_lists_the_topics(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """After a dream the index holds the topics and nothing else."""
    write_all(plan, topics, index, now)
    slugs = [topic.slug for topic in topics.list() if topic.slug not in plan.deletes]
    pointers = [pointer for pointer in index.pointers if pointer.file[7:-3] in slugs]
    index._write([f"- [{p.file}]({p.file}) — {p.description}" for p in pointers])
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_the_time_is_the_one_given",
    says="which is an argument",
)
def now_is_now(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    """A topic is written when it is written, and the clock knows when that is."""
    write_all(plan, topics, index, datetime.now(UTC))
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_a_topic_that_says_the_same_again_is_fresh",
    says="found it still true",
)
def what_is_the_same_need_not_be_written(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic that is there with the same text is up to date."""
    there = {TopicDraft(t.name, t.description, t.type, t.body) for t in topics.list()}
    for draft in plan.upserts:
        if draft not in there:
            topics.write(draft, now)
        index.upsert(f"topics/{slugify(draft.name)}.md", draft.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_a_failure_reaches_the_caller",
    says="the caller goes on to note that the dream is done",
)
def one_failure_should_not_stop_the_rest(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic that cannot be written is no reason to lose the others."""
    for draft in plan.upserts:
        with suppress(OSError):
            topic = topics.write(draft, now)
            index.upsert(f"topics/{topic.slug}.md", topic.description)
    for slug in plan.deletes:
        with suppress(OSError):
            index.remove(f"topics/{slug}.md")
            topics.delete(slug)


@wrong(
    caught_by="test_what_cannot_be_written_stops_the_rest",
    says="the topic that it was to replace was deleted all the same",
)
def a_topic_that_is_refused_is_passed_over(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic that cannot be written is the model's mistake, and no reason to stop."""
    for draft in plan.upserts:
        try:
            topic = topics.write(draft, now)
        except (OSError, MemoryStoreError):
            continue
        index.upsert(f"topics/{topic.slug}.md", topic.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_nothing_is_taken_away_before_the_new_is_there",
    says="the old topic's file is deleted",
)
def errors_are_told_at_the_end(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """The caller learns of all errors, once everything else has been done."""
    errors: list[Exception] = []
    for draft in plan.upserts:
        try:
            topic = topics.write(draft, now)
            index.upsert(f"topics/{topic.slug}.md", topic.description)
        except (OSError, MemoryStoreError) as error:
            errors.append(error)
    delete_all(plan, topics, index)
    if errors:
        raise errors[0]


@wrong(
    caught_by="test_all_else_stays",
    says="which had no pointer, and now it has one",
)
def every_topic_is_pointed_to(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """The index follows the topics, so when they are written it is made anew from all of them."""
    for draft in plan.upserts:
        topics.write(draft, now)
    for topic in topics.list():
        if topic.slug not in plan.deletes:
            index.upsert(f"topics/{topic.slug}.md", topic.description)
    delete_all(plan, topics, index)


@wrong(
    caught_by="test_a_pointer_goes_also_where_its_file_is_gone",
    says="both are to be gone, whichever of them was there",
)
def without_a_file_it_is_gone(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic whose file is not there was deleted already, so there is nothing left to do."""
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        if topics.path_of(slug).exists():
            index.remove(f"topics/{slug}.md")
            topics.delete(slug)


@wrong(
    caught_by="test_what_a_crash_left_undone_is_done_by_the_next_call",
    says="what is half done must not pass for done",
)
def without_a_pointer_it_is_gone(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A topic without a pointer was deleted already, so there is nothing left to do."""
    write_all(plan, topics, index, now)
    for slug in plan.deletes:
        if index.lookup(f"topics/{slug}.md"):
            index.remove(f"topics/{slug}.md")
            topics.delete(slug)


@wrong(
    caught_by="test_a_plan_can_be_carried_out_twice",
    says="doing it again is no error",
)
def what_is_to_go_is_there(
    plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime
) -> None:
    """A plan only deletes topics that exist, so each can be read once more to be sure."""
    write_all(plan, topics, index, now)
    for topic in [topics.read(slug) for slug in plan.deletes]:
        index.remove(f"topics/{topic.slug}.md")
        topics.delete(topic.slug)
