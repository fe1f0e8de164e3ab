"""A student's feedback: one page in HTML and the same in Markdown.

It says what was good, and shows the messages of failed tests, each of which names a belief. It
reveals nothing of the tests' text, the grader's workings, or other students.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from g2c.classroom.answers.marking import FULL, Mark
from g2c.classroom.confinement import COURSE
from g2c.classroom.counted import Counted
from g2c.classroom.measurement import UNMEASURED
from g2c.course.check.results import TestResult
from g2c.page import escaped, whole_page
from g2c.text import fold, one_line, printable

MAX_SAID_CHARS = 1500
"""The longest part of one message that is shown."""

MAX_MESSAGES = 20
"""The most messages of an exercise that are shown."""

MAX_TESTS = 10
"""The most tests that are listed with one message."""

MAX_NAME_CHARS = 60
"""The longest name of a file, without its ending and a hash."""

_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that cannot be files on Windows."""

_PATH = re.compile(r"(?<![\w:/.])(?:[A-Za-z]:)?[/\\](?:[^\s'\"`,:;()/\\]+[/\\])+")
"""The folders of an absolute path."""

_SEED = re.compile(r"(?i)\bseed\b\W{0,3}(\d+)")

_OWN_FOLDERS = re.compile(
    r"^(?:[a-z]:)?/(?:home|users)/[^/]+/|^/root/"
    r"|/(?:tmp[a-z0-9_]{8}|pytest-of-[^/]+|site-packages|python3[.\d]*)/"
    r"|/course/(?:g2c|tests|work|runs|docs)/",
    re.IGNORECASE,
)
"""Folders of the grader's: below somebody's home, temporary, Python's, or of the graded course."""


@dataclass(frozen=True)
class Hidden:
    """The seed (None for any) and the folder of a grade, which no page shows."""

    seed: int | None = None
    tree: str = ""

    def out_of(self, text: str) -> str:
        """The text without the grader's folders and seed. A student's own data stays.

        >>> Hidden(71).out_of("in /tmp/tmpab_12345/course/g2c/agent/settle.py, line 3 (seed 71)")
        'in settle.py, line 3 (a seed)'
        >>> Hidden(71).out_of("permit('//etc/passwd', '/srv/files/') with seed 7")
        "permit('//etc/passwd', '/srv/files/') with seed 7"
        """
        text = _PATH.sub(self._folders, printable(text))
        return _SEED.sub(
            lambda found: "a seed" if self.seed in (None, int(found[1][:20])) else found[0], text
        )

    def _folders(self, found: re.Match[str]) -> str:
        path = found[0].replace("\\", "/")
        is_own = _OWN_FOLDERS.search(path) or path.startswith(f"{COURSE.as_posix()}/")
        return "" if is_own or (self.tree and path.startswith(f"{self.tree}/")) else found[0]


ANY = Hidden()

_WHY_NONE = {
    "not started": "You have not started this one.",
    "skipped": "You skipped this one, so the course's own solution stood in for yours.",
    "needs review": "Your instructor reviews this one before it has points.",
}


@dataclass(frozen=True)
class MarkedAnswer:
    """A question, and its answer's mark; `mark` is None if nobody has marked it yet."""

    module: str
    number: int
    title: str
    is_written: bool
    mark: Mark | None = None


@dataclass(frozen=True)
class Block:
    """A part of the page: a heading, a paragraph, a list item, or preformatted text."""

    kind: Literal["heading", "paragraph", "item", "said"]
    text: str
    level: int = 2


def marked_answers(
    hashes: Mapping[str, Mapping[str, str]],
    marks: Iterable[Mark],
    titles: Mapping[str, Mapping[int, str]],
) -> list[MarkedAnswer]:
    """A student's answers with their marks. `hashes` has those of this student's answers by
    module and number, and `titles` the questions' titles in the same way."""
    newest = {(mark.module, mark.question, mark.answer): mark for mark in marks}
    return [
        MarkedAnswer(
            *(module, int(number), titles.get(module, {}).get(int(number), "")),
            bool(id_),
            newest.get((module, int(number), id_)) if id_ else None,
        )
        for module, ids in sorted(hashes.items())
        for number, id_ in sorted(ids.items(), key=lambda pair: int(pair[0]))
    ]


def feedback(
    name: str,
    result: Mapping[str, Any],
    answers: Sequence[MarkedAnswer],
    counted: Counted | None = None,
) -> list[Block]:
    """The whole page of one student. `result` is the student's, of `g2c class grade --out`; it may
    say why there is no grade, or be empty. `counted` are the points that the gradebook
    counts."""
    exercises = result.get("exercises", [])
    blocks = [Block("heading", f"Feedback for {one_line(name)}", 1)]
    if exercises:
        points = f"{result['score']:g} of {result['max_score']:g} points for the exercises."
        blocks.append(Block("paragraph", points))
    else:
        why = result.get("not_graded") or "There is no result for them."
        # The grader's own words: each path in them is a place of the grader.
        words = f"The exercises are not graded: {_PATH.sub('', ANY.out_of(str(why)))}"
        blocks.append(Block("paragraph", words[:MAX_SAID_CHARS]))
    blocks += _points_for_answers(answers)
    if counted:
        blocks += [Block("paragraph", words) for words in counted.sentences()]
    unmeasured = counted.unmeasured if counted else ()
    given = counted.given if counted else ()
    blocks += _good(exercises, answers)
    hidden = Hidden(result.get("seed"), str(result.get("tree", "")))
    blocks += _to_look_at(exercises, result.get("together", {}), unmeasured, given, hidden)
    blocks += _answers(answers)
    if any(exercise["id"].startswith("19.") for exercise in exercises):
        blocks += _catalogue(result.get("writeup", {}), hidden)
    return blocks


def _points_for_answers(answers: Sequence[MarkedAnswer]) -> Iterator[Block]:
    for module, own in _by_module(answers).items():
        if any(answer.is_written and not answer.mark for answer in own):
            words = f"The written answers of module {module} are not all marked yet."
        else:
            points = sum(answer.mark.marks for answer in own if answer.mark)
            words = f"{points} of {FULL * len(own)} for the written answers of module {module}."
        yield Block("paragraph", words)


def _by_module(answers: Iterable[MarkedAnswer]) -> dict[str, list[MarkedAnswer]]:
    found: dict[str, list[MarkedAnswer]] = {}
    for answer in answers:
        found.setdefault(answer.module, []).append(answer)
    return found


def _good(exercises: Sequence[Mapping[str, Any]], answers: Iterable[MarkedAnswer]) -> list[Block]:
    items = [
        f"{_title(exercise)}: all tests pass, {_points(exercise)}."
        for exercise in exercises
        if exercise["status"] == "passing"
    ]
    items += [
        f"Question {answer.number} of module {answer.module}, {answer.title}: {FULL} of {FULL}."
        for answer in answers
        if answer.mark and answer.mark.marks == FULL
    ]
    heading = [Block("heading", "What is good")] if items else []
    return heading + [Block("item", item) for item in items]


def _title(exercise: Mapping[str, Any]) -> str:
    return f"{exercise['id']} {exercise['title']}"


def _points(exercise: Mapping[str, Any]) -> str:
    return f"{exercise['score']:g} of {exercise['max_score']:g} points"


def _to_look_at(
    exercises: Sequence[Mapping[str, Any]],
    together: Mapping[str, Any],
    unmeasured: Collection[str],
    given: Collection[str],
    hidden: Hidden,
) -> Iterator[Block]:
    left = [exercise for exercise in exercises if exercise["status"] != "passing"]
    if left:
        yield Block("heading", "What to look at again")
    for item in left:
        if item["id"] in unmeasured or item["id"] in given:  # said above
            yield Block("heading", _title(item), 3)
        else:
            yield Block("heading", f"{_title(item)}: {_points(item)}", 3)
        if item["id"] in given and item["status"] == "needs review":
            yield Block("paragraph", "Your instructor has reviewed this one.")
            continue
        if why := _WHY_NONE.get(item["status"]):
            yield Block("paragraph", why)
            continue
        yield Block("paragraph", f"{item['passed']} of {item['tests']} tests pass.")
        if stopped := stop_reason(item["says"], hidden):
            yield Block("said", stopped)
        failures = [f for f in item["failures"] if not f["says"].startswith(UNMEASURED)]
        shown = failures if item["id"] in unmeasured else item["failures"]
        yield from _failures(shown, stopped, hidden)
    alone = sum(exercise["passed"] for exercise in exercises)
    if (passed := together.get("passed", alone)) < alone:
        yield Block(
            "paragraph",
            f"Each alone, your functions pass {alone} tests; together they pass {passed}. "
            + (
                "A function that calls one of these fails with it."
                if left
                else "Two of them share a misunderstanding, or one uses a helper from the other's "
                "file."
            ),
        )


def _failures(
    failures: Iterable[Mapping[str, str]], stopped: str, hidden: Hidden
) -> Iterator[Block]:
    """The failed tests, by their message. The cause that `stopped` all of them was shown
    already."""
    tests: dict[str, list[str]] = {}
    for failure in failures:
        tests.setdefault(belief(failure["says"], hidden), []).append(
            TestResult(failure["test"]).sentence
        )
    if stopped:
        tests.pop(stopped, None)
    for said, names in list(tests.items())[:MAX_MESSAGES]:
        more = f"; and {len(names) - MAX_TESTS} more" if len(names) > MAX_TESTS else ""
        yield Block("item", f"This is not so yet: {'; '.join(names[:MAX_TESTS])}{more}.")
        if said:
            yield Block("said", said)
    if (left := len(tests) - MAX_MESSAGES) > 0:
        yield Block("item", f"And {left} other messages.")


def _answers(answers: Sequence[MarkedAnswer]) -> Iterator[Block]:
    for module, own in _by_module(answers).items():
        yield Block("heading", f"Written answers of module {module}")
        for answer in own:
            if not answer.is_written:
                given = f"not written, 0 of {FULL}"
            else:
                given = f"{answer.mark.marks} of {FULL}" if answer.mark else "not marked yet"
            yield Block("item", f"{answer.number}. {answer.title}: {given}.")
            if answer.mark and answer.mark.comment:
                yield Block("paragraph", f"Comment: {answer.mark.comment}")


def _catalogue(writeup: Mapping[str, Any], hidden: Hidden) -> Iterator[Block]:
    if not writeup:
        return
    yield Block("heading", "The catalogue of failures")
    if writeup.get("is_complete"):
        yield Block("paragraph", "It has what it needs. A person reads what it says.")
    for sentence in writeup.get("lacks", []):
        yield Block("item", hidden.out_of(sentence))
    for entry in writeup.get("entries", []):
        for sentence in entry["lacks"]:
            title = one_line(entry["title"]) or "(no title)"
            yield Block("item", f"{title}: {hidden.out_of(sentence)}")


def belief(says: str, hidden: Hidden = ANY) -> str:
    """The message of a failed test without the expression that failed, which is the test's text.

    >>> belief("a goal was read\\nassert plan.goal == 'x'\\n  +  where ...")
    'a goal was read'
    >>> belief("assert 1 == 2")
    ''
    """
    kept = []
    for line in says.splitlines():
        if re.match(r"\s*(assert\b|\+\s+where|E  )", line):
            break
        kept.append(line)
    return _cut(hidden.out_of("\n".join(kept)))


def stop_reason(says: str, hidden: Hidden = ANY) -> str:
    """Why a run was stopped. Only the error's own lines of pytest's report are kept.

    >>> stop_reason("tests/test_agent.py:3: in <module>\\n    import x\\nE   SyntaxError: bad")
    'SyntaxError: bad'
    """
    errors = [line[1:].strip() for line in says.splitlines() if line.startswith("E  ")]
    return _cut(hidden.out_of("\n".join(errors) or belief(says, hidden)))


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MAX_SAID_CHARS else f"{text[:MAX_SAID_CHARS]} ..."


def to_markdown(blocks: Iterable[Block]) -> str:
    """The page as Markdown. Students' texts are escaped, so they cannot break out or begin HTML."""
    return "\n\n".join(map(_markdown, blocks)) + "\n"


def _markdown(block: Block) -> str:
    if block.kind == "said":
        ticks = max(map(len, re.findall("`+", block.text)), default=0)
        fence = "`" * max(3, ticks + 1)
        return f"{fence}text\n{block.text}\n{fence}"
    text = re.sub(r"([\\`*_<>\[\]|#&~$!])", r"\\\1", one_line(block.text))
    if block.kind == "heading":
        return f"{'#' * block.level} {text}"
    # A number and a period at its beginning would make a list of it.
    text = re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", text)
    text = re.sub(r"^([-+=])", r"\\\1", text)
    return f"- {text}" if block.kind == "item" else text


def to_html(blocks: Sequence[Block]) -> str:
    """The page as HTML, which needs no script and loads nothing."""
    title = blocks[0].text if blocks else "Feedback"
    return whole_page(title, "\n".join(map(_html, blocks)), _STYLE)


def _html(block: Block) -> str:
    text = escaped(block.text)
    match block.kind:
        case "heading":
            return f"<h{block.level}>{text}</h{block.level}>"
        case "said":
            return f"<pre>{text}</pre>"
        case "item":
            return f'<p class="item">{text}</p>'
        case _:
            return f"<p>{text}</p>"


def file_names(names: Sequence[str]) -> dict[str, str]:
    """A safe name for each student's files, without a suffix; names differ even if case is ignored.

    >>> file_names(["Ada L", "../bob"])
    {'Ada L': 'Ada L', '../bob': '___bob-548201c683'}

    Raises:
        ValueError: two students have one name.
    """
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise ValueError(f"Two results have the name {printable(twice[0])}. Rename one submission.")
    safe = {name: re.sub(r"[^\w@+ -]", "_", name)[:MAX_NAME_CHARS].strip() for name in names}
    taken = Counter(fold(name) for name in safe.values())
    return {
        name: stored if stored == name and _is_free(stored, taken) else f"{stored}-{_hash(name)}"
        for name, stored in safe.items()
    }


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:10]


def _is_free(name: str, taken: Counter[str]) -> bool:
    return bool(name) and taken[fold(name)] == 1 and not _RESERVED.fullmatch(name)


_STYLE = """\
body { max-width: 46em; overflow-wrap: anywhere; }
pre { margin: 0 0 1em; padding: 0.6em 0.8em; background: #8882; border-radius: 4px;
  font-size: 0.9em; }
.item { margin: 0.5em 0; padding-left: 1em; text-indent: -1em; }
.item::before { content: "\\2022\\00a0\\00a0"; }
"""
