"""Other solutions of 25.5."""
