"""Other solutions of 19.1."""
