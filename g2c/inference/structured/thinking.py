"""Separates a model's thinking from its text, if the server has not.

Some servers send the thinking beside the answer. Others leave it in the text, as the model's own
template writes it. A draft in the thinking is not an answer and no action, so the thinking is
removed from every result.
"""

import re

_UNQUOTED = r"(?<![`'\"])"
_THINK_END = rf"{_UNQUOTED}</(?:\w+:)?think(?:ing)? ?>"
_BRACKET_END = rf"{_UNQUOTED}\[/THINK\]"
_ANYWHERE = (  # at the start of a line
    (r"<(?:\w+:)?think(?:ing)?(?: [^>\n]{0,40})?>", rf"{_THINK_END}(?:\s*{_THINK_END})*"),
    (r"<\|think(?:ing)?\|>", r"<\|/think(?:ing)?\|>"),
    (r"\[THINK\]", _BRACKET_END),  # Magistral
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),  # Kimi
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>(?:\s*<\|START_RESPONSE\|>)?"),  # Command A
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>(?:\s*<\|begin_of_solution\|>)?"),
    (  # gpt-oss may mark the text after its thinking as final
        r"(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>",
        r"<\|end\|>(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>)?",
    ),
)
_AT_THE_START = (  # later, these are tags like any other
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    (r"<\|channel>thought", r"<channel\|>"),  # Gemma
    ("<unused94>thought", "<unused95>"),  # MedGemma
)
_FORMS = (*_ANYWHERE, *_AT_THE_START)
_FLAGS = re.IGNORECASE | re.MULTILINE
# Within a line, a tag may be a quotation. A model that continues after "Thought:" may repeat that
# word.
_BEGINS = "|".join(f"(?P<form{n}>{begin})" for n, (begin, _) in enumerate(_FORMS))
_BEGIN = re.compile(rf"(?:^|(?<=[>\]\u25b7]))[ \t]*(?:Thought:[ \t]*)?(?:{_BEGINS})", _FLAGS)
_ENDS = [re.compile(end, _FLAGS) for _, end in _FORMS]
_FINAL = re.compile(r"\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>")
# A template may write the beginning itself; then the text has only the end. In prose, a tag is
# followed by a space, a point or the text's end, or preceded by a word and a space.
_ANY_END = f"(?:{_THINK_END}|{_BRACKET_END})"
_END_ALONE = re.compile(
    rf"{_ANY_END}(?=[ \t]*\n[ \t\n]*\S)|(?<![\w,;] ){_ANY_END}(?=[^\s`'\".,;:!?)])"
    rf"|^{_ANY_END}(?=\s*\Z)",
    _FLAGS,
)
_ANY_BEGIN = re.compile(rf"{_UNQUOTED}(?:{'|'.join(begin for begin, _ in _ANYWHERE)})", _FLAGS)
_END_OF_ANSWER = re.compile(r"<\|(?:END_RESPONSE|end_of_solution)\|>\s*\Z")
_ANSWER = re.compile(r"\s*<answer>(.*?)(?:</answer>)?\s*", re.DOTALL)  # Hunyuan, after its thinking
_WITHOUT_MARKS = re.compile(r"analysis(.*?)assistantfinal", re.DOTALL)  # gpt-oss, on some servers
_FENCES = ("```", "~~~")


def split_thinking(text: str) -> tuple[str, str]:
    r"""The thinking in `text`, and the rest. Thinking begins at the start of a line. Without an end
    tag, it lasts to the end of the text. The time is linear.

    >>> split_thinking("<think>\nTwelve threes.\n</think>\n\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Twelve threes.\n</think>\nIt is 36.")
    ('Twelve threes.', 'It is 36.')
    >>> split_thinking("Write <think> and </think>\naround it.")
    ('', 'Write <think> and </think>\naround it.')
    """
    text = text.removeprefix("\ufeff")
    if stripped := _WITHOUT_MARKS.match(text):
        return stripped[1].strip(), text[stripped.end() :].lstrip()
    if final := _FINAL.match(text):
        text = text[final.end() :]
    alone = _END_ALONE.search(text)
    if alone and not _ANY_BEGIN.search(text, 0, alone.start()):
        if not is_fenced(text, 0, alone.start()):
            return text[: alone.start()].strip(), _without_answer_tags(text[alone.end() :].lstrip())
        return "", text
    thoughts: list[str] = []
    kept: list[str] = []
    at = looked = 0
    fenced = False
    while begin := _BEGIN.search(text, looked):
        form = begin.lastgroup or ""
        number, start = int(form.removeprefix("form")), begin.start(form)
        fenced ^= is_fenced(text, looked, start)
        looked = begin.end()
        is_later = number >= len(_ANYWHERE) and (start > 40 or bool(text[: begin.start()].strip()))
        if fenced or is_later:
            continue
        end = _ENDS[number].search(text, begin.end())
        kept.append(text[at:start])
        thoughts.append(text[begin.end() : end.start() if end else None].strip())
        at = looked = end.end() if end else len(text)
    if not thoughts:
        return "", text
    rest = _END_OF_ANSWER.sub("", "".join([*kept, text[at:]]))
    return "\n".join(filter(None, thoughts)), _without_answer_tags(rest.strip())


def _without_answer_tags(rest: str) -> str:
    answer = _ANSWER.fullmatch(rest)
    return answer[1].strip() if answer else rest


def is_fenced(text: str, start: int, end: int) -> bool:
    """Whether a code fence that begins from `start` on is open at `end`."""
    return sum(text.count(fence, start, end) for fence in _FENCES) % 2 == 1
