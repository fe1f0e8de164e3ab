"""Prepare a release, and check it: `python -m maintain.release 0.2.0`.

It raises the version, dates the section of the changelog, builds the wheel and checks its files. It
commits and publishes nothing, and prints what is left to do. If a check fails, it changes nothing.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import zipfile
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UNRELEASED = "## Unreleased"
NEEDED = ("g2c/py.typed", "g2c/inference/embedded/course.gguf", "licenses/LICENSE")
NOT_SHIPPED = ("maintain/", "tests/course/test", "tests/course/wrong_answers", "docs/design/")


def numbers(version: str) -> tuple[int, ...]:
    """The three numbers of a version.

    Raises:
        ValueError: there are not three.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version!r} is not a version such as 0.2.0.")
    return tuple(map(int, version.split(".")))


def with_version(pyproject: str, version: str) -> str:
    """The text of pyproject.toml with a newer version.

    Raises:
        ValueError: it is not newer.
    """
    found = re.search(r'^version = "(.+)"$', pyproject, re.MULTILINE)
    if not found:
        raise ValueError("pyproject.toml has no line `version = ...`.")
    if numbers(version) <= numbers(found[1]):
        raise ValueError(f"{version} is not newer than {found[1]}.")
    return pyproject[: found.start(1)] + version + pyproject[found.end(1) :]


def with_dated_section(changelog: str, version: str, day: date) -> str:
    """The changelog with the unreleased entries moved to that version.

    Raises:
        ValueError: there is no section of unreleased entries, or it is empty.
    """
    before, heading, after = changelog.partition(f"{UNRELEASED}\n")
    if not heading or not re.match(r"\s*(#{3}|-)", after):
        raise ValueError(f"CHANGELOG.md has nothing under {UNRELEASED!r}.")
    return f"{before}{UNRELEASED}\n\n## {version} ({day})\n{after}"


def faults_of(names: list[str]) -> list[str]:
    """The files that a wheel with these files lacks, and those that are not for students."""
    missing = [
        f"It lacks {ending}." for ending in NEEDED if not any(n.endswith(ending) for n in names)
    ]
    return missing + [f"It has {n}." for n in names for ending in NOT_SHIPPED if ending in n]


def build() -> list[str]:
    """Build the wheel, and return the names of its files."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, "."]
        subprocess.run(command, cwd=ROOT, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return archive.namelist()


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m maintain.release", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("version", help="the new version, such as 0.2.0")
    version = parser.parse_args().version
    pyproject, changelog = ROOT / "pyproject.toml", ROOT / "CHANGELOG.md"
    before = {file: file.read_text("utf-8") for file in (pyproject, changelog)}
    status = ["git", "status", "--porcelain"]
    if subprocess.run(status, cwd=ROOT, capture_output=True, check=True).stdout:
        sys.exit("There are changes that are not committed. Commit them first.")
    try:
        after = {
            pyproject: with_version(before[pyproject], version),
            changelog: with_dated_section(before[changelog], version, date.today()),
        }
    except ValueError as error:
        sys.exit(str(error))
    faults = ["The wheel was not built."]
    try:
        for file, text in after.items():
            file.write_text(text, "utf-8")
        faults = faults_of(build())
    finally:
        if faults:
            for file, text in before.items():
                file.write_text(text, "utf-8")
    if faults:
        sys.exit("Nothing was changed.\n" + "\n".join(faults))
    print(f"The version is {version}, and the wheel is complete. When .ci/run --all passes, run:")
    print(f"  git commit -am 'Release {version}' && git tag v{version}")


if __name__ == "__main__":
    main()
