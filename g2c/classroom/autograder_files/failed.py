"""Writes Gradescope's results.json if the grader failed: a sentence, and no points.

`python failed.py SAID CODE RESULTS`: the grader's stderr, its exit code, and the file to write. It
imports nothing of the course, so it also works if the course could not be installed.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

MAX_LETTERS = 2000


def result_of(said: str, code: str) -> dict[str, Any]:
    """The result for the grader's words and exit code."""
    # At the first mark: a file's name may contain a line that looks like another one.
    begun = re.search(r"^g2c: ", said, re.MULTILINE)
    sentence = said[begun.end() :] if begun else ""
    sentence = re.sub(r"[^\n -~\u00a1-\ud7ff\ue000-\U0010ffff]", "?", sentence)
    why = sentence.strip()[:MAX_LETTERS] or f"The grader stopped with exit code {code}."
    return {
        "score": 0,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "output": f"Nothing was graded. {why}\nIf you do not know why, tell your instructor.",
        "output_format": "text",
    }


def main() -> None:
    said, code, results = sys.argv[1:]
    result = result_of(Path(said).read_text("utf-8", "replace"), code)
    Path(results).write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
