"""Checks what the course needs on this machine, and says how to get what is missing.

Each check is a function that returns its finding, or raises an error whose message is the remedy.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import g2c
from g2c.inference import model_choice
from g2c.inference.embedded import weights
from g2c.inference.errors import BackendError
from g2c.inference.served._ollama_address import VARIABLE, host_url, is_listening, without_password
from g2c.inference.served.larger_models import MACHINES, describe
from g2c.paths import cache_dir, project_root, state_dir
from g2c.text import one_line, reason_of

INSTALL = "run ./prodlm.sh doctor, or: pip install -e '.[course]'"


@dataclass(frozen=True)
class Check:
    """One finding: `ok` is None if the thing is neither needed nor there; `remedy` is what to
    do."""

    name: str
    ok: bool | None
    detail: str
    remedy: str = ""


def diagnose() -> Iterator[Check]:
    """Check this machine, one finding at a time; needed things come first."""
    for name, look in _CHECKS.items():
        try:
            ok, detail, remedy = look()
            yield Check(name, ok, detail, "" if ok else remedy)
        except (BackendError, OSError, ValueError) as error:
            yield Check(name, False, "", reason_of(error))


Finding = tuple[bool | None, str, str]


def _python() -> Finding:
    version = platform.python_version()
    return (
        sys.version_info >= (3, 11),
        f"{version} at {sys.executable}",
        "Install Python 3.11 or later.",
    )


def _platform() -> Finding:
    return True, f"{platform.platform()}, {os.cpu_count()} cores", ""


def _package() -> Finding:
    return True, f"g2c {g2c.__version__} in {Path(g2c.__file__).parent}", ""


def _course() -> Finding:
    missing = [name for name in ("jupyterlab", "matplotlib", "nbval", "pytest") if not _has(name)]
    detail = f"missing: {', '.join(missing)}" if missing else f"jupyterlab {_has('jupyterlab')}"
    return not missing, detail, INSTALL


def _folder() -> Finding:
    probe = state_dir() / f"doctor.{os.getpid()}"
    probe.write_text("")
    probe.unlink()
    return True, f"{state_dir()} can be written", ""


def _disk() -> Finding:
    free = shutil.disk_usage(project_root()).free / 1e9
    return free > 1, f"{free:.1f} GB free", "Make room: a model of 3 billion weights takes 2 GB."


def _memory_gb() -> float | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, ValueError, OSError):
        return None


def _memory() -> Finding:
    if (total := _memory_gb()) is None:
        return None, "this system does not say", ""
    return total > 2, f"{total:.1f} GB", "The embedded model takes 1 GB; close other programs."


def _larger_models() -> str:
    room, names = describe(_memory_gb() or 0), " | ".join(machine.name for machine in MACHINES)
    fit = f" This machine has room for {room}: a step's seconds on {names}." if room else ""
    return f"Not needed. Larger models: ollama.com.{fit}"


def _weights() -> Finding:
    return True, f"{weights.find_weights()}, checksum as expected", ""


def _answer() -> Finding:
    from g2c.inference.embedded.backend import EmbeddedBackend

    result = EmbeddedBackend().complete("The capital of France is", max_new_tokens=8, temperature=0)
    said = one_line(result.prompt + result.completion)
    return True, f"{said!r}, {result.tokens_per_second or 0:.0f} tokens/s", ""


def _cache() -> Finding:
    if cache_dir().exists() and not cache_dir().is_dir():
        return False, f"{cache_dir()} is not a folder", "move it away, or set G2C_CACHE to a folder"
    files = [file for file in cache_dir().rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / 1e6
    return True, f"{size:.0f} MB in {cache_dir()}, which can be deleted at any time", ""


def _ollama() -> Finding:
    url = host_url()
    shown = without_password(url)
    if not is_listening(url):
        if os.environ.get(VARIABLE):
            return (
                False,
                f"no server answers at {shown}",
                f"{VARIABLE} names it: correct or unset it",
            )
        return None, f"no server answers at {shown}", _larger_models()
    from g2c.inference.served._ollama_models import list_tags

    tags = list_tags()
    remedy = f"Get one: ollama pull {model_choice.DEFAULT_TAG}"
    return bool(tags), ", ".join(tags) or "runs, and has no models", remedy


def _choice() -> Finding:
    choice = model_choice.read_choice()
    settled = model_choice.settle(choice)
    detail = str(choice) if settled == choice else f"{choice}: {settled}"
    if settled.kind in ("ollama", "openai"):  # a list of models does not show that one can run
        said = model_choice.load_prodlm(settled).complete("Hi", max_new_tokens=1, temperature=0)
        detail += f" answers, {said.latency_ms / 1000:.1f} s for a token"
    return True, detail, ""


def _has(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


_CHECKS: dict[str, Callable[[], Finding]] = {
    "python": _python,
    "platform": _platform,
    "package": _package,
    "course tools": _course,
    "folder": _folder,
    "disk": _disk,
    "memory": _memory,
    "weights": _weights,
    "embedded model": _answer,
    "cache": _cache,
    "ollama": _ollama,
    "choice": _choice,
}
