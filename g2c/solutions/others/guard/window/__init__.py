"""Other solutions of 25.4."""
