"""The course around the agent: the `g2c` command, and what checks, grades and ships the exercises.

    cli/        the command: a file for each subcommand
    check/      running a student's tests, and telling what came of it
    grade/      grading a student's folder
    notebook/   working copies of the notebooks, and what a notebook says about itself
    author/     what a maintainer runs

At the top is what all of these use: the list of the exercises, their stubs, the recorded runs.
"""

from g2c.surroundings import libraries_first

libraries_first()  # before anything is imported that a file of a student's could stand in for
