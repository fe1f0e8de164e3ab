"""The state that a training run saves, so that it can continue after a stop at any moment.

The state of a run is everything that its next step depends on, and nothing else. Here that is the
adapter, the optimiser's averages and the number of the step. The order of the traces follows from
the seed, and nothing else is random.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import peft
import torch

FILE = "checkpoint.pt"


def save(folder: Path, step: int, settings: Mapping[str, Any], model: Any, optimizer: Any) -> None:
    """Save the state after `step` steps. If this is interrupted, the old state remains.

    The adapter is also written in PEFT's format, for `maintain.training.convert`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = {
        "step": step,
        "settings": dict(settings),
        "adapter": peft.get_peft_model_state_dict(model),
        "optimizer": optimizer.state_dict(),
    }
    beside = folder / f".{FILE}.{os.getpid()}"
    torch.save(state, beside)
    beside.replace(folder / FILE)
    model.save_pretrained(folder)


def resume(folder: Path, settings: Mapping[str, Any], model: Any, optimizer: Any) -> int:
    """Load the state in `folder`. Return the number of steps done, 0 if there is no state.

    Raises:
        ValueError: it is the state of a run with other settings, which the message names.
    """
    if not (folder / FILE).exists():
        return 0
    state = torch.load(folder / FILE, map_location="cpu", weights_only=True)
    kept = state["settings"]
    others = [name for name in settings if settings[name] != kept.get(name)]
    if others:
        differing = ", ".join(f"{name} {kept.get(name)!r}" for name in others)
        raise ValueError(f"{folder} holds a run with {differing}; name another folder with --out")
    peft.set_peft_model_state_dict(model, state["adapter"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"])
