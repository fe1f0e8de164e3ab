"""Other solutions of 24.4."""
