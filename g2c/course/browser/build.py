"""Builds the browser tab of the course into the site, as its folder `try`.

Its parts come from npm and pip, in the versions and with the hashes that `docs/browser` names, and
are cached in `build/try`. So the next build needs no network.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from g2c.course.browser.inside import RECORDING
from g2c.course.manifest import load_exercises
from g2c.course.stubs import stub_of
from g2c.files import read_bytes, read_text, sha256_of
from g2c.inference.embedded.weights import find_adapter, find_weights
from g2c.inference.errors import BackendError

SOURCES = "docs/browser"
CACHE = "build/try"
FOLDER = "try"

PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
COPIED = (
    *("annotated-types", "attrs", "iniconfig", "packaging", "pluggy", "pydantic", "pygments"),
    *("pytest", "PyYAML", "typing-extensions", "typing-inspection"),
)
"""Packages of this environment that also work in a tab, since they are pure Python."""
LEXERS = {"__init__.py", "_mapping.py", "diff.py", "python.py"}
"""The lexers of pygments that pytest uses."""


class NotBuilt(Exception):
    """The tab could not be built; the message says what to do."""


def build_tab(root: Path, site: Path) -> None:
    """Put the tab into the site or, if that fails, a page that says so.

    Raises:
        NotBuilt: something is missing that a person has to install.
    """
    target = site / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    try:
        _build(root, target)
    except NotBuilt as error:
        (target / "index.html").write_text(f"<!doctype html><title>g2c</title><p>{error}", "utf-8")
        raise


def _build(root: Path, target: Path) -> None:
    try:
        models = {"model.gguf": find_weights(), "adapter.gguf": find_adapter()}
    except BackendError as error:
        raise NotBuilt(f"This site is built without its browser tab. {error}") from error
    sources, cache = root / SOURCES, root / CACHE
    _fetch(sources, cache)
    modules = cache / "node_modules"
    for name in PYODIDE:
        _copy(modules / "pyodide" / name, target / "pyodide" / name)
    _copy(modules / "@wllama/wllama/esm/wasm/wllama.wasm", target / "wllama.wasm")
    for name, path in models.items():
        _copy(path, target / name)
    versions = {name: sha256_of(path)[:12] for name, path in models.items()}
    sizes = sum(path.stat().st_size for path in models.values())
    (target / "model.json").write_text(json.dumps({"versions": versions, "bytes": sizes}), "utf-8")
    _copy(sources / "page.css", target / "page.css")
    _pack_course(root, target / "course.zip")
    _pack_packages(cache / "wheels", target / "packages.zip")
    for old in target.glob("*.js"):
        old.unlink()
    _copy(sources / "worker.js", target / "worker.js")
    scripts = [str(sources / name) for name in ("page.js", "model.js")]
    form = ["--bundle", "--splitting", "--minify", "--format=esm", "--log-level=error"]
    esbuild = ["node", str(modules / "esbuild/bin/esbuild"), *scripts, *form]
    _run([*esbuild, f"--outdir={target}"], {"NODE_PATH": str(modules)})
    page = read_text(sources / "index.html")
    # A browser with a cached older file asks for the one of this build.
    for name in ("page.js", "page.css"):
        page = page.replace(f'"{name}"', f'"{name}?{sha256_of(target / name)[:12]}"')
    (target / "index.html").write_text(page, "utf-8")


def _fetch(sources: Path, cache: Path) -> None:
    """Download what `sources` names into `cache`, unless it is already there."""
    names = ("package.json", "package-lock.json", "wheels.txt")
    wanted = hashlib.sha256(b"".join(read_bytes(sources / name) for name in names)).hexdigest()
    done = cache / "done"
    if done.exists() and read_text(done) == wanted:
        return
    if not shutil.which("npm"):
        raise NotBuilt(
            "This site is built without its browser tab: install npm (on Debian: apt-get install "
            "npm), and build it again."
        )
    if not find_spec("pip"):
        raise NotBuilt(
            "This site is built without its browser tab: install pip into the environment (uv pip "
            "install pip), and build it again."
        )
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    for name in names:
        shutil.copy(sources / name, cache)
    _run(["npm", "ci", "--prefix", str(cache), "--ignore-scripts", "--no-audit", "--no-fund"])
    tab = "--python-version 3.14 --implementation cp --abi cp314 --abi none --only-binary :all:"
    platforms = "--platform pyemscripten_2026_0_wasm32 --platform any"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    wheels = ["--dest", str(cache / "wheels"), "--requirement", str(cache / "wheels.txt")]
    _run([*pip, *tab.split(), *platforms.split(), *wheels])
    done.write_text(wanted, "utf-8")


def _run(command: list[str], more: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | (more or {}))
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotBuilt(
            f"This site is built without its browser tab: {' '.join(command[:2])} failed; is there "
            f"a network? It said: {' '.join(said[-3:])}"
        )


def _copy(source: Path, target: Path) -> None:
    """Copy a file, unless one of equal size and time is there: the weights are large."""
    target.parent.mkdir(exist_ok=True)
    if not target.exists() or not _alike(source, target):
        shutil.copy2(source, target)


def _alike(one: Path, other: Path) -> bool:
    first, second = one.stat(), other.stat()
    return (first.st_size, first.st_mtime_ns) == (second.st_size, second.st_mtime_ns)


def _pack_course(root: Path, target: Path) -> None:
    """The package and the students' tests; the exercises as they are shipped."""
    stubs = {root / exercise.file: stub_of(exercise) for exercise in load_exercises()}
    files = [*(root / "g2c").rglob("*"), *(root / "tests").glob("*.py"), root / RECORDING]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted([*files, root / "pyproject.toml"]):
            # The page loads the weights separately, and needs no bank of wrong answers.
            is_of_bank = file.name in {"wrong.py", "caught.toml"}
            is_left_out = file.suffix in {".gguf", ".pyc"} or is_of_bank
            if file.is_file() and not is_left_out:
                text = stubs.get(file) or read_bytes(file)
                archive.writestr(file.relative_to(root).as_posix(), text)


def _pack_packages(wheels: Path, target: Path) -> None:
    """The packages that the course and its tests import, as an archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in COPIED:
            for file in _python_files(name):
                archive.write(distribution(name).locate_file(file), file)  # type: ignore[arg-type]
        for wheel in sorted(wheels.glob("*.whl")):
            with zipfile.ZipFile(wheel) as packed:
                for entry in packed.namelist():
                    archive.writestr(entry, packed.read(entry))


def _python_files(name: str) -> Iterable[str]:
    for file in distribution(name).files or ():
        is_needed = file.suffix == ".py" or file.name in {"METADATA", "entry_points.txt"}
        is_lexer = "lexers" in file.parts and file.name not in LEXERS
        if is_needed and not is_lexer and ".." not in file.parts:
            yield file.as_posix()
