"""Draw the terminal in which `g2c demo` ran on the small model.

    python docs/pictures/record_demo.py [--again]

What the model said, and how long it took, is kept in `tests/course/answers/demo.jsonl` and
replayed. `--again` asks the model anew, which is needed when a prompt of the demo has changed.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ANSWERS = FOLDER.parents[1] / "tests/course/answers/demo.jsonl"
COLUMNS = 90


def draw_demo() -> str:
    """The demo's output as SVG. The environment says whether the model is asked."""
    from rich.console import Console
    from rich.text import Text

    from g2c.course.cli.console import out
    from g2c.course.cli.demo import demo

    out.width, out.record = COLUMNS, True
    demo("embedded")
    terminal = Console(width=COLUMNS, record=True, file=StringIO())
    terminal.print(Text.from_ansi(out.export_text(styles=True)))  # long lines go on below
    svg = terminal.export_svg(title="./prodlm.sh demo", unique_id="demo")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # fonts from the web
    title = (
        '<title>The output of g2c demo</title>\n<desc>The small model answers "What is 23 * 17?" '
        "with the calculator, and a question about a meeting by reading a file. Asked about a file "
        "that is not there, it takes another one and does not say so, which the demo calls not "
        "right.</desc>\n"
    )
    head, rest = svg.split(">\n", 1)
    return f"{head}>\n{title}{rest.rstrip()}\n"


if __name__ == "__main__":
    again = "--again" in sys.argv[1:]
    if again:
        ANSWERS.unlink(missing_ok=True)
    os.environ["G2C_RECORD" if again else "G2C_REPLAY"] = str(ANSWERS)
    os.environ["VIRTUAL_ENV"] = ""  # so that the demo's last lines are those of a first run
    with tempfile.TemporaryDirectory() as home:
        os.environ["G2C_ROOT"] = home
        (FOLDER / "demo.svg").write_text(draw_demo(), "utf-8")
