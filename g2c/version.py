"""The version of the course that runs."""

import contextlib
import json
import tomllib

from g2c.files import read_text
from g2c.paths import checkout

RECORD = ".g2c/course.json"
"""The file that says from which version a folder was made or last updated; see
`g2c.course.folder.record`."""


def version() -> str:
    """The version of this course's folder, or of the package that was installed from a wheel.

    A package installed from a folder only points to it. So an update changes the folder's version
    at once, and the installed one when the folder is next installed.
    """
    if folder := checkout():
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return str(json.loads(read_text(folder / RECORD))["version"])
        with contextlib.suppress(OSError, ValueError, KeyError):
            project = tomllib.loads(read_text(folder / "pyproject.toml"))["project"]
            return str(project["version"])
    from importlib.metadata import version as installed_version

    return installed_version("g2c")
