"""More phrasings of each list in `phrasings`, from which only a fresh suite draws."""

from __future__ import annotations

MORE_ARITHMETIC = (
    (
        ("Find {a} + {b} for me.", "{a} + {b}"),
        ("Let me have {a} - {b}.", "{a} - {b}"),
        ("Multiply out {a} * {k}.", "{a} * {k}"),
        ("Divide out {m} / {k}.", "{m} / {k}"),
        ("The product {a} * {b}, please.", "{a} * {b}"),
    ),
    (
        ("To {a} comes another {b}. Where does that bring us?", "{a} + {b}"),
        ("How far is it from {b} up to {a}?", "{a} - {b}"),
        ("Lay {k} rows of {a} side by side: how many is that?", "{a} * {k}"),
        ("Into {k} shares of one size goes {m}. Give me the size.", "{m} / {k}"),
        ("Which number must join {b} so that both make {a}?", "{a} - {b}"),
    ),
    (
        ("Evaluate {k} * ({a} - {b}).", "{k} * ({a} - {b})"),
        ("Evaluate {a} + {b} * {k}.", "{a} + {b} * {k}"),
        ("Start out from {a}, drop {b}, and repeat the rest {k} times.", "({a} - {b}) * {k}"),
        ("Pile {a} onto {b}, then take {c} off the pile.", "{a} + {b} - {c}"),
        ("{m} goes into {k} parts. Put {b} on one of them: how large is it?", "{m} / {k} + {b}"),
    ),
)
MORE_WORD_PROBLEMS = (
    (
        "{person} bakes {a} loaves a night. How many loaves are baked in {k} nights?",
        "{a} * {k}",
    ),
    (
        "A choir in {place} has {a} singers, of whom {b} are hoarse. How many can sing?",
        "{a} - {b}",
    ),
    ("{person} has {m} pages to copy in {k} evenings. How many pages an evening?", "{m} / {k}"),
    (
        "{a} travellers board the night ship, and {b} more at {place}. How many are aboard?",
        "{a} + {b}",
    ),
    ("A mason lays {a} tiles an hour. How many lie there after {k} hours?", "{a} * {k}"),
    (
        "{person} hid {a} {goods}. {other} dug up {b} of them. How many are still hidden?",
        "{a} - {b}",
    ),
    (
        "{k} wagons bring {a} {goods} each to {place}; {b} {goods} rot. How many are good?",
        "{a} * {k} - {b}",
    ),
    (
        "The mill ground {a} sacks in spring, {b} in summer and {c} in autumn. How many in all?",
        "{a} + {b} + {c}",
    ),
    (
        "{person} weaves {b} ribbons a day for {k} days and had {a} before. How many now?",
        "{b} * {k} + {a}",
    ),
    (
        "Of {a} steps up the tower {person} has climbed {b}. How many are left to climb?",
        "{a} - {b}",
    ),
)
MORE_FACTS = (
    (
        "The {thing} was lent to {person}.",
        "{file} keeps a note of who borrowed the {thing}. Who did?",
        "{person}",
    ),
    (
        "A cover of {colour} lies over the {thing}.",
        "Consult {file}: of which colour is the cover over the {thing}?",
        "{colour}",
    ),
    ("The {thing} was carved in {place}.", "Where was the {thing} carved, going by {file}?",
     "{place}"),
    ("Price of the {thing} in coins: {a}", "For how many coins does {file} offer the {thing}?",
     "{a}"),
    ("{goods} in the cellar: {a}", "Of how many {goods} in the cellar does {file} know?", "{a}"),
    (
        "Whoever wants the {thing} must ask {person}.",
        "I want the {thing}. Whom must I ask, as {file} has it?",
        "{person}",
    ),
)  # fmt: skip
MORE_READ_COMPUTE = (
    (
        "{goods} in store: {a}",
        "Suppose {b} of the {goods} that {file} counts go bad. How many stay good?",
        "{a} - {b}",
    ),
    (
        "Fare to {place}: {a} coins",
        "{k} of us travel at the fare that {file} names. How many coins is that in all?",
        "{a} * {k}",
    ),
    (
        "The {thing} is {a} years old, its case {b}.",
        "How much older is the {thing} than its case? Both ages are in {file}.",
        "{a} - {b}",
    ),
    (
        "{person} owes {a} coins, {other} {b} coins.",
        "Going by {file}, how many coins would settle what {person} and {other} owe?",
        "{a} + {b}",
    ),
    (
        "{m} {goods}, to be packed for {person}",
        "{k} boxes must take the {goods} of {file}, the same in each. How many in each?",
        "{m} / {k}",
    ),
    (
        "Steps to the top: {a}",
        "{person} has climbed {b} of the steps in {file}. How many are to come?",
        "{a} - {b}",
    ),
    (
        "A night in {place} costs {a} coins.",
        "Reckon with {file}: what do {k} nights cost, with {b} coins for supper on top?",
        "{a} * {k} + {b}",
    ),
    (
        "Lamps on the north side: {a}\nLamps on the south side: {b}",
        "How many lamps does {file} list on both sides?",
        "{a} + {b}",
    ),
)
MORE_TWO_FILES = (
    ("If the {goods} in {file} and those in {other_file} are pooled, how many is it?", "{a} + {b}"),
    ("By how many {goods} does {file} outdo {other_file}?", "{a} - {b}"),
)
MORE_SENT_ON = (
    (
        "Who owns the {thing} stands in {other_file}.",
        "The owner is {person}.",
        "Begin with {file}; it says where the owner of the {thing} is noted. Who owns it?",
        "{person}",
    ),
    (
        "The {thing}: moved to {other_file}",
        "It now stands in {place}.",
        "In which town is the {thing} now? {file} knows where that is written.",
        "{place}",
    ),
)
MORE_BUOYS = (
    "Get me the waves off {place} in centimetres; try channel 1 for its buoy.",
    "What does the buoy of {place} say of the waves? I would begin with channel 1.",
)
MORE_RIVERS = (
    "How high was the river in {place} on {day}?",
    "On {day}, what was the water level of the river at {place}?",
)
MORE_UNSEEN_TOOLS = (
    ("tide_height", "At {hour} o'clock, what is the height of the tide in {place}?"),
    ("parking_fee", "What must {person} pay to park for {hours} hours in {place}?"),
    ("yarn_needed", "I mean to knit a {garment}, size {size}. What length of yarn do I need?"),
    ("locker_code", "{person} forgot the code of the locker. Which one is it?"),
    ("shift_letters", "Take {thing} and move every letter on by {hours}. What comes out?"),
    ("next_ferry", "I reach the harbour of {place} at {hour} o'clock. Which ferry do I get?"),
    ("furlongs_to_metres", "The race is {length} furlongs long. Say that in metres."),
    ("beehive_yield", "What did the bees of {person} give in {month}, in jars?"),
)
MORE_GIVE_UP = (
    ("{person} painted the {thing} {colour}.", "Find out from {file}: what colour is the {asked}?"),
    ("The {thing} shines in {colour}.", "{file} may tell the colour of the {asked}. Which is it?"),
)
MORE_TOLD = (
    ("I have painted my {thing} {colour}.", "That will look good.", "{colour}"),
    ("My {thing} is being mended in {place}.", "I hope it is done soon.", "{place}"),
    ("I have sold my {thing} to {other}.", "All right.", "{other}"),
)
MORE_NOTES = (
    (
        "{person} gave the {thing} to {other}.",
        "{person} met {other} in {place}.",
        "Whom did {person} give the {thing} to?",
    ),
    (
        "{person} keeps {a} {goods} in a shed.",
        "{person} keeps a {thing} in a shed in {place}.",
        "What number of {goods} does {person} keep?",
    ),
)
MORE_GOALS = (
    "Bring it about that {file} reads as follows: {text}",
    "Your work is done when somebody who opens {file} sees: {text}",
)
MORE_GOALS_HALF_DONE = (
    (
        "Two files are wanted. {other_file} with the text: {before}\n{file} with the text: {text}",
        "{other_file} is there and checked.\nStill to write: {file}.",
    ),
)
