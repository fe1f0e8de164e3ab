"""25.4 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.4")

LONG = "        if total > budget:\n            while"
OUTPUTS = "while outputs and 2 * total > budget:"
CALLS = "while answered and 2 * total > budget:"
DROPPED = 'shown[call] = shown[output] = "dropped"'
GONE = "total -= parts[call].whole + parts[output].short"
RAISED = (
    '            if total > budget:\n                raise ValueError(f"With part {place} '
    'the prompt has {total} tokens, not {budget}.")\n'
)
QUEUED = (
    "        if part.call is not None:\n            outputs.append(place)\n"
    "            heappush(answered, (part.call, place))\n"
)
LOOP = "    for place, part in enumerate(parts):\n"

wrong(
    "What is too much has to go, and not more.",
    (OUTPUTS, "while outputs and total > budget:"),
    (CALLS, "while answered and total > budget:"),
)
wrong(
    "All outputs become short at once, as the front has changed anyway.",
    (OUTPUTS, "while outputs:"),
)
wrong("A prompt that fills the budget is too long.", (LONG, LONG.replace("> budget", ">= budget")))
wrong(
    "The newest outputs are the longest, so they become short first.",
    ("outputs.popleft()", "outputs.pop()"),
)
wrong(
    "Whole steps are dropped, oldest first; half a step reads like a whole one.",
    (OUTPUTS, "while False:"),
    (GONE, "total -= parts[call].whole + parts[output].whole"),
)
wrong(
    "A call is dropped and its output stays: what came of it is what counts.",
    (DROPPED, 'shown[call] = "dropped"'),
    (GONE, "total -= parts[call].whole"),
)
wrong(
    "The newest part is the longest as a rule, and becomes short if nothing else helps.",
    (
        RAISED,
        "            if total > budget and part.kind == 'output':\n"
        "                total -= part.whole - part.short\n                shown[-1] = 'short'\n"
        + RAISED,
    ),
    (
        QUEUED,
        QUEUED.replace(
            "outputs.append(place)", "outputs.append(place) if shown[-1] == 'whole' else None"
        ),
    ),
)
wrong(
    "The newest output is an output like others.",
    (QUEUED, ""),
    (LOOP, f"{LOOP}{QUEUED}"),
    ('        shown.append("whole")\n', '        shown[place] = "whole"\n'),
    ("    shown: list[Shown] = []\n", '    shown: list[Shown] = ["whole"] * len(parts)\n'),
)
wrong(
    "Each prompt is cut for itself, from the whole list.",
    (
        LOOP,
        "    for last in range(len(parts)):\n"
        "        shown, total = ['whole'] * (last + 1), sum(part.whole for part in parts[:last])\n"
        "        outputs = deque(n for n in range(last) if parts[n].call is not None)\n"
        "        answered = sorted((parts[n].call, n) for n in outputs)\n"
        "        place, part = last, parts[last]\n        shown.pop()\n",
    ),
)
wrong("If there is nothing to cut, the prompt is as it is.", (RAISED, ""))
wrong(
    "A call without an output is a call like others, and goes when its turn comes.",
    (
        RAISED,
        "            waiting = [n for n, one in enumerate(parts[:place]) if one.kind == 'call'\n"
        "                       and n != part.call and shown[n] == 'whole'\n"
        "                       and n not in dict(answered)]\n"
        "            while waiting and 2 * total > budget:\n"
        "                total -= parts[waiting[0]].whole\n"
        "                shown[waiting.pop(0)] = 'dropped'\n" + RAISED,
    ),
)
wrong(
    "What was passed over was important once, and stays.",
    (QUEUED, QUEUED.replace("heappush(", "if part.call == place - 1: heappush(")),
)
wrong(
    "The total is added up whenever it is needed.",
    (
        "        total += part.whole\n",
        "        total = sum({'whole': one.whole, 'short': one.short, "
        "'dropped': 0}[how]\n                    for how, one in zip(shown, parts))\n",
    ),
)
