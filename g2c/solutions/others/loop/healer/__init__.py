"""Other solutions of 22.7."""
