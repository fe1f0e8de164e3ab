"""A page that g2c writes: it needs no script, loads nothing, and is readable in light and dark."""

from html import escape

from g2c.files import PAGE_HEAD
from g2c.text import printable

SECURITY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_HEAD = f"""<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{SECURITY}">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em; }}
h1 {{ font-size: 1.4em; }} h2 {{ font-size: 1.15em; margin-top: 2em; }} h3 {{ font-size: 1em; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ text-align: left; vertical-align: top; border-bottom: 1px solid #8884;
  padding: 0.2em 0.5em; overflow-wrap: anywhere; }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
"""


def escaped(text: str) -> str:
    """A text as HTML that shows it."""
    return escape(printable(text))


def whole_page(title: str, body: str, style: str = "") -> str:
    """The page. `title` is a text, and `body` is HTML; `style` adds to what all pages have."""
    head = f"{PAGE_HEAD}<title>{escaped(title)}</title>\n{_HEAD}{style}</style>\n"
    return f"{head}<body>\n{body}\n</body></html>\n"
