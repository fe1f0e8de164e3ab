"""Other solutions of 25.6."""
