"""The permission log in the outbox: which calls a person was asked about, and the answers.

Lines are only added, so a crash loses no question and no answer. A yes is used up by a line of its
own, which is on the disk before the call is made. So a kill in between may lose the yes, but never
uses it twice.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, cast, get_args

from g2c.clocks import not_after
from g2c.files import append_line, locked, read_text
from g2c.foreign_json import dump_json
from g2c.guard.core.permission import Approval, ProposedCall
from g2c.json_files import objects_in, record_from

Answer = Literal["yes", "always", "no"]

LASTS: Mapping[Answer, timedelta] = {
    "yes": timedelta(days=1),
    "always": timedelta(days=90),
    "no": timedelta(days=1),
}
"""How long an answer is valid. A yes is for one call."""


@dataclass(frozen=True)
class Question:
    """A call that a person has to decide about, and the texts that it seems to come from.

    The answer is valid until `until`. `used` means that the one call that a yes allowed has been
    made.
    """

    id: str
    call: ProposedCall
    why: tuple[str, ...] = ()
    answer: Answer | None = None
    until: datetime | None = None
    used: bool = False

    def holds(self, now: datetime) -> bool:
        """Whether there is an answer that is still valid."""
        return self.until is not None and now < self.until and not self.used


class PermissionLog:
    """The questions in `file`, which need not exist. Several processes may share it."""

    def __init__(self, file: Path, now: Callable[[], datetime]) -> None:
        self.file = file
        self._now = now

    def questions(self) -> list[Question]:
        """All questions, in the order in which they were asked."""
        found: dict[str, Question] = {}
        for at, line in self._lines():
            what, id = str(line["what"]), str(line.get("id"))
            if what == "asked":
                call = ProposedCall(**line["call"])
                found[id] = Question(id, call, tuple(map(str, line["why"])))
            elif id in found and what == "used":
                found[id] = replace(found[id], used=True)
            elif id in found and what == "over":
                found[id] = replace(found[id], until=None)
            elif id in found and what in get_args(Answer) and not found[id].used:
                answer = cast(Answer, what)
                until = at + LASTS[answer]
                found[id] = replace(found[id], answer=answer, until=until)
        return list(found.values())

    def waiting(self) -> list[Question]:
        """The questions without an answer."""
        return [question for question in self.questions() if question.answer is None]

    def ask(self, call: ProposedCall, why: tuple[str, ...] = ()) -> Question:
        """The waiting question about this very call, or else a new one.

        Raises:
            ValueError: the call cannot be written as JSON that can be read back.
            OSError: it cannot be written.
        """
        with self._alone():
            questions = self.questions()
            for question in questions:
                if question.answer is None and same_call(question.call, call):
                    return question
            asked = Question(f"q{self._last_id() + 1}", call, why)
            self._add("asked", asked.id, call=asdict(call), why=why)
        return asked

    def answer(self, id: str, answer: Answer) -> Question:
        """Keep the answer to the question of that id, and return the question. The newest answer
        counts, until a yes is used.

        Raises:
            ValueError: there is no such question, or its yes was used.
            OSError: it cannot be written.
        """
        with self._alone():
            known = {question.id: question for question in self.questions()}
            if id not in known:
                waits = ", ".join(item.id for item in known.values() if item.answer is None)
                raise ValueError(
                    f"There is no question {id!r:.40}; these wait for an answer: {waits or 'none'}."
                )
            if known[id].used:
                raise ValueError(f"{id} was answered with yes, and the call has been made.")
            self._add(answer, id)
        return known[id]

    def approvals(self) -> list[Approval]:
        """The answers of yes or always that are still valid. One that is over is written down as
        such: it stays over if the clock is set back."""
        with self._alone():
            given = [asked for asked in self.questions() if asked.answer in ("yes", "always")]
            for asked in given:
                if asked.until and not asked.used and not asked.holds(self._now()):
                    self._add("over", asked.id)
        return [
            Approval(asked.call, asked.until)
            for asked in given
            if asked.until and asked.holds(self._now())
        ]

    def is_refused(self, call: ProposedCall) -> bool:
        """Whether the newest answer about this very call is a no that is still valid."""
        about = [
            question
            for question in self.questions()
            if question.answer and same_call(question.call, call)
        ]
        return bool(about) and about[-1].answer == "no" and about[-1].holds(self._now())

    def spend(self, call: ProposedCall) -> bool:
        """Use up a yes to this very call, and say whether there was one. An always stays.

        Raises:
            OSError: it cannot be written.
        """
        with self._alone():
            for question in self.questions():
                is_yes = question.answer in ("yes", "always") and question.holds(self._now())
                if is_yes and same_call(question.call, call):
                    if question.answer == "yes":
                        self._add("used", question.id)
                    return True
        return False

    def _alone(self) -> Any:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        return locked(self.file.with_suffix(".lock"))

    def _add(self, what: str, id: str, **more: Any) -> None:
        line = {"at": self._now().isoformat(), "what": what, "id": id, **more}
        append_line(self.file, dump_json(line))

    def _last_id(self) -> int:
        """The number of the last question in the file, be it sound or not: a line that is skipped
        keeps its id, or the answer to one question would be another's."""
        try:
            lines = read_text(self.file, "utf-8", "replace")
        except FileNotFoundError:
            return 0
        return max(map(int, _ASKED.findall(lines)), default=0)

    def _lines(self) -> Iterator[tuple[datetime, dict[str, Any]]]:
        """The sound lines, each with its time. What lies in the future counts as now, so that no
        question, refusal or use is lost; only a permission from there does not count."""
        now = self._now()
        for line in objects_in(self.file):
            try:
                at = datetime.fromisoformat(line["at"])
                is_early = at > now and line["what"] in ("yes", "always")
                if _is_sound(line) and not is_early:
                    yield not_after(at, now), line
            except (ValueError, TypeError, KeyError, OverflowError):
                continue  # somebody else's


_ASKED = re.compile(r'^\{"at": "[^"]*", "what": "asked", "id": "q([1-9][0-9]{0,8})"', re.MULTILINE)


def _is_sound(line: Mapping[str, Any]) -> bool:
    if not re.fullmatch(r"q[1-9][0-9]{0,8}", line["id"]):
        return False
    return line["what"] != "asked" or (
        record_from(line["call"], ProposedCall) is not None and isinstance(line["why"], list)
    )


def same_call(one: ProposedCall, other: ProposedCall) -> bool:
    """Whether two calls are the same one: actor, tool, and the JSON of the arguments.

    >>> same_call(ProposedCall("a", "t", {"n": 1}), ProposedCall("a", "t", {"n": True}))
    False
    """
    return _key(one) == _key(other)


def _key(call: ProposedCall) -> str:
    return json.dumps([call.actor, call.tool, dict(call.arguments)], sort_keys=True)
