"""Where the course lies on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def project_root() -> Path:
    """The folder with `pyproject.toml`, `notebooks` and `tests`: `G2C_ROOT` if it is set, else the
    checkout that this package runs from, else the current folder."""
    if root := os.environ.get("G2C_ROOT"):
        return Path(root)
    checkout = Path(__file__).resolve().parent.parent
    return checkout if (checkout / "pyproject.toml").exists() else Path.cwd()


def state_dir() -> Path:
    """The folder `.g2c` for what the course keeps about this machine; made when first needed."""
    folder = project_root() / ".g2c"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
