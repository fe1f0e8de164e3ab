"""Draw the course's pictures anew.

    python docs/pictures/draw.py [agent-home 22-2-next-status ...]

Each picture is a module whose `draw` returns it: `picture.py` in an exercise's folder, or a module
in `shown/`. The SVG files are committed, so that a page shows them wherever it is read; a test
compares them with what this makes.
"""

import sys
from importlib import import_module
from pathlib import Path

from g2c.course.manifest import load_exercises

FOLDER = Path(__file__).resolve().parent
EXERCISES = {exercise.slug[1:].replace("_", "-"): exercise for exercise in load_exercises()}
OTHERS = [file.stem.replace("_", "-") for file in sorted(FOLDER.glob("shown/[a-z]*.py"))]
NAMES = [*OTHERS, *EXERCISES]


def svg_of(name: str) -> str:
    """The picture of that name, such as `agent-home`."""
    found = EXERCISES.get(name)
    module = found.part("picture") if found else import_module(f"shown.{name.replace('-', '_')}")
    svg: str = module.draw().svg()
    return svg


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(NAMES):
        known = ", ".join(NAMES)
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}; there are {known}.")
    for name in sys.argv[1:] or NAMES:
        (FOLDER / f"{name}.svg").write_text(svg_of(name), "utf-8")
        print(f"docs/pictures/{name}.svg")
