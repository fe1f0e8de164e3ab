"""Page 19.1: what of a completion is the step, and what the model made up."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("Thought: I need the number.", "plain", "the thought"),
    ("Action: read_file", "yours", "the action: a tool"),
    ('Action Input: {"path": "count.txt"}', "yours", "its arguments, as JSON"),
    ("Observation: 17", "bad", "the program's word:\nthe step ends before it"),
    ("Final Answer: 17", "bad", "made up: no tool has run"),
)


def draw() -> Picture:
    return listing(
        "What of a completion counts",
        "A completion of the model in five lines. The thought, the action and its input "
        "are the step. The observation and the final answer that follow were made up by "
        "the model, because no tool has run. The step ends before them.",
        ("the model wrote", "what it is"),
        ROWS,
    )
