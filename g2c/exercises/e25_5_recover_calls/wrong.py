"""25.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.5")

SAID = '"tell" if line.happened else "repeat"'
BEGAN = '"repeat" if line.tool in may_repeat else "ask"'
TWO = "if has_ended or tools.setdefault(line.call, line.tool) != line.tool:"
UNKNOWN = "elif line.call not in tools:"
KEPT = "        if not has_ended:\n            last[line.call] = line"

wrong("What has no answer did not happen.", (BEGAN, '"repeat"'))
wrong("To be on the safe side, a person is asked about everything.", (BEGAN, '"ask"'))
wrong(
    "What may be called twice is repeated, whatever somebody said.",
    (
        SAID,
        f"{SAID} if tools[call] not in may_repeat else 'repeat'".replace(
            '"tell" if line.happened else "repeat" if', '("tell" if line.happened else "repeat") if'
        ),
    ),
)
wrong(
    "What a person said holds until they say something else.",
    (
        "        if not has_ended:\n",
        "        if not has_ended and not (\n"
        "            isinstance(line, Began) and isinstance(last.get(line.call), Told)):\n",
    ),
)
wrong(
    "Somebody who looked has decided; who looks again adds nothing.",
    (
        "        if not has_ended:\n",
        "        if not has_ended and not (\n"
        "            isinstance(line, Told) and isinstance(last.get(line.call), Told)):\n",
    ),
)
wrong(
    "A person's word is about the call, also after its answer.",
    (KEPT, "        last[line.call] = line"),
)
wrong(
    "The call that was tried last comes last.",
    (
        "            last[line.call] = line",
        "            if isinstance(line, Began):\n"
        "                last.pop(line.call, None)\n            last[line.call] = line",
    ),
)
wrong(
    "A tool's answer is its answer, whichever call it belongs to.",
    (
        "    may_repeat =",
        "    done = {tools[c] for c, one in last.items() if isinstance(one, Ended)}\n"
        "    last = {c: one for c, one in last.items() if tools[c] not in done}\n    may_repeat =",
    ),
)
wrong(
    "A line that belongs to nothing is passed over.",
    (
        UNKNOWN,
        "elif line.call not in tools and not tools.setdefault(line.call, ''):\n"
        "            continue\n        elif False:",
    ),
    (TWO, "if has_ended or tools.setdefault(line.call, line.tool) not in (line.tool, ''):"),
)
wrong(
    "An id may be used again once its call has ended.",
    (
        TWO,
        "if has_ended:\n                del tools[line.call], last[line.call]\n"
        "                has_ended = False\n"
        "            if tools.setdefault(line.call, line.tool) != line.tool:",
    ),
)
wrong(
    "For each call, its lines are looked up.",
    (
        "    may_repeat =",
        "    for c in last:\n"
        "        last[c] = [line for line in journal if line.call == c][-1] if not isinstance(\n"
        "            last[c], Ended) else last[c]\n    may_repeat =",
    ),
)
