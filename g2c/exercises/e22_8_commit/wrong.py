"""22.8 gone wrong."""

import json
from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.8")

WRITE = "disk.write(BESIDE, json.dumps([total, [delivery.id for delivery in deliveries]]).encode())"
RENAME = "disk.rename(BESIDE, STATE)"
IDS = "[delivery.id for delivery in deliveries]]"
ACKNOWLEDGE = "    for delivery in deliveries:\n        acknowledge(delivery.id)\n"
TARGET = "test_it_reaches_the_target"

wrong(
    "First say that it is here, then do what is to be done.",
    (ACKNOWLEDGE, ""),
    ("    if new:", f"{ACKNOWLEDGE}    if new:"),
    caught_by=TARGET,
    says="was lost",
)
wrong(
    "The total is replaced in one rename, so nothing can come between.",
    (
        "delivery for delivery in deliveries if delivery.id not in counted",
        "delivery for delivery in deliveries",
    ),
    caught_by=TARGET,
    says="was counted twice",
)
wrong(
    "A file that is written in one call is written as one.",
    (WRITE, WRITE.replace("BESIDE", "STATE")),
    (RENAME, "pass"),
    caught_by=TARGET,
    says="bytes of write 'state'. The next start found 'state' with",
)
wrong(
    "A file has to be away before another can have its name.",
    (RENAME, f"STATE in disk.names() and disk.delete(STATE)\n        {RENAME}"),
    caught_by=TARGET,
    says="right before rename 'new' to 'state'",
)
wrong(
    "An empty file with the right name can be filled in peace.",
    (WRITE, "disk.write(BESIDE, b'')"),
    (RENAME, RENAME + "\n        " + WRITE.replace("write(BESIDE", "append(STATE")),
    caught_by=TARGET,
    says="append 'state'. The next start found 'state' with",
)
wrong(
    "To know what was counted, keep the ids of all that was.",
    (IDS, "counted + [delivery.id for delivery in new]]"),
    caught_by="test_a_delivery_costs_no_more_after_many_others",
    says="what is needed of those that are long acknowledged?",
)
wrong(
    "What comes again says the same, so the text tells.",
    ("if delivery.id not in counted", "if delivery.text not in counted"),
    (IDS, "[delivery.text for delivery in deliveries]]"),
    caught_by=TARGET,
    says="without any death, the total was",
)


@wrong(caught_by=TARGET, says="'total' with")
def commit(disk, deliveries, acknowledge):
    """Two files are replaced, each in one rename: the total, and the ids in it."""
    total = int(disk.read("total")) if "total" in disk.names() else 0
    ids = json.loads(disk.read("ids")) if "ids" in disk.names() else []
    total += sum(delivery.amount for delivery in deliveries if delivery.id not in ids)
    for name, value in (("total", total), ("ids", [delivery.id for delivery in deliveries])):
        disk.write("new", json.dumps(value).encode())
        disk.rename("new", name)
    for delivery in deliveries:
        acknowledge(delivery.id)
    return total


@wrong(caught_by=TARGET, says="right after rename 'new' to 'state'")
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


def _lines(disk):
    """The deliveries in a log, by their ids."""
    data = disk.read("log") if "log" in disk.names() else b""
    lines = (line.split() for line in data.decode().split("\n"))
    return data, {line[0]: int(line[1]) for line in lines if len(line) == 2}


@wrong(caught_by=TARGET, says="of append 'log'")
def log_and_sum(disk, deliveries, acknowledge):
    """A new line begins where the last one ended. When the log is long, its sum goes into a state,
    and the log is deleted."""
    total, ids = json.loads(disk.read("state")) if "state" in disk.names() else (0, [])
    _, seen = _lines(disk)
    if len(seen) > 4:
        total, ids = total + sum(seen.values()), list(seen)
        disk.write("new", json.dumps([total, ids]).encode())
        disk.rename("new", "state")
        disk.delete("log")
        seen = {}
    for delivery in deliveries:
        if delivery.id not in seen and delivery.id not in ids:
            disk.append("log", f"{delivery.id} {delivery.amount}\n".encode())
            seen[delivery.id] = delivery.amount
        acknowledge(delivery.id)
    return total + sum(seen.values())


@wrong(caught_by=TARGET, says="right before delete 'log'")
def sum_and_log(disk, deliveries, acknowledge):
    """Each line of the log ends with a mark. When the log is long, its sum goes into a state, and
    then the log is deleted; nobody needs it any more."""
    total, ids = json.loads(disk.read("state")) if "state" in disk.names() else (0, [])
    data = disk.read("log").decode() if "log" in disk.names() else ""
    words = (line.split() for line in data.split("\n"))
    seen = {line[0]: int(line[1]) for line in words if len(line) == 3 and line[2] == "."}
    if len(seen) > 4:
        total, ids, seen = total + sum(seen.values()), list(seen), {}
        disk.write("new", json.dumps([total, ids]).encode())
        disk.rename("new", "state")
        disk.delete("log")
    for delivery in deliveries:
        if delivery.id not in seen and delivery.id not in ids:
            disk.append("log", f"\n{delivery.id} {delivery.amount} .\n".encode())
            seen[delivery.id] = delivery.amount
        acknowledge(delivery.id)
    return total + sum(seen.values())


@wrong(caught_by=TARGET, says="A machine died a second time")
def with_a_copy(disk, deliveries, acknowledge):
    """With a copy of the old state beside it, a torn one costs nothing."""

    def read(name):
        try:
            return json.loads(disk.read(name))
        except (FileNotFoundError, ValueError):
            return None

    total, counted = old = read("state") or read("copy") or [0, []]
    new = [delivery for delivery in deliveries if delivery.id not in counted]
    if new:
        disk.write("copy", json.dumps(old).encode())
        total += sum(delivery.amount for delivery in new)
        disk.write("state", json.dumps([total, [delivery.id for delivery in deliveries]]).encode())
    for delivery in deliveries:
        acknowledge(delivery.id)
    return total
