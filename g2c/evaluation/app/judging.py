"""How good a judge of pairs is, on pairs that a person has labelled: `g2c judge`.

Its verdicts are compared with the labels. A split counts as a verdict that no person gives.
Unreadable replies are reported, and count in no figure.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from g2c.critic.core.intervals import markdown_table, percent, points, wilson
from g2c.critic.core.types import Interval
from g2c.evaluation.app.agreement_interval import kappa_interval
from g2c.evaluation.app.preference import position_bias
from g2c.evaluation.core.preferences import Judge, Pair, Tally, Verdict, Winner
from g2c.evaluation.judge_pairs import judge_pairs
from g2c.foreign_json import load_json
from g2c.interrupted import measure_each
from g2c.written import lines_of, read_text

Better = Literal["a", "b", "tie"]

HELP = 'A line is {"task": ..., "a": ..., "b": ..., "better": "a", "b" or "tie"}.'


@dataclass(frozen=True)
class LabelledPair:
    """Two answers to a task, and which of them a person found better."""

    pair: Pair
    better: Better


def load_pairs(file: Path) -> tuple[LabelledPair, ...]:
    """The labelled pairs in `file`, which is JSON Lines.

    Raises:
        ValueError: the file cannot be used; the message says where, and what to do.
        OSError: it cannot be read.
    """
    pairs = []
    for number, line in enumerate(lines_of(read_text(file)), 1):
        if line.strip():
            try:
                pairs.append(_read_pair(line))
            except ValueError as error:
                raise ValueError(f"{file}:{number}: {error}. {HELP}") from None
    if not pairs:
        raise ValueError(f"{file} has no pair. Write one a line, as JSON. {HELP}")
    return tuple(pairs)


def _read_pair(line: str) -> LabelledPair:
    try:
        data: Any = load_json(line)
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error}); write one object a line") from None
    if not isinstance(data, dict):
        raise ValueError(f"it is {line.strip()[:40]!r}; write an object")
    for key in ("task", "a", "b"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise ValueError(f"{key!r} should be a text that is not blank; give it one")
    if unknown := sorted(data.keys() - {"task", "a", "b", "better"}):
        raise ValueError(f"there is no key {unknown[0]!r:.60}; leave it out")
    if data.get("better") not in get_args(Better):
        raise ValueError(f"'better' is {data.get('better')!r:.60}; write a, b or tie")
    return LabelledPair(Pair(data["task"], data["a"], data["b"]), data["better"])


@dataclass(frozen=True)
class JudgeReport:
    """A judge's verdicts on labelled pairs, one or more."""

    pairs: tuple[LabelledPair, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def read(self) -> tuple[tuple[Better, Winner], ...]:
        """Label and verdict of each pair that could be read."""
        both = zip(self.pairs, self.verdicts, strict=True)
        return tuple(
            (pair.better, tally.winner) for pair, tally in both if tally.winner != "unread"
        )

    @property
    def agreed(self) -> int:
        """On how many pairs the verdict equals the person's."""
        return sum(label == winner for label, winner in self.read)

    @property
    def agreement(self) -> Interval | None:
        """The share of the pairs that could be read on which the two agree."""
        return wilson(self.agreed, len(self.read)) if self.read else None

    def kappa(self) -> Interval | None:
        """Their agreement beyond chance; None where it is undefined, or nothing was read."""
        labels, winners = zip(*self.read, strict=True) if self.read else ((), ())
        return kappa_interval(labels, winners) if self.read else None

    def count(self, winner: Winner) -> int:
        """How many pairs have this winner."""
        return sum(verdict.winner == winner for verdict in self.verdicts)

    def to_markdown(self) -> str:
        """The report: figures, labels against verdicts, and warnings about the figures."""
        n, found, bias = len(self.pairs), self.kappa(), position_bias(self.verdicts)
        agreed = "nothing was read"
        if self.agreement:
            agreed = f"{percent(self.agreement)}: {self.agreed} of {len(self.read)}"
        figures = [
            ["agreement with the labels", agreed],
            ["kappa", _two_places(found) if found else "undefined"],
            ["the first place over the second", points(bias)],
            ["split: the orders disagree", f"{self.count('split')} of {n}"],
            ["unread: in no figure", f"{self.count('unread')} of {n}"],
        ]
        counts = Counter(self.read)
        winners = [winner for winner in get_args(Winner) if winner != "unread"]
        rows = [
            [label, *(counts[label, winner] for winner in winners)] for label in get_args(Better)
        ]
        parts = [
            markdown_table(["", "in brackets: 95 % intervals"], figures),
            markdown_table(["label", *(f"judge: {winner}" for winner in winners)], rows),
            *self._warnings(found),
        ]
        return "\n\n".join(parts) + "\n"

    def _warnings(self, found: Interval | None) -> list[str]:
        given = {winner for _, winner in self.read}
        if not self.read:
            return ["No reply could be read, so nothing is known about this judge."]
        if found is None:
            return ["Label and verdict are the same on all pairs, so kappa is undefined."]
        if len(given) == 1:
            return [
                f"The judge's verdict on all pairs is {given.pop()}. Kappa is 0 for such a judge, "
                "whatever the labels are, so its interval has no width."
            ]
        return []

    def to_json(self) -> dict[str, Any]:
        """The figures, and every pair with its label and verdict."""
        found, agreement = self.kappa(), self.agreement
        return {
            "agreement": asdict(agreement) if agreement else None,
            "kappa": asdict(found) if found else None,
            "position_bias": asdict(position_bias(self.verdicts)),
            "split": self.count("split"),
            "unread": self.count("unread"),
            "pairs": [
                {**asdict(labelled.pair), "better": labelled.better, **asdict(verdict)}
                for labelled, verdict in zip(self.pairs, self.verdicts, strict=True)
            ],
        }


def measure_judge(
    pairs: Sequence[LabelledPair], judge: Judge, on_pair: Callable[[Pair], None] = lambda pair: None
) -> JudgeReport:
    """Ask `judge` about each pair in both orders; `on_pair` is called after each.

    Raises:
        ValueError: there is no pair.
        BackendError: no pair could be judged.
        PartlyMeasuredError, StoppedEarly: some pairs were judged; it has the report on these.
    """
    if not pairs:
        raise ValueError("A judge is measured on one pair or more, got none.")

    def report_of(done: Sequence[tuple[LabelledPair, Tally]]) -> JudgeReport:
        verdicts = tuple(verdict for _, tally in done for verdict in tally.verdicts)
        return JudgeReport(tuple(labelled for labelled, _ in done), verdicts)

    def judged(labelled: LabelledPair) -> tuple[LabelledPair, Tally]:
        tally = judge_pairs([labelled.pair], judge)
        on_pair(labelled.pair)
        return labelled, tally

    return report_of(measure_each(pairs, judged, lambda done: report_of(done).to_markdown()))


def _two_places(interval: Interval) -> str:
    return f"{interval.estimate:.2f} ({interval.low:.2f} to {interval.high:.2f})"
