"""How a worker does its errand: it reads the files, asks its model, and names the sources.

A model may claim what no file says. So the program finds the source itself: a file from which the
claim follows by your `is_grounded` (20.8). A claim without a source is not passed on.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from g2c.agent.core.types import Action, AgentStep, Observation
from g2c.inference import Backend
from g2c.memory.core.types import Turn
from g2c.memory.is_grounded import is_grounded
from g2c.swarm.app.folder import Found
from g2c.swarm.core.reading import CONTEXT, Errand, Reply
from g2c.swarm.core.reports import Claim
from g2c.swarm.write_brief import write_brief
from g2c.text import named_reason, one_line, printable, within
from g2c.tools import ToolError

ReadFile = Callable[[str], str]
"""The text of a file of that name.

Raises:
    ToolError: it cannot be read.
"""

MAX_NEW_TOKENS = 40
MAX_BRIEF_CHARS = 4 * CONTEXT
_ANY_DAY = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{1,18}(?![\d.,]*\d)")
_NOTHING = "The text does not say it."
_EXAMPLES = f"""\
Text: The lamp in the hall is broken. The code of the hut is 1204. Bring bread.
Question: What is the code of the hut?
Answer: The code of the hut is 1204.

Text: Eva waters the plants. The roof of the barn is new.
Question: What is the code of the barn?
Answer: {_NOTHING}

"""


def tokens_in(text: str) -> int:
    """About how many tokens a text has, rather too many than too few.

    >>> tokens_in("The code of the hut is 1204.")
    10
    """
    return len(text.encode("utf-8", "replace")) // 3 + 1


def read_for(errand: Errand, read_file: ReadFile, backend: Backend, worker: str) -> Found:
    """Read the errand's files in their order, as many as fit, and ask the model what they say.

    Raises:
        BackendError: the model could not be asked.
    """
    texts: dict[str, str] = {}
    room = CONTEXT
    for name in errand.files:
        try:
            text = printable(read_file(name))
        except ToolError:
            continue
        room -= tokens_in(text)
        if room < 0:
            break
        texts[name] = text
    if not texts:
        return Found(worker)
    question = f"What is {errand.look_for}?"
    prompt = f"{_EXAMPLES}Text: {_brief(question, texts)}\nQuestion: {question}\nAnswer:"
    said = backend.complete(prompt, max_new_tokens=MAX_NEW_TOKENS, temperature=0.0)
    tokens = (said.prompt_tokens or tokens_in(prompt)) + (said.completion_tokens or MAX_NEW_TOKENS)
    value = value_in(said.completion, errand.look_for)
    try:
        claims = [
            Claim(errand.look_for, value, (name,))
            for name, text in texts.items()
            if value and is_said(errand.look_for, value, text)
        ]
    except Exception as error:  # a student's function; the model's answer is paid for
        return Found(worker, tokens=tokens, error=within(named_reason(error), 500))
    return Found(worker, tuple(claims), tuple(texts), tokens)


def _brief(question: str, texts: Mapping[str, str]) -> str:
    """The worker's brief, by your `write_brief`: each file is a step that the task points at."""
    steps = [
        AgentStep("", "", Action("read_file", {"path": name}), Observation(one_line(text)))
        for name, text in texts.items()
    ]
    task = f"{question} See {', '.join(f'[{number}]' for number in range(1, len(steps) + 1))}."
    return write_brief(task, steps, MAX_BRIEF_CHARS)


def value_in(answer: str, look_for: str) -> str:
    """The value in a model's sentence; "" if it says that there is none.

    >>> value_in(" The code of the hut is 1204. It rains.\\n\\nText:", "the code of the hut")
    '1204'
    >>> value_in(" The text does not say it.", "the code of the hut")
    ''
    """
    sentence = one_line(answer.strip().split("\n")[0]).partition(". ")[0].rstrip(".")
    head = f"{look_for} is "
    if not sentence.lower().startswith(head.lower()):
        return ""
    return sentence[len(head) :].strip()


def with_numbers(replies: Sequence[Reply]) -> list[Reply]:
    """The replies with only those claims that are whole numbers, for a total. Units are removed.

    >>> hours = Claim("the hours", "12 hours", ("a.txt",))
    >>> [claim.value for claim in with_numbers([Reply((hours,), ("a.txt",), 9)])[0].claims]
    ['12']
    """
    return [
        replace(
            reply,
            claims=tuple(
                replace(claim, value=found[0])
                for claim in reply.claims
                if (found := _NUMBER.match(claim.value))
            ),
        )
        for reply in replies
    ]


def is_said(look_for: str, value: str, text: str) -> bool:
    """Whether the text says that this is the value."""
    claim = f"{look_for[:1].upper()}{look_for[1:]} is {value}."
    return is_grounded(claim, [Turn(_ANY_DAY, "", "tool", text)])
