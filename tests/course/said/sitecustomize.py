"""Has the model answer a notebook, or a lesson, as it did when that was renewed.

A Python that finds this file on its path loads it when it starts, so the processes that a notebook
starts have it as well. `SAID_FILE` is where the answers are. With `SAID_LIVE` the model is asked,
and what it says is kept; without, it is not even loaded, and a call that is not in the file is an
error: whoever changes a prompt renews them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from g2c.inference import _llama, errors
from g2c.inference._llama import Llama, Reply


class Said:
    """Stands in for `Llama`. A call is known by itself and by those before it in its process, which
    decide what the cache holds."""

    def __init__(self, path: Path, n_ctx: int, *, exact: bool, adapter: Path | None = None) -> None:
        self._call = f"{path.name} {adapter and adapter.name} {n_ctx} {exact}"
        self._live = Llama(path, n_ctx, exact=exact, adapter=adapter) if LIVE else None
        loaded = {"n_ctx": self._live.n_ctx} if self._live else _remembered(self._call)
        self.n_ctx = loaded["n_ctx"]
        if self._live:
            _keep(self._call, loaded)

    def ask(self, request: Mapping[str, Any]) -> Reply:
        model = self._call if " " in self._call else None
        asked = json.dumps([self._call, request], sort_keys=True)
        self._call = hashlib.sha256(asked.encode()).hexdigest()
        if self._live is None:
            said = _remembered(self._call)
        else:
            try:
                said = {"reply": asdict(self._live.ask(request))}
            except errors.BackendError as error:
                said = {"error": [type(error).__name__, str(error)]}
            # What needs no history, the model can be asked again.
            _keep(self._call, said | ({"model": model, "request": request} if model else {}))
        if "error" in said:
            name, message = said["error"]
            raise getattr(errors, name)(message)
        return Reply(**said["reply"])

    def close(self) -> None:
        if self._live:
            self._live.close()


def _remembered(call: str) -> dict[str, Any]:
    if call not in ANSWERS:
        raise RuntimeError(
            f"{FILE} has no answer to this call, so a prompt has changed. Run: "
            "python notebooks/renew.py"
        )
    return ANSWERS[call]


def _keep(call: str, said: Mapping[str, Any]) -> None:
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"call": call, **said}) + "\n")


FILE = Path(os.environ["SAID_FILE"])
LIVE = "SAID_LIVE" in os.environ
ANSWERS: dict[str, dict[str, Any]] = {}
if not LIVE:
    with contextlib.suppress(FileNotFoundError), FILE.open(encoding="utf-8") as file:
        ANSWERS = {said["call"]: said for said in map(json.loads, file)}
_llama.Llama = Said  # type: ignore[assignment,misc]
