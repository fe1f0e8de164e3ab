"""Grading a student's folder against the tests of this course."""

from g2c.surroundings import libraries_first

libraries_first()  # before anything is imported that a file of a student's could stand in for
