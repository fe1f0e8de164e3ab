"""A model inside this process: llama.cpp through `xllamacpp`; no service, no network.

A model caches what it computed for earlier prompts. So a prompt that begins like an earlier one
costs only its new end. `metadata` shows the savings: `cache_n` prompt tokens were in the cache,
`prompt_n` had to be computed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from g2c.inference.backend import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolSchema,
    known,
)
from g2c.inference.call_listeners import watched
from g2c.inference.embedded._llama import shared_llama
from g2c.inference.embedded.engine import Reply
from g2c.inference.embedded.weights import (
    ADAPTER,
    ADAPTER_NOTE,
    NOTE,
    find_adapter,
    find_weights,
    sha256_known,
)
from g2c.inference.errors import UnusableAnswerError
from g2c.inference.structured.constrained import (
    check_json,
    check_schema,
    plain_messages,
    read_turn,
    turn_schema,
)
from g2c.inference.structured.grammars import as_grammar, step_grammar

DEFAULT_CONTEXT = 8192
MAX_N_CTX = 2**20
"""No available model was trained on a longer context. llama.cpp allocates all of it at once."""


class EmbeddedBackend(Backend):
    """A `.gguf` model, loaded once a process and shared by every backend that names it.

    `model` is a path, or None for the small model that the course comes with. The small model has
    the course's own adapter over it, unless `plain` is set. `adapter` is the path of another LoRA,
    made for that model, in GGUF form. `n_ctx` is the context in
    tokens, `MAX_N_CTX` at most. A model that was trained on less gets less, but never fewer than
    256; `info.extra["n_ctx"]` is the result. With `raw`, the model continues the prompt unchanged;
    otherwise the prompt is one user turn in the model's own chat template. Any thread may call;
    calls take turns.

    Some prompts are stored for the next process, in up to 256 MB of the cache folder, unless `keep`
    is False or `G2C_KEEP_PROMPTS` is 0. These files can be deleted (docs/modules/16-inference.md).

    The same calls in the same order give the same texts. With the small model, the same prompt,
    arguments and `seed` give the same text in any order (tried on x86-64) if it is `exact`.
    Otherwise it reads a long prompt faster, and as with other models, a prompt from the cache is
    rounded differently from a new one (docs/design/exactness.md).

    Metadata has `finish_reason`, `cache_n`, `prompt_n`, `prompt_ms` and `generate_ms`.

    Small models make no native tool calls, so a chat's output is constrained to a JSON schema: a
    call of one of the tools, or an answer. `metadata["tool_calls"]` says so. `think` changes
    nothing here. With `guided`, a step of the agent's text protocol is constrained to its form as
    well.

    JSON, or a guided step, that does not end within `max_new_tokens` is requested again, with
    shorter texts and lists. `metadata["attempts"]` counts the attempts; tokens and time are their
    sums. An answer is cut off instead.

    Raises:
        ModelNotFoundError: there is no such file; the message says how to get one.
        BackendError: llama.cpp cannot load the files; the message says why.
    """

    supports_json = True
    supports_tools = True
    is_exact = True
    """Whether what was read before changes nothing but the time."""
    _guided = False
    _tools: tuple[ToolSchema, ...] | None = None  # those of the steps that it writes

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        plain: bool = False,
        adapter: str | Path | None = None,
        n_ctx: int = DEFAULT_CONTEXT,
        seed: int = 0,
        raw: bool = True,
        keep: bool = True,
        guided: bool = False,
        exact: bool = True,
    ) -> None:
        if not isinstance(n_ctx, int) or not 1 <= n_ctx <= MAX_N_CTX:
            raise ValueError(f"n_ctx must be a whole number from 1 to {MAX_N_CTX:,}, got {n_ctx!r}")
        self._small = model is None
        self._path = find_weights() if model is None else _file(model)
        if adapter is None and self._small and not plain:
            adapter = find_adapter()
        self._adapter = None if adapter is None else _file(adapter)
        self.is_exact = self._small and _is_exact(exact)
        self._llama = shared_llama(
            self._path, n_ctx, exact=self.is_exact, adapter=self._adapter, keep=keep and self._small
        )
        self._seed = seed
        self._raw = raw
        self._guided = guided
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        extra = {"path": str(self._path), "n_ctx": self._llama.n_ctx, "raw": self._raw}
        if self._guided:
            extra["guided"] = True
        if self._small:
            extra["note"] = ADAPTER_NOTE if self._adapter == ADAPTER else NOTE
        if self._adapter is None:
            return BackendInfo("embedded", self._path.stem, extra)
        extra["adapter"] = str(self._adapter)
        return BackendInfo("embedded", f"{self._path.stem}+{self._adapter.stem}", extra)

    @property
    def identity(self) -> dict[str, str]:
        ways = [name for name in ("raw", "guided") if getattr(self, f"_{name}")]
        if not self.is_exact and self._small:
            ways.append("fast")
        options = [self._llama.n_ctx, self._seed, *ways]
        return {**super().identity, **self._digests(), "options": " ".join(map(str, options))}

    def _digests(self) -> dict[str, str]:
        adapter = {"adapter": sha256_known(self._adapter)[:12]} if self._adapter else {}
        return {"weights": sha256_known(self._path)[:12], **adapter}

    @property
    def continues_prompt(self) -> bool:
        return self._raw

    def stopping_at(self, *strings: str) -> EmbeddedBackend:
        return self._view(_stop=tuple(filter(None, strings)))

    def writing_steps(self, tools: Sequence[ToolSchema]) -> EmbeddedBackend:
        if not self._guided:
            return self
        return self._view(_tools=tuple(tools))

    def with_seed(self, seed: int) -> EmbeddedBackend:
        return self._view(_seed=seed)

    def as_chat(self) -> EmbeddedBackend:
        """The same model, with each prompt as one user turn in its chat template."""
        return self._view(_raw=False)

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        request = {**self._asking(prompt), "stop": list(self._stop)}
        if self._tools is None:
            return self._result(prompt, self._ask(request, sampling))
        tools, eos = self._tools, self._llama.eos
        replies = self._ask_for_whole(
            request, sampling, lambda chars: step_grammar(tools, eos, chars), "\nFinal Answer:"
        )
        return self._result(prompt, _as_one(replies))

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        check_schema(schema)
        replies = self._ask_for_whole(
            self._asking(prompt), sampling, lambda chars: as_grammar(schema, chars)
        )
        last, answer = replies[-1], self._result(prompt, _as_one(replies))
        if last.metadata["finish_reason"] == "length":
            raise UnusableAnswerError(
                f"The JSON was cut off after {last.completion_tokens} tokens; raise "
                "max_new_tokens, bound the schema's strings and numbers, or use a simpler one. It "
                f"begins: {last.text[:80]!r}",
                answer,
            )
        check_json(answer, schema)
        return answer

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        schema = turn_schema(tools)
        request = {"messages": plain_messages(messages, tools)}
        reply = _as_one(
            self._ask_for_whole(
                request, sampling, lambda chars: as_grammar(schema, chars), '{"answer"'
            )
        )
        if reply.metadata["finish_reason"] != "length":
            check_json(self._result("", reply), schema)
        content, calls = read_turn(reply.text, call_id=f"call_{len(messages)}")
        return ChatResult(
            content,
            calls,
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            self.info.name,
            {**reply.metadata, "tool_calls": "constrained to a JSON schema"},
        )

    def _asking(self, prompt: str) -> dict[str, Any]:
        if self._raw:
            if not prompt:
                raise ValueError("the prompt is empty; there is nothing to continue")
            return {"prompt": prompt}
        return {"messages": [{"role": "user", "content": prompt}]}

    def _result(self, prompt: str, reply: Reply) -> InferenceResult:
        return InferenceResult(
            prompt,
            reply.text,
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            self.info.name,
            reply.metadata,
        )

    def _ask_for_whole(
        self,
        request: Mapping[str, Any],
        sampling: Sampling,
        grammar: Callable[[int | None], str],
        answer: str | None = None,
    ) -> list[Reply]:
        """Ask until a reply is complete, each time with a tighter `grammar`. A reply that contains
        `answer` may be cut off."""
        replies = []
        for chars in (None, sampling.max_new_tokens // 4, sampling.max_new_tokens // 16):
            reply = self._ask({**request, "grammar": grammar(chars)}, sampling)
            replies.append(reply)
            if reply.metadata["finish_reason"] != "length" or (answer and answer in reply.text):
                break
        return replies

    def _ask(self, request: Mapping[str, Any], sampling: Sampling) -> Reply:
        options = {
            "n_predict": sampling.max_new_tokens,
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "seed": self._seed,
            "stream": True,
            "return_progress": True,  # pieces come during the prompt too
        }
        return watched(lambda: self._llama.ask({**request, **known(options)}))


def _is_exact(wanted: bool) -> bool:
    """`wanted`, unless `G2C_EXACT` overrides it; a recording is exact in any case."""
    if "G2C_RECORD" in os.environ or "G2C_REPLAY" in os.environ:
        return True
    return {"0": False, "1": True}.get(os.environ.get("G2C_EXACT", ""), wanted)


def _file(path: str | Path) -> Path:
    return Path(path).expanduser().resolve()


def _as_one(replies: Sequence[Reply]) -> Reply:
    """The last of several attempts, with the costs of all."""
    if len(replies) == 1:
        return replies[0]
    last = replies[-1]
    return replace(
        last,
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        latency_ms=sum(reply.latency_ms for reply in replies),
        metadata={**last.metadata, "attempts": len(replies)},
    )
