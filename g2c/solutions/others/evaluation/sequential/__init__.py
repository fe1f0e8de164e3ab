"""Other solutions of 23.5."""
