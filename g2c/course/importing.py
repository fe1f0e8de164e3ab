"""Importing what a student edits, which may be broken at the moment."""

from __future__ import annotations

from importlib import import_module


def import_students(package: str) -> None:
    """Import `package`, such as `g2c.agent`, so that a file of it which cannot be imported is one
    sentence.

    Raises:
        ValueError: it cannot; the message names the file and the line.
    """
    try:
        import_module(package)
    except Exception as error:
        from g2c.course.failures import import_trouble

        raise ValueError(import_trouble(error)) from error
