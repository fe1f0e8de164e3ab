"""Failed calls, and what to do next.

An error is an observation like any other, and the best teacher, since it tells what is wanted. A
call that is a mistake of the model's is shown and never learned. A call that the question suggests
is right, even if it fails.
"""

from __future__ import annotations

import random
from dataclasses import replace
from difflib import get_close_matches

from maintain.training.kinds.arithmetic import conclude, make_sum
from maintain.training.kinds.facts import ask_about, make_fact
from maintain.training.kinds.files import LISTING, read_file
from maintain.training.kinds.tool_errors import is_down, wants_code, wants_form, wants_other
from maintain.training.scenario import Move, Scenario, calculate, work_out
from maintain.training.vocabulary import FOLDERS, STEMS, file_name, file_names, number


def recovery(rng: random.Random) -> Scenario:
    """A run in which the first call fails."""
    files = (*[_missing] * 5, *[_missing_listed] * 2, _second_file, *[_is_folder] * 3)
    own = (*[_mistaken] * 5, _bad_sum)
    refused = (*[wants_form] * 2, *[wants_code] * 4, *[wants_other] * 4, *[is_down] * 2)
    makers = (*files, *own, *refused)
    return rng.choice(makers)(rng)


def _misspelt(rng: random.Random, file: str) -> str:
    """A name under which somebody may ask for `file`."""
    stem, dot, suffix = file.rpartition(".")
    other = rng.choice([s for s in (".txt", ".md", ".log", ".csv") if s != dot + suffix])
    cut = rng.randrange(1, len(stem) - 1)
    return rng.choice(
        (
            stem + other,
            stem + other,
            stem[:cut] + stem[cut + 1 :] + dot + suffix,
            stem + "s" + dot + suffix,
            "my_" + file,
            stem.capitalize() + "s" + dot + suffix,
            rng.choice(STEMS) + dot + suffix,
        )
    )


def _missing(rng: random.Random) -> Scenario:
    """The question names a file that does not exist, and the error names those that do."""
    scenario = read_file(rng)
    (file,) = scenario.files
    text = scenario.files[file]
    if "/" in file:
        return _missing(rng)
    asked = _misspelt(rng, file)
    files = {file: text}
    if rng.random() < 0.4:
        for name in file_names(rng, rng.randint(1, 3)):
            files.setdefault(name, make_fact(rng).sentence)
    if asked in files or get_close_matches(asked, sorted(files), n=1, cutoff=0)[0] != file:
        return _missing(rng)
    first = scenario.moves[0]
    thought = f"The file is missing. There is: {file}."
    return replace(
        scenario,
        question=scenario.question.replace(file, asked),
        moves=(
            replace(
                first,
                thought=first.thought.replace(file, asked),
                arguments={"path": asked},
                gives="There is no file",
                fails=True,
            ),
            Move(thought, "read_file", {"path": file}, scenario.value),
        ),
        answer=scenario.answer,
        goal=scenario.goal.replace(file, asked),
        steps=tuple(step.replace(file, asked) for step in scenario.steps),
        files=files,
    )


def _missing_listed(rng: random.Random) -> Scenario:
    """The same, but the agent lists the files."""
    scenario = _missing(rng)
    first, second = scenario.moves
    look = Move(f"The file is missing. {LISTING}", "list_files", {}, second.arguments["path"])
    second = replace(second, thought=f"There is: {second.arguments['path']}.")
    tools = tuple(dict.fromkeys((*scenario.tools, "list_files")))
    return replace(scenario, moves=(first, look, second), tools=tools)


def _second_file(rng: random.Random) -> Scenario:
    """The suggested file does not have the answer; another one does."""
    asked, *names = file_names(rng, 3)
    tried = get_close_matches(asked, sorted(names), n=1, cutoff=0)[0]
    other = names[1 - names.index(tried)]
    fact, wrong = make_fact(rng), make_fact(rng)
    if wrong.question == fact.question or fact.value in wrong.sentence:
        return _second_file(rng)
    thought = f"I look for {fact.about}. {tried} does not have it. I need to read {other}."
    return Scenario(
        question=f"{fact.question.removesuffix('?')} in {asked}?",
        moves=(
            Move(f"I need to read {asked}.", "read_file", {"path": asked}, "There is no", True),
            Move(f"The file is missing. There is: {tried}.", "read_file", {"path": tried}),
            Move(thought, "read_file", {"path": other}, fact.value),
        ),
        thought=fact.found,
        answer=fact.answer,
        value=fact.value,
        goal=f"find the answer in {asked}",
        steps=(f"Read {asked}.", "Give the answer."),
        tools=("read_file", *rng.choice(((), ("list_files",)))),
        files={tried: wrong.sentence, other: fact.sentence},
    )


def _is_folder(rng: random.Random) -> Scenario:
    folder, file, fact = rng.choice((*FOLDERS, *STEMS)), file_name(rng), make_fact(rng)
    path = f"{folder}/{file}"
    thought = f"{folder} is a folder. It has: {path}."
    return Scenario(
        question=ask_about(rng, fact, folder),
        moves=(
            Move(f"I need to read {folder}.", "read_file", {"path": folder}, "is a folder", True),
            Move(thought, "read_file", {"path": path}, fact.value),
        ),
        thought=fact.found,
        answer=fact.answer,
        value=fact.value,
        goal=f"find the answer in {folder}",
        steps=(f"Read {folder}.", "Give the answer."),
        tools=("read_file", *rng.choice(((), ("list_files",), ("calculator",)))),
        files={path: fact.sentence},
    )


MISTAKES = (
    *(
        (Move("I look for the file.", "read_file", {"path": path}, "outside", True, False),
         "I may not read that. The question names {file}.")
        for path in ("/etc/notes", "../notes.txt", "/home/user/file.txt")
    ),
    *(
        (Move("I read it.", "read_file", {name: "notes"}, "Bad arguments", True, False),
         "The argument is called path. I need to read {file}.")
        for name in ("file", "name", "filename", "file_path")
    ),
    *(
        (Move("I look it up.", name, {"path": "notes"}, "There is no tool", True, False),
         "The tool is called read_file. I need to read {file}.")
        for name in ("open", "cat", "search", "read", "get_file", "Read a text file.")
    ),
    *(
        (Move(said), "I have to write an Action. I need to read {file}.")
        for said in ("I will read the file now.", "Let me think.", "The answer is near.")
    ),
)  # fmt: skip
"""Mistakes of the model's own, and the thought after each."""


def _mistaken(rng: random.Random) -> Scenario:
    """The model makes a mistake of its own before it reads the file."""
    scenario, (wrong, thought) = read_file(rng), rng.choice(MISTAKES)
    (right,) = scenario.moves
    (file,) = scenario.files
    moves = (wrong, replace(right, thought=thought.format(file=file)))
    tools = tuple(dict.fromkeys((*scenario.tools, "calculator")))
    return replace(scenario, moves=moves, tools=tools)


def _bad_sum(rng: random.Random) -> Scenario:
    said, expression = make_sum(rng)
    x = number(rng, 1000, 9999)
    wrong, note = rng.choice(
        (
            (f"{x:,} + 2", "A number is written without commas."),
            (f"{expression} =", "An expression has no = in it."),
            (f"{expression} euros", "An expression has numbers only."),
            ("x + 1", "An expression has numbers and no names."),
            ("what is " + expression, "An expression has no words."),
        )
    )
    thought, answer = conclude(calculate(expression))
    failed = Move("I calculate.", "calculator", {"expression": wrong}, "", True, False)
    return Scenario(
        question=f"What is {said}?",
        moves=(failed, work_out(expression, note)),
        thought=thought,
        answer=answer,
        value=calculate(expression),
        goal=f"know {said}",
        steps=(f"Calculate {expression}.", "Give the result."),
        tools=("calculator", *rng.choice(((), ("read_file",)))),
    )
