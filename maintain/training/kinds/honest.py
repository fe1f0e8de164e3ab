"""Questions that nothing at hand may answer, and the look that comes before "I do not know".

Some are asked just as the prompt's worked examples are asked, about the dog and the house. Whether
the answer is that of the example, another, or none at all is for the tools to say.
"""

from __future__ import annotations

import random

from maintain.training.kinds.answers import LISTING
from maintain.training.kinds.facts import Fact, make_fact
from maintain.training.kinds.home_memory import line_with, noted
from maintain.training.kinds.sessions import Note, Session, Turn, play_session, recalled
from maintain.training.record import Trace
from maintain.training.scenario import Move, read
from maintain.training.vocabulary import (
    COLOURS,
    FOOD,
    MATERIALS,
    PEOPLE,
    PLACES,
    THINGS,
    file_names,
    number,
)

KNOWS_NOT = "I do not know"
TOOLS = ("calculator", "files", "recall", "remember")


def _alike(rng: random.Random) -> tuple[Fact, str]:
    """A fact that a worked example asks for, with a value of its own, and the example's file."""
    who, place, thing = rng.choice(PEOPLE), rng.choice(PLACES), rng.choice(THINGS)
    colour, n = rng.choice(COLOURS), number(rng, 2, 48)
    forms = (
        (f"The dog is in {place}.", "Where is the dog?", "the dog", place, "pets.txt"),
        (f"The dog lies on the {thing}.", "Where is the dog?", "the dog", thing, "pets.txt"),
        (f"The door is {colour}.", "What colour is the door?", "the door", colour, "house.txt"),
        (f"{who} is in the car.", "Who is in the car?", "the car", who, "car.txt"),
        (f"{who} owns the house.", "Who owns the house?", "the house", who, "house.txt"),
        (f"The party is at {n}.", "When is the party?", "the party", str(n), "time.txt"),
        (f"The train leaves at {n}.", "When is the train?", "the train", str(n), "time.txt"),
        (f"Your shoes have size {n}.", "What is my shoe size?", "your shoe size", str(n),
         "shoes.txt"),
        (f"{who} likes a book about {rng.choice(FOOD)}.", f"Which book does {who} like?", who, who,
         "books.txt"),
        (f"The door is of {rng.choice(MATERIALS)}.", "What is the door made of?", "the door", "",
         "house.txt"),
    )  # fmt: skip
    says, asks, about, value, file = rng.choice(forms)
    return Fact(says, asks, value or says, says, about), file


def _others(rng: random.Random, wanted: Fact, count: int) -> list[Fact]:
    """Facts that do not answer what is wanted."""
    found: list[Fact] = []
    while len(found) < count:
        other = make_fact(rng)
        if other.question != wanted.question and other.about != wanted.about:
            found.append(other)
    return found


def _in_a_file(rng: random.Random) -> tuple[Session, str]:
    """A worked example's question about a file, which answers it in its own way, or does not."""
    fact, file = _alike(rng)
    knows = rng.random() < 0.45
    lines = [other.sentence for other in _others(rng, fact, rng.choice((1, 1, 2)))]
    if knows:
        lines.insert(rng.randint(0, len(lines)), fact.sentence)
    short = fact.question.removesuffix("?")
    question = rng.choice((f"{short} in {file}?", f"{fact.question} Look into {file}.",
                           f"{fact.question} It may be in {file}.", f"By {file}, {short[0].lower()}"
                           f"{short[1:]}?"))  # fmt: skip
    if knows:
        turn = Turn(question, fact.sentence, fact.found, (read(file, fact.sentence),))
    else:
        thought = f"I look for {fact.about}. The file does not have it."
        answer = f"{KNOWS_NOT}: {file} does not say that."
        turn = Turn(question, answer, thought, (read(file),))
    tools = rng.choice((("calculator", "files"), ("files",)))
    session = Session((turn,), tools, {file: "\n".join(lines)}, has_examples=rng.random() < 0.8)
    return session, fact.sentence if knows else KNOWS_NOT


def _in_some_file(rng: random.Random) -> tuple[Session, str]:
    """A question without a file: list them, read them, and go by what they say."""
    fact = _alike(rng)[0] if rng.random() < 0.6 else make_fact(rng)
    names = sorted(file_names(rng, rng.randint(1, 2)))
    knows = rng.random() < 0.4
    moves, files, answer = _look_into(fact, names, knows, rng)
    thought = fact.found if knows else f"I look for {fact.about}. No file has it."
    answer = fact.sentence if knows else f"{KNOWS_NOT}: no file says it."
    question = fact.question + rng.choice(("", " Look into the files.", " Is it in a file?"))
    turn = Turn(question, answer, thought, tuple(moves))
    session = Session((turn,), ("calculator", "files"), files, has_examples=rng.random() < 0.5)
    return session, fact.sentence if knows else KNOWS_NOT


def _look_into(
    fact: Fact, names: list[str], knows: bool, rng: random.Random, before: str = ""
) -> tuple[list[Move], dict[str, str], str]:
    """The moves through the files up to the one that has the fact, if one has it."""
    files = {name: _others(rng, fact, 1)[0].sentence for name in names}
    has_it = rng.choice(names) if knows else ""
    if knows:
        files[has_it] = fact.sentence
    moves = [Move(f"{before}{LISTING}", "list_files", {}, names[0])]
    last = ""
    for name in names:
        said = f"I look for {fact.about}. {last} does not have it. " if last else ""
        moves.append(Move(f"{said}I need to read {name}.", "read_file", {"path": name}))
        last = name
        if name == has_it:
            break
    return moves, files, has_it


def _in_memory(rng: random.Random) -> tuple[Session, str]:
    """A worked example's question to the memory, which knows other things, or something else."""
    fact = _alike(rng)[0]
    knows = rng.random() < 0.45
    notes = _notes(rng, fact, knows)
    found = recalled(notes, fact.question)
    line = line_with(fact.sentence, found)
    if knows != bool(line):
        return _in_memory(rng)
    move = _recall(fact.question, found)
    if knows:
        thought = f"I look for {fact.about}. My memory says: {fact.sentence}"
        answer = f"{fact.sentence} ({line.rpartition(' (')[2]}"
    else:
        thought = f"I look for {fact.about}. My memory does not have it."
        answer = f"{KNOWS_NOT}: my memory does not say it."
    turn = Turn(fact.question, answer, thought, (move,))
    tools = rng.choice((("recall",), ("recall", "remember", "calculator")))
    return Session((turn,), tools, {}, notes), fact.sentence if knows else KNOWS_NOT


def _nowhere(rng: random.Random) -> tuple[Session, str]:
    """The memory first, then the files; one of these may have it, and mostly none has."""
    fact = _alike(rng)[0] if rng.random() < 0.4 else make_fact(rng)
    notes = _notes(rng, fact, knows=False)
    found = recalled(notes, fact.question)
    if line_with(fact.sentence, found):
        return _nowhere(rng)
    knows = rng.random() < 0.35
    names = sorted(file_names(rng, rng.randint(1, 2)))
    before = f"I look for {fact.about}. My memory does not have it. "
    looks, files, _ = _look_into(fact, names, knows, rng, before)
    thought, answer = fact.found, fact.sentence
    if not knows:
        thought = f"I look for {fact.about}. No file has it."
        answer = f"{KNOWS_NOT}: neither my memory nor a file says it."
    turn = Turn(fact.question, answer, thought, (_recall(fact.question, found), *looks))
    return Session((turn,), TOOLS, files, notes, False), fact.sentence if knows else KNOWS_NOT


def _notes(rng: random.Random, fact: Fact, knows: bool) -> tuple[Note, ...]:
    others = _others(rng, fact, rng.choice((0, 1, 2)))
    notes = [noted(rng, other.sentence, other.about) for other in others]
    if len({note.name for note in notes}) < len(notes):
        return _notes(rng, fact, knows)
    if knows:
        notes.insert(rng.randint(0, len(notes)), noted(rng, fact.sentence, fact.about))
    return tuple(notes)


def _recall(question: str, found: str) -> Move:
    first = found.partition("\n")[0]
    return Move("I need to look into my memory.", "recall", {"query": question}, first)


def honest(rng: random.Random) -> Trace:
    """A look where the answer might be, and what came of it."""
    make = rng.choice((_in_a_file, _in_a_file, _in_some_file, _in_memory, _in_memory, _nowhere,
                       _nowhere))  # fmt: skip
    return play_session("honest", *make(rng))
