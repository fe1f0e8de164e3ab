"""Train the adapter: `-m maintain.training.train TRACES --out FOLDER`, again to go on after a stop.

A LoRA (Hu et al., 2021, arXiv:2106.09685) leaves the model unchanged and learns, for each of its
matrices, a product of two thin ones to add to it. So only a thirtieth is trained, stored and sent
around, and without it the model is as before.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import peft
import torch
from peft.helpers import disable_input_dtype_casting
from torch.nn.functional import cross_entropy

from maintain.training import checkpoint
from maintain.training.convert import read_adapter
from maintain.training.examples import (
    Example,
    by_start,
    plan_batches,
    read_traces,
    shared_start,
    tokenize,
)
from maintain.training.model import load_base, load_tokenizer

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
ADAPTED = ("q_proj", "v_proj", "gate_proj", "down_proj")
"""The default. Each further module costs time at every token, in training and in use."""


def main() -> None:
    options = parse_arguments()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    sets, held_out = load_examples(options.traces, options.max_tokens, options.held_out)
    plan = plan_batches(
        sets, options.epochs, options.batch_traces, options.row_tokens, options.seed
    )
    print(f"{sum(map(len, sets))} traces, {len(held_out)} held out; {len(plan)} steps")
    tokens = sum(map(tokens_of, plan))
    alone = sum(len(row.ids) for batch in plan for group in batch for row in group)
    print(f"{tokens:,} tokens, which would be {alone:,} without shared starts")

    model = add_adapter(options.rank, options.modules)
    if options.start:
        start_from(options.start, model)
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=options.lr, weight_decay=0.0)
    settings = settings_of(options)
    done = checkpoint.resume(options.out, settings, model, optimizer)
    print(f"{sum(map(torch.numel, weights)):,} weights to train; {done} steps done", flush=True)

    pace = Pace(sum(map(tokens_of, plan[done:])))
    saved_at = time.monotonic()
    for step, batch in enumerate(plan[done:], done + 1):
        for group in optimizer.param_groups:
            group["lr"] = options.lr * share_of_rate((step - 1) / len(plan), options.warmup)
        loss = add_gradients(model, batch)
        norm = torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        so_far = pace.after(tokens_of(batch))
        print(f"step {step}/{len(plan)}  loss {loss:.4f}  norm {norm:.2f}  {so_far}", flush=True)
        last = step == len(plan)
        if last or time.monotonic() - saved_at > options.save_minutes * 60:
            checkpoint.save(options.out, step, settings, model, optimizer)
            saved_at = time.monotonic()
        if last or step % options.validate_every == 0:
            for kind, value in held_out_loss(model, held_out).items():
                print(f"held out  {value:.4f}  {kind}", flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("traces", type=Path, help="a .jsonl file, as training.traces writes it")
    parser.add_argument("--out", type=Path, required=True, help="folder of this run")
    add = parser.add_argument
    add("--start", type=Path, help="an adapter from training.convert, to train it further")
    add("--epochs", type=float, default=1.0, help="passes over the traces (%(default)s)")
    add("--rank", type=int, default=24, help="rank of the adapter's matrices (%(default)s)")
    add("--modules", nargs="+", default=ADAPTED, choices=MODULES, help="which to adapt (four)")
    add("--lr", type=float, default=1e-3, help="highest learning rate (%(default)s)")
    add("--warmup", type=float, default=0.03, help="share of the steps before --lr (%(default)s)")
    add("--batch-traces", type=int, default=10, help="fewest traces a step (%(default)s)")
    add("--row-tokens", type=int, default=2048, help="most tokens at once (%(default)s)")
    add("--max-tokens", type=int, default=3072, help="longer traces are left out (%(default)s)")
    add("--held-out", type=int, default=64, help="traces that are not trained on (%(default)s)")
    add("--validate-every", type=int, default=200, help="steps between validations (%(default)s)")
    add("--save-minutes", type=float, default=4.0, help="time between checkpoints (%(default)s)")
    add("--threads", type=int, default=os.cpu_count() or 1, help="(%(default)s)")
    add("--seed", type=int, default=0, help="of the adapter and the order (%(default)s)")
    return parser.parse_args()


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that decide the outcome."""
    free = ("out", "validate_every", "save_minutes", "threads")
    settings = {name: value for name, value in vars(options).items() if name not in free}
    settings["modules"] = sorted(options.modules)
    settings["traces"] = sha256(options.traces)
    settings["start"] = options.start and sha256(options.start)
    return settings


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load_examples(
    path: Path, most: int, held_out: int
) -> tuple[list[list[Example]], list[Example]]:
    """The sets of examples to train on and the examples held out, the same for the same file."""
    tokenizer = load_tokenizer()
    pairs = [(trace, tokenize(trace, tokenizer)) for trace in read_traces(path)]
    fitting = [pair for pair in pairs if len(pair[1].ids) <= most]
    if left_out := len(pairs) - len(fitting):
        print(f"{left_out} of {len(pairs)} traces have over {most} tokens and are left out")
    # Spread over the file, so that a file sorted by kind gives some of each.
    chosen = {number * len(fitting) // held_out for number in range(held_out)}
    kept = [pair for number, pair in enumerate(fitting) if number not in chosen]
    return by_start(kept), [fitting[number][1] for number in sorted(chosen)]


def tokens_of(batch: Sequence[Sequence[Example]]) -> int:
    """The tokens that a batch puts through the model: a shared start counts once."""
    return sum(
        sum(len(example.ids) for example in group) - (len(group) - 1) * shared_start(group)
        for group in batch
    )


def add_adapter(rank: int, modules: Sequence[str]) -> Any:
    """The base model with an adapter that changes nothing yet: one of its two matrices is zero."""
    config = peft.LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules=list(modules), task_type="CAUSAL_LM"
    )
    # The base is not trained, so 16 bits are enough for it; PEFT keeps the adapter's own in 32.
    model = peft.get_peft_model(load_base(torch.bfloat16), config)
    if torch.cuda.is_available():
        model.set_attn_implementation("sdpa")
        return model.to("cuda")
    return model


def start_from(path: Path, model: Any) -> None:
    """Give the adapter of `model` the numbers in `path`.

    If the adapter has a higher rank or more modules, the rest stays as it was initialised, which
    changes nothing yet.

    Raises:
        ValueError: `path` has a higher rank, or a module that this adapter leaves out.
    """
    own = peft.get_peft_model_state_dict(model)
    learned = read_adapter(path)
    for name, matrix in learned.items():
        if name not in own or any(
            a > b for a, b in zip(matrix.shape, own[name].shape, strict=True)
        ):
            raise ValueError(f"{path} needs a higher --rank or more --modules than this run has")
        rows, columns = matrix.shape
        own[name][:rows, :columns] = torch.from_numpy(matrix)
    peft.set_peft_model_state_dict(model, own)


def share_of_rate(done: float, warmup: float) -> float:
    """The share of the highest learning rate: it rises in a line, then falls along a cosine.

    >>> [round(share_of_rate(done, 0.1), 2) for done in (0.05, 0.1, 0.55, 1.0)]
    [0.5, 1.0, 0.5, 0.0]
    """
    if done < warmup:
        return done / warmup
    return 0.5 * (1 + math.cos(math.pi * (done - warmup) / (1 - warmup)))


def add_gradients(model: Any, batch: Sequence[Sequence[Example]]) -> float:
    """Add up the gradients of a batch's mean loss per learned token. Return that loss."""
    learned = sum(sum(example.learned) for group in batch for example in group)
    total = 0.0
    for group in batch:
        loss = summed_loss(model, group)
        (loss / learned).backward()
        total += loss.item()
    return total / learned


def summed_loss(model: Any, rows: Sequence[Example]) -> torch.Tensor:
    """The loss of all learned tokens of `rows`, which are padded to the longest.

    Their shared start goes through the model once. The rows look back at its keys and values, as a
    server's requests do at a cached prompt, and their gradients flow back through it.
    """
    longest = max(len(row.ids) for row in rows)
    start = shared_start(rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    learned = torch.zeros(len(rows), longest, dtype=torch.bool)
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = torch.tensor(row.ids)
        learned[number, : len(row.ids)] = torch.tensor(row.learned)
    ids, learned = ids.to(model.device), learned[:, start:].to(model.device)
    causal = model.get_base_model()
    # By default PEFT converts the input of an adapter to 32 bits, and autocast converts it back.
    with disable_input_dtype_casting(model), torch.autocast(model.device.type, torch.bfloat16):
        cache = None
        if start:
            cache = causal.model(input_ids=ids[:1, :start], use_cache=True).past_key_values
            cache.batch_repeat_interleave(len(rows))
        # A row's padding is at its end, where no token before it looks, so no mask is needed.
        hidden = causal.model(
            input_ids=ids[:, start:], past_key_values=cache, use_cache=start > 0
        ).last_hidden_state
        # Most tokens are not learned, and scores over the vocabulary cost most.
        logits = causal.lm_head(hidden[:, :-1][learned[:, 1:]])
    return cross_entropy(logits.float(), ids[:, start + 1 :][learned[:, 1:]], reduction="sum")


@torch.no_grad()
def held_out_loss(model: Any, examples: Sequence[Example]) -> dict[str, float]:
    """The mean loss per learned token, of all examples and of those of each kind."""
    losses: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for example in examples:
        loss = summed_loss(model, [example]).item()
        for kind in ("all", example.kind):
            losses[kind] += loss
            counts[kind] += sum(example.learned)
    return {kind: losses[kind] / counts[kind] for kind in losses}


class Pace:
    """How fast a run goes, and how long the rest will take at that."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens
        self._done = 0
        self._started = time.monotonic()

    def after(self, tokens: int) -> str:
        """Count `tokens` more."""
        self._done += tokens
        self._left -= tokens
        speed = self._done / (time.monotonic() - self._started)
        return f"{speed:.0f} tokens/s  {self._left / speed / 60:.0f} min left"


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"{error}")
