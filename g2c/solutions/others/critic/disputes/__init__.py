"""Other solutions of 21.5."""
