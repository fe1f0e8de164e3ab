"""Call a word a secret if it follows a name such as password, or is long and has much entropy. Look
for secrets in a log, in a call that has two, and in this project's source, which has none."""

from __future__ import annotations

import re
from collections import Counter
from math import log2
from pathlib import Path

import g2c
from g2c.course.breaks import RESULT, WANTED, Seen

QUESTION = "How many of a hundred words that a filter hides are worth hiding?"


def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    found = [match.span() for match in re.finditer(r"(?:password|token|api_key)\W+\S+", text)]
    for word in re.finditer(r"[\w+/=-]{20,}", text):
        shares = [n / len(word[0]) for n in Counter(word[0]).values()]
        if -sum(share * log2(share) for share in shares) > 3.5:
            found.append(word.span())
    return tuple(found)


LOG = "commit 8a7d1c90be2f4463551fe09a77d0c3b2aa914e05: password is asked for, not kept\n"
SENT = 'curl -H "Authorization: Bearer 9f2k-77qx" -d api-key=hunter22\n'


def show(folder: Path) -> Seen:
    for name, line in ("a log", LOG), ("a call", SENT):
        hidden = line
        for start, end in sorted(find_secrets(line), reverse=True):
            hidden = hidden[:start] + "[hidden]" + hidden[end:]
        yield name, line.strip()
        yield "written down", hidden.strip()
    files = sorted((Path(g2c.__file__).parent / "agent").rglob("*.py"))
    texts = [file.read_text("utf-8") for file in files]
    found = [text[start:end] for text in texts for start, end in find_secrets(text)]
    words = sum(len(text.split()) for text in texts)
    yield "such as", ", ".join(found[:3])
    yield RESULT, f"{len(found)} secrets in {words:,} words of source that have none"
    yield WANTED, "at most 1 of these, and both secrets of the call"
