"""24.7: small packs, each claim counted by its source, and a second worker for each that stands
alone.

A copy is not read: it could only repeat what the original says. Of a fact, two sources that agree
are enough, and end the reading. A claim that no other file supports is checked by a worker that
reads that file and nothing else, since an invented claim is hardly invented twice. A total is told
only if all files were read twice, for what one worker overlooks cannot be seen.

It costs about one and a half times the tokens of all files for a fact, and up to four rounds for a
total. The numbers were found by measuring, on other seeds than the public one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from g2c.swarm.provided.reading import Ask, File, Question

_PACK = 2_400
"""How many tokens a worker reads. It can read more, and overlooks more then."""


def read_all(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    originals = [one for one in files if not one.copy_of]
    if question.kind == "total":
        return _total(question.about, originals, ask)
    value = _fact(question.about, originals, ask)
    if question.kind == "linked" and value is not None:
        value = _fact(value, originals, ask)
    return value


def _fact(about: str, files: Sequence[File], ask: Ask) -> str | None:
    said: dict[str, str] = {}
    for _ in range(2):
        for names in _packs(files, said):
            said |= {one.sources[0]: one.value for one in ask(about, names).claims}
            for value, times in Counter(said.values()).most_common(1):
                if times > 1:
                    return value
        said = {name: value for name, value in said.items() if _is_there(about, name, value, ask)}
    values = set(said.values())
    return values.pop() if len(values) == 1 else None


def _total(about: str, files: Sequence[File], ask: Ask) -> str | None:
    said: dict[str, str] = {}
    for rounds in range(4):
        known = dict(said)
        for names in _packs(files, known):
            reply = ask(about, names)
            if len(reply.read) < len(names):
                return _sum(known) if rounds > 1 else None
            for one in reply.claims:
                if _is_there(about, one.sources[0], one.value, ask):
                    said[one.sources[0]] = one.value
        if said == known and said:
            break
    return _sum(said)


def _sum(said: dict[str, str]) -> str | None:
    return str(sum(map(int, said.values()))) if said else None


def _is_there(about: str, name: str, value: str, ask: Ask) -> bool:
    return value in {one.value for one in ask(about, [name]).claims}


def _packs(files: Sequence[File], known: dict[str, str]) -> Iterator[list[str]]:
    names: list[str] = []
    tokens = 0
    for one in files:
        if one.name in known:
            continue
        if names and tokens + one.tokens > _PACK:
            yield names
            names, tokens = [], 0
        names.append(one.name)
        tokens += one.tokens
    if names:
        yield names
