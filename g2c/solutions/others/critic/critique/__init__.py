"""Other solutions of 21.1."""
