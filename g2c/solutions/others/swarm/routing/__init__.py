"""Other solutions of 24.5."""
