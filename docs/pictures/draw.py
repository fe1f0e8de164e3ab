"""Draw the course's pictures anew.

    python docs/pictures/draw.py [agent-loop ...]

Each picture is a module in `shown/` whose `draw` returns it. The SVG files are committed, so that a
page shows them wherever it is read; a test compares them with what this makes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
NAMES = sorted(file.stem.replace("_", "-") for file in (FOLDER / "shown").glob("[a-z]*.py"))


def svg_of(name: str) -> str:
    """The picture of that name, such as `agent-loop`."""
    svg: str = import_module(f"shown.{name.replace('-', '_')}").draw().svg()
    return svg


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(NAMES):
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}.")
    for name in sys.argv[1:] or NAMES:
        (FOLDER / f"{name}.svg").write_text(svg_of(name), "utf-8")
        print(f"docs/pictures/{name}.svg")
