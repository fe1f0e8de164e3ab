"""Other solutions of 25.1."""
