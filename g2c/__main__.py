"""`python -m g2c`, for machines on which no shell finds the command `g2c`."""

from g2c.cli.main import main

main()
