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
    caught_by="test_it_is_cut_to_half_of_the_budget",
    says="One short output would do for now",
)
wrong(
    "All outputs become short at once, as the front has changed anyway.",
    (OUTPUTS, "while outputs:"),
    caught_by="test_it_is_cut_no_further_than_half",
    says="two short outputs leave 46 tokens",
)
wrong(
    "A prompt that fills the budget is too long.",
    (LONG, LONG.replace("> budget", ">= budget")),
    caught_by="test_a_text_that_fits_stays_whole",
    says="they fit",
)
wrong(
    "The newest outputs are the longest, so they become short first.",
    ("outputs.popleft()", "outputs.pop()"),
    caught_by="test_a_part_that_saves_nothing_is_shortened_too",
    says="It is the oldest, so it is its turn",
)
wrong(
    "Whole steps are dropped, oldest first; half a step reads like a whole one.",
    (OUTPUTS, "while False:"),
    (GONE, "total -= parts[call].whole + parts[output].whole"),
    caught_by="test_an_output_becomes_short_and_its_call_stays",
    says="Its call is whole",
)
wrong(
    "A call is dropped and its output stays: what came of it is what counts.",
    (DROPPED, 'shown[call] = "dropped"'),
    (GONE, "total -= parts[call].whole"),
    caught_by="test_a_call_goes_with_its_output",
    says="An output without its call is refused",
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
    caught_by="test_a_prompt_that_does_not_fit_is_an_error",
    says="nothing in it may be cut",
)
wrong(
    "The newest output is an output like others.",
    (QUEUED, ""),
    (LOOP, f"{LOOP}{QUEUED}"),
    ('        shown.append("whole")\n', '        shown[place] = "whole"\n'),
    ("    shown: list[Shown] = []\n", '    shown: list[Shown] = ["whole"] * len(parts)\n'),
    caught_by="test_the_newest_part_and_its_call_stay_whole",
    says="the newest output is what the model has to answer now",
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
    caught_by="test_each_prompt_begins_with_what_the_one_before_showed",
    says="Cutting the whole list again shows another front",
)
wrong(
    "If there is nothing to cut, the prompt is as it is.",
    (RAISED, ""),
    caught_by="test_the_kept_part_alone_can_be_too_long",
    says="the two are kept whatever happens",
)
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
    caught_by="test_a_call_whose_output_is_to_come_stays",
    says="if it went, its output would come to nobody",
)
wrong(
    "What was passed over was important once, and stays.",
    (QUEUED, QUEUED.replace("heappush(", "if part.call == place - 1: heappush(")),
    caught_by="test_a_part_that_had_to_stay_goes_at_its_time",
    says="if you skipped it before, you have to find it again",
)
wrong(
    "The total is added up whenever it is needed.",
    (
        "        total += part.whole\n",
        "        total = sum({'whole': one.whole, 'short': one.short, "
        "'dropped': 0}[how]\n                    for how, one in zip(shown, parts))\n",
    ),
    caught_by="test_a_long_run_is_gone_through_once",
    says="you add up the whole prompt again at each step",
)
