"""The goal of 24.7: a question over more files than one context holds, scored by the answers.

The files are invented, so their contents are known. The workers that read them are simulated: the
more a worker reads at once, the more it overlooks, most of all in the middle (Liu et al., 2023,
"Lost in the Middle"). Sometimes one claims what no file says.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

from g2c.course.scored import Goal, Progress, Score, worst_losses
from g2c.swarm.core.reading import CONTEXT, OVERHEAD, Ask, Asked, Errand, File, Question, Reply
from g2c.swarm.core.reports import Claim

KINDS: tuple[Asked, ...] = ("fact", "linked", "total")
BUDGETS = (2, 3, 5)
"""The possible budgets, as multiples of the tokens of all files."""
PER_KIND = 120
"""Questions of each kind and budget."""
RIGHT, WRONG = 1.0, -1.0
"""The worth of an answer. None is right if no file says it, and otherwise worth 0."""

TARGET = 62.0
SHOWN_EVERY = 43

PROJECTS = ("Atlas", "Birch", "Comet", "Delta", "Ember", "Fjord", "Gable", "Heron", "Islet")
PEOPLE = (
    "Ada",
    "Bela",
    "Cem",
    "Dora",
    "Egon",
    "Faye",
    "Gita",
    "Hugo",
    "Iris",
    "Jan",
    "Kofi",
    "Lea",
)
ASKED: Mapping[Asked, tuple[str, str]] = {
    "fact": ("Which port does {} use?", "the port of {}"),
    "linked": ("In which room is the owner of {}?", "the owner of {}"),
    "total": ("How many hours went into {}?", "the number of hours for {}"),
}
"""The question's text and its subject, with a place for a project."""
ROOM = "the room of {}"
"""The second subject of a linked question."""


@dataclass(frozen=True)
class Statement:
    """A file's statement: a value for a thing. `plain` is the chance that a worker notices it who
    reads nothing else."""

    about: str
    value: str
    plain: float


@dataclass(frozen=True)
class Library:
    """A question, the files, their statements, and a budget of tokens. `answer` is None if no file
    says it. `misled` is the answer by the wrong note, if there is one. `seed` determines the
    workers' luck.
    """

    question: Question
    files: tuple[File, ...]
    statements: Mapping[str, Sequence[Statement]]
    budget: int
    answer: str | None
    misled: str | None
    seed: int


class Desk:
    """Sends workers until the budget is spent, and counts them and how often it was asked."""

    def __init__(self, library: Library) -> None:
        self.left = library.budget
        self.sent = 0
        self.rounds = 0
        self._library = library
        self._random = Random(library.seed)
        self._tokens = {file.name: file.tokens for file in library.files}

    def ask(self, errands: Sequence[Errand]) -> list[Reply]:
        """Send workers, in this order. One that the budget cannot pay is not sent.

        Raises:
            ValueError: there is no such file.
        """
        self.rounds += bool(errands)
        found = [self._send(errand) for errand in errands]
        return [Reply(tuple(claims), read, self.left) for claims, read in found]

    def _send(self, errand: Errand) -> tuple[list[Claim], tuple[str, ...]]:
        wanted = list(dict.fromkeys(errand.files))
        if unknown := [file for file in wanted if file not in self._tokens]:
            raise ValueError(f"There is no file {unknown[0]!r}.")
        starts, tokens = [], 0
        for name in wanted:
            if tokens + self._tokens[name] > CONTEXT:
                break
            starts.append(tokens)
            tokens += self._tokens[name]
        if not starts or OVERHEAD + tokens > self.left:
            return [], ()
        self.sent += 1
        self.left -= OVERHEAD + tokens
        read = tuple(wanted[: len(starts)])
        return list(self._claims(errand.look_for, read, starts, tokens)), read

    def _claims(
        self, about: str, read: Sequence[str], starts: Sequence[int], tokens: int
    ) -> Iterator[Claim]:
        is_found = False
        for name, start in zip(read, starts, strict=True):
            sees = noticed(start + self._tokens[name] / 2, tokens)
            for statement in self._library.statements.get(name, ()):
                if statement.about == about and self._random.random() < statement.plain * sees:
                    is_found = True
                    yield Claim(about, statement.value, (name,))
        if self._random.random() < invented(tokens, is_found):
            value = _any_value(self._random, self._library.question, about)
            yield Claim(about, value, (self._random.choice(read),))


def noticed(place: float, tokens: int) -> float:
    """The chance that a worker notices a statement at `place` of the `tokens` that it reads."""
    in_the_middle = 1 - (2 * place / tokens - 1) ** 2
    return 1 - tokens / CONTEXT * (0.1 + 0.6 * in_the_middle)


def invented(tokens: int, is_found: bool) -> float:
    """The chance that a worker claims what no file says. It is higher if it has found nothing."""
    return 0.01 if is_found else 0.05 + 0.1 * tokens / CONTEXT


def _any_value(random: Random, question: Question, about: str) -> str:
    if question.kind == "total":
        return str(random.randint(2, 40))
    if question.kind == "fact":
        return str(random.randint(1_000, 9_999))
    return random.choice(PEOPLE) if about == question.about else str(random.randint(100, 399))


@cache
def make_libraries(seed: int) -> tuple[Library, ...]:
    """The questions of a seed. Each seed has as many of each kind and budget."""
    random = Random(seed)
    kinds = product(KINDS, BUDGETS, range(PER_KIND))
    return tuple(_invent(random, kind, budget, n) for kind, budget, n in kinds)


class _Shelf:
    """Builds files: their statements, and copies."""

    def __init__(self, random: Random) -> None:
        self.random = random
        size = random.choice((300, 500, 800))
        names = [f"note-{n:02}.md" for n in range(1, random.randint(23, 41))]
        self.originals = [File(name, round(size * random.uniform(0.4, 1.8))) for name in names]
        self.copies: list[File] = []
        self.statements: dict[str, list[Statement]] = defaultdict(list)

    def say(self, about: str, value: str, times: int) -> list[File]:
        """Write a statement into so many files that say nothing about its thing yet."""
        free = [
            original
            for original in self.originals
            if all(s.about != about for s in self.statements[original.name])
        ]
        chosen = self.random.sample(free, times)
        for file in chosen:
            self.statements[file.name].append(Statement(about, value, self.random.uniform(0.95, 1)))
        return chosen

    def copy(self, file: File) -> None:
        name = f"copy-{len(self.copies) + 1:02}.md"
        self.copies.append(File(name, file.tokens, file.name))
        self.statements[name] = self.statements[file.name]


def _invent(random: Random, kind: Asked, budget: int, number: int) -> Library:
    shelf = _Shelf(random)
    project = random.choice(PROJECTS)
    text, about = (template.format(project) for template in ASKED[kind])
    answer: str | None
    misled = None
    if kind == "total":
        numbers = [random.randint(2, 40) for _ in range(random.randint(3, 7))]
        holders = [shelf.say(about, str(number), 1)[0] for number in numbers]
        shelf.copy(random.choice(holders))
        answer = str(sum(numbers))
    else:
        answer, misled = _say_it(shelf, kind, about, number % 5)
    for file in random.sample(shelf.originals, random.randint(0, 5)):
        shelf.copy(file)
    files = [*shelf.originals, *shelf.copies]
    random.shuffle(files)
    tokens = sum(file.tokens for file in files)
    question = Question(text, about, kind, ROOM if kind == "linked" else "")
    luck = random.getrandbits(32)
    return Library(
        question, tuple(files), dict(shelf.statements), budget * tokens, answer, misled, luck
    )


def _say_it(shelf: _Shelf, kind: Asked, about: str, case: int) -> tuple[str | None, str | None]:
    """Two of five cases have a wrong note, perhaps with copies, and one says nothing of it."""
    random = shelf.random
    if kind == "fact":
        values = {str(number): str(number) for number in random.sample(range(1_000, 10_000), 2)}
    else:
        rooms = random.sample(range(100, 400), len(PEOPLE))
        values = {who: str(one) for who, one in zip(PEOPLE, rooms, strict=True)}
    true, false = random.sample(list(values), 2)
    if kind == "linked":
        for who, room in values.items():
            if who in (true, false) or random.random() < 0.4:
                shelf.say(ROOM.format(who), room, random.randint(1, 2) + (who == true))
    if case == 4:
        return None, None
    if case > 1:
        shelf.say(about, true, random.randint(1, 3))
        return values[true], None
    shelf.say(about, true, 2)
    (wrong_note,) = shelf.say(about, false, 1)
    for _ in range(random.randint(0, 3)):
        shelf.copy(wrong_note)
    return values[true], values[false]


def measure(read_all: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The gain of `read_all` over one worker that reads what fits, in per cent of the gain of a
    reader who overlooks nothing and believes no wrong note.

    Raises:
        Exception: what `read_all` raises.
    """
    cases = make_libraries(seed)
    alone = _worth_alone(seed)
    lost: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for number, case in enumerate(cases, 1):
        progress(number - 1, len(cases))
        desk = Desk(case)
        answer = read_all(case.question, case.files, desk.ask, case.budget)
        if missing := RIGHT - worth(answer, case):
            lost[_mistake(answer, case)].append(
                (missing, _describe_answer(number, case, answer, desk))
            )
    progress(len(cases), len(cases))
    best = RIGHT * len(cases)
    missed = sum(points for mistakes in lost.values() for points, _ in mistakes)
    points = round(100 * (best - missed - alone) / (best - alone))
    return Score(points, 100, worst_losses(lost, best - alone))


def worth(answer: Any, case: Library) -> float:
    """The worth of an answer."""
    if answer == case.answer:
        return RIGHT
    return 0.0 if answer is None else WRONG


@cache
def _worth_alone(seed: int) -> float:
    cases = make_libraries(seed)
    return sum(
        worth(one_worker(case.question, case.files, Desk(case).ask, case.budget), case)
        for case in cases
    )


def one_worker(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """The baseline: one worker reads what fits, and its first claim is the answer."""
    names = tuple(file.name for file in files)
    values = [claim.value for claim in ask([Errand(question.about, names)])[0].claims]
    if not values:
        return None
    if question.kind == "total":
        return str(sum(map(int, values)))
    if question.kind == "linked":
        second = Errand(question.second(values[0]), names)
        values = [claim.value for claim in ask([second])[0].claims]
    return values[0] if values else None


def _mistake(answer: Any, case: Library) -> str:
    if not isinstance(answer, str | None):
        return "an answer that is neither text nor None"
    if answer is None:
        return "None, and files say it"
    if case.answer is None:
        return "an answer, and no file says it"
    if case.question.kind == "total":
        return "a wrong total"
    return "what a wrong note says" if answer == case.misled else "another wrong answer"


def _describe_answer(number: int, case: Library, answer: Any, desk: Desk) -> str:
    truth = "no file says it" if case.answer is None else f"it is {case.answer!r}"
    return (
        f"Question {number}, {case.question.text!r}: {answer!r:.60}, and {truth}. Workers: "
        f"{desk.sent}, rounds: {desk.rounds}, tokens left: {desk.left:,} of {case.budget:,}."
    )


def tasks(seed: int) -> Iterator[str]:
    """Some questions, in any order: the files, their statements, and the answer."""
    shown = list(make_libraries(seed)[::SHOWN_EVERY])
    Random(seed).shuffle(shown)
    for case in shown:
        tokens = sum(file.tokens for file in case.files)
        then = f", then {case.question.then!r}" if case.question.then else ""
        yield (
            f"{case.question.text} ({case.question.kind}: {case.question.about!r}{then}) "
            f"{len(case.files)} files, {tokens:,} tokens, and {case.budget:,} may be spent."
        )
        for file in case.files:
            copy = f", a copy of {file.copy_of}" if file.copy_of else ""
            for statement in case.statements.get(file.name, ()):
                says = f"{statement.about!r} is {statement.value!r}"
                yield f"    {file.name} ({file.tokens:,}{copy}): {says}"
        yield f"    the answer: {case.answer or 'None, for no file says it'}"


GOAL = Goal(
    measure, TARGET, "per cent of the way from one worker to one that misses nothing", tasks=tasks
)
