"""Other solutions of 23.1."""
