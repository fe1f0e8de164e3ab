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
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),  # Kimi
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A
    (  # gpt-oss: what follows its thinking may be named as final
        r"<\|channel\|>analysis<\|message\|>",
        r"<\|end\|>(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>)?",
    ),
)
_FLAGS = re.IGNORECASE | re.MULTILINE
# In the middle of a line a tag may be a quotation. A model that goes on after "Thought:" may write
# that word again.
_BEGINS = "|".join(f"(?P<form{n}>{begin})" for n, (begin, _) in enumerate(_FORMS))
_BEGIN = re.compile(rf"(?:^|(?<=[>\]\u25b7]))[ \t]*(?:Thought:[ \t]*)?(?:{_BEGINS})", _FLAGS)
_ENDS = [re.compile(end, _FLAGS) for _, end in _FORMS]
# A template may write the beginning itself; then the text has the end alone.
_ANY_END = "|".join(end for _, end in _FORMS[:-1])
_END_ALONE = re.compile(rf"^[ \t]*(?:{_ANY_END})|(?:{_ANY_END})[ \t]*$", _FLAGS)
_ANY_BEGIN = re.compile("|".join(begin for begin, _ in _FORMS), _FLAGS)


def split_thinking(text: str) -> tuple[str, str]:
    r"""The thinking in `text`, and the rest. Thinking begins with a line. Without an end, it lasts
    to the end of the text. The time is linear.

    >>> split_thinking("<think>\nTwelve threes.\n</think>\n\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Twelve threes.\n</think>\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Write <think> and </think>\naround it.")
    ('', 'Write <think> and </think>\naround it.')
    """
    if (alone := _END_ALONE.search(text)) and not _ANY_BEGIN.search(text, 0, alone.start()):
        return text[: alone.start()].strip(), text[alone.end() :].lstrip()
    thoughts: list[str] = []
    kept: list[str] = []
    at = 0
    while begin := _BEGIN.search(text, at):
        form = begin.lastgroup or ""
        kept.append(text[at : begin.start(form)])
        end = _ENDS[int(form.removeprefix("form"))].search(text, begin.end())
        thoughts.append(text[begin.end() : end.start() if end else None].strip())
        at = end.end() if end else len(text)
    if not thoughts:
        return "", text
    return "\n".join(filter(None, thoughts)), "".join([*kept, text[at:]]).strip()
