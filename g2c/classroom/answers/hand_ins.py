"""The work to be marked: the questions of a module, and each student's answers.

Question 9 of module 19 is about the catalogue of failures, so the catalogue is shown below its
answer. A notebook or a catalogue may contain anything, so a process with limits reads it. `python
-m g2c.classroom.answers.hand_ins REPORT FILE...` is that process; it writes the answers to the file
REPORT, as JSON.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from g2c.classroom.answers.marking import HandIn, Question
from g2c.classroom.answers.rubric import Rubric, read_rubric
from g2c.classroom.batch import Submission
from g2c.classroom.confinement import COURSE
from g2c.classroom.hand_in import other_notebooks, submitted
from g2c.classroom.sandbox import Conditions, data_from_sandbox
from g2c.course.answers import find_answers, read_answers
from g2c.course.bounded import printable, read_at_most
from g2c.course.submission import as_tree
from g2c.course.writeup import MAX_BYTES, read_entries
from g2c.ending import EndingPool
from g2c.files import read_text
from g2c.text import reason_of
from g2c.written import text_of

MAX_ANSWER_CHARS = 10_000
"""A longer answer is cut, and the page says by how much."""

UNSURE = "[Perhaps part of the answer; it is code, or stands elsewhere:]"

CATALOGUE = Path("docs/agent-failure-modes.md")
_OF_CATALOGUE = ("19", 9)
"""The module and the question that ask for the catalogue."""

_TOGETHER = 8
"""Hand-ins that one process reads. Starting it takes longer than reading."""

Read = Callable[[Sequence[Path]], list[Any]]
"""Returns, for each file, its answers by number, or a sentence that says why there are none."""


def rubric_of(module: str) -> Rubric:
    """The rubric of a module.

    Raises:
        ValueError: there is none.
    """
    file = COURSE / f"docs/rubrics/module-{module}.md"
    if not module.isdecimal() or not file.is_file():
        raise ValueError(f"There is no rubric of module {printable(module)} in docs/rubrics.")
    return read_rubric(read_text(file))


def questions_of(module: str) -> list[Question]:
    """The questions of a module's notebook, with their rows of the rubric.

    Raises:
        ValueError: there is no rubric or no notebook, or a row is missing.
    """
    rubric = rubric_of(module)
    found = []
    for number in read_answers(notebook_of(module)):
        if not (row := rubric.rows.get(number)):
            raise ValueError(f"The rubric of module {module} has no row for question {number}.")
        found.append(Question(module, number, row.title, row.text, rubric.scale))
    return found


def notebook_of(module: str) -> Path:
    """The notebook of a module, as it was shipped.

    Raises:
        ValueError: there is none.
    """
    files = sorted((COURSE / "notebooks").glob(f"{module}-*.ipynb"))
    if not files:
        raise ValueError(f"Module {printable(module)} has no notebook.")
    return files[0]


def read_hand_ins(submissions: Iterable[Submission], module: str, read: Read) -> Iterator[HandIn]:
    """Each student's answers, or why they could not be read. No file of a submission is kept.

    Raises:
        ValueError: two submissions have one name, as far as it can be printed.
    """
    names = [f"work/{notebook_of(module).name}"]
    if module == _OF_CATALOGUE[0]:
        names.append(CATALOGUE.as_posix())
    whole = list(submissions)
    seen: set[str] = set()
    for submission in whole:
        if printable(submission.name) in seen:
            raise ValueError(
                f"Two submissions have the name {printable(submission.name)}. Rename one."
            )
        seen.add(printable(submission.name))
    some = [whole[start : start + _TOGETHER] for start in range(0, len(whole), _TOGETHER)]
    # Processes do the work: one unpacks a zip, another reads its files.
    with EndingPool() as pool:
        for found in pool.map(lambda own: list(_read_some(own, names, read)), some):
            yield from found


def _read_some(some: Sequence[Submission], names: Sequence[str], read: Read) -> Iterator[HandIn]:
    why: dict[str, str] = {}
    files: list[tuple[str, Path]] = []
    parts: dict[str, list[Any]] = {submission.name: [] for submission in some}
    beside: dict[str, str] = {}
    with ExitStack() as laid_out:
        for submission in some:
            try:
                tree = laid_out.enter_context(as_tree(submission.path))
                own = [submitted(tree, name) for name in names]
                beside[submission.name] = other_notebooks(tree)
            except (ValueError, OSError) as error:
                why[submission.name] = printable(reason_of(error))
                continue
            files += [(submission.name, file.resolve()) for file in own if file]
        if files:
            for (name, file), found in zip(files, read([file for _, file in files]), strict=True):
                parts[name].append(found)
                if found and file.suffix == ".ipynb":
                    beside[name] = ""
    for submission in some:
        yield _hand_in(
            submission.name,
            parts[submission.name],
            why.get(submission.name, ""),
            beside.get(submission.name, ""),
        )


def _hand_in(name: str, parts: Iterable[Any], why: str, beside: str) -> HandIn:
    """A student's answers from all files. If two files have parts of an answer, they are joined."""
    answers: dict[int, str] = {}
    for part in parts:
        if isinstance(part, str):
            why = why or part
            continue
        for number, text in part.items():
            answers[number] = "\n\n".join(filter(None, (answers.get(number), text)))
    return HandIn(printable(name), {} if why else answers, why, beside)


def with_limits(conditions: Conditions) -> Read:
    """Read files in a process with the limits of a student's code."""

    def read(files: Sequence[Path]) -> list[Any]:
        try:
            arguments = [__name__, *map(str, files)]
            found = data_from_sandbox(arguments, conditions, reads=files)
        except ValueError as error:
            if len(files) == 1:
                return [f"{files[0].name} could not be read. {error}"]
            return [told for file in files for told in read([file])]  # one blocks the others
        return [
            answers
            if isinstance(answers, str)
            else {int(number): text for number, text in answers.items()}
            for answers in found
        ]

    return read


def answers_in(file: Path) -> dict[int, str] | str:
    """The answers of a notebook, or the catalogue as one answer, in the form shown to the grader;
    or a sentence that says why there are none."""
    try:
        if file.name == CATALOGUE.name:
            text = catalogue_in(text_of(read_at_most(file, MAX_BYTES), file))
            return {_OF_CATALOGUE[1]: _shown(text)} if text else {}
        texts = {
            number: [answer.text, f"{UNSURE}\n{answer.unsure}" if answer.unsure else ""]
            for number, answer in find_answers(file).items()
        }
        return {
            number: _shown("\n\n".join(filter(None, both)))
            for number, both in texts.items()
            if any(both)
        }
    except (ValueError, OSError) as error:
        return printable(reason_of(error))[:500]


def catalogue_in(text: str) -> str:
    """A catalogue in the form shown to the grader: the text about each failure, and then the
    transcripts, which are longest. "" if it has no entry."""
    entries = read_entries(text)
    if not entries:
        return ""
    said = [
        f"{number}. {entry.title}\nHypothesis: {entry.hypothesis or 'not written'}\n"
        f"Mitigation: {entry.mitigation or 'not written'}\n"
        f"Tried in: {entry.tried or 'no run is named'}"
        for number, entry in enumerate(entries, 1)
    ]
    quoted = [
        f"{number}. Transcript of {entry.run or 'no run'}\n" + "\n".join(entry.quoted)
        for number, entry in enumerate(entries, 1)
    ]
    return "\n\n".join(["The catalogue of failures:", *said, *quoted])


def _shown(text: str) -> str:
    text = printable(text)
    if (more := len(text) - MAX_ANSWER_CHARS) <= 0:
        return text
    return f"{text[:MAX_ANSWER_CHARS]}\n[... and {more:,} characters more]"


def main() -> None:
    report, *names = sys.argv[1:]
    found = [answers_in(Path(name)) for name in names]
    Path(report).write_text(json.dumps(found, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
