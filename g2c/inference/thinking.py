"""A model's thinking, where its server leaves it in the text.

Some servers send the thinking beside the answer. Others leave it in the text, as the model's own
template writes it. A draft in there is no answer and no action, so it is taken out where a result
is made.
"""

from __future__ import annotations

import re

_NAMES = ("think", "thinking", "thought", "reasoning", "seed:think")
_FORMS = (
    *((rf"<{name}>", rf"</{name}>") for name in _NAMES),
    (r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    ("◁think▷", "◁/think▷"),  # Kimi
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A
    (  # gpt-oss: what follows its thinking may be named as final
        r"<\|channel\|>analysis<\|message\|>",
        r"<\|end\|>(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>)?",
    ),
)
_FLAGS = re.IGNORECASE
_BLOCKS = [(re.compile(rf"\s*{begin}", _FLAGS), re.compile(end, _FLAGS)) for begin, end in _FORMS]
# A template may write the beginning itself; then the text has the end alone. In the middle of a
# line an end may be a quotation, so it must be first or last on its line.
_ENDS = "|".join(end for _, end in _FORMS[:-1])
_END_ALONE = re.compile(rf"^[ \t]*(?:{_ENDS})|(?:{_ENDS})[ \t]*$", _FLAGS | re.MULTILINE)
_ANY_BEGIN = re.compile("|".join(begin for begin, _ in _FORMS), _FLAGS)


def split_thinking(text: str) -> tuple[str, str]:
    r"""The thinking at the start of `text`, and the rest. Without thinking, the text is the rest.

    Thinking without an end is all thinking. The time is linear.

    >>> split_thinking("<think>\nTwelve threes.\n</think>\n\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Twelve threes.\n</think>\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Write <think> and </think>\naround it.")
    ('', 'Write <think> and </think>\naround it.')
    """
    thoughts: list[str] = []
    at = 0
    while opened := _opened(text, at):
        begin, end = opened
        closed = end.search(text, begin)
        if closed is None:
            return "\n".join(filter(None, [*thoughts, text[begin:].strip()])), ""
        thoughts.append(text[begin : closed.start()].strip())
        at = closed.end()
    if at:
        return "\n".join(filter(None, thoughts)), text[at:].lstrip()
    if (alone := _END_ALONE.search(text)) and not _ANY_BEGIN.search(text, 0, alone.start()):
        return text[: alone.start()].strip(), text[alone.end() :].lstrip()
    return "", text


def _opened(text: str, at: int) -> tuple[int, re.Pattern[str]] | None:
    """Where thinking that begins at `at` has its first word, and how it ends."""
    for begin, end in _BLOCKS:
        if opened := begin.match(text, at):
            return opened.end(), end
    return None
