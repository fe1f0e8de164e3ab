"""Page 22.7, and the page on the home: who keeps a loop going, and who is told."""

from drawing import Picture


def draw() -> Picture:
    p = Picture(
        470,
        "Supervisor and healer",
        "The supervisor runs the loop in a process of its own. When that process ends, the "
        "supervisor reads the state on the disk. Done or stopped: it ends. Running or within the "
        "budget: it runs the loop again, and waits longer each time a run came no tick further, "
        "five minutes at most. Failed, or crashed: it asks the healer, a program without a model. "
        "The healer restores the newest snapshot of a good tick, leaves a note for the next tick "
        "and a flare for a person; after three recoveries in 24 hours, or without a snapshot, it "
        "restores nothing and a person is needed.",
    )
    p.box(20, 20, 200, 56, "supervisor", "no model; may be killed", kind="program")
    p.box(320, 20, 200, 56, "the loop", "a process of its own", kind="model")
    p.arrow((220, 40), (320, 40))
    p.text(270, 32, "runs", "soft middle")
    p.arrow((420, 76), (420, 124))
    p.text(430, 106, "its process ends")
    p.box(320, 124, 200, 56, "state.md", "what is on the disk", kind="plain")
    p.arrow((320, 152), (120, 152), (120, 76))
    p.text(306, 144, "runs on: again, after a wait", "soft end")
    p.text(306, 171, "1, 2, 4, ... 300 s", "soft end")
    p.arrow((470, 180), (470, 226))
    p.box(420, 226, 100, 56, "done", "or stopped", kind="good")
    p.text(464, 208, "the end", "soft end")
    p.arrow((360, 180), (360, 300))
    p.text(350, 232, "failed, or crashed", "soft end")
    p.box(220, 300, 300, 56, "healer", "no model; never a running loop", kind="program")
    p.arrow((220, 328), (60, 328), (60, 76))
    p.text(72, 254, "restored:")
    p.rows(72, 274, ["snapshot, note,", "flare"])
    p.arrow((370, 356), (370, 402))
    p.text(380, 384, "a fourth time in 24 h")
    p.box(220, 402, 300, 48, "a person has to", kind="bad")
    p.text(20, 430, "Each layer fails to a", "")
    p.text(20, 449, "more visible one.", "")
    return p
