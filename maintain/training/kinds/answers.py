"""Questions that need no tool, and questions that no tool or file at hand can answer.

"I do not know" is the right answer if the information is nowhere. A model learns to say so from
traces that show where it looked in vain.
"""

from __future__ import annotations

import random

from maintain.training.kinds.facts import (
    alike_facts,
    ask_about,
    ask_field,
    make_fact,
    make_record,
    write_record,
)
from maintain.training.kinds.files import LISTING
from maintain.training.scenario import Move, Scenario, read
from maintain.training.vocabulary import (
    COLOURS,
    COUNTS,
    KNOWN,
    PEOPLE,
    PLACES,
    THINGS,
    file_name,
    file_names,
    phrases,
    pick,
    table,
)

TOOLS = (
    ("calculator",),
    ("read_file",),
    ("calculator", "read_file"),
    ("calculator", "list_files", "read_file"),
)
COURTESIES = table("chats")["courtesies"]


def no_tool(rng: random.Random) -> Scenario:
    """An answer that needs nothing but the question."""
    if rng.random() < 0.4:
        question, value = rng.choice(tuple(KNOWN.items()))
        answer = f"It is {value}."
    else:
        thing, other = rng.sample(THINGS, 2)
        short, long = sorted((thing, other), key=len)
        fields = {
            "who": rng.choice(PEOPLE),
            "place": rng.choice(PLACES),
            "colour": rng.choice(COLOURS),
            "thing": thing,
            "THING": thing.upper(),
            "other": other,
            "short": short,
            "long": long,
            "first": thing[0],
        }
        question, answer, value = (text.format(**fields) for text in rng.choice(COURTESIES))
        if "longer" in question and len(short) == len(long):
            return no_tool(rng)
    return Scenario(
        question=question,
        moves=(),
        thought="I need no tool for this.",
        answer=answer,
        value=value,
        goal="answer at once",
        steps=("Give the answer; no tool is needed.",),
        tools=rng.choice(TOOLS),
    )


def give_up(rng: random.Random) -> Scenario:
    """A question that nothing at hand can answer, after a look where the answer might be."""
    return rng.choice((*[_not_in_file] * 5, _not_in_files, _no_such_tool))(rng)


def _not_in_file(rng: random.Random) -> Scenario:
    file = file_name(rng)
    if rng.random() < 0.3:
        record = make_record(rng)
        field = rng.choice([name for name in COUNTS if name not in record])
        question, what, text = (
            ask_field(rng, field, file),
            f"the {field}",
            write_record(rng, record),
        )
        about = what
    else:
        fact, *others = alike_facts(rng, rng.choice((2, 2, 2, 3, 4)))
        text = "\n".join(one.sentence for one in others)
        if fact.value in text:
            return _not_in_file(rng)
        question, what, about = ask_about(rng, fact, file), "that", fact.about
    return _unknown(
        question,
        [read(file)],
        f"I look for {about}. The file does not have it.",
        f"I do not know: {file} does not say {what}.",
        file,
        {file: text},
        rng.choice(TOOLS[1:]),
    )


def _not_in_files(rng: random.Random) -> Scenario:
    names = sorted(file_names(rng, rng.randint(1, 2)))
    fact = make_fact(rng)
    files = {}
    for name in names:
        while name not in files or fact.question.split()[-1] in files[name]:
            files[name] = make_fact(rng).sentence
    if any(fact.value in text for text in files.values()):
        return _not_in_files(rng)
    moves = [Move(LISTING, "list_files", {}, names[0])]
    for before, name in zip((None, *names), names, strict=False):
        said = f"I look for {fact.about}. {before} does not have it. " if before else ""
        moves.append(Move(f"{said}I need to read {name}.", "read_file", {"path": name}))
    answer = "I do not know: no file says it."
    question = f"{fact.question}{rng.choice(('', ' One of the files may say it.'))}"
    return _unknown(
        question,
        moves,
        f"I look for {fact.about}. No file has it.",
        answer,
        "the files",
        files,
        TOOLS[3],
    )


def _no_such_tool(rng: random.Random) -> Scenario:
    what = pick(
        rng, *phrases("answers.no_such_tool"), place=rng.choice(PLACES), who=rng.choice(PEOPLE)
    )
    answer = "I do not know: no tool that I have can tell."
    return _unknown(what, [], "No tool can tell me this.", answer, "", {}, rng.choice(TOOLS))


def _unknown(
    question: str,
    moves: list[Move],
    thought: str,
    answer: str,
    where: str,
    files: dict[str, str],
    tools: tuple[str, ...],
    value: str = "not",
) -> Scenario:
    look = {"": "See whether a tool can tell.", "the files": "List the files and read them."}
    return Scenario(
        question=question,
        moves=tuple(moves),
        thought=thought,
        answer=answer,
        value=value if value in answer else "Not",
        goal=f"find the answer in {where}" if where else "see whether this can be known",
        steps=(look.get(where, f"Read {where}."), "Give the answer."),
        tools=tools,
        files=files,
    )
