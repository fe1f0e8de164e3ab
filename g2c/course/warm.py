"""The test process: `python -m g2c.course.warm` loads what is slow to load, then waits.

It reads one line, pytest's arguments as a JSON list, and becomes that run of pytest. What the
student edits is not imported before.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    from importlib import import_module

    import _pytest.config
    import pytest

    for plugin in _pytest.config.default_plugins:  # which pytest would import one by one, later
        import_module(f"_pytest.{plugin}")
    import_module("g2c.inference")
    import_module("g2c.tools")

    line = sys.stdin.readline()
    status = pytest.main(json.loads(line)) if line.strip() else 0
    sys.stdout.flush()
    os._exit(status)  # taking Python down in order takes longer than many a test run


if __name__ == "__main__":
    main()
