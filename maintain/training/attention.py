"""Attention by plain products of matrices, for a processor.

PyTorch's own fused attention saves memory. On a processor it is slower in 16 bits, and at the sizes
of a course's traces there is enough memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from transformers import AttentionInterface

NAME = "plain_products"


@lru_cache(maxsize=64)
def _future(own: int, seen: int, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """The mask to add to scores so that none of the last `own` of `seen` tokens looks ahead."""
    looks = torch.ones(own, seen, dtype=torch.bool, device=device).tril(seen - own)
    return torch.zeros(own, seen, dtype=dtype, device=device).masked_fill_(~looks, float("-inf"))


def attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Causal attention as `transformers` calls it: rows, heads, tokens, numbers. It needs no
    `attention_mask`, since rows are padded at their ends.

    Several heads of the query share a head of the keys. They are stacked and multiplied at once.
    """
    rows, heads, own, size = query.shape
    groups, seen = key.shape[1], key.shape[2]
    stacked = query.reshape(rows, groups, -1, size)
    scores = (stacked @ key.transpose(2, 3)).view(rows, heads, own, seen)
    scores = scores * scaling + _future(own, seen, query.dtype, query.device)
    weights = torch.softmax(scores, -1).view(rows, groups, -1, seen)
    seen_values = (weights @ value).view(rows, heads, own, size)
    return seen_values.transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, attend)
