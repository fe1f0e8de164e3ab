"""24.7 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.swarm.core.reading import Ask, Errand, File, Question

wrong = partial(wrong, "24.7")

ORIGINALS = "[file for file in files if not file.copy_of]"
KEPT = "if value in {claim.value for claim in reply.claims}"
CHECKS = "replies = _send(about, [[name] for name, _ in asked], ask)"
LINKED = "value = _fact(question.second(value), originals, ask)"
SENDS = "return ask([Errand(about, tuple(pack)) for pack in packs])"


wrong("A worker is given everything, and it reads everything.", ("_PACK = 2_000", "_PACK = 10**9"))


@wrong()
def halves(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """Equal parts are fair, and each fits into a context."""

    def voices(about: str) -> list[str]:
        names = [file.name for file in files if not file.copy_of]
        parts = [names[n : n + 8] for n in range(0, len(names), 8)]
        replies = ask([Errand(about, tuple(part)) for part in parts])
        return [claim.value for reply in replies for claim in reply.claims]

    values = voices(question.about)
    if question.kind == "total":
        return str(sum(map(int, values))) if values else None
    for _ in range(question.kind == "linked"):
        best = max(values, key=values.count, default=None)
        values = voices(question.second(best)) if best else []
    twice = [value for value in values if values.count(value) > 1]
    return max(twice, key=twice.count, default=None)


wrong("Each file that says it is a witness.", (ORIGINALS, "list(files)"))
wrong("Somebody who names a file has read it there.", (KEPT, ""))
wrong("What the files say about the thing is the answer.", (LINKED, "pass"))
wrong(
    "The same number twice is one number.",
    ("sum(map(int, said.values()))", "sum({int(value) for value in said.values()})"),
)
wrong("A total is a number.", ("str(sum(map(int, said.values())))", "sum(map(int, said.values()))"))
wrong("Where nothing was found, the total is 0.", ("if said else None", 'if said else "0"'))
wrong(
    "If the budget does not reach, a part of the sum is better than nothing.",
    ("            break\n", "            pass\n"),
)
wrong(
    "A worker is sent when the one before it has replied.",
    (SENDS, "return [ask([Errand(about, tuple(pack))])[0] for pack in packs]"),
)
wrong(
    "Claims are checked one by one.",
    (CHECKS, "replies = [_send(about, [[name]], ask)[0] for name, _ in asked]"),
)
wrong(
    "Claims have no order, so a set will do.", ("asked = list(claims)", "asked = list({*claims})")
)
wrong(
    "A file of which something was invented is better left out from then on.",
    ("_PACK = 2_000", "_LIARS: set[str] = set()\n_PACK = 2_000"),
    (ORIGINALS, "[file for file in files if not file.copy_of and file.name not in _LIARS]"),
    ("    return {\n", "    kept = {\n"),
    (
        f"{KEPT}\n    }}\n",
        f"{KEPT}\n    }}\n"
        "    _LIARS.update(name for name, _ in asked if name not in kept)\n"
        "    return kept\n",
    ),
)
