"""Other solutions of 20.6."""
