"""What a training run keeps, so that it can be cut off at any moment and go on.

The state of a run is what its next step depends on, all of it and nothing else. Here that is the
adapter, the optimiser's averages and the number of the step: the order of the traces follows from
the seed, and nothing else is drawn by chance.
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
    """Keep the state after `step` steps: whole, or as it was before.

    The adapter is also written as PEFT does it, for `maintain.training.convert`.
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
    """Take up the state that is kept in `folder`; the number of steps done, 0 without one.

    Raises:
        ValueError: it is the state of a run with other settings; says which.
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
