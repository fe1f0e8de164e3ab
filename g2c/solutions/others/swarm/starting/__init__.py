"""Other solutions of 24.2."""
