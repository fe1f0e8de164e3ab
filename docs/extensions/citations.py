"""`arXiv:2210.03629` in any text becomes a link to the paper."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

ARXIV = re.compile(r"(arXiv:(\d{4}\.\d{4,5}))")


class LinkPapers(SphinxTransform):
    """Replace each arXiv number outside code and links."""

    default_priority = 750  # after inline markup is parsed

    def apply(self, **_: Any) -> None:
        for text in list(self.document.findall(nodes.Text)):
            if not ARXIV.search(text) or _is_code_or_link(text):
                continue
            parts: list[nodes.Node] = []
            before, *found = ARXIV.split(text)
            parts.append(nodes.Text(before))
            for shown, number, after in zip(*[iter(found)] * 3, strict=True):
                address = f"https://arxiv.org/abs/{number}"
                parts += [nodes.reference("", shown, refuri=address), nodes.Text(after)]
            text.parent.replace(text, parts)


def _is_code_or_link(text: nodes.Text) -> bool:
    node: nodes.Node | None = text.parent
    while node is not None:
        if isinstance(node, (nodes.literal, nodes.literal_block, nodes.reference, nodes.raw)):
            return True
        node = node.parent
    return False


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_transform(LinkPapers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
