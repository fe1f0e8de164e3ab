"""Other solutions of 25.2."""
