"""The course around the agent: it shows, checks and ships the exercises.

    browser/    the course in a browser's tab
    check/      running a student's tests, and their results
    folder/     a student's folder: laid out from a wheel, and updated
    notebook/   working copies of the notebooks, and what a notebook says about itself
    scored/     what exercises have in common that are judged by a score

The modules at the top are used by all of these: the list of the exercises, their stubs, the
recorded runs.
"""

from g2c.surroundings import libraries_first

libraries_first()  # before any import that a student's file could shadow
