"""What the subcommands of `g2c` print and ask, a file a family; what they decide lies elsewhere."""
