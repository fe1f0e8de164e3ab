"""Questions that one file answers, or several.

The name of the file is in the question, in the list of files, or in a file that was read before. An
answer has what the file says and nothing else.
"""

from __future__ import annotations

import random
from dataclasses import replace

from maintain.training.kinds.facts import (
    alike_facts,
    ask_about,
    ask_field,
    make_fact,
    make_record,
    text_with,
    write_record,
)
from maintain.training.scenario import Move, Scenario, read, read_next
from maintain.training.vocabulary import (
    COUNTS,
    DAYS,
    FOLDERS,
    GOODS,
    PEOPLE,
    file_name,
    file_names,
    numbers,
    phrases,
    pick,
)


def _tools(rng: random.Random) -> tuple[str, ...]:
    extra = (("calculator",), ("list_files",), ("calculator", "list_files"), (), ())
    return ("read_file", *rng.choice(extra))


def reading_plan(files: list[str], *then: str) -> tuple[str, ...]:
    return (*(f"Read {file}." for file in files), *then)


def read_file(rng: random.Random) -> Scenario:
    """A question that one file answers."""
    file = file_name(rng)
    if rng.random() < 0.2:
        file = f"{rng.choice(FOLDERS)}/{file}"
    if rng.random() < 0.3:
        return _whole_file(rng, file)
    if rng.random() < 0.7:
        fact, *others = alike_facts(rng, rng.choice((1, 2, 3, 4)))
        question, value, answer = ask_about(rng, fact, file), fact.value, fact.answer
        thought = fact.found
        text = "\n".join(one.sentence for one in rng.sample([fact, *others], 1 + len(others)))
        if not others:
            text = text_with(rng, fact, rng.choice((0, 0, 1, 2, 3)))
    else:
        record = make_record(rng)
        field, value = rng.choice(list(record.items()))
        question, text = ask_field(rng, field, file), write_record(rng, record)
        answer = f"The {field} is {value}."
        thought = f"I look for the {field}. The file says {value}."
    return Scenario(
        question=question,
        moves=(read(file, value),),
        thought=thought,
        answer=answer,
        value=value,
        goal=f"find the answer in {file}",
        steps=reading_plan([file], "Give the answer."),
        tools=_tools(rng),
        files={file: text},
    )


def _whole_file(rng: random.Random, file: str) -> Scenario:
    """The whole text of a file, a line or two."""
    lines = [
        make_fact(rng).sentence if rng.random() < 0.5 else _errand(rng)
        for _ in range(rng.choice((1, 1, 2)))
    ]
    text = " ".join(lines)
    question = pick(rng, "What is in {f}?", "What stands in {f}?", "What is written in {f}?",
                    "Read me {f}.",
                    "Tell me all that {f} says.", "Open {f} and say what it has.", "Show me {f}.",
                    "I want to know what {f} contains.", "What have I put into {f}?",
                    f=file)  # fmt: skip
    return Scenario(
        question=question,
        moves=(read(file, lines[0]),),
        thought=f"The file says: {text}",
        answer=text,
        value=lines[0],
        goal=f"know what {file} says",
        steps=reading_plan([file], "Say what stands there."),
        tools=_tools(rng),
        files={file: "\n".join(lines)},
    )


def _errand(rng: random.Random) -> str:
    """A note to oneself."""
    return pick(
        rng,
        *phrases("files.errand"),
        g=rng.choice(GOODS),
        h=rng.choice(GOODS),
        k=rng.choice(GOODS),
        p=rng.choice(PEOPLE),
        d=rng.choice(DAYS),
    )


LISTING = "I need to list the files."


def several_files(rng: random.Random) -> Scenario:
    """A question that takes a list of files, or two of them."""
    makers = (_which_files, _find_file, *[_two_facts] * 3, *[_sent_on] * 3)
    return rng.choice(makers)(rng)


def _which_files(rng: random.Random) -> Scenario:
    files = {name: make_fact(rng).sentence for name in file_names(rng, rng.randint(1, 4))}
    names = sorted(files)
    listed = ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]
    count = rng.random() < 0.3
    question = (
        pick(rng, "How many files are there?", "Count the files.")
        if count
        else pick(rng, *phrases("files.which_files"))
    )
    value = str(len(names)) if count else names[-1]
    be = "is" if len(names) == 1 else "are"
    one = "file" if len(names) == 1 else "files"
    return Scenario(
        question=question,
        moves=(Move(LISTING, "list_files", {}, "\n".join(names)),),
        thought="The list is complete.",
        answer=f"There {be} {len(names)} {one}." if count else f"There {be} {listed}.",
        value=value,
        goal="know the files",
        steps=("List the files.", "Count them." if count else "Name them."),
        tools=("list_files", *rng.choice(((), ("read_file",), ("read_file", "calculator")))),
        files=files,
    )


def _find_file(rng: random.Random) -> Scenario:
    """The question names the file's subject. The file's name has to be found in the list."""
    names = file_names(rng, rng.randint(1, 4))
    fact = make_fact(rng)
    files = {name: make_fact(rng).sentence for name in names}
    file = names[0]
    topic = file.partition(".")[0].partition("-")[0].partition("_")[0]
    files[file] = text_with(rng, fact, rng.choice((0, 0, 1)))
    ask = fact.asked
    question = rng.choice(
        (
            f"{fact.question} It is in the file about the {topic}.",
            f"There is a file on the {topic}. {fact.question}",
            f"Find the notes on the {topic} and tell me: {ask}",
            f"{fact.question} One of the files, that of the {topic}, says it.",
        )
    )
    thought = f"The file about the {topic} is {file}. I need to read it."
    return Scenario(
        question=question,
        moves=(
            Move(LISTING, "list_files", {}, file),
            Move(thought, "read_file", {"path": file}, fact.value),
        ),
        thought=fact.found,
        answer=fact.answer,
        value=fact.value,
        goal=f"find the file about the {topic} and its answer",
        steps=("List the files.", f"Read the one about the {topic}.", "Give the answer."),
        tools=("list_files", "read_file", *rng.choice(((), ("calculator",)))),
        files=files,
    )


def _two_facts(rng: random.Random) -> Scenario:
    """Two files, one question: what both say, or which has the larger number."""
    first, second = file_names(rng, 2)
    if rng.random() < 0.5:
        one, two = make_fact(rng), make_fact(rng)
        asked = two.asked
        question = pick(
            rng,
            "{one} in {first}, and {two} in {second}?",
            "Read {first} and {second}. {One} And {two_q}",
            "{One} That is in {first}. And {two_q} That is in {second}.",
            one=one.question[:-1],
            two=asked[:-1],
            One=one.question,
            two_q=asked,
            first=first,
            second=second,
        )
        return Scenario(
            question=question,
            moves=(read(first, one.value), read_next(first, one.value, second, two.value)),
            thought=f"{first} says {one.value}. {second} says {two.value}.",
            answer=f"{one.answer} {two.answer}",
            value=two.value,
            goal=f"find what {first} and {second} say",
            steps=reading_plan([first, second], "Give both answers."),
            tools=_tools(rng),
            files={first: one.sentence, second: two.sentence},
        )
    field = rng.choice(COUNTS)
    x, y = numbers(rng, 2, 2, 900)
    word = rng.choice(("larger", "smaller"))
    wanted = (max if word == "larger" else min)((x, first), (y, second))
    return Scenario(
        question=pick(
            rng,
            "Which file gives the {word} {field}, {first} or {second}?",
            "Is the {field} {word} in {first} or in {second}?",
            "Compare {first} and {second}: which has the {word} {field}?",
            word=word,
            field=field,
            first=first,
            second=second,
        ),
        moves=(read(first, str(x)), read_next(first, str(x), second, str(y))),
        thought=f"{first} says {x}. {second} says {y}.",
        answer=f"{wanted[1]} has the {word} {field}: {wanted[0]}.",
        value=wanted[1],
        goal=f"know which {field} is {word}",
        steps=reading_plan([first, second], "Compare the two."),
        tools=_tools(rng),
        files={first: f"{field}: {x}", second: f"{field}: {y}"},
    )


def _sent_on(rng: random.Random) -> Scenario:
    """The file in the question names another one to read."""
    first, second = file_names(rng, 2)
    fact = make_fact(rng)
    ask = fact.asked
    start = "" if rng.random() < 0.6 else f"{make_fact(rng).sentence}\n"
    if fact.value in start:
        return _sent_on(rng)
    about = fact.about
    words = {"about": about, "ask": ask, "Ask": fact.question, "who": rng.choice(PEOPLE)}
    if rng.random() < 0.4:
        said = pick(rng, *phrases("files.sent_on_value"), v=fact.value, who=rng.choice(PEOPLE))
        fact = replace(fact, sentence=said)
    return Scenario(
        question=pick(rng, *phrases("files.sent_on_asked"), first=first, **words),
        moves=(
            read(first, second),
            Move(f"I look for {about}. The file names {second}. I need to read {second}.",
                 "read_file", {"path": second}, fact.value),
        ),
        thought=fact.found,
        answer=fact.answer,
        value=fact.value,
        goal=f"find the answer by way of {first}",
        steps=(f"Read {first}.", "Read the file that it names.", "Give the answer."),
        tools=_tools(rng),
        files={
            first: start + pick(rng, *phrases("files.sent_on_hint"), second=second, **words),
            second: fact.sentence,
        },
    )  # fmt: skip
