"""Grading a student's folder against the tests of this course."""
