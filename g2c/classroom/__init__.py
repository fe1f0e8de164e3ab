"""Grading a student's folder against the tests of this course."""

from g2c.surroundings import libraries_first

libraries_first()  # before any import that a student's file could shadow
