"""Other solutions of 20.2."""
