"""Other solutions of 23.2."""
