"""Other solutions of 19.4."""
