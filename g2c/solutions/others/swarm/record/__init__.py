"""Other solutions of 24.6."""
