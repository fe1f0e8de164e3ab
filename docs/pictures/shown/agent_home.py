"""The page on the home: one folder, and who reads and writes each part of it."""

from drawing import Kind, Picture

PARTS: tuple[tuple[str, str, Kind, str], ...] = (
    ("agent.toml", "what the agent may do", "yours", "you; each command reads it"),
    ("agent/", "constitution, evolving files", "yours", "you; a loop proposes, you accept"),
    ("memory/", "transcripts, topics, index", "program", "chats and loops add; dreams tidy"),
    ("loops/NAME/", "state, ticks, snapshots, work", "program", "the loop; the healer; supervise"),
    ("inbox/", "messages for the agent", "plain", "g2c loop tell; the next tick reads it"),
    ("outbox/", "flares", "bad", "the healer; you read it"),
)


def draw() -> Picture:
    p = Picture(
        450,
        "The agent's home",
        "A folder with six parts. "
        + " ".join(f"{name}: {what}. {who}." for name, what, _, who in PARTS)
        + " Chats, loops, reviews and dreams are different processes that work on this one folder.",
    )
    p.text(20, 28, ".g2c/home", "code head")
    p.text(300, 28, "who writes and reads it", "head")
    p.line((36, 40), (36, 40 + 6 * 62 - 31))
    for n, (name, what, kind, who) in enumerate(PARTS):
        y = 44 + n * 62
        p.line((36, y + 25), (52, y + 25))
        p.box(52, y, 228, 50, name, what, kind=kind)
        p.text(300, y + 30, who, "soft")
    p.text(20, 438, "Chat, loop, review and dream: four processes, one folder, one agent.", "")
    return p
