"""25.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.6")

wrong(
    "TODO: the belief of a thoughtful person; at least eight of them.",
    ("return value", "return -value"),
    caught_by="test_todo",
    says="TODO",
)
