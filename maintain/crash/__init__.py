"""Attacks on the course's own code, with figures: kills, races and fuzzing. See `docs/survival.md`.

A round of an attack is decided by its seed as far as the scheduler allows. It says what it counted
and what did not hold.
"""
