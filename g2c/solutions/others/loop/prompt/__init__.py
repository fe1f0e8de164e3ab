"""Other solutions of 22.1."""
