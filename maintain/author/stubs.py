"""Store the stubs for `g2c reset`: `python -m maintain.author.stubs`.

It copies the exercises' files of this checkout, which must be unsolved, as a student gets them.
"""

from g2c.course.manifest import load_exercises
from g2c.files import replace_text
from g2c.paths import project_root


def main() -> None:
    for exercise in load_exercises():
        text = (project_root() / exercise.file).read_text("utf-8")
        if not text.endswith("    raise NotImplementedError\n"):
            raise SystemExit(f"{exercise.file}: {exercise.function} is not as shipped.")
        replace_text(project_root() / exercise.folder / "stub.py", text)


if __name__ == "__main__":
    main()
