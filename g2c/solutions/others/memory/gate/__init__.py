"""Other solutions of 20.5."""
