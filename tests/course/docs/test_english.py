"""The English of the course: plain words where a dialect had grown."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMPARATIVE = (
    "longer|more|less|better|larger|worse|other|different|shorter|slower|fewer|later|earlier"
)
OPENERS = "of|what|who|whoever|where|also"
PATTERNS = {
    "say 'is not a'": r"(?<!there)(?<!here)(?<!which) (?:is|are|was|were) no "
    rf"(?!(?:{COMPARATIVE}|such|one)\b)[a-z]",
    "name the element, not 'one'": r"\bfor one\b in\b|\blambda one:",
    "a limit is MAX_ or MIN_ of something": r"(?-i:\bMOST\b)",
    "a test's name says what happens": rf"^\s*def test_(?:{OPENERS})_",
    "a function is a verb, or names what it returns": r"^\s*def (?:of|told|turned)\(",
    "a docstring says what the thing is or does": rf'^\s*r?"""(?:{OPENERS})\b',
}
EXCEPT = {"CHANGELOG.md", "g2c/critic/core/prompts.py", "tests/course/docs/test_english.py"}
"""History, a prompt whose answers are recorded, and this file."""


def files() -> list[str]:
    command = ["git", "ls-files", "*.py", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if name not in EXCEPT]


@pytest.mark.parametrize(("advice", "pattern"), PATTERNS.items(), ids=PATTERNS)
def test_sentences_and_names_are_plain(advice: str, pattern: str) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in files()
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1)
        if re.search(pattern, line, re.I)
    ]
    assert not found, f"{advice}:\n" + "\n".join(found[:20])
