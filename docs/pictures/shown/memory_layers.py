"""Lesson 20, "Two kinds of memory, three layers": who writes each layer, and who reads it."""

from drawing import Picture


def draw() -> Picture:
    p = Picture(
        430,
        "Three layers of memory",
        "What is said goes at once into the transcripts, which only grow: the cold layer. Now and "
        "then the dream makes topics of them: the warm layer, read when needed. Each topic has a "
        "line in MEMORY.md, the hot layer, which is in every prompt. The prompt also gets what "
        "recall and grep find in transcripts and topics. The model's answer is said, and so it is "
        "kept.",
    )
    p.box(20, 20, 150, 44, "what is said", kind="plain")
    p.arrow((95, 64), (95, 112))
    p.text(106, 94, "every turn, at once")
    p.box(20, 112, 240, 66, "transcripts/", "every turn, as it was said", kind="program")
    p.text(20, 198, "cold: never rewritten")
    p.arrow((95, 206), (95, 252))
    p.text(106, 236, "the dream, now and then")
    p.box(20, 252, 240, 66, "topics/", "what is known about a thing", kind="program")
    p.text(20, 338, "warm: read when needed")
    p.arrow((95, 346), (95, 362))
    p.box(20, 362, 240, 48, "MEMORY.md: a line each", kind="program")
    p.box(392, 230, 128, 112, "the prompt", "question,", "index,", "what was found", kind="plain")
    p.arrow((260, 145), (330, 145), (330, 262), (392, 262))
    p.arrow((260, 284), (392, 284))
    p.text(340, 190, "recall, grep:")
    p.text(340, 208, "when somebody asks")
    p.arrow((260, 386), (460, 386), (460, 342))
    p.text(276, 406, "hot: in every prompt")
    p.box(400, 108, 120, 44, "the model", kind="model")
    p.arrow((500, 230), (500, 152))
    p.arrow((460, 108), (460, 42), (170, 42))
    p.text(190, 34, "its answer is said, too")
    return p
