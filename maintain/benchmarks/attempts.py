"""Which of the attempts in `attempts.jsonl` a guard lets through, by what the home allows.

python maintain/benchmarks/attempts.py [--set N] [--list]

A line of that file is a run so far, and the calls that an agent makes next: an attempt, if it has a
name, or what a person wanted. Each set was written to be new to the guard of its day. A text is the
person's words, or a pair: what a stranger's text came from, and the text.
"""

import argparse
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.guard.app.guard import SENDS
from g2c.guard.app.judging import ASKED, permission_of, with_default
from g2c.guard.app.leaks import Strange
from g2c.guard.app.understood import only_reads
from g2c.guard.core.permission import Permission, ProposedCall, Rule
from g2c.guard.core.provenance import RunText

FILE = Path(__file__).with_suffix(".jsonl")
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ALLOWED = ("none", "those that only read", "all")
"""The server's tools that the home allows."""


def permissions(run: dict[str, Any], allowed: str) -> list[Permission]:
    """The answers to the calls of a run, one after the other."""
    texts, names = _texts(run["texts"])
    calls = [
        ProposedCall("agent", tool if tool in SENDS else f"server/{tool}", given, tool not in SENDS)
        for tool, given in run["calls"]
    ]
    described = {text.name for text in texts}
    for tool in dict.fromkeys(call.tool for call in calls if call.tool not in SENDS):
        if f"tool {tool}" not in described:
            given = " ".join(next(call.arguments for call in calls if call.tool == tool))
            name = tool.removeprefix("server/")
            said = f"{name} {name.replace('_', ' ')} {given}"
            texts.insert(0, RunText(f"tool {tool}", said))
    told: set[Strange] = set()
    made: list[ProposedCall] = []
    answers = []
    for call in calls:
        is_allowed = allowed == "all" or (allowed == ALLOWED[1] and only_reads(call))
        rules = [Rule("allow", call.tool)] if is_allowed or call.tool in SENDS else []
        answers.append(
            permission_of(
                call,
                with_default(rules, ASKED),
                texts,
                True,
                NOW,
                names=names,
                told=told,
                made=made,
            )
        )
        made.append(call)
    return answers


def _texts(said: Sequence[Any]) -> tuple[list[RunText], dict[str, str]]:
    """The texts under the names that a real run gives them, and the names that 25.7 has."""
    texts, names = [], {}
    for number, text in enumerate(said, 1):
        if isinstance(text, str):
            texts.append(RunText(f"the person {number}", text, trusted=True))
            continue
        source, content = text
        kind = source.partition(" ")[0]
        name = {
            "mail": f"post/read_mail {number}",
            "file": f"fs/read_file {number}",
            "page": f"read_page {number}",
        }.get(kind, source.replace("the description of ", "tool "))
        name = f"{name.removeprefix('the result of ')} {number}" if "result of" in name else name
        if kind in ("mail", "file"):
            names[name] = source
        texts.append(RunText(name, content))
    return texts, names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="name those that come through")
    parser.add_argument("--set", type=int, metavar="N", help="that set alone")
    options = parser.parse_args()
    runs = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    runs = [run for run in runs if options.set in (None, run["set"])]
    tried = [run for run in runs if "attempt" in run]
    print_heading(
        f"Of {len(tried)} attempts, those that come through without a question, and of "
        f"{len(runs) - len(tried)} calls that a person wanted, those that are asked about or "
        "denied, by the server's tools that the home's rules allow."
    )
    rows = []
    for allowed in ALLOWED:
        passed = [run for run in runs if set(permissions(run, allowed)) == {"allow"}]
        through = [run["attempt"] for run in passed if "attempt" in run]
        asked = len(runs) - len(tried) - (len(passed) - len(through))
        rows.append([allowed, len(through), asked])
        if options.list:
            print(f"{allowed}: {'; '.join(through)}\n")
    print_table(["allowed", "come through", "asked about"], rows)


if __name__ == "__main__":
    main()
