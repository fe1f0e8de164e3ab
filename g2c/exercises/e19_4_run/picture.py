"""Lesson 19, "The loop": one step, and where each exercise stands in it."""

from drawing import Picture


def draw() -> Picture:
    p = Picture(
        444,
        "The loop of an agent",
        "The prompt holds the system prompt with tools and examples, the question, a plan if there "
        "is one, and a block of thought, action and observation for each step; it ends with "
        "'Thought:'. The model continues it and is told to stop at 'Observation:'. The program "
        "parses the completion (exercise 19.1). An action runs a tool, whose result is an "
        "observation. What cannot be read becomes an error, which is an observation, too. The "
        "observation is one more block of the prompt (19.3), and the loop (19.4) goes round. An "
        "answer ends it.",
    )
    p.text(20, 26, "What the model reads", "head")
    p.text(326, 26, "What the program does", "head")
    p.box(20, 40, 232, 196)
    p.rows(34, 64, ["system: tools, examples", "Question: ...", "Plan: ... (19.2)"], "")
    p.rows(34, 64 + 3 * 19, ["Thought, Action, Observation"] * 2, "")
    p.text(34, 64 + 5 * 19, "...", "")
    p.text(34, 64 + 6 * 19, "Thought, Action, Observation", "")
    p.text(34, 64 + 8 * 19, "Thought:", "head")
    p.box(326, 40, 194, 66, "The model writes", "up to Observation:", kind="model")
    p.arrow((252, 73), (326, 73))
    p.text(289, 64, "prompt", "soft middle")
    p.box(326, 156, 194, 56, "19.1", "reads the completion", kind="yours")
    p.arrow((416, 106), (416, 156))
    p.text(426, 136, "completion")

    p.arrow((344, 212), (344, 246), (270, 246), (270, 290))
    p.arrow((416, 212), (416, 290))
    p.arrow((492, 212), (492, 290))
    p.text(262, 274, "action", "soft end")
    p.text(408, 274, "unreadable", "soft end")
    p.text(484, 274, "answer", "soft end")
    p.box(214, 290, 112, 44, "a tool runs", kind="program")
    p.box(334, 290, 106, 44, "an error", kind="program")
    p.box(456, 290, 64, 44, "stop", kind="good")
    p.line((387, 334), (387, 372))
    p.line((270, 334), (270, 372))
    p.arrow((387, 372), (111, 372), (111, 236))
    p.text(274, 392, "observation", "soft middle")
    p.box(40, 284, 142, 54, "19.3", "one more block", kind="yours")
    p.text(20, 428, "The ring is 19.4: one turn is a step, and there are four ways out.", "")
    return p
