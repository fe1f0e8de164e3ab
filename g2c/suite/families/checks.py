"""Drafts and goals for critics that run code and read files. Half are sound, and half have a fault
that only the right check shows."""

import json
from collections.abc import Iterator

from g2c.suite.draw import Draw
from g2c.suite.families.blanks import calculate, fill, fill_apart
from g2c.suite.tasks import CheckTask
from g2c.suite.vocabulary import both


def checks(draw: Draw) -> Iterator[CheckTask]:
    """Functions to run and files to read, each once sound and once with a fault."""
    for task, sound, faulty, tried in draw.table(*both("code_checks")):
        yield CheckTask(task, "APPROVE", sound, solution=tried)
        yield CheckTask(task, "REVISE", faulty, solution=tried)
    for goal, sound, faulty, kind, looked_for in draw.table(*both("file_checks")):
        words = fill(draw)
        words |= {
            "product": calculate("{k} * {b}".format(**words)),
            "total": calculate("{a} + {b}".format(**words)),
            "wrong_colour": fill_apart(draw, words)["colour"],
        }
        check = {"file": words["file"], "says": "", "equals": ""}
        check[kind] = looked_for.format(**words)
        solution = json.dumps({"files": [check]})
        for verdict, text in (("APPROVE", sound), ("REVISE", faulty)):
            files = {words["file"]: text.format(**words) + "\n"}
            yield CheckTask(goal.format(**words), verdict, "Done.", files, solution)
