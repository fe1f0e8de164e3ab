"""Draw the terminal in which `g2c demo` ran on the small model.

    python docs/pictures/record_demo.py [--again | --html FILE]

What the model said, and how long it took, is kept in `tests/course/answers/demo.jsonl` and
replayed. `--again` asks the model anew, which is needed when a prompt of the demo has changed.
`--html` writes what was printed into a file as HTML, for the site's front page, where lines break
as the window is wide.
"""

import os
import re
import sys
import tempfile
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ANSWERS = FOLDER.parents[1] / "tests/course/answers/demo.jsonl"
COLUMNS = 90
LIGHTER = {"#777877": "#a3a6a4", "#cc555a": "#e8888c"}
"""For colours of the terminal's theme that are hard to read on its black: some that are not."""


def draw_demo() -> str:
    """The demo's output as SVG. The environment says whether the model is asked."""
    from rich.console import Console
    from rich.text import Text

    from g2c.cli.console import out
    from g2c.cli.demo import demo

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


def demo_as_html() -> str:
    """The demo's questions and answers, in a block of its own colours."""
    from rich.terminal_theme import SVG_EXPORT_THEME

    from g2c.cli.console import out
    from g2c.cli.demo import demo

    out.file, out.width, out.record = StringIO(), COLUMNS, True
    demo("embedded")
    told = out.export_html(theme=SVG_EXPORT_THEME, inline_styles=True, code_format="{code}")
    for dark, light in LIGHTER.items():
        told = told.replace(dark, light)
    told = re.sub(r"(<span[^>]*>)?─+(</span>)?\n", "</pre><pre>", told)
    _model, _, questions = told.partition("</pre>")
    run, _, _ = questions.partition('<span style="font-weight: bold">Next')
    return f'<div class="recorded-demo">{run.rstrip()}</pre></div>\n'


if __name__ == "__main__":
    again = "--again" in sys.argv[1:]
    if again:
        ANSWERS.unlink(missing_ok=True)
    os.environ["G2C_RECORD" if again else "G2C_REPLAY"] = str(ANSWERS)
    # So that the demo's last lines are those of a first run, where there is no Ollama.
    os.environ |= {"VIRTUAL_ENV": "", "OLLAMA_HOST": "127.0.0.1:9"}
    with tempfile.TemporaryDirectory() as home:
        os.environ["G2C_ROOT"] = home
        if "--html" in sys.argv[1:]:
            Path(sys.argv[-1]).write_text(demo_as_html(), "utf-8")
        else:
            (FOLDER / "demo.svg").write_text(draw_demo(), "utf-8")
