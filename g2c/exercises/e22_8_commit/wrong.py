"""22.8 gone wrong."""

import json
from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.8")

WRITE = "disk.write(BESIDE, json.dumps([total, [delivery.id for delivery in deliveries]]).encode())"
RENAME = "disk.rename(BESIDE, STATE)"
IDS = "[delivery.id for delivery in deliveries]]"
ACKNOWLEDGE = "    for delivery in deliveries:\n        acknowledge(delivery.id)\n"

wrong(
    "First say that it is here, then do what is to be done.",
    (ACKNOWLEDGE, ""),
    ("    if new:", f"{ACKNOWLEDGE}    if new:"),
)
wrong(
    "The total is replaced in one rename, so nothing can come between.",
    (
        "delivery for delivery in deliveries if delivery.id not in counted",
        "delivery for delivery in deliveries",
    ),
)
wrong(
    "A file that is written in one call is written as one.",
    (WRITE, WRITE.replace("BESIDE", "STATE")),
    (RENAME, "pass"),
)
wrong(
    "A file has to be away before another can have its name.",
    (RENAME, f"STATE in disk.names() and disk.delete(STATE)\n        {RENAME}"),
)
wrong(
    "An empty file with the right name can be filled in peace.",
    (WRITE, "disk.write(BESIDE, b'')"),
    (RENAME, RENAME + "\n        " + WRITE.replace("write(BESIDE", "append(STATE")),
)
wrong(
    "To know what was counted, keep the ids of all that was.",
    (IDS, "counted + [delivery.id for delivery in new]]"),
)
wrong(
    "What comes again says the same, so the text tells.",
    ("if delivery.id not in counted", "if delivery.text not in counted"),
    (IDS, "[delivery.text for delivery in deliveries]]"),
)


@wrong()
def last_id(disk, deliveries, acknowledge):
    """One at a time: only the last one can be counted and not acknowledged."""
    total, last = json.loads(disk.read("state")) if "state" in disk.names() else (0, "")
    for delivery in deliveries:
        if delivery.id != last:
            total, last = total + delivery.amount, delivery.id
            disk.write("new", json.dumps([total, last]).encode())
            disk.rename("new", "state")
        acknowledge(delivery.id)
    return total
