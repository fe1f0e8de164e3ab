"""The `g2c` command: `main.py` runs it, and a subcommand is in the file of its name."""

from g2c.surroundings import libraries_first

libraries_first()  # before any import that a student's file could shadow
