"""From PEFT's file to llama.cpp's: `python -m maintain.training.convert FOLDER ADAPTER.gguf`.

Two programs can agree on a model and differ on the order of its rows. Both turn pairs of a head's
numbers by an angle (RoPE; Su et al., 2021, arXiv:2104.09864), but `transformers` pairs row i of a
head with row i + half, and llama.cpp row 2i with row 2i + 1. An adapter's rows for queries and keys
must change places like the model's own. Otherwise it runs and gives wrong answers. `python -m
maintain.training.check_logits` shows whether the order is right.

The numbers are stored in 8 bits, in blocks of 32 with a scale for each (Q8_0). That halves the
file. It also makes llama.cpp compute a token in the same way whether it comes alone or among
others; for 16-bit floats it has two ways, and they round differently.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file
from transformers import AutoConfig

from g2c.inference.embedded.weights import find_weights

NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}

FORM = gguf.GGMLQuantizationType.Q8_0
BLOCK = gguf.GGML_QUANT_SIZES[FORM][0]

Matrix = npt.NDArray[np.float32]


def convert(folder: Path, out: Path) -> None:
    """Write the adapter that PEFT saved in `folder` as a GGUF file.

    A rank that does not fill its blocks is padded with zeros, which changes nothing.
    """
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    weights = find_weights()
    base = AutoConfig.from_pretrained(weights.parent, gguf_file=weights.name)
    heads = heads_of(base)

    writer = gguf.GGUFWriter(out, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    # llama.cpp divides alpha by the rank that it finds in the file.
    rank = config["r"]
    filling = -rank % BLOCK
    alpha = config["lora_alpha"] * (rank + filling) / rank
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    for name, matrix in sorted(load_file(folder / "adapter_model.safetensors").items()):
        # base_model.model.model.layers.7.self_attn.q_proj.lora_B.weight
        *_, layer, _, module, half, _ = name.split(".")
        if half == "lora_B" and module in heads:
            matrix = interleave_halves(matrix, heads[module])
        matrix = np.pad(
            matrix, ((0, filling), (0, 0)) if half == "lora_A" else ((0, 0), (0, filling))
        )
        target = f"blk.{layer}.{NAMES[module]}.weight.{half.lower()}"
        writer.add_tensor(target, gguf.quantize(matrix, FORM), raw_dtype=FORM)
    finish(writer)


def read_adapter(path: Path) -> dict[str, Matrix]:
    """The matrices of a file that `convert` wrote, by PEFT's names and in its order of rows.

    They have the rank in use, without the padding.
    """
    weights = find_weights()
    heads = heads_of(AutoConfig.from_pretrained(weights.parent, gguf_file=weights.name))
    modules = {name: module for module, name in NAMES.items()}
    tensors = gguf.GGUFReader(path).tensors
    rank = max(_rank_in_use(tensor) for tensor in tensors if tensor.name.endswith("lora_a"))
    matrices = {}
    for tensor in tensors:
        # blk.7.attn_q.weight.lora_b
        _, layer, name, _, half = tensor.name.split(".")
        module = modules[name]
        matrix = gguf.dequantize(tensor.data, tensor.tensor_type)
        matrix = matrix[:rank] if half == "lora_a" else matrix[:, :rank]
        if half == "lora_b" and module in heads:
            matrix = part_halves(matrix, heads[module])
        place = "self_attn" if name.startswith("attn") else "mlp"
        half = {"lora_a": "lora_A", "lora_b": "lora_B"}[half]
        matrices[f"base_model.model.model.layers.{layer}.{place}.{module}.{half}.weight"] = matrix
    return matrices


def _rank_in_use(tensor: gguf.ReaderTensor) -> int:
    return int(np.flatnonzero(gguf.dequantize(tensor.data, tensor.tensor_type).any(axis=1))[-1]) + 1


def write_unquantized(out: Path) -> None:
    """Write the small model with its weights as 32-bit floats, for `check_logits`."""
    reader = gguf.GGUFReader(find_weights())
    writer = gguf.GGUFWriter(out, "llama")
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != gguf.Keys.General.ARCHITECTURE:
            inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type))
    finish(writer)


def finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def interleave_halves(matrix: Matrix, heads: int) -> Matrix:
    """Within each head, put the rows of its second half between those of its first.

    >>> interleave_halves(np.arange(8).reshape(8, 1), heads=2).ravel().tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    rows, columns = matrix.shape
    halves = matrix.reshape(heads, 2, rows // heads // 2, columns)
    return halves.swapaxes(1, 2).reshape(rows, columns)


def part_halves(matrix: Matrix, heads: int) -> Matrix:
    """Undo `interleave_halves`.

    >>> part_halves(np.array([[0], [2], [1], [3]]), heads=1).ravel().tolist()
    [0, 1, 2, 3]
    """
    rows, columns = matrix.shape
    pairs = matrix.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


def heads_of(config: Any) -> dict[str, int]:
    """The modules whose rows change places, each with its number of heads."""
    return {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", type=Path, help="the folder that training.train wrote")
    parser.add_argument("out", type=Path, help="the file to write")
    options = parser.parse_args()
    convert(options.folder, options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"{error}")
