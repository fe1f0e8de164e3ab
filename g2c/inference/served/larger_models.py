"""Which models of Ollama's library a machine has room for, and about how long their steps take.

The sizes are those of the library's files in 4 bits. The speeds are published ones of llama.cpp, on
which Ollama stands: a desktop with DDR5 memory and no GPU reads 55 tokens a second with 6.7 billion
weights and writes 18 (github.com/ggml-org/llama.cpp, issue 34, August 2023); a Mac mini with an M4
reads 225 with 8 billion and writes 21 (github.com/brand-o/normiebench, issue 3, March 2026). Both
fall as the weights grow, since each token needs all of them.
"""

from dataclasses import dataclass

SYSTEM_GB = 4.0
"""The memory that is left to the system, the notebook and the browser."""

READS, WRITES = 200, 50
"""The new tokens of a step's prompt, and of its answer. The first step reads about 1,000."""


@dataclass(frozen=True)
class LargerModel:
    """A model: its tag, its weights in billions, and its file in GB."""

    tag: str
    billions: float
    gigabytes: float

    @property
    def memory_gb(self) -> float:
        """With the context window of a conversation, and what the server needs."""
        return 1.25 * self.gigabytes + 1


@dataclass(frozen=True)
class Machine:
    """The tokens that a machine reads and writes in a second with a billion weights."""

    name: str
    reads: float
    writes: float

    def seconds_a_step(self, model: LargerModel) -> float:
        return model.billions * (READS / self.reads + WRITES / self.writes)


MODELS = (
    LargerModel("llama3.2:1b", 1.2, 1.3),
    LargerModel("llama3.2:3b", 3.2, 2.0),
    LargerModel("qwen3:8b", 8.2, 5.2),
    LargerModel("qwen3:14b", 14.8, 9.3),
)
MACHINES = (
    Machine("a Mac with an M4", 225 * 8.0, 21 * 8.0),
    Machine("a desktop without a GPU", 55 * 6.7, 18 * 6.7),
)


def models_for(memory_gb: float) -> tuple[LargerModel, ...]:
    """The models that fit into a machine with so much memory, smallest first.

    >>> [model.tag for model in models_for(16)]
    ['llama3.2:1b', 'llama3.2:3b', 'qwen3:8b']
    """
    return tuple(model for model in MODELS if model.memory_gb <= memory_gb - SYSTEM_GB)


def describe(memory_gb: float) -> str:
    """Which models fit into so much memory, and the expected seconds of an agent's step on each of
    `MACHINES`; empty if none fits.

    >>> describe(8)
    'llama3.2:1b (0.5 | 1.1 s), llama3.2:3b (1.3 | 3.1 s)'
    """
    return ", ".join(
        f"{model.tag} ({' | '.join(f'{each.seconds_a_step(model):.1f}' for each in MACHINES)} s)"
        for model in models_for(memory_gb)
    )
