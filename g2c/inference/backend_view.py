"""A backend that wraps another one."""

from collections.abc import Sequence

from g2c.inference.backend import Backend, BackendInfo, ToolSchema


class BackendView(Backend):
    """A backend with the properties of another one. A subclass changes a call before or after it
    passes it on to `_backend`; its views do so, too."""

    _backend: Backend

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    @property
    def identity(self) -> dict[str, str]:
        return self._backend.identity

    @property
    def supports_json(self) -> bool:
        return self._backend.supports_json

    @property
    def supports_tools(self) -> bool:
        return self._backend.supports_tools

    @property
    def continues_prompt(self) -> bool:
        return self._backend.continues_prompt

    def stopping_at(self, *strings: str) -> Backend:
        return self._before(self._backend.stopping_at(*strings))

    def writing_steps(self, tools: Sequence[ToolSchema]) -> Backend:
        return self._before(self._backend.writing_steps(tools))

    def with_seed(self, seed: int) -> Backend:
        return self._before(self._backend.with_seed(seed))

    def _before(self, backend: Backend) -> Backend:
        return self._view(_backend=backend)
