"""Store the stubs' text for `g2c reset`: `python -m maintain.author.stubs`.

It reads the functions of this checkout, which must be unsolved, as a student gets them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from g2c.course.manifest import load_exercises
from g2c.course.stubs import STUBS, parts_of
from g2c.files import replace_text
from g2c.paths import project_root

HEAD = "# Written by python -m maintain.author.stubs: each exercise as it is shipped.\n"


def to_toml(stubs: Mapping[str, str]) -> str:
    """A TOML file of the texts by their ids, in which each looks as it does in Python.

    Raises:
        ValueError: a text that is read back from the file differs.
    """
    text = HEAD + "".join(f"\n\"{id_}\" = '''\n{stub}'''\n" for id_, stub in stubs.items())
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{error}: does a stub hold three single quotes in a row?") from error
    for id_, stub in stubs.items():
        if read.get(id_) != stub:
            raise ValueError(f"The stub of {id_} is not the same when it is read again.")
    return text


def main() -> None:
    stubs = {}
    for exercise in load_exercises():
        text = (project_root() / exercise.file).read_text("utf-8")
        stub = parts_of(text, exercise)[1]
        if not stub.endswith("raise NotImplementedError\n"):
            raise SystemExit(f"{exercise.file}: {exercise.name} is not as shipped.")
        stubs[exercise.id] = stub
    replace_text(STUBS, to_toml(stubs))


if __name__ == "__main__":
    main()
