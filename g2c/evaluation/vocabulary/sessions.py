"""What is said in a chat of an agent's home, and what its memory keeps."""

from __future__ import annotations

# What the user said earlier, one after the other, the question, and what answers it. Each has an
# answer of the agent's after it, from ANSWERS.
SAID_BEFORE = (
    (
        ("I bought a {thing}, and it is {colour}.", "{other} wants {a} {goods} from me."),
        "Which colour, did I say, has the {thing} that I bought?",
        "{colour}",
    ),
    (
        ("{person} mends my {thing}.", "The weather in {place} is fine today."),
        "Remind me: who mends my {thing}?",
        "{person}",
    ),
    (
        ("We leave for {place} soon.", "My {thing} stays at home.", "{other} waters the plants."),
        "Say once more to which town we leave.",
        "{place}",
    ),
    (
        ("There are {a} {goods} in my shed.", "{person} likes them."),
        "What number of {goods} did I tell you of?",
        "{a}",
    ),
)
MORE_SAID_BEFORE = (
    (
        ("{person} and I play the {thing}.", "We practise in {place}."),
        "Do you recall the town where we practise?",
        "{place}",
    ),
    (
        ("I gave {other} the {colour} ribbon.", "{person} was not there."),
        "And who got the ribbon from me?",
        "{other}",
    ),
    (
        ("The rent for my hall is {a} coins.", "It is a fine hall in {place}."),
        "I forgot the rent that I named. Which is it?",
        "{a}",
    ),
    (
        ("My {thing} needs paint.", "I think I will take {colour}."),
        "Which paint did I think of taking?",
        "{colour}",
    ),
)
CORRECTED = (
    (
        ("My {thing} is {colour}.", "That was wrong, it is {new_colour}."),
        "So which colour is right for my {thing}?",
        "{new_colour}",
        "{colour}",
    ),
    (
        ("We meet in {place}.", "{person} prefers {new_place}, so we meet there instead."),
        "In which town, then, do we meet?",
        "{new_place}",
        "{place}",
    ),
    (
        ("{person} feeds the geese.", "From today {new_person} feeds the geese in that place."),
        "Who is it now that feeds the geese?",
        "{new_person}",
        "{person}",
    ),
    (
        ("I ordered {a} {goods}.", "I have changed the order to {new_a} {goods}."),
        "How large is my order of {goods} as it stands?",
        "{new_a}",
        "{a}",
    ),
)
MORE_CORRECTED = (
    (
        ("{person} gets my {thing}.", "On second thoughts {new_person} gets it."),
        "To whom, in the end, do I give my {thing}?",
        "{new_person}",
        "{person}",
    ),
    (
        ("The fair is in {place}.", "They have moved the fair to {new_place}."),
        "Which town should I go to for the fair?",
        "{new_place}",
        "{place}",
    ),
)
RECKONED = (
    (
        ("I have {a} {goods} to sell.", "{b} of them went at the market."),
        "How many {goods} do I still have to sell?",
        "{a} - {b}",
    ),
    (
        ("One of the {goods} costs {b} coins.", "I need {k} of them."),
        "What will all that I need cost me?",
        "{b} * {k}",
    ),
    (
        ("{person} lends me {a} coins.", "{other} lends me {b} more."),
        "What do I owe the two of them together?",
        "{a} + {b}",
    ),
    (
        ("I must string {m} beads.", "{k} children help, and each takes as many."),
        "How many beads fall to one child?",
        "{m} / {k}",
    ),
)
MORE_RECKONED = (
    (
        ("I walked {a} steps before noon.", "Since noon it was {b} steps."),
        "What do my steps come to for the whole day?",
        "{a} + {b}",
    ),
    (
        ("A basket holds {b} {goods}.", "{person} brought me {k} full baskets."),
        "What number of {goods} did {person} bring me?",
        "{b} * {k}",
    ),
)
POINTED = (
    (
        ("What matters about the {thing} is in {file}.", "I go to {place} now."),
        "Look there and tell me which colour the {thing} has.",
        "The {thing} has the colour {colour}.",
        "{colour}",
    ),
    (
        ("I wrote {file} last night.", "It is about the {thing}."),
        "Whose is that {thing}, according to what I wrote?",
        "The {thing} is the property of {person}.",
        "{person}",
    ),
    (
        ("My list is in {file}.", "{other} has not seen it."),
        "What count of {goods} is on my list?",
        "{goods}: {a}",
        "{a}",
    ),
    (
        ("I keep {file} for the {thing}.", "There is also an old one."),
        "Where does the {thing} come from? You know which of my files to look into.",
        "The {thing} comes from {place}.",
        "{place}",
    ),
)
MORE_POINTED = (
    (
        ("{person} left {file} for me.", "It says where the {thing} was found."),
        "Please look it up for me: in which town was it found?",
        "The {thing} was found in {place}.",
        "{place}",
    ),
)
"""What was said, the question, the file's line, and the answer."""

ANSWERS = ("Noted.", "I see.", "Good.")

# A topic's description and body, the question, and the answer.
TOPICS_KEPT = (
    (
        "what is known of the {thing}",
        "The {thing} was built in {place}.",
        "Where was the {thing} built?",
        "{place}",
    ),
    (
        "notes on the {thing}",
        "{person} tunes the {thing} in spring.",
        "Who tunes the {thing} in spring?",
        "{person}",
    ),
    (
        "about the {goods}",
        "There were {a} {goods} at the last count.",
        "How many {goods} were there at the last count?",
        "{a}",
    ),
    (
        "the {thing} and what belongs to it",
        "The {thing} is wrapped in a {colour} cloth.",
        "In a cloth of which colour is the {thing} wrapped?",
        "{colour}",
    ),
    (
        "what {person} told of the {thing}",
        "The {thing} came from {place} by ship.",
        "From which town did the {thing} come by ship?",
        "{place}",
    ),
    (
        "the {goods} of {place}",
        "{person} pays for the {goods}.",
        "Who pays for the {goods}?",
        "{person}",
    ),
)
MORE_TOPICS_KEPT = (
    (
        "the story of the {thing}",
        "{person} dug the {thing} out of the snow.",
        "Who dug the {thing} out of the snow?",
        "{person}",
    ),
    (
        "the {thing} in winter",
        "In winter the {thing} stands in a barn in {place}.",
        "In which town does the {thing} stand in winter?",
        "{place}",
    ),
    (
        "the price of the {goods}",
        "A sack of {goods} costs {b} coins.",
        "What does a sack of {goods} cost?",
        "{b}",
    ),
)
# What was said in an earlier session, the question of today, and the answer.
SAID_LONG_AGO = (
    ("My new address is the mill in {place}.", "In which town is the mill, my address?", "{place}"),
    ("{person} keeps the key to my {thing}.", "With whom is the key to my {thing}?", "{person}"),
    (
        "I promised {person} the {colour} {thing}.",
        "What colour is the {thing} that I promised {person}?",
        "{colour}",
    ),
    ("My stall at the fair has the number {a}.", "Which number has my stall at the fair?", "{a}"),
)
MORE_SAID_LONG_AGO = (
    (
        "My niece {person} learns to play the {thing}.",
        "Which of my nieces learns to play the {thing}?",
        "{person}",
    ),
    ("I have to pay {a} coins for the {thing}.", "What do I have to pay for the {thing}?", "{a}"),
)
# What the memory keeps, and a question that it does not answer.
SILENT = (
    ("The {thing} stands in {place}.", "What colour did I choose for the {thing}?"),
    ("{person} has a boat called Petrel.", "In which harbour is the boat of {person}?"),
    ("I sold {a} {goods} at the fair.", "To whom did I sell the {goods} at the fair?"),
    ("The roof of the {thing} leaks.", "Who is going to mend the roof of the {thing}?"),
)
MORE_SILENT = (
    ("The {thing} was a gift.", "How old is the {thing} that was a gift?"),
    ("{person} sings in {place}.", "On which day does {person} sing?"),
)
# What is to be kept, and what of it must be found in the memory.
TO_KEEP = (
    ("Remember for later: the {thing} goes to {person}.", "{person}"),
    ("Please do not forget that my stall is in {place}.", "{place}"),
    ("Put into your memory that I want the {thing} {colour}.", "{colour}"),
    ("Bear in mind that {other} gets {a} {goods}.", "{a}"),
)
MORE_TO_KEEP = (
    ("Store this for another day: {person} borrowed the {thing}.", "{person}"),
    ("I want you to know from now on that I work in {place}.", "{place}"),
)
# A topic whose name the user gives, its body, the question, and the answer.
OPENED = (
    (
        "Bells",
        "The great bell hangs in {place}.\n\nThe small bell was paid for by {person}.",
        "Open the topic Bells and say who paid for the small bell.",
        "{person}",
    ),
    (
        "Regatta",
        "The boats start at noon.\n\nThe winner gets a {thing}.",
        "Read your topic Regatta to me: what does the winner get?",
        "{thing}",
    ),
)
MORE_OPENED = (
    (
        "Vintage",
        "The grapes come from {place}.\n\nThe label is {colour}.",
        "Turn to the topic Vintage. Of which colour is the label?",
        "{colour}",
    ),
    (
        "Masquerade",
        "There will be {a} guests.\n\n{person} lights the candles.",
        "Under the topic Masquerade you keep who lights the candles. Who does?",
        "{person}",
    ),
)
