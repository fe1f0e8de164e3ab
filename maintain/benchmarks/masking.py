"""How good filters for 25.6 are: random keys that they find, and words that they take for a key.

python maintain/benchmarks/masking.py
"""

from __future__ import annotations

import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path
from random import Random

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.exercises.e25_6_find_secrets.naive import find_secrets as first_version
from g2c.guard.find_secrets import find_secrets

ROOT = Path(__file__).parents[2]
KEYS = 2_000
Filter = Callable[[str], tuple[tuple[int, int], ...]]
SIGNS = {
    "Aa0": string.ascii_letters + string.digits,
    "a0": string.ascii_lowercase + string.digits,
}


def entropy_from(least: float) -> Filter:
    """Find runs of 20 or more letters and digits with at least that many bits a character."""

    def find(text: str) -> tuple[tuple[int, int], ...]:
        return tuple(
            match.span()
            for match in re.finditer(r"[A-Za-z0-9]{20,}", text)
            if sum(n * log2(len(match[0]) / n) for n in Counter(match[0]).values())
            >= least * len(match[0])
        )

    return find


def own_texts() -> Iterator[str]:
    """Source and docs of this project, without those about secrets, which have examples."""
    for folder, ends in (("g2c", ".py"), ("docs", ".md")):
        for file in sorted((ROOT / folder).rglob(f"*{ends}")):
            if not re.search(r"guard|redaction|secret", file.as_posix()):
                yield file.read_text("utf-8")


def library_texts() -> Iterator[str]:
    """Python's own library."""
    for file in sorted(Path(os.__file__).parent.rglob("*.py")):
        if "site-packages" not in file.parts and "test" not in file.as_posix():
            yield file.read_text("utf-8", errors="replace")


def main() -> None:
    print_heading(
        f"Of {KEYS:,} random keys of a length, how many per cent are found as they stand; Aa0 has "
        "letters of both cases and digits, a0 small letters and digits. Then what is found in "
        "10,000 words of this project's source and docs, and of Python's library without its "
        "tests, where hardly anything is a secret."
    )
    filters: dict[str, Filter] = {
        "first version": first_version,
        "entropy from 3.5": entropy_from(3.5),
        "entropy from 4.0": entropy_from(4.0),
        "entropy from 4.5": entropy_from(4.5),
        "reference": find_secrets,
    }
    random = Random(1)
    keys = {
        f"{name}, {length}": ["".join(random.choices(signs, k=length)) for _ in range(KEYS)]
        for name, signs in SIGNS.items()
        for length in (24, 32)
    }
    corpora = {"project": list(own_texts()), "library": list(library_texts())}
    words = {name: sum(len(text.split()) for text in texts) for name, texts in corpora.items()}
    rows = []
    for name, find in filters.items():
        found = [
            sum(find(f"Use {item} now") == ((4, 4 + len(item)),) for item in some) / KEYS
            for some in keys.values()
        ]
        false = [
            f"{10_000 * sum(len(find(text)) for text in texts) / words[corpus]:.2f}"
            for corpus, texts in corpora.items()
        ]
        rows.append([name, *(f"{100 * item:.1f}" for item in found), *false])
    print_table(["", *keys, *(f"{name}: {n:,}" for name, n in words.items())], rows)


if __name__ == "__main__":
    main()
