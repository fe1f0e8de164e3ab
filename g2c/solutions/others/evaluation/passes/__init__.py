"""Other solutions of 23.6."""
