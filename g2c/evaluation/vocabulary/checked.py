"""Drafts and goals for critics that run and read: what is asked, done soundly and with a fault.

A fault in code shows only in a call that the task does not give, and one in a file only to whoever
knows what the file must say.
"""

from __future__ import annotations

CODE_CHECKS = (
    (
        "Write a Python function widest(planks) that returns the greatest width in a list, or 0 if "
        "the list is empty.\n\nExamples:\n>>> widest([3, 8, 5])\n8\n>>> widest([2, 2])\n2\n",
        "def widest(planks):\n    return max(planks, default=0)",
        "def widest(planks):\n    return sorted(planks)[-1]",
        '{"calls": [{"a": []}, {"a": [4]}, {"a": [6, 6]}]}',
    ),
    (
        "Write a Python function mean_depth(depths) that returns the mean of a list, or 0 if the "
        "list is empty.\n\nExamples:\n>>> mean_depth([2, 4])\n3.0\n>>> mean_depth([7])\n7.0\n",
        "def mean_depth(depths):\n    return sum(depths) / len(depths) if depths else 0",
        "def mean_depth(depths):\n    return sum(depths) / len(depths)",
        '{"calls": [{"a": []}, {"a": [0]}, {"a": [3, 3]}]}',
    ),
    (
        "Write a Python function monogram(word) that returns the first letter of a word as a "
        "capital, and an empty text for an empty word.\n\nExamples:\n>>> monogram('oak')\n'O'\n"
        ">>> monogram('ivy')\n'I'\n",
        "def monogram(word):\n    return word[:1].upper()",
        "def monogram(word):\n    return word[0].upper()",
        '{"calls": [{"a": ""}, {"a": "x"}, {"a": "Ash"}]}',
    ),
    (
        "Write a Python function jars_each(jars, guests) that returns how many whole jars each "
        "guest gets, and 0 where there is no guest.\n\nExamples:\n>>> jars_each(9, 4)\n2\n"
        ">>> jars_each(3, 5)\n0\n",
        "def jars_each(jars, guests):\n    return jars // guests if guests else 0",
        "def jars_each(jars, guests):\n    return jars // guests",
        '{"calls": [{"a": 5, "b": 0}, {"a": 0, "b": 3}, {"a": 4, "b": 4}]}',
    ),
    (
        "Write a Python function runner_up(names) that returns the second name in a list, and an "
        "empty text if there is no second one.\n\nExamples:\n>>> runner_up(['Abe', 'Flo'])\n'Flo'\n"
        ">>> runner_up(['Kit', 'Abe', 'Flo'])\n'Abe'\n",
        "def runner_up(names):\n    return names[1] if len(names) > 1 else ''",
        "def runner_up(names):\n    return names[1]",
        '{"calls": [{"a": []}, {"a": ["Kit"]}, {"a": ["Kit", "Kit"]}]}',
    ),
)
MORE_CODE_CHECKS = (
    (
        "Write a Python function wordiest(titles) that returns the longest title, and an empty "
        "text if there is none.\n\nExamples:\n>>> wordiest(['Dew', 'Frost'])\n'Frost'\n"
        ">>> wordiest(['Hail'])\n'Hail'\n",
        "def wordiest(titles):\n    return max(titles, key=len, default='')",
        "def wordiest(titles):\n    return sorted(titles, key=len)[-1]",
        '{"calls": [{"a": []}, {"a": [""]}, {"a": ["a", "b"]}]}',
    ),
    (
        "Write a Python function percent_sold(sold, brought) that returns the per cent of what was "
        "brought that was sold, as a whole number, and 0 where nothing was brought.\n\nExamples:\n"
        ">>> percent_sold(1, 4)\n25\n>>> percent_sold(3, 3)\n100\n",
        "def percent_sold(sold, brought):\n    return 100 * sold // brought if brought else 0",
        "def percent_sold(sold, brought):\n    return 100 * sold // brought",
        '{"calls": [{"a": 0, "b": 0}, {"a": 0, "b": 5}, {"a": 2, "b": 4}]}',
    ),
    (
        "Write a Python function top_left(grid) that returns the first number of the first row, "
        "and 0 if there is none.\n\nExamples:\n>>> top_left([[3, 4], [5, 6]])\n3\n"
        ">>> top_left([[9]])\n9\n",
        "def top_left(grid):\n    return grid[0][0] if grid and grid[0] else 0",
        "def top_left(grid):\n    return grid[0][0]",
        '{"calls": [{"a": []}, {"a": [[]]}, {"a": [[0]]}]}',
    ),
    (
        "Write a Python function closing_mark(line) that returns the last character of a line, and "
        "an empty text for an empty line.\n\nExamples:\n>>> closing_mark('Halt!')\n'!'\n"
        ">>> closing_mark('Why?')\n'?'\n",
        "def closing_mark(line):\n    return line[-1:]",
        "def closing_mark(line):\n    return line[len(line) - 1]",
        '{"calls": [{"a": ""}, {"a": "."}, {"a": "Go on"}]}',
    ),
    (
        "Write a Python function span(years) that returns the last year of a list less the first, "
        "and 0 if the list is empty.\n\nExamples:\n>>> span([2, 5, 9])\n7\n>>> span([4, 4])\n0\n",
        "def span(years):\n    return years[-1] - years[0] if years else 0",
        "def span(years):\n    return years[-1] - years[0]",
        '{"calls": [{"a": []}, {"a": [5]}, {"a": [9, 1]}]}',
    ),
)
"""A task with examples, a sound draft, a faulty one that passes the examples, and calls that tell
them apart."""

FILE_CHECKS = (
    (
        "When all is done, {file} must say: The {thing} of {person} is {colour}.",
        "The {thing} of {person} is {colour}.",
        "The {thing} of {person} is {wrong_colour}.",
        "says",
        "The {thing} of {person} is {colour}.",
    ),
    (
        "Keep in {file} how many {goods} there are: {k} crates of {b} each.",
        "{product} {goods}",
        "{product}0 {goods}",
        "equals",
        "{k} * {b}",
    ),
    (
        "Nothing is finished before {file} says: Meet {person} in {place}.",
        "Meet {person} in {place}.",
        "Meet {other} in {place}.",
        "says",
        "Meet {person} in {place}.",
    ),
)
MORE_FILE_CHECKS = (
    (
        "{person} will look into {file}, and wants to find there: {a} {goods} for {place}",
        "{a} {goods} for {place}",
        "{c} {goods} for {place}",
        "says",
        "{a} {goods} for {place}",
    ),
    (
        "Reckon up for {person}: {a} coins and another {b} coins. The total belongs into {file}.",
        "{total}",
        "{total}0",
        "equals",
        "{a} + {b}",
    ),
    (
        "Have {file} ready for {other}, with this line in it: Ask {person} for the {thing}.",
        "Ask {person} for the {thing}.",
        "Ask {person} for the {goods}.",
        "says",
        "Ask {person} for the {thing}.",
    ),
)
"""A goal, a file that reaches it, one that does not, and what must be looked for: a text, or the
result of a sum."""
