"""Other solutions of 22.6."""
