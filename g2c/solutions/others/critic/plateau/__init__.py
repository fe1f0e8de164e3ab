"""Other solutions of 21.4."""
