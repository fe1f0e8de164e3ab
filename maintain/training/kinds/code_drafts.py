"""Small functions, each with faults that can be put into it.

A task, its solution, pairs of a part and what stands wrongly in its place, with the sentence that a
critic should say; and an expression that is true of the solution and of no faulty version, which a
test runs. A fault is a small edit, and so is its repair.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from maintain.training.vocabulary import number

Code = tuple[str, str, list[tuple[str, str, str]], str]


def _discount(rng: random.Random) -> Code:
    least, part = number(rng, 20, 90), rng.choice((5, 15, 20, 25))
    return (
        f"Write discount(price): {part} percent off from a price of {least} on, nothing off below.",
        f"def discount(price):\n    if price >= {least}:\n        return price * {part} / 100\n"
        "    return 0",
        [
            (">=", ">", f"At a price of exactly {least} nothing is taken off."),
            (f"* {part} /", f"* {part + 1} /", f"It takes {part + 1} percent off, not {part}."),
            ("return 0", "return price", "Below the bound it gives the price and not 0."),
        ],
        f"discount({least}) == {least} * {part} / 100 and discount({least} - 1) == 0",
    )


def _largest(rng: random.Random) -> Code:
    name = rng.choice(("largest", "biggest", "highest"))
    return (
        f"Write {name}(numbers): the largest number of a list that is not empty.",
        f"def {name}(numbers):\n    best = numbers[0]\n    for number in numbers:\n"
        "        if number > best:\n            best = number\n    return best",
        [
            ("numbers[0]", "0", "A list of negative numbers gives 0."),
            ("number > best", "number < best", "It finds the smallest number."),
            ("    return best", "        return best", "It returns after the first number."),
        ],
        f"{name}([-5, -2, -9]) == -2 and {name}([4, 1, 6, 2]) == 6",
    )


def _count_word(rng: random.Random) -> Code:
    return (
        "Write count_word(text, word): how often a word stands in a text, in any case of letters.",
        "def count_word(text, word):\n    words = text.lower().split()\n"
        "    return words.count(word.lower())",
        [
            ("text.lower()", "text", "Words of the text in capital letters are not counted."),
            (".count(word.lower())", ".count(word)", "A word given in capitals is never found."),
            ("text.lower().split()", "text.lower()", "It counts parts of longer words, too."),
        ],
        "count_word('A cat saw Cat and catalog', 'CAT') == 2",
    )


def _total(rng: random.Random) -> Code:
    fee, free = number(rng, 2, 9), number(rng, 30, 90)
    return (
        f"Write total(prices): the sum of the prices, plus {fee} for delivery below {free}.",
        f"def total(prices):\n    amount = sum(prices)\n    if amount < {free}:\n"
        f"        amount += {fee}\n    return amount",
        [
            (f"< {free}", f"<= {free}", f"At exactly {free} it adds the delivery, too."),
            (f"+= {fee}", f"-= {fee}", "It takes the delivery off instead of adding it."),
            (f"+= {fee}", f"+= {fee + 1}", f"The delivery costs {fee}, not {fee + 1}."),
            ("sum(prices)", "max(prices)", "It takes the largest price and not the sum."),
        ],
        f"total([{free}]) == {free} and total([1, 2]) == 3 + {fee}",
    )


def _evens(rng: random.Random) -> Code:
    return (
        "Write evens(numbers): a new list of the even numbers, in their order.",
        "def evens(numbers):\n    found = []\n    for number in numbers:\n"
        "        if number % 2 == 0:\n            found.append(number)\n    return found",
        [
            ("== 0", "== 1", "It keeps the odd numbers."),
            ("found.append(number)", "found.insert(0, number)", "The order is turned round."),
            ("    return found", "        return found", "It returns after the first number."),
            ("found.append(number)", "found = [number]", "Only the last even number is kept."),
        ],
        "evens([2, 3, 4, 6]) == [2, 4, 6]",
    )


def _average(rng: random.Random) -> Code:
    return (
        "Write average(numbers): the mean of a list, and 0 for an empty one.",
        "def average(numbers):\n    if not numbers:\n        return 0\n"
        "    return sum(numbers) / len(numbers)",
        [
            ("    if not numbers:\n        return 0\n", "", "An empty list divides by zero."),
            (" / len", " // len", "It drops what is behind the point."),
            ("len(numbers)", "2", "It divides by 2 and not by how many there are."),
        ],
        "average([]) == 0 and average([1, 2, 4, 7]) == 3.5",
    )


def _palindrome(rng: random.Random) -> Code:
    return (
        "Write is_palindrome(word): whether a word reads the same backwards, in any case.",
        "def is_palindrome(word):\n    word = word.lower()\n    return word == word[::-1]",
        [
            ("    word = word.lower()\n", "", "Anna is refused, since A is not a."),
            (
                "word == word[::-1]",
                "word[0] == word[-1]",
                "It looks at the first and last letter only.",
            ),
            ("==", "!=", "It gives the opposite of what was asked."),
        ],
        "is_palindrome('Anna') and not is_palindrome('area') and is_palindrome('noon')",
    )


def _factorial(rng: random.Random) -> Code:
    return (
        "Write factorial(n): the product of the numbers from 1 to n, and 1 for 0.",
        "def factorial(n):\n    result = 1\n    for factor in range(1, n + 1):\n"
        "        result *= factor\n    return result",
        [
            ("n + 1", "n", "The last factor n is left out."),
            ("result = 1", "result = 0", "The result is always 0."),
            ("*=", "+=", "It adds the numbers and does not multiply them."),
        ],
        "factorial(4) == 24 and factorial(0) == 1",
    )


def _clamp(rng: random.Random) -> Code:
    low, high = number(rng, 2, 9), number(rng, 40, 90)
    return (
        f"Write clamp(value): the value, but at least {low} and at most {high}.",
        f"def clamp(value):\n    return max({low}, min({high}, value))",
        [
            (f"min({high}, value)", "value", f"Values above {high} are not cut."),
            (f"max({low}, min({high}, value))", f"min({low}, max({high}, value))",
             f"It always gives {low}."),
            (f"max({low}, ", "max(0, ", f"Values below {low} are not raised to {low}."),
        ],
        f"[clamp({low} - 2), clamp({high} + 5), clamp({low} + 1)] == [{low}, {high}, {low} + 1]",
    )  # fmt: skip


def _initials(rng: random.Random) -> Code:
    return (
        "Write initials(name): the first letters of all parts of a name, in capitals.",
        "def initials(name):\n    return ''.join(part[0].upper() for part in name.split())",
        [
            (".upper()", "", "A name in small letters gives small letters."),
            ("part[0]", "part[-1]", "It takes the last letters."),
            ("name.split()", "name.split()[:2]", "A third part of the name is left out."),
        ],
        "initials('mia van berg') == 'MVB'",
    )


def _celsius(rng: random.Random) -> Code:
    return (
        "Write to_celsius(fahrenheit): take 32 away, then multiply by 5 and divide by 9.",
        "def to_celsius(fahrenheit):\n    return (fahrenheit - 32) * 5 / 9",
        [
            ("(fahrenheit - 32)", "fahrenheit - 32", "Without brackets it multiplies first."),
            ("- 32", "+ 32", "It adds 32 and does not take it away."),
            ("* 5 / 9", "* 9 / 5", "It multiplies by 9 and divides by 5."),
        ],
        "to_celsius(212) == 100",
    )


def _grade(rng: random.Random) -> Code:
    good, ok = number(rng, 80, 90), number(rng, 40, 60)
    return (
        f"Write grade(points): 'A' from {good} points on, 'B' from {ok} on, and 'C' below.",
        f"def grade(points):\n    if points >= {good}:\n        return 'A'\n"
        f"    if points >= {ok}:\n        return 'B'\n    return 'C'",
        [
            (f">= {good}", f"> {good}", f"With exactly {good} points one gets B and not A."),
            (f">= {ok}", f"> {ok}", f"With exactly {ok} points one gets C and not B."),
            ("return 'C'", "return 'B'", "Nobody ever gets C."),
            (f">= {good}", f">= {good + 2}", f"A begins at {good + 2}, and the task says {good}."),
        ],
        f"[grade({good}), grade({ok}), grade({ok} - 1), grade({good} + 1)] == list('ABCA')",
    )


def _unique(rng: random.Random) -> Code:
    return (
        "Write unique(items): the items without repetitions, in the order of their first places.",
        "def unique(items):\n    seen = []\n    for item in items:\n"
        "        if item not in seen:\n            seen.append(item)\n    return seen",
        [
            ("not in seen", "in seen", "The list stays empty."),
            ("    for item in items:\n        if item not in seen:\n            seen.append(item)\n"
             "    return seen", "    return sorted(set(items))",
             "It sorts the items and does not keep their order."),
            ("    return seen", "        return seen", "It returns after the first item."),
        ],
        "unique([3, 1, 3, 2, 1]) == [3, 1, 2]",
    )  # fmt: skip


def _swap(rng: random.Random) -> Code:
    return (
        "Write swap_ends(items): a new list with first and last item exchanged; the old one stays.",
        "def swap_ends(items):\n    result = list(items)\n"
        "    result[0], result[-1] = result[-1], result[0]\n    return result",
        [
            ("list(items)", "items", "It changes the list that was given."),
            ("result[0], result[-1] = result[-1], result[0]", "result[0] = result[-1]",
             "The first item is lost; the last stands there twice."),
            ("    return result", "    return None", "It returns nothing."),
        ],
        "(lambda l: swap_ends(l) == [3, 2, 1] and l == [1, 2, 3])([1, 2, 3])",
    )  # fmt: skip


def _read_time(rng: random.Random) -> Code:
    return (
        "Write minutes(text): a time such as '2:05' as minutes since midnight.",
        "def minutes(text):\n    hours, rest = text.split(':')\n"
        "    return int(hours) * 60 + int(rest)",
        [
            ("* 60", "* 100", "An hour has 60 minutes, not 100."),
            ("+ int(rest)", "", "The minutes behind the colon are left out."),
            (
                "int(hours) * 60 + int(rest)",
                "hours * 60 + rest",
                "It multiplies text and not numbers.",
            ),
        ],
        "minutes('2:05') == 125",
    )


def _longest(rng: random.Random) -> Code:
    return (
        "Write longest(words): the longest word; of several, the first. None for an empty list.",
        "def longest(words):\n    best = None\n    for word in words:\n"
        "        if best is None or len(word) > len(best):\n            best = word\n"
        "    return best",
        [
            ("> len(best)", ">= len(best)", "Of words of one length it gives the last."),
            ("> len(best)", "< len(best)", "It finds the shortest word."),
            ("best = None\n", "best = words[0]\n", "An empty list raises an IndexError."),
        ],
        "longest(['ab', 'abc', 'xyz', 'z']) == 'abc' and longest([]) is None",
    )


def _countdown(rng: random.Random) -> Code:
    start = number(rng, 5, 9)
    return (
        f"Write countdown(): the list of the numbers from {start} down to 1.",
        f"def countdown():\n    return list(range({start}, 0, -1))",
        [
            (", 0, -1", ", 1, -1", "The 1 is missing."),
            (f"range({start}, 0, -1)", f"range(1, {start + 1})", "It counts up and not down."),
            (f"range({start}", f"range({start + 1}", f"It begins at {start + 1}, not at {start}."),
        ],
        f"countdown() == sorted(range(1, {start} + 1), reverse=True)",
    )


def _username(rng: random.Random) -> Code:
    most = rng.choice((6, 8, 12))
    return (
        f"Write is_name(text): whether a text has 3 to {most} characters and begins with a letter.",
        f"def is_name(text):\n    return 3 <= len(text) <= {most} and text[0].isalpha()",
        [
            ("3 <= len", "3 < len", "Texts of exactly 3 characters are refused."),
            (f"<= {most}", f"< {most}", f"Texts of exactly {most} characters are refused."),
            (" and text[0].isalpha()", "", "It does not look whether there is a letter first."),
            (" and ", " or ", "One of the two conditions is enough for it."),
        ],
        f"is_name('abc') and is_name('a' * {most}) and not is_name('9bcd') and not is_name('ab')",
    )


VERBS = ("adjust", "convert", "derive", "fix_up", "gauge", "price_of", "rate", "score", "shift_by",
         "tune", "value_of", "weigh", "mark", "step_of", "fee_for", "level")  # fmt: skip


def _formula(rng: random.Random) -> Code:
    """So many times a number, and some more or less."""
    name, x = rng.choice(VERBS), rng.choice(("n", "x", "number", "amount", "value", "size"))
    by, more, at = number(rng, 2, 12), number(rng, 2, 40), number(rng, 3, 30)
    sign, word, other = rng.choice((("+", "plus", "-"), ("-", "minus", "+")))
    good = f"{x} * {by} {sign} {more}"
    return (
        f"Write {name}({x}): {by} times {x}, {word} {more}.",
        f"def {name}({x}):\n    return {good}",
        [
            (f"{sign} {more}", f"{other} {more}", f"It takes {other} {more} in place of {word}."),
            (f"* {by}", f"* {by + 1}", f"It multiplies by {by + 1} and not by {by}."),
            ("* ", "+ ", f"It adds {by} and does not multiply."),
            (f" {sign} {more}", "", f"The {more} are left out."),
            ("return ", "", "It returns nothing."),
        ],
        f"{name}({at}) == {at * by + more if sign == '+' else at * by - more}",
    )


def _bound(rng: random.Random) -> Code:
    """Whether a number is on the right side of a bound."""
    name = rng.choice(("is_enough", "is_warm", "is_heavy", "passes", "is_long"))
    x, least = rng.choice(("n", "x", "points", "grams", "age")), number(rng, 5, 90)
    at_bound = rng.random() < 0.5
    good = f"{x} >= {least}" if at_bound else f"{x} > {least}"
    said = f"whether {x} is {least} or more" if at_bound else f"whether {x} is above {least}"
    wrong = f"{x} > {least}" if at_bound else f"{x} >= {least}"
    return (
        f"Write {name}({x}): {said}.",
        f"def {name}({x}):\n    return {good}",
        [
            (good, wrong, f"Exactly {least} is judged wrongly."),
            (good, good.replace(">", "<"), "It looks in the wrong direction."),
            (str(least), str(least + 1), f"The bound is {least + 1} and not {least}."),
        ],
        f"{name}({least}) == {at_bound} and {name}({least + 1}) and not {name}({least - 1})",
    )


def _chosen(rng: random.Random) -> Code:
    """Those items of a list that are so."""
    name, item = rng.choice(("keep", "pick_out", "choose", "sift")), rng.choice(("n", "x", "item"))
    least = number(rng, 2, 9)
    word, good, wrong, given, gives = rng.choice((
        (f"above {least}", f"{item} > {least}", f"{item} < {least}",
         [least - 1, least, least + 1], [least + 1]),
        (f"below {least}", f"{item} < {least}", f"{item} > {least}",
         [least - 1, least, least + 1], [least - 1]),
        (f"that {least} divides", f"{item} % {least} == 0", f"{item} % {least} == 1",
         [least * 2, least * 2 + 1], [least * 2]),
    ))  # fmt: skip
    return (
        f"Write {name}(items): the numbers {word}, in their order.",
        f"def {name}(items):\n    return [{item} for {item} in items if {good}]",
        [
            (f"if {good}", f"if {wrong}", "It keeps the wrong ones."),
            (f" if {good}", "", "It keeps all of them."),
            (f"[{item} for", f"[{item} + 1 for", "It changes the numbers by one."),
            (" in items", " in items[1:]", "The first number is never looked at."),
        ],
        f"{name}({gives + given}) == {gives + gives}",
    )


CODE: tuple[Callable[[random.Random], Code], ...] = (
    *(_discount, _largest, _count_word, _total, _evens, _average, _palindrome, _factorial),
    *(_clamp, _initials, _celsius, _grade, _unique, _swap, _read_time, _longest, _countdown),
    _username,
    *(*[_formula] * 5, *[_bound] * 3, *[_chosen] * 4),
)
