"""Other solutions of 23.4."""
