"""Other solutions of 24.7."""
