"""Do PyTorch and llama.cpp run the same adapter? `-m maintain.training.check_logits ADAPTER`

A wrong conversion still gives a file that loads and a model that talks. So both programs are asked
for the same numbers. llama.cpp continues some texts and returns the probabilities of the likeliest
tokens at each step. PyTorch reads the same ids and must give the same probabilities. With 32-bit
weights they nearly agree. With 4-bit weights they differ more, because llama.cpp then multiplies in
8 bits. In both cases the difference must be the same with the adapter as without it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gguf
import peft
import torch
import xllamacpp
from safetensors.numpy import save_file

from g2c.inference.embedded.weights import find_weights
from g2c.paths import project_root
from maintain.training.convert import convert, read_adapter, write_unquantized
from maintain.training.model import load_base, load_tokenizer

TEXTS = 4
LETTERS = 1500
"""How long a text is: far enough from the start for a wrong angle to matter."""
WRITTEN = 32
LIKELIEST = 20

Probabilities = list[dict[int, float]]
"""The log-probability of each of the likeliest tokens, at each step."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    help_adapter = "the folder that training.train wrote, or the file that training.convert wrote"
    parser.add_argument("adapter", type=Path, help=help_adapter)
    folder = parser.parse_args().adapter
    lesson = (project_root() / "docs/modules/19-agent/index.md").read_text("utf-8")
    texts = [lesson[LETTERS * number : LETTERS * (number + 1)] for number in range(TEXTS)]
    prompts = [load_tokenizer().encode(text).ids for text in texts]

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if folder.is_file():
            adapter, folder = folder, scratch
            unpack(adapter, folder)
        converted, full = scratch / "converted.gguf", scratch / "full.gguf"
        convert(folder, converted)
        write_unquantized(full)
        four_bits = find_weights()
        base = load_base().eval()
        print(f"{'':36}mean difference  greatest  same first choice")
        compare("no adapter, 32 bits", base, LlamaServer(full), prompts)
        compare("no adapter, 4 bits", base, LlamaServer(four_bits), prompts)
        tuned = peft.PeftModel.from_pretrained(base, folder).eval()
        compare("the adapter, 32 bits", tuned, LlamaServer(full, converted), prompts)
        compare("the adapter, 4 bits", tuned, LlamaServer(four_bits, converted), prompts)


def compare(name: str, model: Any, llama: LlamaServer, prompts: Sequence[Sequence[int]]) -> None:
    """Print how far llama.cpp's log-probabilities are from those of `model`, in nats."""
    differences: list[float] = []
    agreeing = []
    for prompt in prompts:
        written, told = llama.write(prompt)
        for step, (likeliest, expected) in enumerate(
            zip(told, probabilities(model, prompt, written), strict=True)
        ):
            differences += [abs(likeliest[i] - expected[i].item()) for i in likeliest]
            agreeing.append(written[step] == expected.argmax().item())
    mean = sum(differences) / len(differences)
    same = f"{sum(agreeing)} of {len(agreeing)}"
    print(f"{name:36}{mean:15.4f}{max(differences):10.3f}{same:>19}", flush=True)


@torch.no_grad()
def probabilities(model: Any, prompt: Sequence[int], written: Sequence[int]) -> torch.Tensor:
    """The log-probabilities that `model` gives before each token of `written`."""
    logits = model(input_ids=torch.tensor([[*prompt, *written]])).logits[0]
    return logits[len(prompt) - 1 : -1].log_softmax(-1)


def unpack(adapter: Path, folder: Path) -> None:
    """Save the output of `convert` in PEFT's format. Its numbers keep the rounding to 8 bits."""
    matrices = read_adapter(adapter)
    modules = {name.split(".")[-3] for name in matrices}
    rank = next(matrix.shape[0] for name, matrix in matrices.items() if ".lora_A." in name)
    reader = gguf.GGUFReader(adapter)
    filled = next(int(one.shape[1]) for one in reader.tensors if one.name.endswith("lora_a"))
    alpha = reader.fields[gguf.Keys.Adapter.LORA_ALPHA].contents() * rank / filled
    peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules=modules).save_pretrained(folder)
    save_file(matrices, folder / "adapter_model.safetensors")


class LlamaServer:
    """llama.cpp's server with a model's file, called through its own HTTP API."""

    def __init__(self, model: Path, adapter: Path | None = None) -> None:
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        params.n_ctx = 4096
        params.verbosity = 0
        params.warmup = False
        if adapter:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        self._server = xllamacpp.Server(params)

    def write(self, prompt: Sequence[int]) -> tuple[list[int], Probabilities]:
        """The text it writes after `prompt` at temperature 0, and the likeliest tokens."""
        request = {
            "prompt": list(prompt),
            "n_predict": WRITTEN,
            "n_probs": LIKELIEST,
            "temperature": 0,
            "ignore_eos": True,
        }
        steps = self.ask("/completion", request)["completion_probabilities"]
        told = [{one["id"]: one["logprob"] for one in step["top_logprobs"]} for step in steps]
        return [step["id"] for step in steps], told

    def ask(self, path: str, request: Mapping[str, Any]) -> Any:
        """Return the answer of one of llama.cpp's own endpoints."""
        body = json.dumps(request).encode()
        address = self._server.listening_address + path
        with urllib.request.urlopen(urllib.request.Request(address, body)) as answer:
            return json.load(answer)


if __name__ == "__main__":
    main()
