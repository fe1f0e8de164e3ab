"""Fuzzing: each reader gets texts that Hypothesis makes, and those that failed before.

Hypothesis makes a failing text as small as it can. The text is stored in `maintain/crash/corpus/`,
and tried again in every later run.
"""

import hashlib
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.strategies import SearchStrategy

from maintain.crash.lives import Outcome

CORPUS = Path(__file__).parent / "corpus"
SLOWEST = "slowest, ms"
"""The processor time for the slowest text."""

EXAMPLES = 500
"""Texts in a round."""


@dataclass(frozen=True)
class Reader:
    """A function of the program, the `texts` that it reads, and the errors that it may raise."""

    name: str
    read: Callable[[str], object]
    texts: SearchStrategy[str]
    raises: tuple[type[Exception], ...] = ()

    def fault(self, text: str) -> str:
        """The fault of reading `text`, in words; empty if there is none."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a warning is a sentence, too
                self.read(text)
        except self.raises as error:
            return "" if str(error).strip() else f"{type(error).__name__} without a sentence"
        except Exception as error:
            return f"{type(error).__name__}: {error!s:.200}"
        return ""

    @property
    def folder(self) -> Path:
        """The folder of the texts at which it once failed."""
        return CORPUS / re.sub(r"\W+", "-", self.name)

    def corpus(self) -> list[str]:
        """The texts at which it once failed."""
        files = sorted(self.folder.glob("*"))
        return [file.read_bytes().decode("utf-8", "surrogatepass") for file in files]

    def keep(self, text: str) -> None:
        """Add a text to the corpus."""
        data = text.encode("utf-8", "surrogatepass")
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def fuzz(reader: Reader, at: int | None, examples: int = EXAMPLES) -> Outcome:
    """A round: the texts of the corpus, then `examples` new ones. Without a seed the new ones are
    always the same, and none is stored."""
    outcome = Outcome()
    slowest = 0.0
    smallest = ""

    def attempt(text: str) -> str:
        nonlocal slowest
        outcome.counts["inputs"] += 1
        begun = time.process_time()
        fault = reader.fault(text)
        slowest = max(slowest, time.process_time() - begun)
        return fault

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=at is None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(reader.texts)
    def attack(text: str) -> None:
        nonlocal smallest
        if fault := attempt(text):
            smallest = text
            raise AssertionError(fault)

    for text in reader.corpus():
        if fault := attempt(text):
            outcome.faults.append(f"{reader.name}, from the corpus: {text!r:.200} gives {fault}")
    try:
        (attack if at is None else seed(at)(attack))()
    except AssertionError as error:
        outcome.faults.append(f"{reader.name}: {smallest!r:.200} gives {error}")
        if at is not None:
            reader.keep(smallest)
    outcome.counts[SLOWEST] = round(1_000 * slowest)
    return outcome
