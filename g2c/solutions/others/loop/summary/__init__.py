"""Other solutions of 22.5."""
