"""A critic that reads files: whether those that a goal names exist and say what they must say.

A claim to be done is a claim about the disk, and the disk can be checked. The model says what each
file must hold. Demands beyond the goal are dropped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g2c.critic.core.examples import Finding, critique_of
from g2c.critic.core.types import Critique
from g2c.inference import Backend
from g2c.inference.structured.json_forms import (
    ask_json,
    find_fault,
    object_schema,
    read_object,
    text_schema,
)
from g2c.text import fold, one_line
from g2c.tools import ToolError, make_calculator, make_read_file
from g2c.tracing import traced

MAX_FILE_BYTES = 100_000
_FILE_NAME = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.[A-Za-z]\w{1,7}(?![\w/])")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

CHECKS_SCHEMA = object_schema(
    files={
        "type": "array",
        "maxItems": 6,
        "items": object_schema(file=text_schema(60), says=text_schema(200), equals=text_schema(60)),
    }
)
"""Required content of each file: a text or the result of a sum. Empty if the goal does not tell."""

_PROMPT = """\
Say what must be in each file when the goal is reached: a text that the goal gives word for word, \
or the sum whose result it is. Leave both empty where the goal does not tell. Answer with JSON.

Goal: Write house.txt. It is to say: The door is green.
Checks: {"files": [{"file": "house.txt", "says": "The door is green.", "equals": ""}]}

Goal: Find out when the train leaves, and write it to train.txt.
Checks: {"files": [{"file": "train.txt", "says": "", "equals": ""}]}

Goal: There are 12 boxes of 8 eggs. Write to eggs.txt how many eggs there are.
Checks: {"files": [{"file": "eggs.txt", "says": "", "equals": "12 * 8"}]}

Goal: Write to pet.txt which animal Mia has.
Checks: {"files": [{"file": "pet.txt", "says": "", "equals": ""}]}

Goal: Put the name Eva into names.txt, and make age.txt say 40.
Checks: {"files": [{"file": "names.txt", "says": "Eva", "equals": ""}, \
{"file": "age.txt", "says": "40", "equals": ""}]}

Goal: """


@dataclass(frozen=True)
class FileCheck:
    """A file that must be there, and what it must say: a text, or the result of a sum."""

    file: str
    says: str = ""
    equals: str = ""


@dataclass(frozen=True)
class LookingCritic:
    """Judges a claim that a goal is reached, by the files in `folder`. The text of the claim does
    not matter. A goal that names no file cannot be checked, and is not approved.

    Raises:
        BackendError: at a call, the model could not be asked.
    """

    backend: Backend
    folder: Path
    max_new_tokens: int = 300

    @traced("critique")
    def __call__(self, task: str, draft: str) -> Critique:
        if not file_names(task):
            return Critique(parse_error="The goal names no file to check.")
        prompt = f"{_PROMPT}{' '.join(task.split())}\nChecks: "
        answer = ask_json(self.backend, prompt, CHECKS_SCHEMA, max_new_tokens=self.max_new_tokens)
        return critique_of(look_at_files(read_checks(answer.completion, task), self.folder))


def file_names(goal: str) -> tuple[str, ...]:
    """The names of files in a goal, each once.

    >>> file_names("Copy a.txt to notes/b.md. It costs 3.50 or so.")
    ('a.txt', 'notes/b.md')
    """
    return tuple(dict.fromkeys(_FILE_NAME.findall(goal)))


def read_checks(text: str, goal: str) -> tuple[FileCheck, ...]:
    """A check for each file that the goal names. The JSON `text` may add to it a text that the goal
    quotes (after a colon, a quotation mark or "say"), or a sum of the goal's numbers.

    >>> said = '{"files": [{"file": "a.txt", "says": "", "equals": "7 * 6"}]}'
    >>> read_checks(said, "Write the product of 7 and 6 to a.txt.")
    (FileCheck(file='a.txt', says='', equals='7 * 6'),)
    >>> read_checks(said, "Write 7 to a.txt.")
    (FileCheck(file='a.txt', says='', equals=''),)
    """
    data = read_object(text)
    added = () if data is None or find_fault(data, CHECKS_SCHEMA) else data["files"]
    checks = {name: FileCheck(name) for name in file_names(goal)}
    for check in added:
        name, equals, says = check["file"], check["equals"], check["says"]
        if len(checks) == len(added) == 1:
            (name,) = checks  # no other file can be meant
        numbers = _NUMBER.findall(equals)
        if name not in checks:
            continue
        if len(numbers) > 1 and set(numbers) <= _numbers(goal):
            checks[name] = FileCheck(name, equals=equals)
        elif says.strip() and _quotes(goal, says):
            checks[name] = FileCheck(name, says=says)
    return tuple(checks.values())


def look_at_files(checks: Sequence[FileCheck], folder: Path) -> tuple[Finding, ...]:
    """The result of each check in `folder`. A name that leads out of the folder is not read."""
    read = make_read_file(folder, max_bytes=MAX_FILE_BYTES).func
    findings = []
    for check in checks:
        try:
            text = read(path=check.file)
        except ToolError as error:
            # What follows the first sentence is advice on how to read another file.
            findings.append(Finding(check.file, str(error).partition(". ")[0] + "."))
            continue
        findings.append(Finding(check.file, _trouble(check, text)))
    return tuple(findings)


def _trouble(check: FileCheck, text: str) -> str:
    if check.says and _plain(check.says) not in _plain(text):
        return f"{check.file} does not say: {check.says}"
    if check.equals:
        try:
            value = make_calculator().func(check.equals)
        except ToolError:
            return ""
        if float(value) not in map(float, _numbers(text)):
            return f"{check.file} does not say {value}, which is {check.equals}."
    return ""


def _quotes(goal: str, text: str) -> bool:
    before = r"(?:[:\"'\u201c\u2018]|\bsay(?:s|ing)?)\s*"
    return bool(re.search(before + re.escape(_plain(text)), _plain(goal)))


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _plain(text: str) -> str:
    return fold(one_line(text))
