"""Attacks on the course's own code, with figures: kills, races and fuzzing. See `docs/survival.md`.

The seed of a round decides the attack, as far as the scheduler allows. A round returns its counts,
and a sentence for each broken promise.
"""
