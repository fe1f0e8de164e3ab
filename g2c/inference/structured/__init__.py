"""Structured answers: asking for a form, and reading it."""
