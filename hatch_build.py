"""Adds to a wheel what it has besides the package: the course around it, and its package page.

The package's own files are a part of the course, too, so `g2c init` takes those where they are.
What only an instructor or a maintainer needs stays in the checkout; `g2c/course/folder/pages.py`
takes the links to it out of a student's pages.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

AROUND = "g2c/course/folder/around"
FOLDERS = (".binder", ".devcontainer", "LICENSES", "docs", "notebooks")
FILES = (
    *("AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE.md", "README.md"),
    *("constraints.txt", "hatch_build.py", "prodlm.sh", "pyproject.toml"),
    "tests/course/answers/demo.jsonl",  # the site's front page and its tab show this run
)
NOT_A_STUDENTS = ("docs/design", "docs/instructor.md", "docs/rubrics")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Adds the course around the package to a wheel; one that points to a checkout needs none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            root = Path(self.root)
            build_data["force_include"] |= {
                str(file): f"{AROUND}/{file.relative_to(root).as_posix()}"
                for file in files_around(root)
            }


def files_around(root: Path) -> list[Path]:
    """The files of the course in `root` that a student gets besides the package."""
    files = [
        *(root / name for name in FILES),
        *(root / "tests").glob("*.py"),
        *(file for name in FOLDERS for file in (root / name).rglob("*") if is_kept(file)),
    ]
    others = [root / name for name in NOT_A_STUDENTS]
    return [file for file in files if not any(file.is_relative_to(other) for other in others)]


def is_kept(file: Path) -> bool:
    """Whether a file is the course's, and not what a program left there."""
    return file.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(file.parts)


class CustomMetadataHook(MetadataHookInterface):  # type: ignore[misc]
    """Gives a package page the README without links to files, which lie in the course's folder."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_package_page(text)}


def for_package_page(readme: str) -> str:
    """The README without links to files, whose words stay, and without pictures from files."""
    without_pictures = re.sub(r"!\[[^]]*\]\((?!https?://)[^)]*\)\n*", "", readme)
    return re.sub(r"\[([^]]*)\]\((?!https?://)[^)]*\)", r"\1", without_pictures)
