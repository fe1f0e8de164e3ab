"""Other solutions of 20.4."""
