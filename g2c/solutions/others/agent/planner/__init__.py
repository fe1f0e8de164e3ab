"""Other solutions of 19.2."""
