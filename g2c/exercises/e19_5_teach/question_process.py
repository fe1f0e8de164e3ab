"""The process that asks the model for 19.5: `python -m g2c.exercises.e19_5_teach.question_process`.

It reads a text and a seed from the standard input, as JSON. It prints a line of JSON for each task
that is done, and a last one with the score, or with `trouble`.
"""

import json
import sys
from dataclasses import asdict
from typing import Any

from g2c.exercises.e19_5_teach.goal import ask_all, from_data
from g2c.inference import BackendError


def main() -> None:
    given = json.load(sys.stdin)
    try:
        score = ask_all(from_data(given["text"]), given["seed"], _tell)
    except BackendError as error:
        _print({"trouble": str(error)})
    else:
        _print(asdict(score))


def _tell(done: float, of: float) -> None:
    _print({"done": done, "of": of})


def _print(data: dict[str, Any]) -> None:
    print(json.dumps(data), flush=True)


if __name__ == "__main__":
    main()
