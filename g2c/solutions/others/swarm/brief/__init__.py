"""Other solutions of 24.1."""
