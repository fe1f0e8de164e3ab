"""Ticks with a message from the user in the prompt: a question, an order, a word of thanks.

A message does not stop the work. The tick does its step and keeps the state, and the answer is to
the message. An order is newer than the goal, so it goes into the state, for the ticks after this.
"""

from __future__ import annotations

import random

from training.kinds.facts import make_fact
from training.kinds.ticks import Day, Tick, finish, keep, play_day, write
from training.record import Trace
from training.scenario import Move, read
from training.vocabulary import file_names, pick

HOW_FAR = ("How far are you?", "What is done by now?", "How is it going?", "What comes next?",
           "Where do you stand?", "Tell me what you have done.", "Is it done?",
           "Which file is next?")  # fmt: skip
THANKS = ("Thank you, go on.", "Well done so far.", "Thanks!", "This goes well, thank you.",
          "I like your work.", "Good. Go on like this.")  # fmt: skip


def _goal(rng: random.Random, files: list[str], texts: list[str]) -> str:
    wish = rng.choice(("write to {}: {}", "{} must say: {}", "put into {}: {}", "fill {} with: {}"))
    parts = [wish.format(file, text) for file, text in zip(files, texts, strict=True)]
    goal = rng.choice(("\n", " Then ", " After that, ")).join(parts)
    return goal if goal.startswith(files[0]) else goal[0].upper() + goal[1:]


def _asked(rng: random.Random) -> Day:
    """A question or thanks in one of two ticks of work."""
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
    """An order that changes the goal: the state says so, and the next tick goes by the state."""
    (file,) = file_names(rng, 1)
    before, now = (make_fact(rng).sentence for _ in range(2))
    message = pick(rng, "I have changed my mind: {f} is to say: {t}", "Not that. Write to {f}: {t}",
                   "Write this to {f} in place of the other: {t}",
                   "The goal has changed. {f} must now say: {t}", f=file, t=now)  # fmt: skip
    state = f"Done: {file}. The user wants {file} to say: {now} Next: check {file}."
    is_late = rng.random() < 0.4
    ticks = [Tick((write(file, before), keep([file], f"check {file}")), f"{file} is written.")]
    changed = Tick(
        (
            write(file, now, f"The user wants {file} to say: {now}"),
            Move("I keep the state.", "update_state", {"text": state}),
        ),
        f"{file} now says: {now}",
        f"The user said: {message}",
    )
    ticks = [*ticks, changed] if is_late else [changed]
    last = finish([file], [now])
    at = len(ticks) - 1
    goal = _goal(rng, [file], [before])
    return Day(goal, {}, [*ticks, last], {at: message}, least=at + 1)


def messages(rng: random.Random) -> Trace:
    """A tick that was told something, or one after it."""
    return play_day("messages", rng.choice((_asked, _asked, _ordered))(rng), rng)
