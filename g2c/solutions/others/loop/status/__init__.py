"""Other solutions of 22.2."""
