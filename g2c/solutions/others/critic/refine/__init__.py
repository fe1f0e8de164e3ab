"""Other solutions of 21.2."""
