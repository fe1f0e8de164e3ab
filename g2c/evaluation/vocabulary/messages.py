"""Messages from the user that reach an agent while its loop works."""

from __future__ import annotations

# A goal, the message that comes while it is worked on, and the text that the file must hold then.
CHANGED = (
    (
        "See that there is a {file}, and that it says: {person} has the {thing}.",
        "I have changed my mind. Not that name: {file} is to tell: {other} has the {thing}.",
        "{other} has the {thing}.",
    ),
    (
        "Provide {file} with the words: The {thing} is in {place}.",
        "Something has changed: the words for {file} are now: The {thing} is with {other}.",
        "The {thing} is with {other}.",
    ),
)
MORE_CHANGED = (
    (
        "I need {file} with this in it: {a} {goods}",
        "There are fewer than I thought. The right text for {file} is: {b} {goods}",
        "{b} {goods}",
    ),
)
SENT = (
    (
        "Write the line that I send you to {file}, and nothing else.",
        "Here is the line: {b} {goods} for {person}",
        "{b} {goods} for {person}",
    ),
    (
        "Wait for my text, and put it into {file} word for word.",
        "My text is: Bring the {thing} to {place}.",
        "Bring the {thing} to {place}.",
    ),
)
MORE_SENT = (
    (
        "A text for {file} will come from me; copy it there.",
        "The text is this: {person} and {other} share the {thing}.",
        "{person} and {other} share the {thing}.",
    ),
)
# A goal, the text for the file, the message with a question, and what the answer must name.
INQUIRED = (
    (
        "Set down in {file}, for {person}: {text}",
        "{other} goes to {place}.",
        "By the way, for whom is what you set down?",
        "{person}",
    ),
    (
        "For the feast in {place}, lay down in {file}: {text}",
        "{person} brings {a} {goods}.",
        "Just tell me quickly in which town the feast is.",
        "{place}",
    ),
)
MORE_INQUIRED = (
    (
        "{person} asked for it, so enter in {file}: {text}",
        "{b} {goods} are left.",
        "One question while you work: who asked for it?",
        "{person}",
    ),
)
