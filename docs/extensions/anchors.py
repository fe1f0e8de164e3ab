"""Anchors that are written `<a id="name"></a>`, as every Markdown viewer understands them.

To MyST they are raw HTML, and it would not find `page.md#name`. Here the name becomes an id of the
heading below it, so that links to it are checked, from notebooks as well.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


class NamedAnchors(SphinxTransform):
    """Give an anchor's name to the section that follows, and take the raw HTML away."""

    default_priority = 200  # while reading, before links are resolved

    def apply(self, **_: Any) -> None:
        waiting: list[str] = []
        for node in list(self.document.findall()):
            if isinstance(node, nodes.paragraph):
                html = "".join(raw.astext() for raw in node.findall(nodes.raw))
                if names := ANCHOR.findall(html):
                    waiting += names
                    node.parent.remove(node)
            elif isinstance(node, nodes.section) and waiting:
                title = node.next_node(nodes.title)
                node["ids"] += [name for name in waiting if name not in node["ids"]]
                for name in waiting:
                    self.document.myst_slugs[name] = (node.line, name, title.astext())
                waiting = []


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_transform(NamedAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
