"""23.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "23.2")

wrong(
    "A kind's time is how long its spans lasted.",
    ("own[span.kind] += span.seconds - covered", "own[span.kind] += span.seconds"),
)
wrong(
    "What the children took is the sum of what each took.",
    ("covered += max(0.0, end - start)", "covered += child.seconds"),
)
wrong(
    "From the first child's beginning to the last one's end, the children worked.",
    (
        "covered, until = 0.0, span.start",
        "covered, until = 0.0, span.start\n        children = "
        "below[span.id]\n        covered = (max(c.end for c in children) - min(c.start for c in "
        "children)) if children else 0.0",
    ),
    ("            covered += max(0.0, end - start)\n", ""),
)
wrong("A child's time is within its parent's.", ("min(child.end, span.end)", "child.end"))
wrong(
    "All time of one's own was waited for.",
    ("            critical[kind],\n", "            own[kind],\n"),
)
wrong(
    "Only the child that ended last was waited for.",
    (
        "                waited.append(child)\n",
        "                waited.append(child)\n                break\n",
    ),
)
wrong(
    "The longest child was waited for.",
    ("key=lambda child: child.end, reverse=True", "key=lambda child: child.seconds, reverse=True"),
)
wrong(
    "One that had begun before was waited for as well.",
    ("            if child.end <= until:\n", "            if child.start < until:\n"),
)
wrong(
    "The path does not go below the first children.",
    (
        "                waited.append(child)\n",
        "                critical[child.kind] += child.seconds\n",
    ),
)
wrong("There is one run in a trace.", ("waited = list(below[None])", "waited = below[None][:1]"))
wrong(
    "What worked longest comes first.",
    ("key=lambda row: -row.critical_s", "key=lambda row: -row.self_s"),
)
wrong(
    "A run's row has the tokens of all its calls.",
    (
        "sum(span.input_tokens or 0 for span in spans if span.kind == kind)",
        "sum(span.input_tokens or 0 for span in spans if kind in ('agent', span.kind))",
    ),
)
wrong(
    "A span that took 0 seconds is not counted.",
    (
        "sum(span.kind == kind for span in spans)",
        "sum(span.kind == kind and span.seconds > 0 for span in spans)",
    ),
)
wrong(
    "A kind without time of its own has nothing to show.",
    ("for kind in sorted(own)", "for kind in sorted(own) if own[kind]"),
)
