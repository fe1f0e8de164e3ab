"""The course around the agent: what shows, checks and ships the exercises.

    check/      running a student's tests, and what they gave
    folder/     a student's folder: laid out from a wheel, and updated
    goals/      the exercises that are judged by a score
    naive/      the exercises' first versions, which `g2c break` runs
    notebook/   working copies of the notebooks, and what a notebook says about itself
    tab/        the course in a browser's tab

At the top is what all of these use: the list of the exercises, their stubs, the recorded runs.
"""

from g2c.surroundings import libraries_first

libraries_first()  # before anything is imported that a file of a student's could stand in for
