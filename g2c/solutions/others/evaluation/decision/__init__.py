"""Other solutions of 23.7."""
