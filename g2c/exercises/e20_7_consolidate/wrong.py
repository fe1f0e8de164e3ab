"""20.7 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.7")

WRITE = "    written = [topics.write(draft, now) for draft in plan.upserts]\n"
POINT = """\
    for topic in written:
        index.upsert(f"topics/{topic.slug}.md", topic.description)
"""
REMOVE = """\
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
"""
DELETE = """\
    for slug in plan.deletes:
        topics.delete(slug)
"""
GO = REMOVE + DELETE
ALL = "plan.deletes"
# Writes what can be written.
TRY = """\
    written, errors = [], []
    for draft in plan.upserts:
        try:
            written.append(topics.write(draft, now))
        except Exception as error:
            errors.append(error)
"""

wrong(
    "The index is in every prompt, so it is brought up to date first.",
    ("import Topics", "import Topics, slugify"),
    (WRITE + POINT, POINT.replace("in written", "in plan.upserts") + WRITE),
    ("topic.slug", "slugify(topic.name)"),
)
wrong(
    "What is to go goes first, so that there is room for what is new.",
    (WRITE + POINT + GO, GO + WRITE + POINT),
)
wrong(
    "The index points to a topic by the name of its file.", ("topics/{topic.slug}", "{topic.slug}")
)
wrong(
    "A topic is known to the index by its slug, as it is to topics.",
    ('f"topics/{slug}.md"', "slug"),
)
wrong(
    "What begins with the slug of a deleted topic is a part of it.",
    (GO, GO.replace(ALL, "[t.slug for t in topics.list() if t.slug.startswith(plan.deletes)]")),
)
wrong(
    "A topic is written when it is written, and the clock knows when that is.",
    ("import datetime", "import UTC, datetime"),
    ("write(draft, now)", "write(draft, datetime.now(UTC))"),
)
wrong(
    "A topic that is there with the same text is up to date.",
    (WRITE, f"    old = {{(t.name, t.description, t.body) for t in topics.list()}}\n{WRITE}"),
    ("plan.upserts]", "plan.upserts if (draft.name, draft.description, draft.body) not in old]"),
)
wrong(
    "A topic that cannot be written is not a reason to lose the others.",
    (WRITE, TRY.replace("Exception", "OSError")),
)
wrong("A topic that cannot be written is the model's mistake, and no reason to stop.", (WRITE, TRY))
wrong(
    "A topic whose file is not there was deleted already, so there is nothing left to do.",
    ("        index.remove", "        if topics.path_of(slug).exists():\n            index.remove"),
)
wrong(
    "A topic without a pointer was deleted already, so there is nothing left to do.",
    (WRITE, f"{WRITE}    known = [slug for slug in plan.deletes if index.lookup(slug)]\n"),
    (GO, GO.replace(ALL, "known")),
)
wrong(
    "A plan only deletes topics that exist, so each can be read once more to be sure.",
    (REMOVE, f"    doomed = [topics.read(slug) for slug in plan.deletes]\n{REMOVE}"),
)
wrong(
    "A dream clears away one topic at a time; what is left over is for the next.",
    ("        topics.delete(slug)", "        topics.delete(slug)\n        break"),
)
