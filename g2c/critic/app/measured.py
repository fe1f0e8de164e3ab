"""Measured critics: how well each did, stored so that others can look it up before they believe it.

Advice from a critic that nobody has measured is a guess about a guess. The measurement holds for
one prompt on one model and the labelled drafts: another model with the same prompt is another
critic.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from g2c.critic.app.measurement import Approvals
from g2c.critic.app.roles import Critic
from g2c.critic.core.intervals import shown_by
from g2c.critic.core.labelled import load_labelled
from g2c.critic.core.prompts import critic_prompt
from g2c.critic.core.types import Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.critic.parse_critique import parse_critique
from g2c.exercise import is_requested, requested_references
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.inference import Backend
from g2c.json_files import replace_json
from g2c.kept import key_of, key_of_code
from g2c.text import named_reason

SEQUENTIAL = Path(__file__).parents[2] / "evaluation/sequential_test.py"
"""The student's file of 23.5."""


@dataclass(frozen=True)
class Measurement:
    """A critic's verdicts on `tasks` labelled tasks: how many broken and good drafts it approved,
    for how many tasks the two verdicts differed (`told_apart`), and the interval of the difference
    of the shares.

    `critic` is the name, `model` the model's id, and `prompt` what `key_of_critic` says. `day` is
    in the form 2026-04-21. `settled` is the answer of a sequential test (23.5), if one decided when
    to stop; the interval is then too narrow.
    """

    critic: str
    model: str
    prompt: str
    day: str
    tasks: int
    broken: int
    good: int
    told_apart: int
    gain: float
    low: float
    high: float
    settled: bool | None = None

    @property
    def tells_apart(self) -> bool:
        """Whether it approves good drafts more often than broken ones, by more than chance."""
        if self.settled is not None:
            return self.settled
        gain = Interval(self.gain, self.low, self.high)
        return shown_by(gain, self.told_apart) == "better"


def key_of_critic(critic: object, *, sequential: bool = False) -> str:
    """A short name for all that a critic's measurement depends on: its kind or prompt, its model
    with its options, the labelled drafts, and the exercises that read its answers and count; with
    `sequential`, that which decided when to stop (23.5), too."""
    parts: list[object] = [type(critic).__name__, *map(repr, load_labelled())]
    parts += [key_of_code(parse_critique, paired_bootstrap)]
    if sequential:  # critics stand below the evaluation, which uses them, so nothing is imported
        parts += [key_of_code(SEQUENTIAL), is_requested("23.5", requested_references())]
    if isinstance(critic, Critic):
        prompt = critic_prompt(critic.system, "", "", critic.form)
        parts += [prompt, critic.max_new_tokens, critic.temperature]
    if backend := getattr(critic, "backend", None):
        parts.append(backend.identity)
    return key_of(*parts)


def measurement_of(
    approvals: Approvals, critic: object, model: str, now: datetime, settled: bool | None = None
) -> Measurement:
    """The measurement to store for `approvals`, those of `critic` on `model`. `settled` is the
    answer of a sequential test, if one decided when to stop."""
    gain = approvals.difference()
    return Measurement(
        critic=approvals.critic,
        model=model,
        prompt=key_of_critic(critic, sequential=settled is not None),
        day=f"{now:%Y-%m-%d}",
        tasks=len(approvals.reviewed),
        broken=approvals.broken,
        good=approvals.good,
        told_apart=approvals.told_apart,
        gain=gain.estimate,
        low=gain.low,
        high=gain.high,
        settled=settled,
    )


def keep_measurements(file: Path, new: Sequence[Measurement]) -> None:
    """Write measurements to `file`; each takes the place of an older one of the same critic.

    Raises:
        ValueError: the file cannot be read.
    """
    keys = {(measurement.model, measurement.prompt) for measurement in new}
    kept = [
        measurement
        for measurement in read_measurements(file)
        if (measurement.model, measurement.prompt) not in keys
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_json(file, [asdict(measurement) for measurement in (*kept, *new)], indent=1)


def read_measurements(file: Path) -> tuple[Measurement, ...]:
    """The measurements in `file`; none if there is no such file.

    Raises:
        ValueError: the file cannot be read.
    """
    try:
        return tuple(Measurement(**data) for data in load_json(read_text(file)))
    except FileNotFoundError:
        return ()
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{file} cannot be read ({named_reason(error)}); delete it, and g2c critics "
            "measures again."
        ) from error


def find_measurement(file: Path, critic: object, backend: Backend) -> Measurement | None:
    """The measurement of this critic's prompt on this model, or None.

    Raises:
        ValueError: the file cannot be read.
        BackendError: the model's server cannot be asked what the model is.
    """
    found = [
        measurement
        for measurement in read_measurements(file)
        if measurement.model == backend.info.model_id
    ]
    kinds = {measurement.settled is not None for measurement in found}
    wanted = {kind: key_of_critic(critic, sequential=kind) for kind in kinds}
    return next(
        (
            measurement
            for measurement in reversed(found)
            if measurement.prompt == wanted[measurement.settled is not None]
        ),
        None,
    )
