"""Tools that are made up anew each time.

Of the same function, name, description and arguments are worded in several ways, and what a look-up
knows is drawn by lot. What comes in a hundred disguises cannot be learned by heart, so what is
learned is to read.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from g2c.inference.structured.json_forms import object_schema
from g2c.tools import Tool
from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DAYS,
    GOODS,
    MATERIALS,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    number,
    pick,
)

Value = int | str


@dataclass(frozen=True)
class Made:
    """A tool, a question that it answers, the call, what it gives, and the answer."""

    tool: Tool
    question: str
    arguments: dict[str, Value]
    result: str
    answer: str
    what: str


ATTRIBUTES: tuple[tuple[str, str, tuple[str, ...], Any], ...] = (
    ("extension", "person", PEOPLE, (100, 999)),
    ("shoe size", "person", PEOPLE, (35, 48)),
    ("birthday", "person", PEOPLE, "date"),
    ("favourite colour", "person", PEOPLE, COLOURS),
    ("seat", "guest", PEOPLE, (1, 99)),
    ("team", "player", PEOPLE, ANIMALS),
    ("desk", "employee", PEOPLE, (1, 400)),
    ("home town", "member", PEOPLE, PLACES),
    ("instrument", "musician", PEOPLE, ("drum", "cello", "fiddle", "piano", "trumpet", "violin")),
    ("score", "player", PEOPLE, (1, 900)),
    ("salary", "employee", PEOPLE, (1000, 9000)),
    ("manager", "employee", PEOPLE, PEOPLE),
    ("mayor", "town", PLACES, PEOPLE),
    ("postcode", "town", PLACES, (1000, 9999)),
    ("population", "city", PLACES, (1000, 90_000)),
    ("market day", "town", PLACES, DAYS),
    ("altitude", "town", PLACES, (2, 900)),
    ("temperature", "city", PLACES, (2, 35)),
    ("museum", "city", PLACES, tuple(f"the {material} museum" for material in MATERIALS)),
    ("platform", "destination", PLACES, (1, 12)),
    ("air quality", "city", PLACES, ("good", "fair", "poor")),
    ("price", "item", THINGS, (2, 900)),
    ("shelf", "product", THINGS, (1, 99)),
    ("maker", "product", THINGS, PEOPLE),
    ("weight", "article", THINGS, (1, 90)),
    ("warranty", "article", THINGS, (1, 60)),
    ("colour", "item", THINGS, COLOURS),
    ("material", "object", THINGS, MATERIALS),
    ("owner", "object", THINGS, PEOPLE),
    ("stock", "product", GOODS, (1, 900)),
    ("supplier", "product", GOODS, PEOPLE),
    ("origin", "product", GOODS, PLACES),
    ("cage", "animal", ANIMALS, (1, 40)),
    ("keeper", "animal", ANIMALS, PEOPLE),
    ("age", "animal", ANIMALS, (1, 30)),
    ("food", "animal", ANIMALS, GOODS),
    ("arrival", "animal", ANIMALS, "date"),
)
"""What can be looked up: of what, and the values, as words, as bounds of a number, or as dates."""


def look_up(rng: random.Random) -> Made:
    """A tool that knows one attribute of things of one kind."""
    what, kind, subjects, values = rng.choice(ATTRIBUTES)
    subject = rng.choice(subjects)
    if values == "date":
        result = f"{number(rng, 1, 28)} {rng.choice(MONTHS)}"
    elif isinstance(values[0], int):
        result = str(number(rng, *values))
    else:
        result = rng.choice(values)
    stem = what.replace(" ", "_")
    name = rng.choice(
        (f"{stem}_of", f"get_{stem}", f"{kind}_{stem}", f"find_{stem}", stem, f"{stem}_lookup",
         f"{kind}s", f"{kind}-info", f"read_{stem}", f"{stem}_by_{kind}", f"q{number(rng, 1, 9)}")
    )  # fmt: skip
    says = pick(
        rng,
        "The {what} of {a} {kind}.",
        "Look up the {what} of {a} {kind}.",
        "Give the {what} that {a} {kind} has.",
        "Says which {what} {a} {kind} has.",
        "Return {a} {kind}'s {what}.",
        "Ask for the {what} of {a} {kind} in the register.",
        what=what,
        kind=kind,
        a="an" if kind[0] in "aeiou" else "a",
    )
    argument = rng.choice((kind, kind, "name", f"{kind}_name", "of", "which", "query"))
    about = rng.choice((f"the {kind}", f"the {kind}'s name", f"which {kind}", ""))
    table = {subject: result}
    of = subject if subjects is PEOPLE or subjects is PLACES else f"the {subject}"
    question = pick(
        rng,
        "What is the {what} of {of}?",
        "What {what} has {of}?",
        "Tell me the {what} of {of}.",
        "Which {what} does {of} have?",
        "Find the {what} of {of}.",
        "I want to know the {what} of {of}.",
        "Please look up the {what} of {of}.",
        what=what,
        of=of,
    )
    made = make_tool(
        name,
        says,
        {argument: (str, about)},
        lambda value: table.get(value, f"there is no {kind} of that name"),
    )
    return Made(
        made,
        question,
        {argument: subject},
        result,
        f"The {what} of {of} is {result}.",
        f"the {what} of {of}",
    )


def make_tool(
    name: str, says: str, arguments: dict[str, tuple[type, str]], func: Callable[..., Value]
) -> Tool:
    """A tool as `g2c.tools.tool` would make it of a function with these arguments, in order."""
    kinds = {str: "string", int: "integer"}
    properties: dict[str, dict[str, str]] = {}
    for argument, (kind, about) in arguments.items():
        properties[argument] = {"type": kinds[kind]} | ({"description": about} if about else {})
    schema = object_schema(**properties)
    return Tool(name, says, schema, lambda **given: func(*(given[name] for name in arguments)))


_ROMAN = (
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def _roman(value: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        text += letters * (value // size)
        value %= size
    return text


def compute(rng: random.Random) -> Made:
    """A tool that makes something of its arguments."""
    n, m, big = number(rng, 2, 90), number(rng, 2, 12), number(rng, 40, 900)
    word, word2 = rng.sample(THINGS, 2)
    who, who2 = rng.sample(PEOPLE, 2)
    day, month, place = rng.choice(DAYS), rng.choice(MONTHS), rng.choice(PLACES)
    rows: tuple[tuple[str, str, dict[str, tuple[Value, str]], Callable[..., Value], str, str], ...]
    rows = (
        ("reverse|backwards|flip_text", "Write a word backwards.", {"word|text": (word, "a word")},
         lambda w: w[::-1], f"How is {word} written backwards?", "It is {}."),
        ("count_letters|letters_in|word_length", "Count the letters of a word.",
         {"word|text": (word, "the word")}, len, f"How many letters has {word}?",
         f"{word} has {{}} letters."),
        ("shout|to_upper|capitals", "Write a text in capital letters.",
         {"text|words": (f"the {word}", "what to write")}, str.upper,
         f"Write the {word} in capital letters.", "{}"),
        ("count_vowels|vowels", "Count the vowels of a word.", {"word": (word, "the word")},
         lambda w: sum(w.count(v) for v in "aeiou"), f"How many vowels are in {word}?",
         "There are {} vowels."),
        ("repeat|echo_times", "Say a word several times.",
         {"word": (word, "what to say"), "times|count": (m, "how often")},
         lambda w, k: " ".join([w] * k), f"Say {word} {m} times.", "{}"),
        ("initials|monogram", "The initials of two names.",
         {"first": (who, "first name"), "second": (who2, "second name")},
         lambda a, b: f"{a[0]}.{b[0]}.", f"What are the initials of {who} {who2}?",
         "The initials are {}"),
        ("join_words|compound", "Put two words together.", {"a": (word, ""), "b": (word2, "")},
         lambda a, b: a + b, f"Put {word} and {word2} together to one word.", "It is {}."),
        ("to_roman|roman_numeral", "Write a number in Roman numerals.",
         {"number|n": (n, "1 to 100")}, _roman, f"What is {n} in Roman numerals?", "It is {}."),
        ("to_binary|binary", "Write a number in binary.", {"number|n": (big, "the number")},
         lambda k: f"{k:b}", f"What is {big} in binary?", "It is {}."),
        ("digit_sum|sum_of_digits", "Add the digits of a number.", {"number": (big, "")},
         lambda k: sum(map(int, str(k))), f"What is the sum of the digits of {big}?",
         "The sum of the digits is {}."),
        ("is_prime|check_prime", "Say whether a number is prime.", {"n|number": (n, "the number")},
         lambda k: "no" if any(k % d == 0 for d in range(2, k)) else "yes",
         f"Is {n} a prime number?", "The answer is {}."),
        ("gcd|common_divisor", "The largest number that divides both.",
         {"a": (n * m, "a number"), "b": (big, "another")}, math.gcd,
         f"What is the largest number that divides {n * m} and {big}?", "It is {}."),
        ("dozens_to_pieces|dozens", "How many pieces some dozens are.", {"dozens": (n, "")},
         lambda k: 12 * k, f"How many pieces are {n} dozen?", "They are {} pieces."),
        ("feet_to_inches|inches", "Convert feet to inches.", {"feet": (n, "the length in feet")},
         lambda k: 12 * k, f"How many inches are {n} feet?", "They are {} inches."),
        ("weeks_to_days|days_in", "Convert weeks to days.", {"weeks": (n, "")}, lambda k: 7 * k,
         f"How many days are {n} weeks?", "They are {} days."),
        ("hours_to_minutes|minutes", "Convert hours to minutes.", {"hours": (n, "how many hours")},
         lambda k: 60 * k, f"How many minutes are {n} hours?", "They are {} minutes."),
        ("grams|kilos_to_grams", "Convert kilos to grams.", {"kilos|kg": (n, "the weight")},
         lambda k: 1000 * k, f"How many grams are {n} kilos?", "They are {} grams."),
        ("split_bill|share_cost", "What each pays of a bill.",
         {"total|amount": (n * m, "in euros"), "people|guests": (m, "how many pay")},
         lambda t, k: t // k, f"{m} people share a bill of {n * m} euros. What does each pay?",
         "Each pays {} euros."),
        ("tip|service_charge", "The tip for a bill.",
         {"bill": (20 * n, "euros"), "percent": (5 * m, "the rate")},
         lambda b, p: b * p // 100, f"What is a tip of {5 * m} percent on {20 * n} euros?",
         "The tip is {} euros."),
        ("paint_needed|litres_of_paint", "Litres of paint for a wall.",
         {"area": (n, "square metres"), "coats": (m, "how many")}, lambda a, k: a * k // 8 + 1,
         f"How many litres of paint do {m} coats on {n} square metres take?",
         "They take {} litres."),
        ("fence_posts|posts", "How many posts a fence takes.",
         {"length": (big, "metres"), "gap": (m, "metres between posts")}, lambda a, c: a // c + 1,
         f"How many posts does a fence of {big} metres with gaps of {m} metres take?",
         "It takes {} posts."),
        ("travel_time|hours_of_drive", "Hours that a drive takes.",
         {"km|distance": (n * m, "how far"), "speed": (n, "km an hour")}, lambda a, c: a // c,
         f"How many hours do {n * m} km take at {n} km an hour?", "They take {} hours."),
        ("flour|cake_flour", "Grams of flour for a cake.", {"guests|people": (m, "who eat")},
         lambda k: 45 * k, f"How much flour does a cake for {m} guests take?",
         "It takes {} grams of flour."),
        ("next_day|day_after", "The day after a day.", {"day": (day, "a day of the week")},
         lambda d: DAYS[(DAYS.index(d) + 1) % 7], f"Which day comes after {day}?", "It is {}."),
        ("season|season_of", "The season of a month.", {"month": (month, "the month")},
         lambda d: ("winter", "spring", "summer", "autumn")[(MONTHS.index(d) + 1) // 3 % 4],
         f"In which season is {month}?", "It is in {}."),
        ("password_for|make_password", "Make a password for a site.",
         {"site|name": (word, "the site"), "length|size": (m, "a number")},
         lambda w, k: f"{w[::-1]}{k * 3}", f"Make a password of size {m} for the site {word}.",
         "The password is {}."),
        ("hide|mask_word", "Hide a word but for its first letter.", {"word": (word, "the word")},
         lambda w: w[0] + "*" * (len(w) - 1), f"Hide the word {word}.", "{}"),
        ("first_of|earlier_word", "Which of two words comes first in the alphabet.",
         {"one": (word, "a word"), "other|two": (word2, "another word")}, min,
         f"Which comes first in the alphabet, {word} or {word2}?", "It is {}."),
        ("book_room|reserve", "Book a room and give the number of the booking.",
         {"guest|name": (who, "for whom"), "nights": (m, "how many nights")},
         lambda w, k: f"B{len(w)}{k}{big}", f"Book a room for {who} for {m} nights.",
         "The room is booked; the number is {}."),
        ("send_note|message", "Send a note to somebody.",
         {"to|person": (who, "who gets it"), "text|note": (f"Bring the {word}.", "what it says")},
         lambda w, t: f"sent to {w} as note {big}", f"Send {who} a note: Bring the {word}.",
         "The note is {}."),
        ("set_alarm|wake_me", "Set an alarm.", {"hour": (m, "the hour"), "day": (day, "the day")},
         lambda h, d: f"set for {d} at {h}", f"Set an alarm for {day} at {m}.", "The alarm is {}."),
        ("add_item|shopping_list", "Put something on the shopping list.",
         {"item|what": (word, "what to buy"), "count": (m, "how many")},
         lambda w, k: f"{k} {w} on the list", f"Put {m} times {word} on the shopping list.",
         "There are now {}."),
        ("route|line_to", "Which bus goes from a town to another.",
         {"start|from_town": (place, "where it begins"), "end|to_town": ("Riga", "where it ends")},
         lambda a, b: f"line {big}", f"Which bus goes from {place} to Riga?", "It is {}."),
        ("ticket_price|fare", "The fare in euros.",
         {"km": (n, "how far"), "people": (m, "how many travel")}, lambda a, k: (a + 4) * k,
         f"What is the fare for {m} people who travel {n} km?", "The fare is {} euros."),
        ("rooms_free|vacancies", "How many rooms are free on a day in a town.",
         {"town|city": (place, "the town"), "day": (day, "the day of the week")},
         lambda t, d: big, f"How many rooms are free in {place} on {day}?", "{} rooms are free."),
        ("rainfall|rain_in", "The rain of a month in a town, in millimetres.",
         {"town|place": (place, ""), "month": (month, "")}, lambda t, d: big,
         f"How much did it rain in {place} in {month}?", "It rained {} millimetres."),
        ("goals|goals_of", "How many goals a player made in a month.",
         {"player": (who, "the name"), "month": (month, "the month")}, lambda t, d: n,
         f"How many goals did {who} make in {month}?", f"{who} made {{}} goals."),
        ("delivery_days|days_to_deliver", "How many days a delivery takes.",
         {"to|town": (place, "where it goes"), "weight": (n, "in kilos")}, lambda t, d: m,
         f"How many days does a parcel of {n} kilos to {place} take?", "It takes {} days."),
    )  # fmt: skip
    names, says, spec, func, question, answer = rng.choice(rows)
    prefix = rng.choice(("", "", "", "do_", "tool_", "my_", "x_"))
    name = prefix + rng.choice(names.split("|"))
    words = {rng.choice(key.split("|")): value for key, value in spec.items()}
    made = make_tool(name, says, {key: (type(v), about) for key, (v, about) in words.items()}, func)
    arguments = {key: value for key, (value, _) in words.items()}
    result = str(func(*arguments.values()))
    said = answer.format(result)
    return Made(made, question, arguments, result, said, question.rstrip("?.").lower())


def make(rng: random.Random) -> Made:
    """A tool of either sort."""
    return rng.choice((look_up, look_up, compute, compute, compute))(rng)
