"""Other solutions of 20.1."""
