"""Record the test that catches each wrong answer, and words of its message, in `caught.toml`."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from g2c.course.check.results import EXAMPLES
from g2c.course.manifest import Exercise
from g2c.exercise import REFERENCE_VARIABLE
from g2c.files import replace_text
from g2c.paths import project_root
from g2c.surroundings import own_environment

MAX_CHARS = 80
HEAD = """\
# The test that catches each wrong answer, and words of its message. To write it anew:
# python -m maintain.author caught {id}

"""


@dataclass(frozen=True)
class Caught:
    """The result of one wrong answer. `test` is empty if it passes; `is_new` if it is not as it was
    recorded."""

    belief: str
    test: str = ""
    says: str = ""
    is_new: bool = True


def record(exercise: Exercise) -> list[Caught]:
    """Try the exercise's wrong answers, and record what catches each. What was recorded stays where
    it still holds.

    Raises:
        ValueError: the trials end with an error, which the message has.
    """
    root = project_root()
    folder = root / "tests/course"
    os.environ[REFERENCE_VARIABLE] = "all"
    sys.path.insert(0, str(folder))
    from wrong_answers import caught, caught_file, load_bank

    answers = [answer for answer in load_bank() if answer.exercise == exercise.id]
    with tempfile.TemporaryDirectory() as to:
        done = subprocess.run(
            [sys.executable, "-m", "wrong_answers", to, "--only", exercise.id],
            cwd=folder,
            env=own_environment(PYTHONPATH=f"{folder}{os.pathsep}{root}"),
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise ValueError(f"The trials failed.\n{done.stdout}{done.stderr}".rstrip())
        results = []
        for answer in answers:
            file = Path(to, f"{answer.name}.json")
            said = json.loads(file.read_text("utf-8")) if file.exists() else {}
            results.append(choose(answer.belief, said, caught(exercise.id).get(answer.belief)))
    # JSON's strings are TOML's basic strings.
    rows = "".join(
        f"{_text(result.belief)} = {_text([result.test, result.says])}\n"
        for result in results
        if result.test
    )
    replace_text(caught_file(exercise.id), HEAD.format(id=exercise.id) + rows)
    return results


def choose(belief: str, said: Mapping[str, str], recorded: tuple[str, str] | None) -> Caught:
    """The test that catches an answer, from what each test said: "" if it passed.

    >>> said = {"test_a": "", "test_b": "AssertionError: three are not two\\nassert 3 == 2"}
    >>> choose("Three.", said, None)
    Caught(belief='Three.', test='test_b', says='three are not two', is_new=True)
    >>> choose("Three.", said, ("test_b", "are not two")).is_new
    False
    >>> choose("Three.", {"test_a": ""}, ("test_a", "no")).test
    ''
    """
    failed = {test: message for test, message in said.items() if message and test != EXAMPLES}
    if not failed:
        return Caught(belief)
    test, says = recorded or ("", "")
    if test in failed and says in " ".join(failed[test].split()):
        return Caught(belief, test, says, is_new=False)
    test = test if test in failed else next(iter(failed))
    first = " ".join(failed[test].partition("\n")[0].removeprefix("AssertionError: ").split())
    return Caught(belief, test, first[:MAX_CHARS].strip())


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
