"""Page 19.5: what a person sees of a tool, and what the model sees."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("def q(k, v): ...", "quiet", "you, and never the model"),
    ("the name of the tool", "yours", "the model"),
    ("its description", "yours", "the model"),
    ("its parameters' names", "yours", "the model"),
    ("questions with their calls", "yours", "the model: worked examples"),
)


def draw() -> Picture:
    return listing(
        "A tool, as a person and as a model sees it",
        "The code of the function q is seen by a person and never by the model. The model "
        "sees the name of the tool, a description, the names of the parameters, and "
        "worked examples. The exercise writes these.",
        ("what there is", "who sees it"),
        ROWS,
        "For the model the last four are the tool.",
    )
