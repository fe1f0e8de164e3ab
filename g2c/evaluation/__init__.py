"""Module 23: an agent that is measured, from its spans to a number with an interval.

The exercises of module 23 are yours. They stand on what is in `provided/`, and `assembled/` makes
of them what `g2c trace`, `g2c judge`, `g2c compare` and `g2c eval` run.
"""
