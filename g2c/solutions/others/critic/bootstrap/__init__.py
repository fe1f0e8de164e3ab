"""Other solutions of 21.6."""
