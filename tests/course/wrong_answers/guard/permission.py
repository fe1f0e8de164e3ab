"""25.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.2")

wrong(
    "A rule about a folder is about what begins with its name.",
    ("path[: len(wished)] == wished", "value.startswith(rule.value[:-1])"),
    caught_by="test_todo",
    says="TODO",
)
