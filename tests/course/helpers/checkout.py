"""A student's checkout: a copy of the course that a test may write into, and the command in it."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from g2c.course.manifest import find_exercise
from g2c.paths import cache_dir

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-c", "from g2c.cli.main import main; main()"]
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "course")


class Checkout:
    """The course in `folder`, with its functions as this checkout has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, folder)
        for name in ("docs", "notebooks", "g2c/course"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__py*"))
        for name in ("g2c", "tests"):  # without the course's own tests
            shutil.copytree(ROOT / name, folder / name, ignore=_NOT_COPIED, dirs_exist_ok=True)

    def environment(self, **more: str) -> dict[str, str]:
        ours = ("G2C_", "OLLAMA_", "CI")  # no student's shell has them
        kept = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        fixed = {"NO_COLOR": "1", "COLUMNS": "200", "G2C_CACHE": str(cache_dir()), "G2C_EXACT": "1"}
        return kept | fixed | {"PYTHONPATH": str(self.folder)} | more

    def g2c(
        self, *arguments: str, typed: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command as a student does; it finds no Ollama unless it is told of one."""
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=self.environment(**environment),
            input=typed,
            capture_output=True,
            text=True,
            timeout=600,  # a busy machine is not a failure
        )

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run pytest as a student does."""
        return subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=600,
        )

    def file_of(self, exercise_id: str) -> Path:
        return self.folder / find_exercise(exercise_id).file

    def write_body(self, exercise_id: str, body: str) -> None:
        """Put `body`, indented as in a function of a module, in the place of the stub's."""
        file = self.file_of(exercise_id)
        before, mark, after = file.read_text("utf-8").partition(f'@exercise("{exercise_id}")')
        contract, stub, rest = after.partition("    raise NotImplementedError\n")
        assert stub and "@exercise(" not in contract, f"{exercise_id} in {file} is not as shipped"
        file.write_text(before + mark + contract + body + rest, "utf-8")

    def write_own(self, exercise_id: str) -> None:
        """Write the reference's code into the student's file, as if it were the student's."""
        exercise = find_exercise(exercise_id)
        code = (ROOT / exercise.solution_file).read_text("utf-8")
        functions = {node.name: node for node in ast.parse(code).body if hasattr(node, "args")}
        arguments = ", ".join(arg.arg for arg in functions[exercise.function].args.args)
        self.write_body(exercise_id, f"    return _own({arguments})\n")
        own = re.sub(rf"^def {exercise.function}\b", "def _own", code, flags=re.MULTILINE)
        file = self.file_of(exercise_id)
        helpers = own.replace("from __future__ import annotations\n", "")
        file.write_text(f"{file.read_text('utf-8')}\n\n{helpers}", "utf-8")

    def solve(self, exercise_id: str) -> None:
        """Have the function call its reference, as a right one of the student's own."""
        found = find_exercise(exercise_id)
        module = found.solution_file.removesuffix(".py").replace("/", ".")
        self.write_body(
            exercise_id,
            "    given = dict(locals())\n"
            f"    import {module} as solved\n\n"
            f"    return solved.{found.function}(**given)\n",
        )
