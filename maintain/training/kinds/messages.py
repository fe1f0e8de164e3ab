"""Ticks with a message from the user in the prompt: a question, an order, a word of thanks.

A message does not stop the work. The tick does its step and updates the state, and its answer is to
the message. An order is newer than the goal, so it goes into the state, for later ticks.
"""

from __future__ import annotations

import random
from dataclasses import replace

from maintain.training.kinds.facts import alike_facts, make_fact
from maintain.training.kinds.ticks import (
    WISHES,
    Day,
    Tick,
    finish,
    keep,
    known_day,
    play_day,
    write,
)
from maintain.training.record import Trace
from maintain.training.scenario import Move, read
from maintain.training.vocabulary import (
    FOOD,
    GOODS,
    PEOPLE,
    fields,
    file_names,
    number,
    phrases,
    pick,
    table,
)

HOW_FAR = phrases("messages.how_far")
THANKS = phrases("messages.thanks")


CHANGES = phrases("messages.changes")  # fmt: skip
TO_COME = phrases("messages.to_come")  # fmt: skip
TEXTS = phrases("messages.texts")
DETAILS = table("chats")["details"]
"""What a goal says besides its task, how a message asks for it, and what the answer names."""


def _text(rng: random.Random) -> str:
    fact = make_fact(rng).sentence
    return rng.choice((fact, fact, rng.choice(PEOPLE), f"{number(rng, 2, 90)} {rng.choice(GOODS)}"))


def _goal(rng: random.Random, files: list[str], texts: list[str]) -> str:
    wish = rng.choice(WISHES)
    parts = [wish.format(file=f, text=text) for f, text in zip(files, texts, strict=True)]
    goal = rng.choice(("\n", " Then ", " After that, ")).join(parts)
    return goal if goal.startswith(files[0]) else goal[0].upper() + goal[1:]


def _asked(rng: random.Random) -> Day:
    """A question or thanks during one of two ticks of work."""
    *files, other = file_names(rng, 3)
    *texts, known = (make_fact(rng).sentence for _ in range(3))
    at = rng.randrange(2)
    todo = (f"write {files[1]}", f"check {files[0]} and {files[1]}")
    ticks = []
    for n, (file, text) in enumerate(zip(files, texts, strict=True)):
        said = f"The state says: Next: write {file}." if n else ""
        moves = (write(file, text, said), keep(files[: n + 1], todo[n]))
        ticks.append(Tick(moves, f"{file} is written."))
    moves, answer = ticks[at].moves, ticks[at].answer
    draw = rng.random()
    if draw < 0.4:
        message = rng.choice(HOW_FAR)
        reply, thought = f"{answer} Next: {todo[at]}.", f"The user asked: {message}"
    elif draw < 0.65:
        message = rng.choice(THANKS)
        reply, thought = f"You are welcome. {answer}", f"The user said: {message}"
    else:
        message = pick(rng, "What does {f} say?", "Please tell me what stands in {f}.",
                       "Read me {f}.", "What is in {f}?", f=other)  # fmt: skip
        moves = (*moves, read(other, known))
        reply, thought = known, f"The user asked: {message} The file says: {known}"
    ticks[at] = Tick(moves, reply, thought)
    goal = _goal(rng, files, texts)
    return Day(goal, {other: known}, ticks[: at + 1], {at: message}, least=at + 1)


def _ordered(rng: random.Random) -> Day:
    """An order that changes the goal: the state has the change, and the next tick follows it."""
    (file,) = file_names(rng, 1)
    if rng.random() < 0.6:  # only one word differs
        before, now = (fact.sentence for fact in alike_facts(rng, 2))
    else:
        before, now = _text(rng), _text(rng)
    message = rng.choice(CHANGES).format(f=file, t=now)
    is_late = rng.random() < 0.3
    ticks = [Tick((write(file, before), keep([file], f"check {file}")), f"{file} is written.")]
    changed = _follow_message(file, now)
    ticks = [*ticks, changed] if is_late else [changed]
    at = len(ticks) - 1
    goal = _goal(rng, [file], [before])
    return Day(goal, {}, [*ticks, finish([file], [now])], {at: message}, least=at + 1)


def _follow_message(file: str, text: str) -> Tick:
    """The tick that writes the text of a message."""
    state = f"Done: {file}. The user wants {file} to say: {text} Next: check {file}."
    return Tick(
        (
            write(file, text, f"The user wants {file} to say: {text}"),
            Move("I keep the state.", "update_state", {"text": state}),
        ),
        f"{file} now says: {text}",
        f"{file} is written as the user said.",
    )


def _sent(rng: random.Random) -> Day:
    """The goal has no text. A message brings it, at once or after a tick without a message."""
    (file,), text = file_names(rng, 1), _text(rng)
    waits = Tick(
        (
            Move(
                f"The text for {file} is not here. I keep the state.",
                "update_state",
                {"text": f"Blocked: no text for {file} yet. Next: wait for the text."},
            ),
        ),
        f"I wait for the text for {file}.",
    )
    ticks = [waits] if rng.random() < 0.25 else []
    at = len(ticks)
    ticks += [_follow_message(file, text), finish([file], [text])]
    goal = rng.choice(TO_COME).format(f=file)
    message = rng.choice(TEXTS).format(t=text)
    return Day(goal, {}, ticks, {at: message}, least=at + rng.choice((0, 1, 1, 1)) or 1)


def _completed(rng: random.Random) -> Day:
    """The memory has the text of the first file, and a message brings that of the second."""
    (later,) = file_names(rng, 1)
    day = known_day(rng, later)
    text = rng.choice((_text(rng), rng.choice(FOOD), rng.choice(GOODS)))
    message = pick(rng, "{f} is to say: {t}", "Now write {f}. It must say: {t}",
                   "In {f} write: {t}", "The text of {f} is: {t}", "Into {f} goes: {t}",
                   "Please write {f}. It says: {t}", "Go on with {f}. It is to be: {t}",
                   f=later, t=text)  # fmt: skip
    ticks = [*day.ticks, _follow_message(later, text), finish([later], [text])]
    return replace(day, ticks=ticks, messages={1: message}, least=rng.choice((1, 2, 2)))


def _of_the_goal(rng: random.Random) -> Day:
    """A question about the goal. The tick writes its file first, and the answer names both."""
    (file,), text = file_names(rng, 1), _text(rng)
    words = fields(rng)
    told, asked, named = (part.format(**words) for part in rng.choice(DETAILS))
    told += " "
    message = rng.choice(("{}", "{}", "A question: {}", "Meanwhile: {}", "{} I forgot."))
    message = message.format(asked)
    wish = _goal(rng, [file], [text])
    if told.endswith(": ") and not wish.startswith(file):
        wish = wish[0].lower() + wish[1:]
    goal = told + wish
    answer = f"It is {named}. {file} is written."
    moves = (write(file, text), keep([file], f"check {file}"))
    thought = f"The user asked: {message} The goal says: {told.strip(' :')}."
    ticks = [Tick(moves, answer, thought.replace("..", ".")), finish([file], [text])]
    return Day(goal, {}, ticks, {0: message})


def messages(rng: random.Random) -> Trace:
    """A tick that gets a message, or one after it."""
    makers = (_asked, _asked, *[_ordered] * 3, *[_sent] * 3, *[_of_the_goal] * 3, *[_completed] * 5)
    day = rng.choice(makers)(rng)
    if rng.random() < 0.65:  # it ends with the message, which is the part to learn
        day = replace(day, ticks=day.ticks[: max(day.messages) + 1])
    return play_day("messages", day, rng)
