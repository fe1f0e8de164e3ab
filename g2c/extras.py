"""The extras of `pyproject.toml` that some commands need, and what installs each."""

from importlib.util import find_spec

INSTALLED_BY = {
    "course": './prodlm.sh doctor, or pip install -c constraints.txt -e ".[course]",',
    "dev": "./prodlm.sh test --help",
    "docs": "./prodlm.sh docs",
}


def require(extra: str, *modules: str) -> None:
    """Raises ValueError with the command that installs `extra`, unless all its `modules` exist."""
    if any(find_spec(module) is None for module in modules):
        cure = f"in the course's folder, {INSTALLED_BY[extra]} installs it."
        raise ValueError(f"This needs the extra `{extra}`; {cure}")
