"""Other solutions of 22.4."""
