"""What is asked of an agent that calculates and reads, as the fixed suite asks it.

In phrasings, {a}, {b} and {c} are given numbers with a > b, {k} is one of 2 to 9, and {m} a given
number that k divides. Each goes with the expression that answers it.
"""

from __future__ import annotations

ARITHMETIC = (
    (
        ("Work out {a} + {b}.", "{a} + {b}"),
        ("Work out {a} - {b}.", "{a} - {b}"),
        ("Compute {a} * {k} for me.", "{a} * {k}"),
        ("Give the value of {m} / {k}.", "{m} / {k}"),
        ("Which number is {a} * {b}?", "{a} * {b}"),
    ),
    (
        ("Which number do {a} and {b} come to together?", "{a} + {b}"),
        ("Take {b} away from {a}: which number remains?", "{a} - {b}"),
        ("How large is {a} taken {k} times?", "{a} * {k}"),
        ("Cut {m} into {k} equal parts. How large is one part?", "{m} / {k}"),
        ("By how much is {a} the larger number, compared to {b}?", "{a} - {b}"),
    ),
    (
        ("Evaluate {a} * {k} - {b}.", "{a} * {k} - {b}"),
        ("Evaluate ({a} + {b}) * {k}.", "({a} + {b}) * {k}"),
        ("Begin with {a}, take it {k} times, then add {b}: where do you end?", "{a} * {k} + {b}"),
        ("Sum up {a}, {b} and {c}.", "{a} + {b} + {c}"),
        ("From {a} take first {b} and then {k}: which number is left?", "{a} - {b} - {k}"),
    ),
)
WORD_PROBLEMS = (
    (
        "On each trip a boat carries {a} {goods}. How many {goods} has it carried in {k} trips?",
        "{a} * {k}",
    ),
    (
        "{person} owes {other} {a} coins and has paid back {b}. How many coins are still owed?",
        "{a} - {b}",
    ),
    (
        "A market in {place} sold {a} {goods} at dawn and {b} at dusk. What did it sell in all?",
        "{a} + {b}",
    ),
    (
        "{m} {goods} go into {k} crates, as many into each. How many {goods} are in one crate?",
        "{m} / {k}",
    ),
    (
        "{person} grew {a} {goods}, and {other} grew {k} times as many. How many did {other} grow?",
        "{a} * {k}",
    ),
    (
        "The walk to {place} takes {a} minutes, the way back {b}. How many minutes both ways?",
        "{a} + {b}",
    ),
    ("Of {a} {goods} in a shed, {b} are broken. How many are whole?", "{a} - {b}"),
    (
        "{person} earns {a} coins a week for {k} weeks and spends {b} coins. What remains?",
        "{a} * {k} - {b}",
    ),
    (
        "A hall in {place} has {a} rows of {k} seats, and {b} seats upstairs. How many in all?",
        "{a} * {k} + {b}",
    ),
    (
        "{person} lent out {a} {goods}, then {b}, then {c}. How many {goods} are lent out?",
        "{a} + {b} + {c}",
    ),
)
# What a line of a file says, the question about it, and the answer.
FACTS = (
    (
        "The {thing} is painted {colour}.",
        "Look into {file}: which colour has the {thing}?",
        "{colour}",
    ),
    ("The {thing} belongs to {person}.", "According to {file}, whose is the {thing}?", "{person}"),
    (
        "The {thing} stands in {place}.",
        "By what {file} says, in which town is the {thing}?",
        "{place}",
    ),
    ("There are {a} {goods} left.", "{file} keeps count of the {goods}. What is left?", "{a}"),
    (
        "Number of the key to the {thing}: {a}",
        "Find the number of the key to the {thing}; it stands in {file}.",
        "{a}",
    ),
)
# What a file holds, the question about it, and the expression that answers it.
READ_COMPUTE = (
    (
        "{goods}: {a}",
        "How many {goods} would it be if the count in {file} grew by {b}?",
        "{a} + {b}",
    ),
    (
        "A {thing} costs {a} coins.",
        "With the price from {file}, what is to be paid for {k} of that {thing}?",
        "{a} * {k}",
    ),
    (
        "{person} has saved {a} coins.",
        "{file} tells what {person} has saved. What is left of it once {b} coins are gone?",
        "{a} - {b}",
    ),
    (
        "The {thing} weighs {a} kilos, its box {b}.",
        "Use both weights in {file}: how heavy are the {thing} and its box together?",
        "{a} + {b}",
    ),
    (
        "{m} {goods} for {place}",
        "Deal out the {goods} of {file} evenly to {k} villages: how many for each?",
        "{m} / {k}",
    ),
    (
        "{person} walks {a} metres, {other} {b} metres.",
        "By {file}, how much farther does {person} walk than {other}?",
        "{a} - {b}",
    ),
    (
        "Rows: {a}\nSeats in a row: {k}",
        "{file} describes a hall. How many seats does it have?",
        "{a} * {k}",
    ),
    (
        "Each crate holds {a} {goods}.",
        "The size of a crate is in {file}. How many {goods} fill {k} crates and a sack of {b}?",
        "{a} * {k} + {b}",
    ),
)
TWO_FILES = (
    ("Put the {goods} of {file} and of {other_file} together: how many is that?", "{a} + {b}"),
    ("How many more {goods} does {file} count than {other_file}?", "{a} - {b}"),
)
SENT_ON = (
    (
        "For the {thing} see {other_file}.",
        "Its colour is {colour}.",
        "{file} names the file that tells the colour of the {thing}. Which colour is it?",
        "{colour}",
    ),
)
"""What the first file says and the second, the question about both, and the answer."""

BUOYS = ("How high are the waves off {place}? Its buoy is on channel 1.",)
RIVERS = ("Which level has the river in {place} on {day}?",)
UNSEEN_TOOLS = (
    ("tide_height", "How high is the water in the port of {place} at {hour} o'clock?"),
    ("parking_fee", "{person} parks in {place} for {hours} hours. What is the fee?"),
    ("yarn_needed", "How much yarn goes into a {garment} of size {size}?"),
    ("locker_code", "Which code opens the locker of {person}?"),
    ("shift_letters", "Shift each letter of {thing} on by {hours}. What does that spell?"),
    ("next_ferry", "It is {hour} o'clock. When does the next ferry leave {place}?"),
    ("furlongs_to_metres", "How many metres are {length} furlongs?"),
    ("beehive_yield", "How many jars of honey had {person} in {month}?"),
)
"""A tool that only the evaluation has, and a question for it."""

# What a file says, and a question that it does not answer.
GIVE_UP = (
    ("The {thing} of {person} is {colour}.", "By what {file} tells, which colour has the {asked}?"),
)
# What was said, what was answered, and what must be kept of it.
TOLD = (
    ("My {thing} is {colour} now.", "Noted.", "{colour}"),
    ("I moved to {place} with my {thing}.", "A fine town.", "{place}"),
    ("{other} takes care of my {thing}.", "Good to know.", "{other}"),
)
# A note, another one that does not answer, and the question that the first one answers.
NOTES = (
    (
        "The {thing} of {person} was made in {place}.",
        "{other} counted {a} {goods} in {place}.",
        "Which town does the {thing} of {person} come from?",
    ),
)
# The goal of a loop, and the goal with the state of a loop that has got half way.
GOALS = ("See to it that {file} says: {text}",)
GOALS_HALF_DONE = (
    (
        "See to it that {other_file} says: {before}\nand that {file} says: {text}",
        "Done: {other_file} is written.\nNext: write {file}.",
    ),
)
