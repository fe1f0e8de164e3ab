"""Whether a draft is broken, decided by a program.

A model says what it thinks of code. A program can run it. The idea to take away: an example that
fails shows that a draft is wrong, and one that passes shows little. Look also for what working code
never does.
"""

from __future__ import annotations

from collections.abc import Callable

from g2c.exercise import exercise


@exercise("21.7")
def is_broken(task: str, draft: str, run: Callable[[str], str]) -> bool:
    """Judge a draft of a function, without a model.

    `task` ends with one to three examples, as doctest writes them. `run(program)` runs a Python
    program in a process with limits and returns what it prints, or raises `ToolError`. You have
    `read_examples` and `run_examples` of `g2c.critic.core.examples`, `try_calls` of
    `core.outcomes`, `read_arguments` and `call_of` of `core.calls`. Run the draft there
    and nowhere else; look nothing up in the labelled tasks.

    `g2c score 21.7` shows it some 140 drafts, good and broken. Its score is the per cent of broken
    ones that it calls broken, less the per cent of good ones. A grader has other tasks and drafts.

    >>> from g2c.tools.run_python import make_run_python
    >>> task = "Write half(n).\\n\\nExamples:\\n>" + ">> half(5)\\n2.5\\n"
    >>> is_broken(task, "def half(n): return n // 2", make_run_python().func)
    True
    """
    raise NotImplementedError
